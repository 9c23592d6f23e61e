"""Whether two frames tell of one occurrence, and which earlier units are compared at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.derive.alike import nearest_earlier
from mmem.derive.fusing import compared, fused
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


vectors = st.lists(
    st.lists(st.integers(-3, 3), min_size=3, max_size=3).filter(any), min_size=1, max_size=12
)


@given(vectors, st.data())
def test_candidates_found_bit_by_bit_are_those_found_at_once(
    rows: list[list[int]], data: st.DataObject
) -> None:
    """Whatever was known before, as long as it is still true, the result is the same."""
    values = np.array(rows, np.float32)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    whole = nearest_earlier(values, {}, most=2, floor=0.3)
    for row, found in enumerate(whole):
        cosines = [(float(np.vecdot(values[n], values[row])), n) for n in range(row)]
        best = sorted((c for c in cosines if c[0] >= np.float32(0.3)), reverse=True)[:2]
        assert list(zip(found.cosines, found.rows, strict=True)) == best
    kept = sorted(data.draw(st.sets(st.sampled_from(range(len(rows))))))
    place = {row: n for n, row in enumerate(kept)}
    part = nearest_earlier(values[kept], {}, most=2, floor=0.3)
    known = {
        row: type(found)(tuple(kept[n] for n in found.rows), found.cosines)
        for row, found in zip(kept, part, strict=True)
    }
    assert place.keys() == known.keys()
    assert nearest_earlier(values, known, most=2, floor=0.3) == whole
