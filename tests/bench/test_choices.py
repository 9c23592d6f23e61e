"""The choice among four options is scored, asked at its moment."""

from __future__ import annotations

import json
from pathlib import Path

from mmem import Memory
from mmem.bench.choices import choose, table
from tests.bodies import quick

CHAT = """\
01/01/2024, 11:00 - Jake: Alice tightens the screws with the screwdriver
01/01/2024, 18:00 - Jake: Lucia washes the blue kettle
"""


def asked(question: str, clock: str, answer: str) -> dict[str, object]:
    options = dict(zip("abcd", ("Tasha", "Alice", "Shure", "Lucia"), strict=True))
    return {
        "query_time": {"date": "DAY1", "time": clock},
        "type": "EntityLog",
        "question": question,
        "answer": answer,
        **{f"choice_{letter}": name for letter, name in options.items()},
    }


def test_choices_are_those_of_the_moment(tmp_path: Path) -> None:
    """What is told later can't be chosen; a right letter is right, another is not."""
    chat = tmp_path / "WhatsApp Chat with Jake.txt"
    chat.write_text(CHAT)
    questions = [
        asked("Who tightens the screws?", "12000000", "B"),
        asked("Who tightens the screws?", "12000000", "A"),
        asked("Who washes the kettle?", "12000000", "D"),
        asked("Who washes the kettle?", "19000000", "D"),
    ]
    with Memory(tmp_path / "memory", **quick()) as memory:
        assert not memory.add(chat)[0].failed
        found = list(choose(memory, questions))
        (tmp_path / "qa.json").write_text(json.dumps(questions))
        lines = list(table(memory, tmp_path / "qa.json"))
    assert [one.right for one in found] == [True, False, False, True]
    assert lines[0].startswith("all") and "right 50.0 [" in lines[0]
