"""Offsets into a recording, as transcripts write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OFFSET = re.compile(
    r"(?:(?:(?P<hours>\d{1,3}):)?(?P<minutes>\d{1,3}):)?(?P<seconds>\d{1,7})(?:[.,](?P<fraction>\d{1,9}))?"
)


def media_offset(text: str) -> int | None:
    """Return h:mm:ss, mm:ss or seconds (a decimal point or comma) as microseconds, else None.

    >>> media_offset("1:02:03.5"), media_offset("75"), media_offset("noon")
    (3723500000, 75000000, None)
    """
    match = _OFFSET.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes = int(match["hours"] or 0), int(match["minutes"] or 0)
    fraction = int((match["fraction"] or "0").ljust(6, "0")[:6])
    return ((hours * 60 + minutes) * 60 + int(match["seconds"])) * 1_000_000 + fraction


def counts_from_zero(times: Sequence[str]) -> bool:
    """Tell whether times of one file are offsets into a recording, not times of a day.

    They never go back, and the first is within ten minutes (h:mm:ss, seconds) or one (mm:ss).
    """
    offsets = [media_offset(time) for time in times]
    known = [offset for offset in offsets if offset is not None]
    if not known or len(known) < len(offsets) or known != sorted(known):
        return False
    long_form = all(time.count(":") != 1 for time in times)
    return known[0] < (600 if long_form else 60) * 1_000_000
