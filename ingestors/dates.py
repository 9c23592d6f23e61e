"""Dates and clock times as people's devices write them; day and month decided over a whole file."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import itertools
import re
from collections.abc import Callable, Sequence

from mmem.errors import AmbiguousDate
from mmem.ingestors.text import words

# Words of the half day, as CLDR's locales write them, without dots and spaces.
_MORNING = words("am vorm πμ ص 오전 上午 午前 de dop öö पूर्वाह्न")
_AFTERNOON = words("pm nachm μμ م 오후 下午 午後 du odp ös अपराह्न")
_HALF_WORDS = (
    r"[apAP] ?\. ?[mM]\.?|[apAP][mM]\.?|[πμ]\. ?μ\.?|vorm\.?|nachm\.?|d[eu]\.|dop\.|odp\.|"
    r"ÖÖ|ÖS|πμ|μμ|ص|م|오전|오후|上午|下午|午前|午後|पूर्वाह्न|अपराह्न"
)
DATE = (
    r"(?P<a>\d{1,4}) ?(?P<sep>[./\-]) ?(?P<b>\d{1,2}) ?(?P=sep) ?(?P<c>\d{1,4})(?!\d)\.?(?: г\.?)?"
)
CLOCK = (
    rf"(?:(?P<before>{_HALF_WORDS}) ?)?(?P<hour>\d{{1,2}})[:.](?P<minute>\d{{2}})"
    rf"(?:[:.](?P<second>\d{{2}})(?:[.,]\d{{1,6}})?)?(?: ?(?P<after>{_HALF_WORDS})(?!\w))?"
)
BETWEEN = r"[,،]?(?: (?:à|at|um|às|alle|kl\.?))? +"
_MONTHS = words("jan feb mar apr may jun jul aug sep oct nov dec")
_NUMERIC = re.compile(rf"{DATE}(?:{BETWEEN}{CLOCK})?")
_NAMED = re.compile(
    rf"(?:{CLOCK},? (?:on )?)?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.? (?P<month>[A-Za-z]{{3,9}})|"
    r"(?P<month2>[A-Za-z]{3,9})\.? (?P<day2>\d{1,2})(?:st|nd|rd|th)?)\.?,? (?P<year>\d{4})"
    r"(?:,? (?:at )?(?P<late>\d{1,2}:\d{2}.*))?"
)
_LATE = re.compile(CLOCK)


@dataclasses.dataclass(frozen=True, slots=True)
class Stamp:
    """A date in numbers as written, and a clock time; `half` is the half day's word as written."""

    parts: tuple[str, str, str]
    separator: str
    hour: int = 0
    minute: int = 0
    second: int | None = None
    half: str = ""

    @property
    def year_first(self) -> bool:
        """Tell whether the date begins with a year of four digits."""
        return len(self.parts[0]) == 4

    @property
    def text(self) -> str:
        """The date as written."""
        return self.separator.join(self.parts)

    def at(self, *, day_first: bool) -> dt.datetime | None:
        """Return the local moment, None when there is no such date or time."""
        date = _date(self.parts, day_first)
        hour = hour_of_day(self.hour, self.half) if self.half else self.hour
        second = self.second or 0
        if date is None or hour > 23 or self.minute > 59 or second > 59:
            return None
        return dt.datetime(date.year, date.month, date.day, hour, self.minute, second)

    def read(self, *, day_first: bool) -> dt.datetime | None:
        """Return the local moment in the given order, or in the other when only that exists."""
        return self.at(day_first=day_first) or self.at(day_first=not day_first)


@functools.lru_cache(maxsize=4096)
def _date(parts: tuple[str, str, str], day_first: bool) -> dt.date | None:
    """Return the date that three numbers are; two digits of a year from 70 on are of 19xx."""
    a, b, c = (int(part) for part in parts)
    if len(parts[0]) == 4:
        year, month, day = a, b, c
    elif len(parts[0]) > 2 or len(parts[2]) not in (2, 4):
        return None
    else:
        year = c + (2000 if c < 70 else 1900) if len(parts[2]) == 2 else c
        day, month = (a, b) if day_first else (b, a)
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


@dataclasses.dataclass(frozen=True, slots=True)
class DateOrder:
    """Whether the day comes first, and a remark when the numbers themselves do not say so."""

    day_first: bool
    notes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Hint:
    """What the way of writing says about the order, and why."""

    day_first: bool
    why: str


@functools.lru_cache(maxsize=1024)
def hour_of_day(hour: int, half: str) -> int:
    """Return the hour of a 24-hour clock; an empty word means that it is one already.

    >>> hour_of_day(12, "AM"), hour_of_day(12, "p. m."), hour_of_day(9, "")
    (0, 12, 9)
    """
    word = re.sub(r"[. ]", "", half).casefold()
    if word in _AFTERNOON and hour < 12:
        return hour + 12
    return 0 if word in _MORNING and hour == 12 else hour


