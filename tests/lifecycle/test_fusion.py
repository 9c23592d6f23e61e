"""Fused frames keep the laws: order, forgetting, as-of, labels; and they can be taken apart."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmem import Memory
from mmem.derive.judges import Case, Judged, RuleJudge, Unjudged
from mmem.errors import UnknownId
from mmem.lifecycle import comparing, complete
from mmem.lifecycle.fusing import settle_fusion
from mmem.ports import Spent
from mmem.schemas import EventFrame
from mmem.stores.layout import connect
from mmem.stores.library import Library
from mmem.stores.tables import open_table
from tests.bodies import quick
from tests.lifecycle.conftest import START, Said
from tests.lifecycle.test_laws import digest_after

HARBOUR: list[Said] = [
    (0, "Kit", "Kit repaired boiler."),
    (3, "Lou", "Thanks a lot."),
    (900, "Lou", "Lou painted fence."),
]
OFFICE: list[Said] = [
    (20, "Ada", "Kit repaired boiler."),
    (21, "Ada", "Ada sold kayak."),
    (3000, "Kit", "Kit repaired boiler."),
]
QUICK = settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def fused_of(memory: Memory, **given: object) -> list[EventFrame]:
    return [frame for frame in memory.frames(**given) if frame.members]  # type: ignore[arg-type]


def said_by(memory: Memory, frame: EventFrame) -> list[str]:
    """Return the texts of the units of a frame, with their chats."""
    sources = {source.id: source.title for source in memory.sources()}
    units = [memory.show(unit_id) for unit_id in frame.unit_ids]
    return [f"{sources[u.source_id]}: {memory.show(u.atom_ids[0]).text}" for u in units]  # type: ignore[union-attr]


@pytest.fixture
def both(chat: Callable, fresh: Callable) -> Memory:
    memory = fresh()
    memory.add(chat("Harbour", HARBOUR), chat("Office", OFFICE))
    return memory


def test_one_occurrence_told_in_two_chats_is_one_frame(both: Memory) -> None:
    """The provenance of both tellers is in it; the same act two days later is another."""
    (frame,) = fused_of(both)
    assert said_by(both, frame) == [
        "Harbour: Kit repaired boiler.",
        "Office: Kit repaired boiler.",
    ]
    assert len(frame.events) == 1
    (later,) = [f for f in both.frames() if f.related]
    assert said_by(both, later) == ["Office: Kit repaired boiler."]
    assert set(later.related) <= {*frame.unit_ids}


def test_taken_apart_it_is_as_it_was_and_stays_so(both: Memory, chat: Callable) -> None:
    """`unfuse` gives the members back, unchanged, and no later add joins them again."""
    (frame,) = fused_of(both)
    whole = [f for f in both.frames() if not f.members]
    members = both.unfuse(frame.id)
    assert [member.id for member in members] == list(frame.members)
    assert fused_of(both) == []
    assert {f.id for f in both.frames()} == {f.id for f in whole} | set(frame.members)
    both.add(chat("Pier", [(5000, "Lou", "Lou closed gate.")]))
    both.retry()
    assert fused_of(both) == []
    with pytest.raises(UnknownId, match="no fused frame"):
        both.unfuse(frame.id)


def test_what_is_known_at_a_moment_does_not_change_with_what_comes_later(both: Memory) -> None:
    """Law 6: before the second teller spoke there is one frame of one unit."""
    assert len(fused_of(both, as_of=START.replace(minute=30))) == 1
    assert fused_of(both, as_of=START.replace(minute=10)) == []


def test_a_hidden_teller_is_not_in_the_frame(chat: Callable, fresh: Callable) -> None:
    """Law 7: a reader meets the parts that he may see, and nothing that only both tell."""
    memory = fresh()
    memory.add(chat("Harbour", HARBOUR))
    memory.add(chat("Office", OFFICE), labels=["office"])
    stranger = Memory(memory.folder, labels=[], **quick())
    assert len(fused_of(memory)) == 1
    assert fused_of(stranger) == []
    assert [f.related for f in stranger.frames()] == [(), (), ()]


@pytest.mark.parametrize("gone", ["Harbour", "Office"])
def test_forgetting_one_teller_gives_the_state_without_him(
    gone: str, both: Memory, chat: Callable
) -> None:
    """Law 5: then `retry` changes nothing, for the rules need no model."""
    receipt = both.forget(source=gone)
    assert receipt.complete and receipt.pending == ()
    (line,) = [one for one in receipt.lines if one.layer == "comparisons"]
    assert (line.verdict, line.found_after) == ("erased", 0)
    kept = chat("Office", OFFICE) if gone == "Harbour" else chat("Harbour", HARBOUR)
    assert both.state_digest() == digest_after([kept])


def test_forgetting_leaves_no_mark_of_what_was_taken_apart(both: Memory, chat: Callable) -> None:
    """Law 5: who was kept apart from a forgotten unit is not remembered either."""
    both.unfuse(fused_of(both)[0].id)
    both.forget(source="Harbour")
    both.retry()
    assert both.state_digest() == digest_after([chat("Office", OFFICE)])


tellings = st.lists(
    st.tuples(
        st.integers(0, 1500),
        st.sampled_from(["Kit", "Lou"]),
        st.sampled_from(["Kit repaired boiler.", "Lou repaired boiler.", "Kit sold kayak.", "ok"]),
    ),
    min_size=1,
    max_size=5,
)


@QUICK
@given(st.lists(tellings, min_size=3, max_size=3))
def test_order_of_arrival_cannot_be_seen_in_fused_frames(
    chat: Callable, said: list[list[Said]]
) -> None:
    """Law 4, with fusion in play: chats that tell the same, in any order, one by one or at once."""
    named = [(2000, "Kit", f"Chat {n}") for n in range(len(said))]  # equal bytes are one source
    files = [chat(f"Chat {n}", [*sorted(one), named[n]]) for n, one in enumerate(said)]
    orders = list(itertools.permutations(files))[::2]
    assert {digest_after(*([f] for f in order)) for order in orders} == {digest_after(files)}


class Changing:
    """A judge that needs a model: without one it cannot be asked."""

    def __init__(self, *, fails: bool = False) -> None:
        self.cases: list[Case] = []
        self.fails = fails

    identity = "changing 1"
    spent = Spent()

    def judge(self, cases: Iterator[Case]) -> Iterator[Judged | Unjudged]:
        for case in cases:
            self.cases.append(case)
            if self.fails:
                yield Unjudged("no reply")
            else:
                same = tuple(("same", "so") for _ in case.earlier)
                yield Judged(same, "Kit repaired the boiler, say all.")


def settled(memory: Memory, judge: Changing | None) -> object:
    library = Library.open(memory.folder)
    every = [source.id for source in library.sources()]
    return settle_fusion(
        library,
        comparing.FUSING,
        judge,  # type: ignore[arg-type]
        sources=every,
        tried=set(),
        counted=lambda *_: None,
    )


def test_a_model_judges_only_what_changed_and_waits_where_it_is_not_there(
    both: Memory, chat: Callable
) -> None:
    """What another judge said is kept; what he would have to say anew is dropped and waits."""
    judge = Changing()
    settled(both, judge)
    asked = len(judge.cases)
    assert asked > 0
    settled(both, judge)
    assert len(judge.cases) == asked
    both.close()
    (frame,) = fused_of(both)
    assert len(frame.unit_ids) == 3 and frame.summary == "Kit repaired the boiler, say all."
    receipt = both.forget(source="Harbour")
    assert any("fusion" in line and "mmem retry" in line for line in receipt.pending)


def test_a_case_that_could_not_be_judged_is_named_and_tried_again(both: Memory) -> None:
    """Law 9: a reply that is no use leaves the stage partial, not the memory wrong."""
    found = settled(both, Changing(fails=True))
    (source,) = [s for s in both.sources() if s.title == "Office"]
    outcome = found.outcome(source.id)  # type: ignore[attr-defined]
    assert (outcome.status, outcome.reason) == ("partial", "not compared: no reply")
    again = Changing()
    settled(both, again)
    assert again.cases


def test_a_memory_from_before_gets_its_comparisons(both: Memory) -> None:
    """A table and columns that an older memory lacks are added by the next writer and filled."""
    digest = both.state_digest()
    connection = connect(both.folder)
    connection.drop_table("comparisons")
    units = connection.open_table("units")
    units.drop_columns(["actors", "subjects", "objects"])
    ledger = open_table(connection, "ledger")
    ledger.delete_ids([r["id"] for r in ledger.read().to_pylist() if r["stage"] == "fusion"])
    open_table(connection, "meta").upsert([{"id": "layout", "value": "2"}])
    with Memory(both.folder, **quick()) as memory:
        memory.retry()
        assert memory.state_digest() == digest


def test_rules_are_named_in_what_they_judged(both: Memory) -> None:
    """Every comparison says who judged, against which candidates, and why."""
    library = Library.open(both.folder)
    unit_ids: Sequence[str] = [unit.id for s in both.sources() for unit in both.units(s.id)]
    told = library.comparisons_of(unit_ids).values()
    assert {each.judge for each in told} == {RuleJudge().identity}
    judged = [one for each in told for one in each.judged]
    assert {one.verdict for one in judged} >= {"same", "related"}
    assert all(one.reason for one in judged if one.verdict != "different")


def test_what_was_taken_apart_is_not_joined_over_a_third(both: Memory, chat: Callable) -> None:
    """Who tells the same later joins one of them, never both."""
    both.unfuse(fused_of(both)[0].id)
    both.add(chat("Pier", [(25, "Lou", "Kit repaired boiler.")]))
    (frame,) = fused_of(both)
    assert len(frame.unit_ids) == 2


def test_taken_apart_it_stays_so_through_forgetting_and_a_failing_reader(
    both: Memory, chat: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a person said is kept as long as the unit is there, judged or not."""
    both.add(chat("Pier", [(25, "Lou", "Kit repaired boiler.")]))
    settled(both, Changing())
    both.close()
    both.unfuse(fused_of(both)[0].id)
    both.forget(source="Pier")
    both.retry()
    assert fused_of(both) == []
    with monkeypatch.context() as patched:
        patched.setattr(complete, "settle_frames", lambda *_, **__: 1 / 0)
        both.add(chat("Office", [*OFFICE, (4000, "Ada", "Fine then.")]))
    both.retry()
    assert fused_of(both) == []


