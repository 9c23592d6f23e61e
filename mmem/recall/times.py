"""Times that a question names, as soft windows of wall time. English, no clock of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo

from mmem.ports import UNKNOWN_TIME
from mmem.recall.days import DayCount, named_days

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = r"(?P<month>" + "|".join(f"{m[:3]}(?:{m[3:]})?" for m in MONTHS) + r")\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_NUMBERS = {
    "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0,
    "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "twelve": 12.0,
    "few": 3.0, "couple": 2.0, "half": 0.5, "several": 4.0,
}  # fmt: skip
_UNIT_SECONDS = {
    "second": 1, "minute": 60, "min": 60, "hour": 3600, "day": 86_400,
    "week": 604_800, "month": 2_629_746, "year": 31_556_952,
}  # fmt: skip
_AMOUNT = (
    r"(?:\d+(?:\.\d+)?|half(?:\s+an?)?|an?(?:\s+(?:few|couple(?:\s+of)?))?|"
    + "|".join(w for w in _NUMBERS if len(w) > 2 and w != "half")
    + r")"
)
_UNIT = r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?)"
_PARTS = {
    "morning": (5, 12), "noon": (11, 14), "midday": (11, 14), "afternoon": (12, 18),
    "evening": (17, 23), "night": (18, 27), "midnight": (23, 25),
}  # fmt: skip
_SEASONS = {"spring": 3, "summer": 6, "fall": 9, "autumn": 9, "winter": 12}
_PART = r"(?P<part>" + "|".join(_PARTS) + r")\b"


@dataclass(frozen=True)
class Window:
    """A half-open stretch of wall time (UTC microseconds) and the words that named it."""

    start_us: int
    end_us: int
    words: str
    counted: bool = False
    """Its day was named by number: the stretch itself is asked for."""


@dataclass(frozen=True)
class Present:
    """What relative words are read from: the moment of asking and the newest row, if known."""

    zone: tzinfo
    now: datetime | None
    newest: datetime | None


def windows(
    text: str,
    *,
    now_us: int | None,
    newest_us: int | None = None,
    zone: tzinfo = UTC,
    days: DayCount | None = None,
) -> list[Window]:
    """Return the stretches of time that a text names, in reading order.

    Words that need a present ("yesterday", "3 hours ago") give nothing when `now_us` is None. A
    month or a day without a year is its last one up to `newest_us` (else `now_us`); a weekday
    beside a date is the one before that date. Numbered days are read where `days` counts them.

    >>> [w.words for w in windows("on 8 May 2023, not in 2021", now_us=None)]
    ['8 May 2023', '2021']
    """
    found = [
        (*place, Window(_micros(first), _micros(last), text[slice(*place)], counted=True))
        for place, (first, last) in (() if days is None else named_days(text, days))
    ]
    if not found and not _HINT.search(text):
        return []
    now = _moment(now_us, zone)
    present = Present(zone, now, _moment(newest_us, zone) or now)
    for pattern, read in _FORMS:
        base = _beside_date(present, found) if read is _weekday else present
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end, _ in found):
                continue
            span = read(match, base)
            if span is not None:
                window = Window(_micros(span[0]), _micros(span[1]), match.group().strip())
                found.append((*match.span(), window))
    return [window for _, _, window in sorted(found, key=lambda item: item[0])]


def _moment(us: int | None, zone: tzinfo) -> datetime | None:
    known = us is not None and us != UNKNOWN_TIME
    return datetime.fromtimestamp(us / 1e6, zone) if known and us is not None else None


def _beside_date(present: Present, found: list[tuple[int, int, Window]]) -> Present:
    days = [w for _, _, w in found if w.end_us - w.start_us == _DAY_US]
    return replace(present, now=_moment(days[0].start_us, present.zone)) if days else present


_DAY_US = 86_400_000_000
Span = tuple[datetime, datetime]
_Reader = Callable[["re.Match[str]", Present], "Span | None"]


def _date(match: re.Match[str], present: Present) -> Span | None:
    month, day = _month(match), int(match["day"])
    if match["year"]:
        return _days(int(match["year"]), month, day, present.zone)
    return _latest(present, lambda year: _days(year, month, day, present.zone))


def _iso(match: re.Match[str], present: Present) -> Span | None:
    return _days(int(match["year"]), int(match["m"]), int(match["day"]), present.zone)


def _month_of(match: re.Match[str], present: Present) -> Span | None:
    month = _month(match)
    if match["year"]:
        return _whole_month(int(match["year"]), month, present.zone)
    return _latest(present, lambda year: _whole_month(year, month, present.zone))


def _year(match: re.Match[str], present: Present) -> Span | None:
    return _whole_year(int(match["year"]), present.zone)


def _season(match: re.Match[str], present: Present) -> Span | None:
    first = _SEASONS[match["season"].lower()]

    def of(year: int) -> Span:
        start = datetime(year, first, 1, tzinfo=present.zone)
        return start, _plus_months(start, 3)

    return of(int(match["year"])) if match["year"] else _latest(present, of)


def _weekday(match: re.Match[str], present: Present) -> Span | None:
    now = present.now
    if now is None:
        return None
    wanted = WEEKDAYS.index(match["weekday"].lower())
    back = (now.weekday() - wanted) % 7 or 7
    return _part_of(_midnight(now) - timedelta(days=back), match["part"])


def _near_day(match: re.Match[str], present: Present) -> Span | None:
    now = present.now
    if now is None:
        return None
    words = match.group().lower()
    if "before yesterday" in words:
        back = 2
    else:
        back = int("yesterday" in words or words.startswith("last night"))
    part = next((p for p in _PARTS if re.search(rf"\b{p}\b", words)), None)
    start, end = _part_of(_midnight(now) - timedelta(days=back), part)
    return start, (min(end, now) if back == 0 and start < now else end)


def _ago(match: re.Match[str], present: Present) -> Span | None:
    now = present.now
    if now is None:
        return None
    seconds = sum(_seconds(a, u) for a, u in _AMOUNT_UNIT.findall(match.group()))
    if "and a half" in match.group().lower():
        seconds += 0.5 * _unit_seconds(_AMOUNT_UNIT.findall(match.group())[-1][1])
    if seconds >= 86_400 and seconds % 86_400 == 0 and seconds < 7 * 86_400:
        start = _midnight(now) - timedelta(seconds=seconds)
        return start, start + timedelta(days=1)
    slack = timedelta(seconds=max(300.0, 0.25 * seconds))
    point = now - timedelta(seconds=min(seconds, 3e9))
    return point - slack, min(point + slack, now)


def _last_unit(match: re.Match[str], present: Present) -> Span | None:
    now = present.now
    if now is None:
        return None
    unit, past = match["unit"].lower(), match["which"].lower() in ("last", "past", "previous")
    day = _midnight(now)
    if unit == "week":
        start, length = day - timedelta(days=day.weekday()), timedelta(days=7)
        return (start - length, start) if past else (start, start + length)
    months = 1 if unit == "month" else 12
    start = day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)
    return (_plus_months(start, -months), start) if past else (start, _plus_months(start, months))


_AMOUNT_UNIT = re.compile(rf"\b({_AMOUNT})(?:\s+and\s+a\s+half)?[\s-]+({_UNIT})\b", re.I)
_FORMS: tuple[tuple[re.Pattern[str], _Reader], ...] = tuple(
    (re.compile(pattern, re.I), reader)
    for pattern, reader in (
        (r"\b(?P<year>(?:19|20)\d\d)-(?P<m>\d{1,2})-(?P<day>\d{1,2})\b", _iso),
        (rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s*{_YEAR})?", _date),
        (rf"\b{_MONTH}\s+{_DAY}(?:,?\s*{_YEAR})?", _date),
        (rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}", _month_of),
        (rf"\b(?:in|during|last|since|by|of|this)\s+{_MONTH}(?P<year>(?!))?", _month_of),
        (rf"\b(?P<season>spring|summer|fall|autumn|winter)(?:\s+of)?,?\s+{_YEAR}", _season),
        (
            r"\b(?:in|during|last|this)\s+(?:the\s+)?(?P<season>spring|summer|autumn|winter)\b"
            r"(?P<year>(?!))?",
            _season,
        ),
        (rf"\b(?P<weekday>{'|'.join(WEEKDAYS)})\b(?:\s+{_PART})?", _weekday),
        (
            rf"\b{_AMOUNT}(?:\s+and\s+a\s+half)?[\s-]+{_UNIT}(?:\s+and)?"
            rf"(?:\s+{_AMOUNT}[\s-]+{_UNIT})?(?:\s+and\s+a\s+half)?\s+(?:ago|earlier|before\s+now)\b",
            _ago,
        ),
        (
            rf"\b(?:the\s+)?(?:{'|'.join(_PARTS)})?\s*(?:the\s+)?(?:day\s+)?before\s+yesterday\b"
            rf"(?:\s+(?:at\s+)?(?:{'|'.join(_PARTS)})\b)?",
            _near_day,
        ),
        (
            rf"\b(?:yesterday|today)\b(?:['\u2019]s)?(?:\s+(?:at\s+)?(?:{'|'.join(_PARTS)})\b)?",
            _near_day,
        ),
        (r"\b(?:last\s+night|tonight|this\s+(?:morning|noon|afternoon|evening))\b", _near_day),
        (r"\b(?P<which>last|past|previous|this)\s+(?P<unit>week|month|year)\b", _last_unit),
        (rf"\b{_YEAR}", _year),
    )
)
_HINT = re.compile(
    r"\d|\b(?:" + "|".join(m[:3] for m in MONTHS) + r"|" + "|".join(WEEKDAYS)
    + r")|yesterday|today|night|\bago\b|earlier|\b(?:last|past|previous|this|in|during)\s+"
    r"(?:the\s+)?(?:week|month|year|spring|summer|autumn|winter|morning|noon|afternoon|evening)",
    re.I,
)  # fmt: skip


def _month(match: re.Match[str]) -> int:
    return [m[:3] for m in MONTHS].index(match["month"].lower()[:3]) + 1


def _days(year: int, month: int, day: int, zone: tzinfo) -> Span | None:
    try:
        start = datetime(year, month, day, tzinfo=zone)
    except ValueError:
        return None
    return start, start + timedelta(days=1)


def _whole_month(year: int, month: int, zone: tzinfo) -> Span:
    start = datetime(year, month, 1, tzinfo=zone)
    return start, _plus_months(start, 1)


def _plus_months(start: datetime, months: int) -> datetime:
    total = start.year * 12 + start.month - 1 + months
    return start.replace(year=total // 12, month=total % 12 + 1, day=1)


def _whole_year(year: int, zone: tzinfo) -> Span:
    return datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)


def _latest(present: Present, of: Callable[[int], Span | None]) -> Span | None:
    newest = present.newest
    if newest is None:
        return None
    spans = (of(newest.year - back) for back in range(5))
    return next((span for span in spans if span is not None and span[0] <= newest), None)


def _part_of(midnight: datetime, part: str | None) -> Span:
    first, last = _PARTS[part.lower()] if part else (0, 24)
    return midnight + timedelta(hours=first), midnight + timedelta(hours=last)


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _seconds(amount: str, unit: str) -> float:
    words = amount.lower().split()
    if words[0][0].isdigit():
        return float(words[0]) * _unit_seconds(unit)
    word = words[1] if words[0] in ("a", "an") and len(words) > 1 else words[0]
    return _NUMBERS[word] * _unit_seconds(unit)


def _unit_seconds(unit: str) -> int:
    unit = unit.lower()
    return _UNIT_SECONDS[unit] if unit in _UNIT_SECONDS else _UNIT_SECONDS[unit.rstrip("s")]


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1e6)
