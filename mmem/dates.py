"""Dates in a sentence, relative ones resolved against the wall time at which it was said.

No rule looks at the day of the run: without the time at which a sentence was said, "yesterday"
stays unresolved.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from mmem.date_rules import (
    MONTHS,
    RULES,
    SEASONS,
    WEEKDAYS,
    Precision,
    Reader,
    day_number,
    month_number,
)


@dataclass(frozen=True)
class Dated:
    """A date expression: its words, where they stand, and the day that it means.

    `day` is the first day of the stretch that `precision` names, None when the time at which the
    words were said is unknown. `other` is the second reading of "next Friday" and its like;
    `month_day` is there when month and day are written.
    """

    words: str
    chars: tuple[int, int]
    day: dt.date | None
    precision: Precision
    relative: bool
    other: dt.date | None = None
    month_day: tuple[int, int] | None = None

    @property
    def weekday(self) -> str:
        """The plain weekday that the words are ("on Friday" is "friday"), else ""."""
        bare = _bare(self.words)
        return bare if bare in WEEKDAYS else ""


def find_dates(text: str, said: dt.datetime | None) -> list[Dated]:
    """Return the date expressions of a text in order, none inside another.

    >>> [d.day.isoformat() for d in find_dates("sold yesterday", dt.datetime(2023, 5, 24))]
    ['2023-05-23']
    """
    found: list[Dated] = []
    for pattern, read, relative in RULES:
        for match in pattern.finditer(text):
            if any(a < match.end() and match.start() < b for a, b in (d.chars for d in found)):
                continue
            dated = _read(match, said, read, relative)
            if dated is not None:
                found.append(dated)
    return sorted(found, key=lambda dated: dated.chars)


def is_same(dated: Dated, asked: Dated) -> bool:
    """Tell whether both are one day, or the same words; a day without a year is so in any year."""
    if _bare(dated.words) == _bare(asked.words):
        return True
    if dated.day is None or asked.month_day is None:
        return False
    return (dated.day.month, dated.day.day) == asked.month_day


def _bare(words: str) -> str:
    return re.sub(r"^(?:on|by|in|since|until|around|this) ", "", words.lower())


def write_date(day: dt.date, precision: Precision) -> str:
    """Return a date in words at its precision.

    >>> write_date(dt.date(2023, 5, 19), "day"), write_date(dt.date(2023, 6, 1), "month")
    ('19 May 2023', 'June 2023')
    """
    plain = f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    match precision:
        case "day":
            return plain
        case "about":
            return f"about {plain}"
        case "weekend":
            return f"the weekend of {plain}"
        case "week":
            return f"the week of {plain}"
        case "month":
            return f"{MONTHS[day.month - 1]} {day.year}"
        case "season":
            return f"{_season_name(day)} {day.year}"
        case "year":
            return str(day.year)


def _season_name(day: dt.date) -> str:
    return next(name for name, month in SEASONS.items() if month == day.month)


def _read(
    match: re.Match[str], said: dt.datetime | None, read: Reader, relative: bool
) -> Dated | None:
    if relative and said is None:
        return Dated(match.group(), match.span(), None, "day", True)
    try:
        result = read(match, said.date() if said else None)
    except (ValueError, OverflowError):
        result = None
    if result is None:
        return Dated(match.group(), match.span(), None, "day", relative, None, _written(match))
    day, precision = result
    other = _second_reading(match, day, said) if relative and said else None
    return Dated(match.group(), match.span(), day, precision, relative, other, _written(match))


def _written(match: re.Match[str]) -> tuple[int, int] | None:
    parts = match.groupdict()
    if not parts.get("month") or not parts.get("day"):
        return None
    return month_number(parts["month"]), day_number(parts["day"])


def _second_reading(match: re.Match[str], day: dt.date, said: dt.datetime) -> dt.date | None:
    """ "Next Friday" said in the week of that Friday may mean a week later, "last" one earlier."""
    which = match.groupdict().get("which")
    if which is None or "name" not in match.groupdict():
        return None
    if day.isocalendar()[:2] != said.date().isocalendar()[:2]:
        return None
    return day + dt.timedelta(days={"next": 7, "last": -7}.get(which.lower(), 0)) or None