def test_taking_apart_leaves_what_is_pending_pending(both: Memory, chat: Callable) -> None:
    """Law 9: a stage that waits still waits."""
    both.add(chat("Pier", [(25, "Lou", "Kit repaired boiler.")]))
    settled(both, Changing())
    both.close()
    frame = fused_of(both)[0]
    both.forget(source="Harbour")
    assert [o.status for o in both.outcomes() if o.stage == "fusion"].count("pending") > 0
    for left in fused_of(both):
        both.unfuse(left.id)
    assert [o.status for o in both.outcomes() if o.stage == "fusion"].count("pending") > 0
    assert frame.members


def test_a_summary_of_hidden_words_is_not_shown(chat: Callable, fresh: Callable) -> None:
    """Law 7: not even where the hidden teller has been taken apart."""
    memory = fresh()
    memory.add(chat("Harbour", HARBOUR), labels=["harbour"])
    memory.add(chat("Office", OFFICE))
    settled(memory, Changing())
    memory.close()
    memory.unfuse(fused_of(memory)[0].id)
    memory.add(chat("Pier", [(25, "Lou", "Kit repaired boiler.")]))
    stranger = Memory(memory.folder, labels=[], **quick())
    assert "say all" not in " ".join(frame.summary for frame in stranger.frames())


