"""All time arithmetic of mmem.

Instants are integer microseconds. Wall instants count from 1970-01-01T00:00:00 UTC; a wall time
written without a zone is counted as if it were UTC and its clock says `zone=None`, so that files
of one phone stay in their own order whatever machine reads them. Spans are half-open.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, model_validator

from mmem.errors import ConfigError

Confidence = Literal["recorded", "stated", "assumed", "unknown"]
MICROSECONDS = 1_000_000
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_TICK = dt.timedelta(microseconds=1)


class Span(BaseModel):
    """A half-open stretch of a clock, in integer microseconds; an instant has end == start."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start_us: int
    end_us: int

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end_us < self.start_us:
            raise ValueError(
                f"a span cannot end ({self.end_us}) before it starts ({self.start_us})"
            )
        return self

    @property
    def start_s(self) -> float:
        """Start in seconds."""
        return self.start_us / MICROSECONDS

    @property
    def end_s(self) -> float:
        """End in seconds."""
        return self.end_us / MICROSECONDS

    def shifted(self, by_us: int) -> Span:
        """Return the same stretch, `by_us` microseconds later."""
        return Span(start_us=self.start_us + by_us, end_us=self.end_us + by_us)

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two stretches share more than a border; an instant counts as inside."""
        if self.start_us == self.end_us:
            return other.start_us <= self.start_us < max(other.end_us, other.start_us + 1)
        if other.start_us == other.end_us:
            return other.overlaps(self)
        return self.start_us < other.end_us and other.start_us < self.end_us


class Clock(BaseModel):
    """When a source began on the wall, how surely that is known, and from what.

    `at_us` is the wall instant of media offset 0 (recordings) or None for conversations, whose
    turns carry their own time. `zone` is an IANA name or an offset like "+02:00"; None means that
    the file gave local times without a zone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    at_us: int | None = None
    zone: str | None = None
    confidence: Confidence = "unknown"
    basis: str = ""


def microseconds(seconds: float | str) -> int:
    """Return seconds as integer microseconds, rounded to the nearest.

    >>> microseconds(1.5)
    1500000
    """
    return round(float(seconds) * MICROSECONDS)


def zone_of(name: str) -> dt.tzinfo:
    """Return the time zone of an IANA name or of an offset such as "+02:00".

    Raises ConfigError when the name is neither.
    """
    if match := re.fullmatch(r"([+-])(\d{2}):?(\d{2})", name):
        minutes = int(match[2]) * 60 + int(match[3])
        return dt.timezone(dt.timedelta(minutes=minutes if match[1] == "+" else -minutes))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ConfigError(
            f"unknown time zone {name!r}", hint="give an IANA name such as Europe/Berlin, or +02:00"
        ) from error


def wall_us(moment: dt.datetime, zone: str | None = None) -> int:
    """Return a moment as wall microseconds; a naive one is read in `zone`, or as UTC without one.

    >>> wall_us(dt.datetime(1970, 1, 1, 0, 0, 1))
    1000000
    """
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone_of(zone) if zone else dt.UTC)
    return (moment - _EPOCH) // _TICK


def parse_wall(text: str, zone: str | None = None) -> int:
    """Return ISO 8601 text ("2026-03-02", "2026-03-02T10:15", "…Z") as wall microseconds.

    Raises ConfigError when the text is no ISO date or time.
    """
    try:
        return wall_us(dt.datetime.fromisoformat(text.strip()), zone)
    except ValueError as error:
        raise ConfigError(
            f"cannot read the time {text!r}", hint="write it like 2026-03-02T10:15 or 2026-03-02"
        ) from error


def local_datetime(us: int, zone: str | None = None) -> dt.datetime:
    """Return wall microseconds as a datetime: aware in `zone`, naive when no zone is known."""
    moment = _EPOCH + us * _TICK
    return moment.astimezone(zone_of(zone)) if zone else moment.replace(tzinfo=None)


def iso(us: int, zone: str | None = None) -> str:
    """Return wall microseconds as ISO text; without a known zone the text has no offset.

    >>> iso(1_500_000)
    '1970-01-01T00:00:01.500000'
    """
    return local_datetime(us, zone).isoformat()


def offset(us: int) -> str:
    """Return a media offset as h:mm:ss or mm:ss, whole seconds, rounded down.

    >>> offset(72_900_000), offset(3_672_000_000)
    ('01:12', '1:01:12')
    """
    seconds = us // MICROSECONDS
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}"
