"""Questions of a time alone are answered with what is told of it, or with what is nearest."""

from __future__ import annotations

import pytest

from mmem import Memory
from tests.bodies import quick

CHAT = """\
14/03/2024, 09:00 - Ana: I adopted a small dog at the shelter
14/03/2024, 09:01 - Bob: The vet on Mill Street costs 85 euros
15/03/2024, 18:00 - Ana: We painted the kitchen wall yellow
15/03/2024, 18:01 - Bob: ok
15/03/2024, 18:02 - Bob: The ladder broke under my left foot
"""


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    root = tmp_path_factory.mktemp("occasions")
    path = root / "WhatsApp Chat with Ana.txt"
    path.write_text(CHAT)
    made = Memory(root / "memory", **quick())
    assert not made.add(path)[0].failed
    return made


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("What happened on 15 March 2024?", ["kitchen", "ladder"]),
        ("What did we talk about on 14 March 2024?", ["dog", "vet"]),
        ("What did Bob say on 14 March 2024?", ["vet"]),
    ],
)
def test_what_is_told_of_a_day(memory: Memory, question: str, quotes: list[str]) -> None:
    """In order of time; words that tell nothing are left out, other speakers where one is named."""
    answer = memory.ask(question, written=False)
    assert answer.found and len(answer.citations) == len(quotes)
    assert all(w in c.quote for w, c in zip(quotes, answer.citations, strict=True)), answer.text


def test_of_a_day_that_nothing_tells_of_the_nearest_is_shown(memory: Memory) -> None:
    answer = memory.ask("What happened on 17 March 2024?", written=False)
    assert not answer.found and "ladder" in answer.near_misses[-1].quote
    assert memory.search("What happened on 17 March 2024?").times[0].words == "17 March 2024"


def test_something_to_look_for_is_looked_for(memory: Memory) -> None:
    """A day with a thing is no question of the day alone."""
    answer = memory.ask("What did Ana adopt on 14 March 2024?", written=False)
    assert [c.quote for c in answer.citations] == ["I adopted a small dog at the shelter"]