def test_a_judge_that_fails_is_asked_once_in_a_run(chat: Callable, fresh: Callable) -> None:
    """Eight files do not ask eight times about one unit."""
    memory = fresh()
    memory.add(chat("Harbour", HARBOUR), chat("Office", OFFICE))
    library = Library.open(memory.folder)
    judge, tried = Changing(fails=True), set[str]()
    for _ in range(3):
        settle_fusion(
            library,
            comparing.FUSING,
            judge,  # type: ignore[arg-type]
            sources=[source.id for source in library.sources()],
            tried=tried,
            counted=lambda *_: None,
        )
    assert len(judge.cases) == len(tried) > 0


def test_another_judge_judges_what_is_completed_and_leaves_the_rest(both: Memory) -> None:
    """A key that is set, or gone, does not have the whole memory judged anew."""
    library, judge = Library.open(both.folder), Changing()
    settle_fusion(
        library,
        comparing.FUSING,
        judge,  # type: ignore[arg-type]
        sources=[],
        tried=set(),
        counted=lambda *_: None,
    )
    assert judge.cases == []


def test_a_frame_is_the_same_whichever_source_is_asked_for(both: Memory) -> None:
    """Its id is that of the whole occurrence."""
    (frame,) = fused_of(both)
    for source in ("Harbour", "Office"):
        assert frame.id in {one.id for one in both.frames(source)}
    assert both.unfuse(frame.id)


def test_a_broken_forgetting_ends_with_the_next_retry(
    both: Memory, chat: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 5: no comparison, no outcome of the dead source stays."""

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("mmem.lifecycle.forget.settle_recordings", dies)
        both.forget(source="Harbour")
    with Memory(both.folder, **quick()) as memory:
        memory.retry()
        assert memory.state_digest() == digest_after([chat("Office", OFFICE)])
        live = {source.id for source in memory.sources()}
        assert {outcome.source_id for outcome in memory.outcomes()} <= live
