"""From which day the days of a memory are counted: as its recordings do, else from the first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import numpy as np

from mmem.ingestors.numbered_days import day_one
from mmem.lifecycle.sight import Sight
from mmem.ports import UNKNOWN_TIME
from mmem.recall.days import DayCount
from mmem.schemas import Source
from mmem.schemas.clock import local_datetime, zone_of


def day_count(sight: Sight) -> DayCount | None:
    """Return how the visible days are counted, None where no visible row has a known time."""
    index = sight.index
    rows = np.flatnonzero(index.visible & (index.columns.start_us != UNKNOWN_TIME))
    if not len(rows):
        return None
    names, sources = sight.snapshot.names.sources, sight.snapshot.sources
    seen = [sources[names[number]] for number in np.unique(index.columns.source[rows])]
    first = rows[np.argmin(index.columns.start_us[rows])]
    began = sources[names[index.columns.source[first]]]
    date, zone = first_day(seen, int(index.columns.start_us[first]), began)
    return DayCount(
        first=date,
        zone=zone_of(zone) if zone else dt.UTC,
        recorded=any(source.kind != "conversation" for source in seen),
    )


def first_day(
    sources: Iterable[Source], first_us: int, began: Source
) -> tuple[dt.date, str | None]:
    """Return the date of day 1 and the zone in which days begin.

    It is day 1 of the recordings whose files number their days; where none does, the day of
    `first_us`, the wall instant at which the first of these sources began.
    """
    numbered = [(day, source) for source in sources if (day := day_one(source.clock))]
    if not numbered:
        return local_datetime(first_us, began.clock.zone).date(), began.clock.zone
    day, source = min(numbered, key=lambda pair: (pair[0], pair[1].id))
    return day, source.clock.zone
