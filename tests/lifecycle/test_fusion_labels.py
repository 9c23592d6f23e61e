"""Fused frames and labels: a reader meets those of a memory without what is hidden from him."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmem import Memory
from mmem.lifecycle import comparing
from mmem.lifecycle.fusing import settle_fusion
from mmem.lifecycle.meeting import readers_of
from mmem.schemas import EventFrame
from mmem.stores.library import Library
from tests.bodies import quick
from tests.ingestors.film import Tone, film
from tests.lifecycle.conftest import START, Said, transcript_text
from tests.lifecycle.test_fusion import Changing, fused_of, said_by

REPAIR = "Kit repaired boiler."
QUICK = settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
Hidden = tuple[Path, Sequence[str]]


def memory_of(fresh: Callable, files: Sequence[Hidden]) -> Memory:
    memory: Memory = fresh()
    for labels in dict.fromkeys(tuple(own) for _, own in files):
        paths = [path for path, own in files if tuple(own) == labels]
        assert not any(report.failed for report in memory.add(*paths, labels=labels))
    return memory


def reader(memory: Memory, *labels: str) -> Memory:
    return Memory(memory.folder, labels=labels, **quick())


@pytest.fixture
def crowd(chat: Callable) -> list[Hidden]:
    """Two open chats tell one act; between them four that are hidden tell it as well."""
    named = [("Harbour", 0, []), *((f"Boss {n}", n + 1, ["boss"]) for n in range(4))]
    return [
        (chat(name, [(at, "Kit", REPAIR), (at + 3000, "Kit", name)]), labels)
        for name, at, labels in [*named, ("Office", 9, [])]
    ]


def test_hidden_tellers_take_no_place(crowd: list[Hidden], fresh: Callable) -> None:
    """Law 7: what lies between two units, out of a reader's sight, does not part them."""
    memory = memory_of(fresh, crowd)
    (frame,) = fused_of(reader(memory))
    assert said_by(memory, frame) == [f"Harbour: {REPAIR}", f"Office: {REPAIR}"]
    (whole,) = fused_of(memory)
    assert len(whole.unit_ids) == 6


def test_another_label_is_another_memory(crowd: list[Hidden], fresh: Callable) -> None:
    """Labels that come later are as good as labels from the beginning; no row of before stays."""
    memory = memory_of(fresh, [(path, []) for path, _ in crowd])
    for path, labels in crowd:
        if labels:
            (report,) = memory.add(path, labels=labels)
            assert report.status == "relabelled" and not report.failed
    assert memory.state_digest() == memory_of(fresh, crowd).state_digest()
    assert len(fused_of(reader(memory))[0].unit_ids) == 2


