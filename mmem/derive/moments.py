"""When a clause happens: date words turned into stretches of UTC."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from mmem.dates import Dated, find_dates
from mmem.derive.told import Said
from mmem.schemas import Moment

_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)
_DAYS = {"day": 1, "about": 7, "weekend": 2, "week": 7}
_MONTHS = {"month": 1, "season": 3, "year": 12}
_VAGUE = re.compile(r"\b(?:few|couple)\b", re.I)
_OPEN = re.compile(r"\b(?P<since>since|from)\b|\b(?:until|till|by)\b", re.I)
_LEAD = re.compile(r"\b(?:since|until|till|by|from|on|in|before|after)\s+(?:the\s+)?$", re.I)


@dataclass(frozen=True, slots=True)
class Timing:
    """Date words of a text: where they stand, and what they mean."""

    chars: tuple[int, int]
    moment: Moment
    relative: bool


def timings(said: Said) -> list[Timing]:
    """Return the dated words of a line in order, read against its local time."""
    local = None
    if said.at_us is not None:
        local = _EPOCH + dt.timedelta(microseconds=said.at_us + said.zone_us)
    return [_timing(dated, said) for dated in find_dates(said.text, local)]


def _timing(dated: Dated, said: Said) -> Timing:
    start, end = dated.chars
    lead = _LEAD.search(said.text, max(0, start - 12), start)
    if lead is not None and lead.end() == start:
        start = lead.start()
    words = said.text[start:end]
    return Timing((start, end), _moment(words, dated, said.zone_us), dated.relative)


def _moment(words: str, dated: Dated, zone_us: int) -> Moment:
    if dated.day is None or (dated.precision in _MONTHS and _VAGUE.search(words)):
        return Moment(said=words)
    first, last = _stretch(dated)
    start_us, end_us = (_utc_us(day, zone_us) for day in (first, last))
    bound = re.match(_OPEN, words)
    if re.match(r"before\b|after\b", words, re.I):
        return Moment(said=words)
    if bound is None:
        return Moment(said=words, start_us=start_us, end_us=end_us)
    if bound["since"]:
        return Moment(said=words, start_us=start_us)
    return Moment(said=words, end_us=end_us)


def _stretch(dated: Dated) -> tuple[dt.date, dt.date]:
    """Return the first day and the day after the last one."""
    assert dated.day is not None
    if dated.precision in _DAYS:
        away = dt.timedelta(days=3 if dated.precision == "about" else 0)
        first = dated.day - away
        return first, first + dt.timedelta(days=_DAYS[dated.precision])
    first = dated.day.replace(day=1)
    years, month = divmod(first.month - 1 + _MONTHS[dated.precision], 12)
    return first, dt.date(first.year + years, month + 1, 1)


def _utc_us(day: dt.date, zone_us: int) -> int:
    return (dt.datetime(day.year, day.month, day.day) - _EPOCH) // _MICROSECOND - zone_us
