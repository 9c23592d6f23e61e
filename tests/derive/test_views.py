"""Context views: which units lie in which stretch, and what a stretch tells."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from mmem.derive.timeline import Placed, stretches_of
from mmem.derive.views import view_of
from mmem.schemas import CriticalLine, EventFrame, Scale, Span, TextRecord, VisualRecord
from mmem.schemas.clock import wall_us

SECOND = 1_000_000
NINE = wall_us(dt.datetime(2024, 3, 14, 9, 0))


def anchor(number: int, *, start_s: int | None = None, known: bool = True) -> Placed:
    start = (number * 30 if start_s is None else start_s) * SECOND
    media = Span(start_us=start, end_us=start + 30 * SECOND)
    wall = media.shifted(NINE) if known else None
    return Placed(f"a-{number:03}", "s-film", "film", number, wall, media)


def message(number: int, minute: float, source: str = "s-chat", zone: str | None = None) -> Placed:
    at = NINE + round(minute * 60) * SECOND
    wall = Span(start_us=at, end_us=at)
    return Placed(f"p-{source}-{number:03}", source, "1", number, wall, None, zone)


def in_order(units: Sequence[Placed]) -> list[Placed]:
    return sorted(units, key=lambda unit: unit.order)


def ids(units: Sequence[Placed]) -> list[str]:
    return [unit.unit_id for unit in units]


def test_a_message_written_during_a_recording_is_in_the_view_of_that_moment() -> None:
    """One timeline: windows are where something is recorded, and hold what was written then."""
    film = [anchor(n) for n in range(12)]
    during, after = message(0, 4.2), message(1, 90)
    found = stretches_of(in_order([*film, during, after]))
    held = [place for place in found["3min"].values() if during.unit_id in place]
    assert held == [[*ids(film[6:8]), during.unit_id, *ids(film[8:])]]  # written at 4:12
    assert not any(after.unit_id in place for place in found["3min"].values())
    assert any(after.unit_id in place for place in found["exchange"].values())
    assert [len(place) for place in found["day"].values()] == [14]


def test_a_recording_without_a_wall_time_has_windows_of_its_own_clock() -> None:
    """Nothing is put on a day that is not known, and two such recordings share no window."""
    one = [anchor(n, known=False) for n in range(12)]
    found = stretches_of(in_order(one))
    assert list(found["3min"].values()) == [ids(one[:6]), ids(one[6:])]
    assert not found["day"] and not found["exchange"]


def test_an_exchange_ends_where_people_fall_silent() -> None:
    """Ten minutes without a message, or twenty messages, end one."""
    talk = [message(n, minute) for n, minute in enumerate([0, 1, 3, 20, 21])]
    assert [len(held) for held in stretches_of(talk)["exchange"].values()] == [3, 2]
    long = [message(n, n / 10) for n in range(45)]
    assert [len(held) for held in stretches_of(long)["exchange"].values()] == [20, 20, 5]


def test_a_day_begins_at_the_midnight_of_its_zone() -> None:
    """Half past ten and half past eleven in London are two days in Berlin; so in summer time."""
    day = 24 * 60
    late = [message(n, m, zone="Europe/Berlin") for n, m in enumerate([13.5 * 60, 14.5 * 60])]
    found = stretches_of(late)
    assert list(found["day"]) == ["2024-03-14", "2024-03-15"]
    summer = [message(n, 13.4 * 60 + n * 10 + 17 * day, zone="Europe/Berlin") for n in range(2)]
    assert list(stretches_of(summer)["day"]) == ["2024-04-01"]


@given(st.lists(st.floats(0, 200), min_size=1, max_size=40), st.integers(0, 20))
def test_one_unit_more_changes_at_most_one_stretch_a_scale(
    minutes: list[float], anchors: int
) -> None:
    """What is appended joins the last stretch or begins one: every other one is as it was."""
    units = [*(anchor(n) for n in range(anchors)), *(message(n, m) for n, m in enumerate(minutes))]
    ordered = in_order(units)
    before, after = stretches_of(ordered[:-1]), stretches_of(ordered)
    for scale in after:
        changed = [p for p, held in after[scale].items() if before[scale].get(p) != held]
        if scale in ("3min", "10min", "1h") and ordered[-1].is_recorded:
            # a window that the new anchor opens takes in what was written in it before
            assert len(changed) <= 1
        assert len(changed) <= 1 and set(before[scale]) <= set(after[scale])


def frame(
    unit: str,
    *,
    objects: Sequence[str] = (),
    promise: str = "",
    text: str = "",
    scene: str = "",
) -> EventFrame:
    line = CriticalLine(kind="commitment", speaker="Lou", text=promise or "x", atom_ids=("u-1",))
    return EventFrame(
        id=f"e-{unit}",
        source_id="s-film",
        unit_ids=(unit,),
        text_record=TextRecord(fine_caption=text, salient_objects=tuple(objects)),
        visual_record=VisualRecord(scene=scene),
        speakers=("Lou",),
        critical_lines=(line,) if promise else (),
        extractor="x",
    )


def view(scale: Scale, units: Sequence[Placed], frames: Sequence[EventFrame], parts: int = 0):  # type: ignore[no-untyped-def]
    children = {u.unit_id: (f"w-{n // parts}",) for n, u in enumerate(units)} if parts else {}
    return view_of(scale, "x", units, {f.unit_ids[0]: f for f in frames}, children)


def test_a_coarser_view_keeps_what_runs_through_it() -> None:
    """EM²Mem's table: at ten minutes twice and in a third of the parts, at three minutes all."""
    units = [anchor(n) for n in range(12)]
    held = {0: ["oak table", "cat"], 7: ["oak tables"], 8: ["oak table"]}
    frames = [frame(u.unit_id, objects=held.get(n, [])) for n, u in enumerate(units)]
    fine = view("3min", units, frames)
    assert [(t.label, t.support, t.aliases) for t in fine.objects] == [
        ("oak table", 3, ("oak tables",)),
        ("cat", 1, ()),
    ]
    middle = view("10min", units, frames, parts=6)
    (kept,) = middle.objects
    assert (kept.label, kept.coverage, kept.first, kept.last) == (
        "oak table",
        1.0,
        "a-000",
        "a-008",
    )
    assert middle.child_ids == ("w-0", "w-1")


