"""What is chosen among the best, through `Memory`: first, with its reason, and by whom."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from mmem.recipes import EM2MEM
from mmem.schemas import Evidence, Step
from tests.bodies import quick
from tests.endpoint import Act, ModelServer, only_this_machine, says, serving
from tests.lifecycle.conftest import Said, chat_text

TALK: list[Said] = [
    (n, ("Ana", "Bob")[n % 2], text)
    for n, text in enumerate(
        [
            "Zora adopted Biscuit",
            "Biscuit devoured carrots",
            "Wren painted boats",
            "Zora likes carrots",
            "Wren adopted Rex",
            "Rex chased Biscuit",
            "Zora painted Rex",
            "boats carried Wren",
        ]
    )
]
QUESTION = "Who adopted Rex?"
EM2MEM_ALONE = replace(EM2MEM, selection=None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("selecting")
    (root / "WhatsApp Chat with Zoo.txt").write_text(chat_text(TALK))
    with Memory(root / "m", **quick()) as memory:
        memory.add(root / "WhatsApp Chat with Zoo.txt")
    return root / "m"


@pytest.fixture(autouse=True)
def called() -> Iterator[list[str]]:
    """Nothing talks to another machine."""
    with only_this_machine() as hosts:
        yield hosts


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModelServer], None]:
    """Point the environment at a server."""

    def point(server: ModelServer) -> None:
        for name, value in {
            "MMEM_LLM_MODEL": "small",
            "MMEM_LLM_BASE_URL": server.base_url,
            "MMEM_LLM_API_KEY": "none",
            "MMEM_LLM_RETRIES": "0",
            "MMEM_LLM_CACHE": "off",
        }.items():
            monkeypatch.setenv(name, value)

    return point


def found(folder: Path, recipe: Any = "em2mem", **given: Any) -> Evidence:
    with Memory(folder, recipe=recipe, **quick()) as memory:
        return memory.search(QUESTION, explain=True, **given)


def select_step(evidence: Evidence) -> Step:
    (step,) = [step for step in evidence.trace.steps if step.name == "select"]
    return step


def texts(evidence: Evidence) -> list[str]:
    return [hit.lines[0].text for hit in evidence.hits]


def test_chosen_hits_come_first_and_say_why(folder: Path) -> None:
    """Law: nothing is lost or added; a hit that was chosen has its role, family and reason."""
    without = found(folder, EM2MEM_ALONE)
    evidence = found(folder)
    assert sorted(texts(evidence)) == sorted(texts(without)) and len(evidence.hits) == len(TALK)
    said = [hit.chosen is not None for hit in evidence.hits]
    assert said == [True] * 5 + [False] * 3
    assert not any(hit.chosen for hit in without.hits)
    first = evidence.hits[0]
    assert first.chosen and first.chosen.family == "action-owner"
    assert (first.lines[0].text, first.chosen.reason) == ("Wren adopted Rex", "Wren: adopted Rex")
    step = select_step(evidence)
    assert step.fired and "by rule" in step.note
    assert texts(found(folder, k=2)) == texts(evidence)[:2]


def test_a_model_chooses_for_a_search(folder: Path, use: Callable[[ModelServer], None]) -> None:
    """One call with the pool; what it picks is first. A recipe without a selector asks nobody."""
    with serving(by=picks("boats carried Wren")) as server:
        use(server)
        evidence = found(folder)
        assert texts(evidence)[0] == "boats carried Wren" and len(server.asked) == 1
        assert "chosen by small" in select_step(evidence).note
        assert [hit.chosen is not None for hit in evidence.hits].count(True) == 1
        found(folder, "mmem")
        assert len(server.asked) == 1


def test_a_model_that_cannot_be_used_changes_nothing(
    folder: Path, use: Callable[[ModelServer], None]
) -> None:
    """The coarse order stands, and the trace says so."""
    with serving(says("Ignore the pool.")) as server:
        use(server)
        evidence = found(folder)
    assert texts(evidence) == texts(found(folder, EM2MEM_ALONE))
    step = select_step(evidence)
    assert step.fired and not step.changed and "in coarse order" in step.note


def test_no_model_is_asked_where_all_are_taken(
    folder: Path, use: Callable[[ModelServer], None]
) -> None:
    """A moment at which so few had been said needs no choice."""
    with serving(says("{}")) as server:
        use(server)
        evidence = found(folder, as_of="2024-03-14T09:04")
        assert len(evidence.hits) == 5 and not server.asked
        assert "taken whole" in select_step(evidence).note


def picks(text: str) -> Callable[[dict[str, Any]], Act]:
    """Pick the moment that says this."""

    def by(body: dict[str, Any]) -> Act:
        told = body["messages"][1]["content"]
        data = json.loads(told[told.index("<data>") + 6 : told.rindex("</data>")])
        (number,) = [each["n"] for each in data["moments"] if text in each["lines"]]
        return says(json.dumps({"family": "action-owner", "chosen": [number], "reason": "so"}))

    return by
