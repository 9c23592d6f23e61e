"""Questions read into quadruples: by whom, when, and what that costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from mmem.ports import Word
from mmem.schemas import Step
from tests.bodies import HashedWords, ThreeWords, quick
from tests.endpoint import Act, ModelServer, only_this_machine, says, serving
from tests.lifecycle.conftest import Said

TALK: list[Said] = [
    (0, "Ana", "Zora adopted Biscuit"),
    (1, "Bob", "Biscuit devoured carrots"),
    (2, "Ana", "Wren painted boats"),
]
STEP = "plan: query quadruples"


class Listening(ThreeWords):
    """Keeps the texts that it parses."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def parse_all(self, texts: Iterable[str]) -> Iterator[tuple[Word, ...]]:
        found = list(texts)
        self.parsed += found
        yield from super().parse_all(found)


@pytest.fixture
def folder(chat: Callable[..., Path], tmp_path: Path) -> Path:
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(chat("Zoo", TALK))
    return tmp_path / "m"


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[ModelServer], None]]:
    """Point the environment at a server."""

    def point(server: ModelServer) -> None:
        for name, value in {
            "MMEM_LLM_MODEL": "small",
            "MMEM_LLM_BASE_URL": server.base_url,
            "MMEM_LLM_API_KEY": "none",
            "MMEM_LLM_RETRIES": "0",
            "MMEM_LLM_CACHE": str(tmp_path / "replies"),
        }.items():
            monkeypatch.setenv(name, value)

    with only_this_machine():
        yield point


def opened(folder: Path, recipe: str, parser: ThreeWords) -> Memory:
    return Memory(folder, recipe=recipe, encoder=HashedWords(), parser=parser)


def told(memory: Memory, question: str) -> Step:
    (step,) = [
        step for step in memory.search(question, explain=True).trace.steps if step.name == STEP
    ]
    return step


def reads_questions(body: dict[str, Any]) -> Act:
    """Take a question apart, or answer it."""
    if "response_format" not in body:
        return says("Zora adopted Biscuit [1].\n")
    quadruple = {"subject": "Zora", "relation": "adopt", "object": None, "time": None}
    return says(json.dumps({"quadruples": [quadruple]}))


def test_the_default_recipe_reads_no_grammar_of_questions(folder: Path) -> None:
    """The parser costs seconds to load: no question of the default recipe brings it in."""
    parser = Listening()
    with opened(folder, "mmem", parser) as memory:
        memory.search("What are the pets that Zora has?")
        memory.ask("What has Zora adopted?")
    assert parser.parsed == []


def test_seem_begins_at_the_facts_of_the_quadruples(folder: Path) -> None:
    """The question is read by grammar; the fact that it asks about seeds the walk."""
    parser = Listening()
    with opened(folder, "seem", parser) as memory:
        step = told(memory, "Zora adopted whom")
        (best, *_) = memory.search("Zora adopted whom").hits
    assert parser.parsed == ["Zora adopted whom"] * 2
    assert step.fired and step.note == "(Zora, adopted, whom)"
    assert best.lines[0].text == "Zora adopted Biscuit" and best.channels["propagate"] == 1.0


def test_with_a_model_one_call_reads_a_question(
    folder: Path, use: Callable[[ModelServer], None]
) -> None:
    """Search asks once and remembers; an answer asks for itself; a quoted one asks nobody."""
    with serving(by=reads_questions) as server:
        use(server)
        parser = Listening()
        with opened(folder, "seem", parser) as memory:
            step = told(memory, "Whom did Zora take in?")
            assert step.note.startswith("(Zora, adopt, ?); read by small")
            assert (len(server.asked), parser.parsed) == (1, [])
            memory.search("Whom did Zora take in?")
            assert len(server.asked) == 1
            memory.ask("Whom did Zora take in?")
            assert len(server.asked) == 2
            memory.ask("Zora adopted whom", written=False)
            assert (len(server.asked), parser.parsed) == (2, ["Zora adopted whom"])
        with opened(folder, "mmem", parser) as memory:
            memory.search("What has Zora adopted?")
            assert len(server.asked) == 2
