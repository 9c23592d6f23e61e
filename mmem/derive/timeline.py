"""The shared timeline: which units lie in which stretch of time, at every scale.

Recordings are cut into windows of the wall clock (EM²Mem appendix A: floor of the start over the
width), or of their own clock where the wall time is not known. A message that was written while
something was recorded lies in the window of that moment too. Conversations are cut where people
fall silent, and where their sessions end; days and weeks hold everything that has a date.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mmem.schemas import Scale, Span
from mmem.schemas.clock import MICROSECONDS, local_datetime

_MINUTE_US = 60 * MICROSECONDS
WINDOWS_US: Mapping[Scale, int] = {
    "3min": 3 * _MINUTE_US,
    "10min": 10 * _MINUTE_US,
    "1h": 60 * _MINUTE_US,
}
"""Widths of the windows of recordings (EM²Mem: 3 min, 10 min, 1 h)."""
FINER: Mapping[Scale, tuple[Scale, ...]] = {
    "3min": (),
    "10min": ("3min",),
    "1h": ("10min",),
    "exchange": (),
    "session": ("exchange",),
    "day": ("1h", "session"),
    "week": ("day",),
}
"""The scales whose views a view is made of."""
_SILENCE_US = 10 * _MINUTE_US
_LONGEST_EXCHANGE = 20

Stretches = dict[Scale, dict[str, list[str]]]
"""For each scale the ids of the units in each stretch, in order of time; stretches by a key that
says where they lie."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a unit lies: on the wall clock if known, and on the recording's if it is part of one.

    `zone` is the zone in which its days begin.
    """

    unit_id: str
    source_id: str
    session: str
    position: int
    wall: Span | None
    media: Span | None
    zone: str | None = None

    @property
    def order(self) -> tuple[object, ...]:
        """What units are ordered by: canonical order; those without a wall time as they follow."""
        if self.wall is not None:
            return (0, self.wall.end_us, self.wall.start_us, self.unit_id)
        start_us = self.media.start_us if self.media else 0
        return (1, self.source_id, start_us, self.position, self.unit_id)

    @property
    def is_recorded(self) -> bool:
        """Tell whether it is a part of a recording, or of its transcript."""
        return self.media is not None


def stretches_of(units: Sequence[Placed]) -> Stretches:
    """Return the stretches in which these units lie.

    `units` are in their order. A stretch depends on the units in it and next to it alone, so
    that one unit more changes at most one stretch a scale, or begins one.
    """
    found: Stretches = {scale: {} for scale in FINER}
    for scale, width in WINDOWS_US.items():
        _add(found, scale, _windows(units, width))
    talk = [unit for unit in units if not unit.is_recorded]
    _add(found, "exchange", _exchanges(talk))
    _add(found, "session", ((f"{u.source_id}/{u.session}", u.unit_id) for u in talk))
    dated = [(unit, _day(unit)) for unit in units]
    _add(found, "day", ((day.isoformat(), u.unit_id) for u, day in dated if day))
    _add(found, "week", ((f"{day:%G-W%V}", u.unit_id) for u, day in dated if day))
    return found


def children_of(found: Stretches, scale: Scale) -> dict[str, tuple[tuple[Scale, str], ...]]:
    """Return, for each unit, the finer stretches that hold it within one of this scale."""
    children: dict[str, list[tuple[Scale, str]]] = {}
    for finer in FINER[scale]:
        for place, unit_ids in found[finer].items():
            for unit_id in unit_ids:
                children.setdefault(unit_id, []).append((finer, place))
    return {unit_id: tuple(places) for unit_id, places in children.items()}


def _add(found: Stretches, scale: Scale, pairs: Iterable[tuple[str, str]]) -> None:
    for place, unit_id in pairs:
        found[scale].setdefault(place, []).append(unit_id)


def _windows(units: Sequence[Placed], width_us: int) -> Iterator[tuple[str, str]]:
    recorded = {_window(unit, width_us) for unit in units if unit.is_recorded}
    for unit in units:
        place = _window(unit, width_us)
        if place in recorded:
            yield place, unit.unit_id


def _window(unit: Placed, width_us: int) -> str:
    if unit.wall is not None:
        return f"wall/{unit.wall.start_us // width_us}"
    start_us = unit.media.start_us if unit.media else 0
    return f"{unit.source_id}/{start_us // width_us}"


def _exchanges(units: Sequence[Placed]) -> Iterator[tuple[str, str]]:
    """Yield units with the exchange they are part of, which is called by its first unit."""
    by_session: dict[tuple[str, str], list[Placed]] = {}
    for unit in units:
        by_session.setdefault((unit.source_id, unit.session), []).append(unit)
    for talk in by_session.values():
        first, count = talk[0], 0
        for before, unit in itertools.pairwise([talk[0], *talk]):
            if count == _LONGEST_EXCHANGE or _is_silent_between(before, unit):
                first, count = unit, 0
            count += 1
            yield f"{unit.source_id}/{first.unit_id}", unit.unit_id


def _is_silent_between(before: Placed, unit: Placed) -> bool:
    if before.wall is None or unit.wall is None:
        return False
    return unit.wall.start_us - before.wall.end_us > _SILENCE_US


def _day(unit: Placed) -> dt.date | None:
    if unit.wall is None:
        return None
    return local_datetime(unit.wall.start_us, unit.zone).date()
