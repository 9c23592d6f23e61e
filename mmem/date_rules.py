"""What date expressions mean: English, by rules; weeks begin on Monday (ISO 8601)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Literal

Precision = Literal["day", "about", "weekend", "week", "month", "season", "year"]
Found = tuple[dt.date, Precision]

MONTHS = (
    "January February March April May June July August September October November December".split()
)
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SMALL = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3}
SEASONS = {"winter": 12, "spring": 3, "summer": 6, "fall": 9, "autumn": 9}

_MONTH = "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?" \
    "|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"  # fmt: skip
_COUNT = (
    r"(?P<count>\d{1,3}|a couple of|couple of|a few|few|an?|" + "|".join(list(_SMALL)[1:13]) + ")"
)
_DAY_NAME = "(?P<name>" + "|".join(WEEKDAYS) + ")"
_UNIT = r"(?P<unit>day|week|weekend|month|year)s?"


Reader = Callable[[re.Match[str], dt.date | None], Found | None]
Rule = tuple[re.Pattern[str], Reader, bool]


def _iso(match: re.Match[str], said: dt.date | None) -> Found:
    return dt.date.fromisoformat(match.group()), "day"


def _day_month(match: re.Match[str], said: dt.date | None) -> Found | None:
    month = month_number(match["month"])
    day = day_number(match["day"])
    if match["year"]:
        return dt.date(int(match["year"]), month, day), "day"
    return None if said is None else (_without_year(month, day, said, match.string), "day")


_LEAN = 3


def _without_year(month: int, day: int, said: dt.date, sentence: str) -> dt.date:
    """A day without a year is the nearest; what is past leans back, all else forward."""
    years = [dt.date(said.year + step, month, day) for step in (-1, 0, 1)]
    past = is_past(sentence)

    def away(candidate: dt.date) -> int:
        days = (candidate - said).days
        return abs(days) * (_LEAN if (days > 0) == past else 1)

    return min(years, key=away)


def _month_year(match: re.Match[str], said: dt.date | None) -> Found | None:
    month = month_number(match["month"])
    if match["year"]:
        return dt.date(int(match["year"]), month, 1), "month"
    if said is None:
        return None
    which = (match["which"] or "").lower()
    if which == "last":
        return dt.date(said.year - (month >= said.month), month, 1), "month"
    if which == "next":
        return dt.date(said.year + (month <= said.month), month, 1), "month"
    return _without_year(month, 1, said, match.string), "month"


def day_number(words: str) -> int:
    """Return the day that digits or a word like "first" name."""
    return int(words) if words.isdigit() else _ORDINALS.index(words.lower()) + 1


def month_number(name: str) -> int:
    """Return 1 to 12 for the name of a month or its first three letters."""
    return [m[:3].lower() for m in MONTHS].index(name[:3].lower()) + 1


def _year(match: re.Match[str], said: dt.date | None) -> Found:
    return dt.date(int(match["year"]), 1, 1), "year"


def _shifted(days: int) -> Reader:
    def read(match: re.Match[str], said: dt.date | None) -> Found | None:
        return None if said is None else (said + dt.timedelta(days=days), "day")

    return read


def _weekday(match: re.Match[str], said: dt.date | None) -> Found | None:
    if said is None:
        return None
    away = (WEEKDAYS.index(match["name"].lower()) - said.weekday()) % 7
    which = (match["which"] or "").lower()
    if which in ("last", "past") or (
        not which and is_past(part_around(match.string, match.start()))
    ):
        return said + dt.timedelta(days=away - 7), "day"
    forward = 7 if which == "next" and away == 0 else away
    return said + dt.timedelta(days=forward), "day"


_FUTURE = re.compile(
    r"\b(?:will|ll|going to|gonna|shall|promise|plan|tomorrow|by|until|can)\b", re.I
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|saw|made|took|came|met|had|left|gave|told|said|lost|won|ate"
    r"|been|\w{2,}ed)\b",
    re.I,
)


_PART = re.compile(r"[,;:]\s+(?:and |but |so )?(?=(?:I|we|he|she|they|it|you)\b)|[.!?]\s+", re.I)


def part_around(sentence: str, place: int) -> str:
    """Return the part of a sentence, with a subject of its own, in which a place stands.

    >>> part_around("I left, I start on Monday", 18)
    'I start on Monday'
    """
    ends = [match.span() for match in _PART.finditer(sentence)]
    start = max((end for _, end in ends if end <= place), default=0)
    stop = min((first for first, _ in ends if first >= place), default=len(sentence))
    return sentence[start:stop]


def is_past(sentence: str) -> bool:
    """Tell whether a sentence speaks of the past by its verbs."""
    return bool(_PAST.search(sentence)) and not _FUTURE.search(sentence)


def _unit(match: re.Match[str], said: dt.date | None) -> Found | None:
    """Read "last week", "this month", "next year", "last weekend"."""
    if said is None:
        return None
    step = {"last": -1, "past": -1, "next": 1, "coming": 1}.get(match["which"].lower(), 0)
    return _step(said, match["unit"].lower(), step)


def _step(said: dt.date, unit: str, step: int) -> Found:
    if unit == "day":
        return said + dt.timedelta(days=step), "day"
    monday = said - dt.timedelta(days=said.weekday())
    if unit == "week":
        return monday + dt.timedelta(weeks=step), "week"
    if unit == "weekend":
        saturday = monday + dt.timedelta(days=5, weeks=step)
        return saturday, "weekend"
    if unit == "month":
        return _month_away(said, step), "month"
    return dt.date(said.year + step, 1, 1), "year"


def _month_away(said: dt.date, step: int) -> dt.date:
    years, month = divmod(said.month - 1 + step, 12)
    return dt.date(said.year + years, month + 1, 1)


def _season(match: re.Match[str], said: dt.date | None) -> Found | None:
    month = SEASONS[match["season"].lower()]
    if match["year"]:
        return dt.date(int(match["year"]), month, 1), "season"
    if said is None:
        return None
    which = (match["which"] or "").lower()
    year = said.year
    if which == "last" and dt.date(year, month, 1) + dt.timedelta(days=60) > said:
        year -= 1
    if which == "next" and dt.date(year, month, 1) <= said:
        year += 1
    return dt.date(year, month, 1), "season"


def _counted(sign: int) -> Reader:
    def read(match: re.Match[str], said: dt.date | None) -> Found | None:
        if said is None:
            return None
        words = match["count"].lower()
        count = sign * (int(words) if words.isdigit() else _SMALL[words])
        unit = match["unit"].lower()
        if unit in ("day", "week"):
            away = dt.timedelta(days=count * (1 if unit == "day" else 7))
            exact = unit == "day" and "few" not in words and "couple" not in words
            return said + away, "day" if exact else "about"
        return _step(said, unit, count)

    return read


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_NO_YEAR = r"(?P<year>(?!))?"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_DAY = r"(?P<day>\d{1,2}|" + "|".join(_ORDINALS) + ")"
_ORDINAL = r"(?:st|nd|rd|th)?"
_SEASON = "(?P<season>winter|spring|summer|fall|autumn)"
_IN = "in |since |until |by |around "
_ON = "on |by |until |since "
_TODAY = "today|tonight|this (?:morning|afternoon|evening)|just now|earlier today"


def _rules(*rows: tuple[str, Reader], relative: bool) -> tuple[Rule, ...]:
    return tuple((re.compile(rf"\b{pattern}", re.I), read, relative) for pattern, read in rows)


_WRITTEN = _rules(
    (r"\d{4}-\d\d-\d\d\b", _iso),
    (rf"{_DAY}{_ORDINAL} (?:of )?{_MONTH}\b(?:,? {_YEAR})?", _day_month),
    (rf"{_MONTH}\.? (?P<day>\d{{1,2}}){_ORDINAL}\b(?:,? {_YEAR})?(?!\d)", _day_month),
    (rf"(?:(?P<which>last|next|this) |{_IN})?{_MONTH},? {_YEAR}\b", _month_year),
    relative=False,
)
_SPOKEN = _rules(
    (
        rf"(?:{_IN}|(?P<which>last|next|this) )(?:early |late |mid-?)?{_MONTH}\b{_NO_YEAR}",
        _month_year,
    ),
    (rf"(?:the )?{_COUNT} {_UNIT} (?:ago|back|earlier)\b", _counted(-1)),
    (rf"in {_COUNT} {_UNIT}\b", _counted(1)),
    (r"(?:the )?day before yesterday\b", _shifted(-2)),
    (r"(?:the )?day after tomorrow\b", _shifted(2)),
    (r"(?:yesterday|last night)\b", _shifted(-1)),
    (r"tomorrow\b", _shifted(1)),
    (rf"(?:{_TODAY})\b", _shifted(0)),
    (rf"(?:(?:{_ON})?(?P<which>last|next|this|past|coming) |{_ON})?{_DAY_NAME}\b", _weekday),
    (rf"(?P<which>last|past|next|this|coming) {_UNIT}\b", _unit),
    (rf"(?P<which>last|next|this) {_SEASON}\b(?! (?:of )?(?:19|20)\d\d){_NO_YEAR}", _season),
    relative=True,
)
_COARSE = _rules(
    (rf"(?:(?P<which>last|next|this) |in |the )?{_SEASON} (?:of )?{_YEAR}\b", _season),
    (rf"{_YEAR}\b(?![-.:%/]\d)", _year),
    relative=False,
)
RULES = (*_WRITTEN, *_SPOKEN, *_COARSE)
