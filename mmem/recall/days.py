"""Days that a question names by number ("DAY3 around 14:00", "on the second day"). English.

This is access by time (WorldMM, section 3.3: a time range in place of a query): what is asked for
is the stretch itself.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

Stretch = tuple[dt.datetime, dt.datetime]
Named = tuple[tuple[int, int], Stretch]
"""Where the words stand in the text, and the stretch that they name."""


@dataclass(frozen=True)
class DayCount:
    """How days are counted: the date of day 1, and the zone in which days begin.

    `recorded` tells whether recordings are among what is counted; "the second day" is then one of
    theirs, while in chats it is one of a journey or a course.
    """

    first: dt.date
    zone: dt.tzinfo
    recorded: bool


_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_PARTS = {
    "morning": (5, 12), "noon": (11, 13), "midday": (11, 13), "afternoon": (12, 18),
    "evening": (17, 23), "night": (18, 27), "midnight": (23, 25),
}  # fmt: skip
_OTHER_WORDS = (
    "a an the one any each every per that this same next other last whole all which what some most"
).split()
_NOT_BEFORE = r"(?<!\d )(?<!-)(?<!['\u2019]s )" + "".join(
    rf"(?<!\b{word} )" for word in _OTHER_WORDS
)
"""What before "day 3" makes it other words: "the day 3 of us met", "New Year's Day 2024"."""
_NOT_AFTER = r"(?!\s+of\b)"
_NUMBER = rf"(?:\bday(?P<glued>\d{{1,4}})\b|{_NOT_BEFORE}\bday (?P<apart>\d{{1,3}})\b{_NOT_AFTER})"
_ORDINAL = (
    rf"\b(?:on|during|of|in) (?:the )?(?:very )?(?P<ordinal>{'|'.join(_ORDINALS)}"
    r"|\d{1,3}(?:st|nd|rd|th)) day\b(?!\s+(?:of|that|when|where|which|i|we|you|he|she|they|it)\b)"
)
_DAY = rf"(?:{_ORDINAL}|{_NUMBER})"
_CLOCK = (
    r"(?:(?P<{0}h>\d{{1,2}})(?::(?P<{0}m>[0-5]\d)(?::(?P<{0}s>[0-5]\d))?\s?(?P<{0}ap>[ap]\.?m\b\.?)?"
    r"|\s?(?P<{0}hp>[ap]\.?m\b\.?|o'clock)))(?![\d:])"
)
_AT = (
    r"(?P<near>around|about|approximately|roughly|near|close to|circa|~)|at|by"
    r"|(?P<after>after|since|from)|(?P<before>before|until|till|up to)"
)
_TO = r"\s*(?:and|to|until|till|-|\u2013|\u2014)\s*"
_BOUND = r"\b(?:(?P<later>after)|(?P<on>since|from)|(?P<sooner>before)|(?P<to>until|till|by|up to))"
_PART = rf"(?P<part>{'|'.join(_PARTS)})"
_SEP = r"[\s,:]+"
_FROM = r"(?:(?:sometime )?(?:between|from)\s+)?"


def _pattern(text: str) -> re.Pattern[str]:
    """Compile a form; groups of a part that it holds twice have a prefix for each."""
    return re.compile(text, re.IGNORECASE)


def _clock(side: str) -> str:
    return _CLOCK.replace("{0}", side).replace("{{", "{").replace("}}", "}")


def _other(day: str) -> str:
    """Return the pattern of a second day; its group names end with 2."""
    return re.sub(r"\(\?P<(\w+)>", r"(?P<\g<1>2>", day)


_AT_CLOCK = rf"(?:(?:{_AT})\s+|~)?{_clock('a')}"
_FORMS = tuple(
    map(
        _pattern,
        (
            rf"{_FROM}{_DAY}{_SEP}(?:at\s+)?{_clock('a')}{_TO}{_other(_DAY)}{_SEP}(?:at\s+)?{_clock('b')}",
            rf"{_DAY}{_SEP}{_FROM}{_clock('a')}{_TO}{_clock('b')}",
            rf"{_FROM}{_clock('a')}{_TO}{_clock('b')}{_SEP}(?:on |of )?{_DAY}",
            rf"{_DAY}{_SEP}{_AT_CLOCK}",
            rf"{_AT_CLOCK}{_SEP}(?:on |of )?{_DAY}",
            rf"{_DAY}{_SEP}(?:(?:in|at|during) )?(?:the )?{_PART}\b",
            rf"(?:in |at |during |on )?(?:the )?{_PART} (?:of |on )?{_DAY}",
            rf"(?:between|from)\s+{_DAY}{_TO}{_other(_DAY)}",
            rf"{_DAY}\s*(?:to|until|till|-|\u2013|\u2014)\s*{_other(_DAY)}",
            rf"{_BOUND}\s+{_DAY}",
            rf"(?:on )?{_DAY}",
        ),
    )
)
_MENTION = re.compile(rf"\bday ?\d|(?:{'|'.join(_ORDINALS)}|\d(?:st|nd|rd|th)) day\b", re.I)


def may_name_days(text: str) -> bool:
    """Tell whether a text may name a day by its number.

    >>> may_name_days("at noon on DAY12"), may_name_days("one day we met")
    (True, False)
    """
    return bool(_MENTION.search(text))


def named_days(text: str, days: DayCount) -> Iterator[Named]:
    """Yield the stretches that a text names by the number of their day, none inside another."""
    taken: list[tuple[int, int]] = []
    for pattern in _FORMS:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            found = match.groupdict()
            stretch = _read(found, days)
            if stretch is not None or found.get("sooner"):  # nothing is before the first day
                taken.append(match.span())
            if stretch is not None:
                yield match.span(), stretch


_Groups = dict[str, str | None]


def _read(found: _Groups, days: DayCount) -> Stretch | None:
    """Return the stretch of a match, None where it names no day or no time of day."""
    if found.get("ordinal") and not days.recorded:
        return None
    try:
        day = _date(found, "", days)
        if found.get("bh") is not None:
            return _range(found, day, days)
        if found.get("ah") is not None:
            return _about(found, day, days)
        return _part_of(found, day, days) if found.get("part") else _whole_days(found, day, days)
    except (ValueError, OverflowError):
        return None


def _part_of(found: _Groups, day: dt.date, days: DayCount) -> Stretch:
    first, last = (dt.timedelta(hours=hour) for hour in _PARTS[str(found["part"]).lower()])
    return _at(day, first, days), _at(day, last, days, fold=1)


def _whole_days(found: _Groups, day: dt.date, days: DayCount) -> Stretch:
    """Return a day, the days from one to another, or all those before or after it."""
    first = last = day
    if _names_two(found):
        first, last = sorted((day, _date(found, "2", days)))
    elif found.get("later") or found.get("on"):
        first = day + _DAY_LONG if found.get("later") else day
        last = days.first + _EVER
    elif found.get("sooner") or found.get("to"):
        first, last = days.first, day - _DAY_LONG if found.get("sooner") else day
    if last < first:
        raise ValueError("no day lies before the first")
    return _at(first, dt.timedelta(), days), _at(last, _DAY_LONG, days, fold=1)


def _names_two(found: _Groups) -> bool:
    return any(found.get(f"{name}2") for name in ("ordinal", "glued", "apart"))


def _date(found: _Groups, side: str, days: DayCount) -> dt.date:
    """Return the date of a counted day. Raises ValueError for day 0, OverflowError."""
    ordinal = (found.get(f"ordinal{side}") or "").lower()
    digits = found.get(f"glued{side}") or found.get(f"apart{side}") or re.sub(r"\D", "", ordinal)
    number = int(digits) if digits else _ORDINALS.index(ordinal) + 1
    if number < 1:
        raise ValueError("days are counted from 1")
    return days.first + dt.timedelta(days=number - 1)


def _range(found: _Groups, day: dt.date, days: DayCount) -> Stretch:
    """Return from the first clock to the second, which is of the next day if it is earlier."""
    two_days = _names_two(found)
    last = _date(found, "2", days) if two_days else day
    begin, end = _time(found, "a"), _time(found, "b")
    if found.get("ahp") is None and found.get("aap") is None and begin < _NOON:
        begin = _as_the_other(found, begin, end)
    if not two_days and end <= begin:
        last = day + _DAY_LONG
    return _ordered(_at(day, begin, days), _at(last, end, days, fold=1))


def _as_the_other(found: _Groups, begin: dt.timedelta, end: dt.timedelta) -> dt.timedelta:
    """Return the first clock of "2:00 to 3:30 pm" as one of the afternoon."""
    afternoon = end >= _NOON and (found.get("bap") or found.get("bhp"))
    return begin + _NOON if afternoon and begin + _NOON < end else begin


def _about(found: _Groups, day: dt.date, days: DayCount) -> Stretch:
    """Return the minutes around a clock, or all of the day before or after it."""
    point = _time(found, "a")
    if found.get("after"):
        return _at(day, point, days), _at(day, _DAY_LONG, days, fold=1)
    if found.get("before"):
        return _at(day, dt.timedelta(), days), _at(day, point, days, fold=1)
    slack = _slack(found)
    return _ordered(_at(day, point, days) - slack, _at(day, point, days, fold=1) + slack)


def _slack(found: _Groups) -> dt.timedelta:
    """Return how far from a clock one looks: the less, the more exactly it is told."""
    if found.get("am") is None:
        return dt.timedelta(minutes=5)
    if found.get("near"):
        return dt.timedelta(minutes=2)
    return dt.timedelta(seconds=15) if found.get("as") else dt.timedelta(minutes=1)


_NOON = dt.timedelta(hours=12)
_DAY_LONG = dt.timedelta(days=1)
_EVER = dt.timedelta(days=100_000)


def _time(found: _Groups, side: str) -> dt.timedelta:
    """Return a clock as time since midnight. Raises ValueError for 25:00 and 13 pm."""
    half = (found.get(f"{side}ap") or found.get(f"{side}hp") or "").lower().replace(".", "")
    hours, minutes, seconds = (int(found.get(side + unit) or 0) for unit in "hms")
    if hours > 24 or (half in ("am", "pm") and not 1 <= hours <= 12):
        raise ValueError(f"no hour of the day: {hours}")
    if half in ("am", "pm"):
        hours = hours % 12 + (12 if half == "pm" else 0)
    return dt.timedelta(hours=hours, minutes=minutes, seconds=seconds)


def _at(day: dt.date, since: dt.timedelta, days: DayCount, *, fold: int = 0) -> dt.datetime:
    """Return a clock of a day as an instant, in UTC; of an hour that comes twice, time `fold`."""
    local = dt.datetime.combine(day, dt.time()) + since
    return local.replace(tzinfo=days.zone, fold=fold).astimezone(dt.UTC)


def _ordered(start: dt.datetime, end: dt.datetime) -> Stretch:
    """Return two instants in order: a clock that is left out in spring has them swapped."""
    return (start, end) if start <= end else (end, start)
