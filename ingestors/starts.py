"""When a recording began: said by the caller or a file beside it, by its tags, by its name."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path

from mmem.ingestors.probe import Probe
from mmem.ingestors.reading import ReadContext
from mmem.schemas import Clock
from mmem.schemas.clock import Confidence, wall_us

_EARLIEST_US = wall_us(dt.datetime(1980, 1, 1))
_DATE_ONLY = len("2026-03-02")
_MOST_BYTES = 1 << 20
_TAGS = ("com.apple.quicktime.creationdate", "creation_time")
_NAME = re.compile(
    r"""
    (?<!\d)(?P<year>(?:19|20)\d\d)(?P<sep>[-_.\s]?)(?P<month>[01]\d)(?P=sep)(?P<day>[0-3]\d)
    (?:
        (?:[-_.,\sT]|\sat\s|\sum\s)+
        (?P<hour>[012]?\d)[-_.:h\s]?(?P<minute>[0-5]\d)(?:[-_.:m\s]?(?P<second>[0-5]\d))?
        (?P<ms>\d{3})?(?!\d)\s*(?P<half>[AaPp])?(?(half)\.?[Mm]\b)
    )?
    (?!\d)
    """,
    re.VERBOSE,
)
# Pixel phones and Zoom write world time into their names, all others local time.
_WORLD_TIME = re.compile(r"^(?:PXL_|GMT\d)", re.IGNORECASE)


def start_of(path: Path, found: Probe, context: ReadContext) -> Clock:
    """Return when media offset 0 was, how surely that is known, and from what.

    First comes what the caller states, then `recorded_at` of a JSON file of the same stem, then
    the container's tags, then a date in the file's name (which is assumed: names get copied). A
    time without a zone is read in the caller's zone, if he gives one. A clock that was never set
    (the epochs of MP4 and Unix) is unknown.
    """
    if context.recorded_us is not None:
        return Clock(
            at_us=context.recorded_us,
            zone=context.zone,
            confidence="stated",
            basis="stated by the caller",
        )
    clock = _beside(path, context.zone) or _tagged(found, context.zone)
    return clock or _named(path.stem, context.zone) or Clock()


def _beside(path: Path, zone: str | None) -> Clock | None:
    """Return the start that a JSON file beside the recording states."""
    for place in (path.with_suffix(".json"), path.with_name(f"{path.name}.json")):
        try:
            if not place.is_file() or place.stat().st_size > _MOST_BYTES:
                continue
            said = json.loads(place.read_bytes())
        except (OSError, ValueError, RecursionError):
            continue
        text = said.get("recorded_at") if isinstance(said, dict) else None
        if isinstance(text, str) and (moment := _moment(text)):
            return _clock(moment, zone, confidence="stated", basis=f"recorded_at in {place.name}")
    return None


def _tagged(found: Probe, zone: str | None) -> Clock | None:
    tags = dict(found.tags)
    for name in _TAGS:
        text = tags.get(name, "")
        if name == "creation_time" and "T" not in text and tags.get("date"):
            text = f"{tags['date']}T{text}"  # a broadcast WAV splits them (EBU Tech 3285)
        if len(text) > _DATE_ONLY and (moment := _moment(text)):
            clock = _clock(moment, zone, confidence="recorded", basis=f"container tag {name}")
            if clock:
                return clock
    return None


def _named(stem: str, zone: str | None) -> Clock | None:
    for match in _NAME.finditer(stem):
        if moment := _written(match):
            if _WORLD_TIME.match(stem) and match["hour"]:
                moment = moment.replace(tzinfo=dt.UTC)
            basis = f"date in the file name {match[0].strip()}"
            basis += "" if match["hour"] else ", time of day unknown"
            return _clock(moment, zone, confidence="assumed", basis=basis)
    return None


def _written(match: re.Match[str]) -> dt.datetime | None:
    """Return the moment of a match of _NAME, None where there is no such day or time."""
    hour = int(match["hour"] or 0)
    if half := match["half"]:
        hour = hour % 12 + (12 if half in "Pp" else 0)
    minute, second = int(match["minute"] or 0), int(match["second"] or 0)
    try:
        return dt.datetime(
            int(match["year"]), int(match["month"]), int(match["day"]), hour, minute, second
        )
    except ValueError:
        return None


def _moment(text: str) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def _clock(
    moment: dt.datetime, zone: str | None, *, confidence: Confidence, basis: str
) -> Clock | None:
    at_us = wall_us(moment, zone)
    if at_us < _EARLIEST_US:
        return None
    return Clock(at_us=at_us, zone=zone or _own_zone(moment), confidence=confidence, basis=basis)


def _own_zone(moment: dt.datetime) -> str | None:
    """Return the zone that a moment was written with, None without one."""
    if moment.tzinfo is None:
        return None
    if not moment.utcoffset():
        return "UTC"
    written = moment.strftime("%z")
    return f"{written[:3]}:{written[3:5]}"
