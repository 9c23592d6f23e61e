"""Whether two frames tell of one occurrence, and which earlier units are compared at all."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.derive.alike import Look, Rows, Seen, looks, nearest_earlier
from mmem.derive.fusing import compared, fused
from mmem.derive.moments import timings
from mmem.derive.told import Said
from mmem.schemas import Event, EventFrame, Modality, Moment, Polarity, Verdict

HOUR = 3_600_000_000
DAY = 24 * HOUR


def event(
    action: str,
    *who: str,
    day: int | None = None,
    modality: Modality = "asserted",
    polarity: Polarity = "positive",
    location: str = "",
) -> Event:
    time = Moment() if day is None else Moment(said="x", start_us=day * DAY, end_us=(day + 1) * DAY)
    return Event(
        participants=who or ("Kit",),
        action=action,
        time=time,
        location=location,
        modality=modality,
        polarity=polarity,
        atom_ids=("m-1",),
        chars=(0, 3),
    )


def frame(number: int, *events: Event, said: int | None = 0, summary: str = "") -> EventFrame:
    return EventFrame(
        id=f"e-{number}",
        source_id="s",
        unit_ids=(f"p-{number}",),
        summary=summary,
        events=events,
        known_at_us=said,
        extractor="x",
    )


REPAIR = event("repair the old boiler")


@pytest.mark.parametrize(
    ("later", "said", "verdict"),
    [
        (event("repair the boiler"), 2 * HOUR, "same"),
        (event("repair the boiler"), 40 * DAY, "related"),
        (event("repair the boiler", "Lou"), 2 * HOUR, "different"),
        (event("repair the boiler", polarity="negative"), 2 * HOUR, "different"),
        (event("repair the boiler", modality="planned"), 2 * HOUR, "different"),
        (event("repair the boiler", modality="asked"), 2 * HOUR, "different"),
        (event("sell the boiler"), 2 * HOUR, "different"),
        (event("repair another boiler"), 2 * HOUR, "different"),
        (event("sweep the old boiler house"), 2 * HOUR, "same"),
        (event("repair the boiler", day=0), 2 * DAY, "same"),
        (event("repair the boiler", day=30), 31 * DAY, "related"),
    ],
)
def test_one_act_of_one_person_at_one_time_is_the_same(
    later: Event, said: int, verdict: Verdict
) -> None:
    """An act told again at the same time is one; at another time it belongs to it; else it is none.

    The last but two shares both words of the thing, which is taken for the same act.
    """
    assert compared(frame(2, later, said=said), frame(1, REPAIR, said=HOUR))[0] == verdict


def test_what_is_done_again_in_a_recording_is_not_told_again() -> None:
    """Two stretches of one recording show two acts, or one that goes on."""
    first, later = frame(1, REPAIR, said=HOUR), frame(2, REPAIR, said=HOUR + 60_000_000)
    shown = [f.model_copy(update={"unit_ids": (f"a-{f.id}",)}) for f in (first, later)]
    assert compared(shown[1], shown[0])[0] == "related"
    other = shown[1].model_copy(update={"source_id": "s-2"})
    assert compared(other, shown[0])[0] == "same"


def test_a_plan_and_its_execution_are_two() -> None:
    """SEEM, section 3.2: they belong together and are not one occurrence."""
    plan = frame(1, event("repair the old boiler", modality="planned"), said=HOUR)
    done = frame(2, REPAIR, said=2 * HOUR)
    verdict, reason = compared(done, plan)
    assert verdict == "related" and "planned" in reason
    assert compared(plan, done)[0] == "different"


@pytest.mark.parametrize(
    "action", ["love the old boiler", "have the old boiler", "be an old boiler"]
)
def test_states_are_no_occurrences(action: str) -> None:
    """What holds for long is said again and again."""
    assert compared(frame(2, event(action)), frame(1, event(action)))[0] == "different"


def test_dates_that_do_not_meet_part_two_acts() -> None:
    """Both say when: another day is another time, the same day the same, however late told."""
    monday = frame(1, event("repair the old boiler", day=3), said=3 * DAY + HOUR)
    assert compared(frame(2, event("repair the boiler", day=3), said=90 * DAY), monday)[0] == "same"
    other = frame(2, event("repair the boiler", day=5), said=5 * DAY)
    assert compared(other, monday)[0] == "related"


def test_without_any_time_nothing_is_fused() -> None:
    """Conservative: who does not know when cannot know that it is one time."""
    assert compared(frame(2, REPAIR, said=None), frame(1, REPAIR, said=None))[0] == "related"


def test_a_fused_frame_keeps_all_that_its_members_tell() -> None:
    """Provenance is united; an event is left out only if it adds nothing."""
    one = frame(1, REPAIR, said=HOUR, summary="Kit: I repaired it.")
    more = event("repair the old boiler", location="the lodge")
    other = frame(2, REPAIR, more, event("sing", "Lou"), said=2 * HOUR, summary="Lou: He did.")
    whole = fused([one, other])
    assert (whole.unit_ids, whole.members) == (("p-1", "p-2"), ("e-1", "e-2"))
    assert whole.events == (REPAIR, more, other.events[2])
    assert whole.summary == "Kit: I repaired it. Lou: He did."
    assert whole.known_at_us == 2 * HOUR
    assert fused([one]) == one
    assert fused([one, other], "Kit repaired it.").summary == "Kit repaired it."


LABELS = ("a", "b", "c")
WORLDS = [frozenset(some) for n in range(4) for some in itertools.combinations(LABELS, n)]
labels = st.sampled_from(WORLDS)
kinds = st.builds(Seen, labels, st.one_of(st.none(), labels)).filter(lambda one: one.by(one.need))
vectors = st.lists(
    st.lists(st.integers(-3, 3), min_size=3, max_size=3).filter(any), min_size=1, max_size=12
)


def rows_of(rows: list[list[int]], seen: list[Seen]) -> Rows:
    values = np.array(rows, np.float32)
    return Rows.of(values / np.linalg.norm(values, axis=1, keepdims=True), seen)


def likest(rows: Rows, row: int, among: Iterable[int]) -> list[tuple[float, int]]:
    """Return the earlier rows, of some, that pass the floor, the likest first."""
    found = [(float(np.vecdot(rows.vectors[n], rows.vectors[row])), n) for n in among if n < row]
    return sorted((c for c in found if c[0] >= np.float32(0.3)), reverse=True)


def part_of(rows: Rows, kept: list[int]) -> Rows:
    return Rows.of(rows.vectors[kept], [rows.kinds[n] for n in rows.kind[kept].tolist()])


@given(vectors, st.data())
def test_candidates_found_bit_by_bit_are_those_found_at_once(
    given_rows: list[list[int]], data: st.DataObject
) -> None:
    """Whatever was known before, as long as it is still true, the result is the same."""
    several = data.draw(st.sampled_from([st.just(Seen()), kinds]))
    rows = rows_of(given_rows, [data.draw(several) for _ in given_rows])
    whole = nearest_earlier(rows, {}, most=2, floor=0.3)
    if len(rows.kinds) == 1 and rows.kinds[0] == Seen():
        for row, found in enumerate(whole):
            best = likest(rows, row, range(row))[:2]
            assert list(zip(found.cosines, found.rows, strict=True)) == best
    kept = sorted(data.draw(st.sets(st.sampled_from(range(len(rows))))))
    part = nearest_earlier(part_of(rows, kept), {}, most=2, floor=0.3) if kept else []
    known = {
        row: type(found)(tuple(kept[n] for n in found.rows), found.cosines)
        for row, found in zip(kept, part, strict=True)
    }
    assert nearest_earlier(rows, known, most=2, floor=0.3) == whole


@given(vectors, st.data())
def test_every_reader_finds_his_own_likest_among_the_candidates(
    given_rows: list[list[int]], data: st.DataObject
) -> None:
    """Law 7: his first few of those kept are the first few of a memory of what he meets.

    One that no reader has among his first few is not kept, where nothing is shown for another.
    """
    several = data.draw(st.sampled_from([st.builds(Seen, labels), kinds]))
    rows = rows_of(given_rows, [data.draw(several) for _ in given_rows])
    found = nearest_earlier(rows, {}, most=2, floor=0.3)
    seen = [rows.kinds[n] for n in rows.kind.tolist()]
    needed: list[set[int]] = [set() for _ in seen]
    for world in WORLDS:
        met = [n for n, one in enumerate(seen) if one.by(world)]
        for row in met:
            best = [n for _, n in likest(rows, row, met)][:2]
            assert [n for n in found[row].rows if seen[n].by(world)][:2] == best
            needed[row] |= set(best)
    if all(one.unless is None for one in seen):
        assert [set(one.rows) for one in found] == needed


@given(vectors, st.data())
def test_a_verdict_tells_of_nothing_that_a_reader_does_not_meet(
    given_rows: list[list[int]], data: st.DataObject
) -> None:
    """Law 7: each candidate is decided on once, beside the same ones as without what is hidden."""
    rows = rows_of(given_rows, [data.draw(st.builds(Seen, labels)) for _ in given_rows])
    seen = [rows.kinds[n] for n in rows.kind.tolist()]
    world = data.draw(labels)
    met = [n for n, one in enumerate(seen) if one.by(world)]
    alone = nearest_earlier(part_of(rows, met), {}, most=2, floor=0.3) if met else []
    for row, found in enumerate(nearest_earlier(rows, {}, most=2, floor=0.3)):
        looked = looks(seen[row], [seen[n] for n in found.rows], 2)
        decided = [n for look in looked for n in look.decided]
        assert sorted(decided) == list(range(len(found.rows)))
        if row not in met:
            continue
        told = {
            found.rows[n]: [found.rows[m] for m in look.shown]
            for look in looked
            for n in look.decided
        }
        part = alone[met.index(row)]
        again = looks(seen[row], [seen[met[n]] for n in part.rows], 2)
        for look in again:
            for n in look.decided:
                assert told[met[part.rows[n]]] == [met[part.rows[m]] for m in look.shown]


def test_where_all_see_all_there_is_one_look() -> None:
    """A judge is asked once about a unit, and about nothing where there are no candidates."""
    assert looks(Seen(), [Seen()] * 3, 3) == [Look((0, 1, 2), (0, 1, 2))]
    assert looks(Seen(), [], 3) == []


BERLIN = ZoneInfo("Europe/Berlin")


def told_in_berlin(number: int, local: str, words: str) -> EventFrame:
    """A repair that somebody dates with words, on a day by the clocks of Berlin."""
    at = dt.datetime.fromisoformat(local).replace(tzinfo=BERLIN)
    away, at_us = at.utcoffset(), round(at.timestamp()) * 1_000_000
    assert away is not None
    said = Said(
        ("m-1",), words, "Kit", at_us=at_us, zone_us=round(away.total_seconds()) * 1_000_000
    )
    (timing,) = timings(said)
    dated = REPAIR.model_copy(update={"time": timing.moment})
    return frame(number, dated, said=at_us)


@pytest.mark.parametrize(
    ("first", "words", "later", "again", "verdict"),
    [
        # The clocks go back on 27 October 2024, and forward on 31 March.
        ("2024-10-26T09", "today", "2024-10-28T09", "yesterday", "related"),
        ("2024-10-27T01", "today", "2024-10-28T09", "yesterday", "same"),
        ("2024-10-27T01", "today", "2024-10-28T09", "today", "related"),
        ("2024-10-27T01", "today", "2024-10-30T09", "on 26 October", "related"),
        ("2024-03-30T09", "yesterday", "2024-04-01T09", "on 30 March", "related"),
        ("2024-03-31T01", "today", "2024-04-01T09", "yesterday", "same"),
        ("2024-03-31T01", "yesterday", "2024-04-01T09", "yesterday", "related"),
    ],
)
def test_a_change_of_the_clocks_makes_no_two_days_one(
    first: str, words: str, later: str, again: str, verdict: Verdict
) -> None:
    """A day told from the other side of a change is an hour off: that hour is no common time."""
    frames = told_in_berlin(1, first, words), told_in_berlin(2, later, again)
    assert compared(frames[1], frames[0])[0] == verdict