def test_what_was_promised_survives_every_scale() -> None:
    """A line that promises stays, and keeps its things although they are met but once."""
    units = [anchor(n) for n in range(12)]
    frames = [frame(u.unit_id) for u in units]
    frames[3] = frame("a-003", objects=["big ladder"], promise="I'll bring the big ladder.")
    coarse = view("10min", units, frames, parts=6)
    assert [line.text for line in coarse.critical_lines] == ["I'll bring the big ladder."]
    assert [thread.label for thread in coarse.objects] == ["big ladder"]


def test_a_view_of_undated_units_is_known_at_no_moment() -> None:
    """It lies on the recording's own clock."""
    units = [anchor(n, known=False) for n in range(3)]
    found = view("3min", units, [frame(u.unit_id, text="Lou fed the cat.") for u in units])
    assert (found.wall, found.known_at_us) == (None, None)
    assert found.span is not None and found.span.end_us == 90 * SECOND
    assert found.text_summary == "Lou fed the cat."


def test_scenes_are_shares_of_the_units_of_known_scene() -> None:
    """EM²Mem's table: at an hour three scenes at most, of 12 % each, at three minutes of 8 %."""
    scenes = ["shop"] * 9 + ["kitchen"] * 8 + ["vehicle"] * 4 + ["bedroom"] * 3 + ["corridor"] * 2
    units = [anchor(n) for n in range(30)]
    known = [*scenes, *[""] * 4]
    frames = [frame(u.unit_id, scene=s) for u, s in zip(units, known, strict=True)]
    fine, coarse = view("3min", units, frames).scene, view("1h", units, frames, parts=6).scene
    assert fine is not None and coarse is not None
    assert fine.dominant == coarse.dominant == "shop"
    assert [one.label for one in fine.distribution] == ["shop", "kitchen", "vehicle", "bedroom"]
    assert [one.label for one in coarse.distribution] == ["shop", "kitchen", "vehicle"]
    assert fine.distribution[0].share == round(9 / 26, 4)
    assert view("3min", units, [frame(u.unit_id) for u in units]).scene is None
    alike = [frame(u.unit_id, scene=f"place {n}") for n, u in enumerate(units)]
    many = view("1h", units, alike).scene
    assert many is not None and (many.dominant, many.distribution) == ("place 0", ())
