"""Frames are compared once, when all files of a run are read; what it says stays true."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from mmem.errors import BudgetExceeded
from mmem.lifecycle import comparing
from mmem.schemas import Outcome
from mmem.stores.layout import connect
from mmem.stores.tables import open_table
from tests.bodies import quick
from tests.lifecycle.conftest import Said
from tests.lifecycle.test_fusion import HARBOUR, OFFICE, fused_of
from tests.lifecycle.test_laws import digest_after

PIER: list[Said] = [(25, "Lou", "Kit repaired boiler."), (26, "Lou", "Lou closed gate.")]


@pytest.fixture
def files(chat: Callable) -> list[Path]:
    return [chat("Harbour", HARBOUR), chat("Office", OFFICE), chat("Pier", PIER)]


@pytest.fixture
def settlings(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The sources of every comparison that is made."""
    act, found = comparing.settle_fusion, list[set[str]]()

    def noted(*given: Any, **named: Any) -> Any:
        found.append(set(named["sources"]))
        return act(*given, **named)

    monkeypatch.setattr(comparing, "settle_fusion", noted)
    return found


def fusion_of(memory: Memory) -> dict[str, Outcome]:
    titles = {source.id: source.title for source in memory.sources()}
    found = [o for o in memory.outcomes() if o.stage == "fusion"]
    return {titles[o.source_id]: o for o in found}


def dies(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_frames_are_compared_once_in_a_run(
    files: list[Path], fresh: Callable, settlings: list[set[str]]
) -> None:
    """Whatever the number of files; each source has its outcome, the last report tells the end."""
    memory = fresh()
    reports = memory.add(*files)
    assert [len(sources) for sources in settlings] == [3]
    assert not any(report.failed for report in reports)
    stages = [{o.stage for o in report.outcomes} for report in reports]
    assert ["fusion" in one for one in stages] == [False, False, True]
    assert {name: one.count for name, one in fusion_of(memory).items()} == {
        "Harbour": 0,
        "Office": 1,
        "Pier": 1,
    }
    memory.add(*files)
    memory.retry()
    assert len(settlings) == 1


def test_the_same_file_twice_in_a_run_is_unchanged(files: list[Path], fresh: Callable) -> None:
    """What waits for the end of this run is not open."""
    memory, copy = fresh(), files[0].with_name("copy.txt")
    copy.write_bytes(files[0].read_bytes())
    assert [report.status for report in memory.add(files[0], copy)] == ["added", "unchanged"]


@pytest.mark.parametrize("how", ["retry", "the same again", "another"])
def test_a_run_that_dies_before_the_comparison_is_ended_by_the_next(
    how: str, files: list[Path], fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raw first: all that was read is there; the stage says that it waits; then all is well."""
    memory = fresh()
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(comparing, "settle_fusion", dies)
        memory.add(*files[:2])
    memory = Memory(memory.folder, **quick())
    assert [o.stage for o in memory.outcomes() if o.status == "pending"] == ["fusion"] * 2
    assert all("mmem retry" in o.reason for o in fusion_of(memory).values())
    if how == "retry":
        assert [report.status for report in memory.retry()] == ["completed"] * 2
    memory.add(*(files[2:] if how == "another" else files[:2]))
    assert [o for o in memory.outcomes() if o.status == "pending"] == []
    memory.add(*files)
    assert memory.state_digest() == digest_after(files)


def test_the_counts_of_other_sources_follow(files: list[Path], fresh: Callable) -> None:
    """A source that is added earlier in time makes a later one a teller of the same."""
    memory = fresh()
    memory.add(files[1])
    assert (fusion_of(memory)["Office"].status, fusion_of(memory)["Office"].count) == ("empty", 0)
    memory.add(files[0])
    assert (fusion_of(memory)["Office"].status, fusion_of(memory)["Office"].count) == ("ok", 1)
    memory.forget(source="Harbour")
    assert (fusion_of(memory)["Office"].status, fusion_of(memory)["Office"].count) == ("empty", 0)


def test_taking_apart_counts_too(files: list[Path], fresh: Callable) -> None:
    """The count is that of the frames as they are shown."""
    memory = fresh()
    memory.add(*files[:2])
    memory.unfuse(fused_of(memory)[0].id)
    assert fusion_of(memory)["Office"].count == 0


def test_a_count_tells_nothing_of_a_hidden_source(files: list[Path], fresh: Callable) -> None:
    """Law 7: an open source's outcome is that of a memory without the hidden one."""
    memory, alone = fresh(), fresh()
    memory.add(files[0], labels=["hr"])
    memory.add(files[1])
    alone.add(files[1])
    stranger = Memory(memory.folder, labels=[], **quick())
    found, known = fusion_of(stranger)["Office"], fusion_of(alone)["Office"]
    assert (found.status, found.count) == (known.status, known.count)
    assert fused_of(memory)


def test_a_judge_that_cannot_be_asked_fails_the_stage_alone(
    files: list[Path], fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 9: the last report says so, for each source; `retry` makes it good."""

    def spent(*_: object, **__: object) -> None:
        raise BudgetExceeded("nothing is left of 0.01")

    memory = fresh()
    with monkeypatch.context() as patched:
        patched.setattr(comparing, "settle_fusion", spent)
        reports = memory.add(*files)
    assert [report.failed for report in reports] == [False, False, True]
    told = [o for o in reports[-1].outcomes if o.stage == "fusion"]
    assert [(o.status, o.reason) for o in told] == [("failed", "nothing is left of 0.01")] * 3
    memory.retry()
    assert memory.state_digest() == digest_after(files)
    assert {o.status for o in fusion_of(memory).values()} <= {"ok", "empty"}


@pytest.mark.parametrize("again", [False, True])
def test_an_add_brings_what_was_written_before_there_were_comparisons(
    again: bool, files: list[Path], fresh: Callable
) -> None:
    """A memory of layout 2 is whole after the next add, of another file or of one it has."""
    memory = fresh()
    memory.add(*files[:2])
    connection = connect(memory.folder)
    connection.drop_table("comparisons")
    connection.open_table("units").drop_columns(["actors", "subjects", "objects"])
    ledger = open_table(connection, "ledger")
    ledger.delete_ids([r["id"] for r in ledger.read().to_pylist() if r["stage"] == "fusion"])
    open_table(connection, "meta").upsert([{"id": "layout", "value": "2"}])
    with Memory(memory.folder, **quick()) as memory:
        memory.add(files[0] if again else files[2])
        assert memory.state_digest() == digest_after(files[:2] if again else files)
        assert {o.status for o in fusion_of(memory).values()} <= {"ok", "empty"}
        assert len(fusion_of(memory)) == (2 if again else 3)