def test_a_relabelling_that_broke_off_is_ended_by_the_next_run(
    crowd: list[Hidden], fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 9: it says that it waits, and any later add of anything settles it."""
    memory = memory_of(fresh, [crowd[0], *((path, []) for path, _ in crowd[1:])])

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(comparing, "settle_fusion", dies)
        memory.add(*(path for path, labels in crowd if labels), labels=["boss"])
    memory = Memory(memory.folder, **quick())
    assert [o.stage for o in memory.outcomes() if o.status == "pending"] == ["fusion"] * 4
    (report,) = memory.add(crowd[0][0])
    assert report.status == "unchanged"
    assert [o for o in memory.outcomes() if o.status == "pending"] == []
    assert memory.state_digest() == memory_of(fresh, crowd).state_digest()


tellings = st.lists(
    st.tuples(
        st.integers(0, 400),
        st.sampled_from(["Kit", "Lou"]),
        st.sampled_from([REPAIR, "Lou repaired boiler.", "Kit sold kayak.", "ok"]),
    ),
    min_size=1,
    max_size=4,
)
label_sets = st.sampled_from([(), ("a",), ("b",), ("a", "b")])


def told(memory: Memory) -> list[EventFrame]:
    return memory.frames()


@QUICK
@given(st.lists(st.tuples(tellings, label_sets), min_size=5, max_size=5))
def test_a_reader_meets_the_frames_of_a_memory_of_what_he_sees(
    chat: Callable, fresh: Callable, given_chats: list[tuple[list[Said], tuple[str, ...]]]
) -> None:
    """Law 7, with fusion in play: members, relations and summaries are those of that memory."""
    files: list[Hidden] = [
        (chat(f"Chat {n}", [*sorted(said), (2000, "Kit", f"Chat {n}")]), labels)
        for n, (said, labels) in enumerate(given_chats)
    ]
    memory = memory_of(fresh, files)
    for labels in ((), ("a",), ("a", "b")):
        seen = [(path, own) for path, own in files if set(own) <= set(labels)]
        found = told(reader(memory, *labels))
        assert found == (told(memory_of(fresh, seen)) if seen else [])


def asked(memory: Memory) -> Changing:
    library, judge = Library.open(memory.folder), Changing()
    settle_fusion(
        library,
        comparing.FUSING,
        judge,  # type: ignore[arg-type]
        sources=[source.id for source in library.sources()],
        tried=set(),
        counted=lambda *_: None,
    )
    return judge


def test_a_judge_is_not_shown_what_a_reader_of_his_verdict_may_not_see(
    crowd: list[Hidden], fresh: Callable
) -> None:
    """Law 7: a verdict that the stranger meets was made without any hidden word."""
    memory = memory_of(fresh, crowd)
    judge = asked(memory)
    home = {unit.id: s for s in memory.sources() for unit in memory.units(s.id)}
    last = [
        [home[frame.unit_ids[0]].title for frame in case.earlier]
        for case in judge.cases
        if home[case.frame.unit_ids[0]].title == "Office"
    ]
    assert sorted(last) == [["Boss 3", "Boss 2", "Boss 1"], ["Harbour"]]
    (frame,) = fused_of(reader(memory))
    assert (len(frame.unit_ids), frame.summary) == (2, "Kit repaired the boiler, say all.")


def test_verdicts_that_still_hold_are_not_asked_for_again(
    crowd: list[Hidden], fresh: Callable
) -> None:
    """A hidden source that goes leaves the stranger's verdicts as they are: no model is called."""
    memory = memory_of(fresh, crowd[:1] + crowd[-2:])
    asked(memory)
    memory.close()
    before = told(reader(memory))
    receipt = memory.forget(source="Boss 3")
    assert receipt.complete and receipt.pending == ()
    assert told(reader(memory)) == before and before[0].members
    assert asked(memory).cases == []


CUES = [(1.0, 4.0, "Kit", REPAIR), (20.0, 25.0, "Lou", "Lou painted fence.")]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    folder = tmp_path / "talk"
    folder.mkdir()
    film(folder / "talk.m4a", tones=[Tone(0, 30)])
    (folder / "talk.vtt").write_text(transcript_text(CUES))
    return folder / "talk.m4a"


def compared_with(memory: Memory) -> dict[str, set[str]]:
    """Return title -> titles of the candidates of its units, each with its kind."""
    titles = {s.id: f"{s.title} ({s.kind})" for s in memory.sources()}
    rows = Library.open(memory.folder).table("comparisons").read().to_pylist()
    home = {row["unit_id"]: titles[row["source_id"]] for row in rows}
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(home[row["unit_id"]], set()).update(home[i] for i in row["candidates"])
    return found


def test_what_an_anchor_shows_is_compared_as_the_anchor(
    talk: Path, chat: Callable, fresh: Callable
) -> None:
    """The passages of a transcript beside its recording are nobody's: they take no place."""
    memory = fresh()
    memory.add(talk, recorded_at=START)
    memory.add(chat("Office", [(2, "Ada", REPAIR)]))
    found = compared_with(memory)
    assert {name.rsplit(" (", 1)[1] for name in found} == {"recording)", "conversation)"}
    (frame,) = fused_of(memory)
    assert len(frame.unit_ids) == 2


def test_who_may_not_see_the_recording_meets_the_passages(
    talk: Path, chat: Callable, fresh: Callable
) -> None:
    """For him nothing stands for them: they are fused as if the recording were not there."""
    memory, alone = fresh(), fresh()
    office = chat("Office", [(2, "Ada", REPAIR)])
    memory.add(talk.with_suffix(".vtt"), recorded_at=START)
    memory.add(talk, recorded_at=START, labels=["film"])
    memory.add(office)
    (open_source, hidden) = (readers_of(memory.sources())[s.id] for s in ordered(memory))
    assert (open_source.unless, hidden.need) == (frozenset({"film"}), frozenset({"film"}))
    alone.add(talk.with_suffix(".vtt"), recorded_at=START)
    alone.add(office)
    stranger = reader(memory)
    assert [len(f.unit_ids) for f in fused_of(memory)] == [2]
    assert [f.unit_ids for f in fused_of(stranger)] == [f.unit_ids for f in fused_of(alone)]


def ordered(memory: Memory) -> list:
    """Return the transcript, then the recording."""
    kinds = {source.kind: source for source in memory.sources()}
    return [kinds["transcript"], kinds["recording"]]