def stamp_of(match: re.Match[str]) -> Stamp:
    """Return the stamp of a match of a pattern made of DATE and, perhaps, CLOCK."""
    found = match.groupdict()
    second = found.get("second")
    return Stamp(
        parts=(found["a"], found["b"], found["c"]),
        separator=found["sep"],
        hour=int(found.get("hour") or 0),
        minute=int(found.get("minute") or 0),
        second=int(second) if second else None,
        half=found.get("before") or found.get("after") or "",
    )


def moment_of(value: object) -> dt.datetime | Stamp | None:
    """Return what a field says of time: text, or seconds, milli-, micro- or nanoseconds of Unix.

    >>> moment_of(1700000000) == moment_of("1700000000000") == moment_of("2023-11-14T22:13:20Z")
    True
    """
    if isinstance(value, str) and not re.fullmatch(r"\d{9,19}(?:\.\d+)?", value.strip()):
        return parse_moment(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    number = float(value)
    if not 1e8 < number < 1e19:
        return None
    while number > 1e11:
        number /= 1000
    return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=round(number * 1e6))


def parse_moment(text: str) -> dt.datetime | Stamp | None:
    """Return a date (and time) as a moment, as a stamp when it is in numbers, None when neither.

    >>> parse_moment("1:56 pm on 8 May, 2023")
    datetime.datetime(2023, 5, 8, 13, 56)
    """
    text = text.strip()
    if match := _NUMERIC.fullmatch(text):
        stamp = stamp_of(match)
        return stamp.at(day_first=True) if stamp.year_first else stamp
    try:
        return dt.datetime.fromisoformat(text) if "-" in text else _named(text)
    except ValueError:
        return _named(text)


def date_order(
    stamps: Sequence[Stamp],
    *,
    name: str,
    stated: bool | None,
    hint: Callable[[], Hint | None] = lambda: None,
) -> DateOrder:
    """Decide over all stamps of a file whether the day comes first.

    In this order: values above 12, what the caller stated, the order of the lines, the way of
    writing. Raises AmbiguousDate when nothing tells and it matters; `name` is the file's.
    """
    stamps = [stamp for stamp in stamps if not stamp.year_first]
    fit = {first: sum(stamp.at(day_first=first) is not None for stamp in stamps) for first in _BOTH}
    if fit[True] != fit[False]:
        return _by_values(stamps, day_first=fit[True] > fit[False], stated=stated)
    if stated is not None:
        return DateOrder(stated, (f"dates are read {_named_order(stated)}, as stated",))
    moments = {first: [stamp.at(day_first=first) for stamp in stamps] for first in _BOTH}
    if moments[True] == moments[False]:
        return DateOrder(True)
    steps_back = {first: _steps_back(moments[first]) for first in _BOTH}
    best = steps_back[True] < steps_back[False]
    if steps_back[best] * 2 < steps_back[not best]:
        why = "only so are the messages in order"
        return DateOrder(best, (f"dates are read {_named_order(best)}: {why}",))
    if written := hint():
        order = _named_order(written.day_first)
        return DateOrder(written.day_first, (f"dates are read {order}: {written.why}",))
    raise _ambiguous(name, next(stamp for stamp in stamps if stamp.parts[0] != stamp.parts[1]))


_BOTH = (True, False)


def _by_values(stamps: Sequence[Stamp], *, day_first: bool, stated: bool | None) -> DateOrder:
    notes = []
    if stated is not None and stated != day_first:
        proof = next(stamp for stamp in stamps if stamp.at(day_first=stated) is None)
        notes.append(
            f"dates are read {_named_order(day_first)}, not as stated: {proof.text} has no other"
        )
    others = sum(stamp.at(day_first=day_first) is None for stamp in stamps)
    if others:
        notes.append(f"{others} dates are written the other way round than most")
    return DateOrder(day_first, tuple(notes))


def _steps_back(moments: Sequence[dt.datetime | None]) -> int:
    known = [moment for moment in moments if moment]
    return sum(later < earlier for earlier, later in itertools.pairwise(known))


def _named_order(day_first: bool) -> str:
    return "day first" if day_first else "month first"


def _ambiguous(name: str, stamp: Stamp) -> AmbiguousDate:
    one, other = (stamp.at(day_first=first) for first in _BOTH)
    readings = " or ".join(f"{m.day} {m:%B %Y}" for m in (one, other) if m)
    return AmbiguousDate(
        f"{name}: {stamp.text} can be {readings}, and no date in the file tells which",
        hint="say --dayfirst or --monthfirst",
    )


def _named(text: str) -> dt.datetime | None:
    match = _NAMED.fullmatch(text)
    if match is None:
        return None
    month = (match["month"] or match["month2"])[:3].casefold()
    clock = match if match["hour"] else _LATE.fullmatch(match["late"] or "0:00")
    if month not in _MONTHS or clock is None:
        return None
    hour = hour_of_day(int(clock["hour"]), clock["before"] or clock["after"] or "")
    day = int(match["day"] or match["day2"])
    minute, second = int(clock["minute"]), int(clock["second"] or 0)
    try:
        return dt.datetime(int(match["year"]), _MONTHS.index(month) + 1, day, hour, minute, second)
    except ValueError:
        return None
