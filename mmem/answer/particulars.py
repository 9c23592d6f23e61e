"""Particulars of a sentence (days, clock times, numbers, names) held against what is known."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from mmem.answer.figures import clocks, figures, figures_claimed
from mmem.answer.passages import Passage, told_at
from mmem.answer.question import CALENDAR
from mmem.date_rules import MONTHS, WEEKDAYS, Precision
from mmem.dates import Dated, find_dates
from mmem.schemas.clock import microseconds, offset
from mmem.words import FUNCTION_WORDS, fold, stem, term_of, terms

_STEM = 4
"""Letters in which two forms of one word agree, in languages that inflect."""
_NUMERIC_DAY = re.compile(r"(?<![\d.])(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d\d)(?!\d)")
_OFFSET = re.compile(r"\b\d{1,3}:[0-5]\d(?::[0-5]\d)?\b")
_CAPITAL = re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W_]*(?:['’][^\W_]+)?")
_FINER: dict[Precision, tuple[Precision, ...]] = {
    "day": ("day",),
    "about": ("about", "day"),
    "week": ("week", "day"),
    "weekend": ("weekend", "day"),
    "month": ("month", "day", "about", "week", "weekend"),
    "season": ("season",),
    "year": ("year", "day", "about", "week", "weekend", "month", "season"),
}
_ROUGHLY = re.compile(r"\b(?:about|around|week(?:end)?)\b(?:\s+\w+){0,3}\s*$", re.I)
_OPENERS = frozenset(
    """
    according accordingly additionally actually after afterwards afterward again all also although
    another anybody anyone anything around based because before besides both but currently during
    each earlier either else even eventually every everybody everyone everything few finally first
    following for from furthermore generally hence here however initially instead just last lastly
    later least less likewise many maybe meanwhile more moreover most much neither never
    nevertheless next nobody none nothing now nowhere often on once one only originally others
    otherwise overall part people perhaps possibly previously probably rather recently regarding
    second several similarly since some somebody someone something sometimes soon still such then
    therefore third though throughout thus today together two under unfortunately unless until upon
    usually various very well whatever when whenever where whereas wherever whether while within
    without yes yet no not ok okay am pm mr mrs ms dr
    """.split()
)
"""Words that open a sentence with a capital and name nobody."""
_NO_PERSON = re.compile(r".{3,}(?:tion|sion|ness)s?$")
_FIRST = frozenset({"i", "i'm", "i've", "i'd", "i'll"})


@dataclass(frozen=True)
class Known:
    """What a sentence may say: words with the time at which they were said, None if unknown.

    `names` are who speaks and the titles of sources; `moments` are when it was said, `places` the
    media offsets in words.
    """

    told: tuple[tuple[str, dt.datetime | None], ...]
    names: tuple[str, ...] = ()
    moments: tuple[dt.datetime, ...] = ()
    places: frozenset[str] = frozenset()

    def __or__(self, other: Known) -> Known:
        return Known(
            self.told + other.told,
            self.names + other.names,
            self.moments + other.moments,
            self.places | other.places,
        )

    def holds_words(self, words: str) -> bool:
        """Tell whether these words stand in it, one after the other."""
        return re.search(rf"(?<!\w){re.escape(fold(words))}(?!\w)", self._folded) is not None

    def share_of(self, words: Sequence[str]) -> float:
        """Return the share of these terms that are known, 1.0 of none."""
        return sum(map(self.holds, words)) / len(words) if words else 1.0

    def holds(self, term: str) -> bool:
        """Tell whether a term is known, in this form or in another with the same beginning."""
        if term in self._forms or term in map(term_of, self._calendar):
            return True
        return len(term) >= _STEM and f"{term[:_STEM]}…" in self._forms

    def unfounded(self, sentence: str) -> str:
        """Return the first day, time, number or name of a sentence that is not known, else ""."""
        left = list(sentence)
        for wrong in (self._days(sentence, left), self._clocks("".join(left), left)):
            if wrong:
                return wrong
        rest = "".join(left)
        unknown = (n for n in figures_claimed(rest) if n not in self._figures)
        return next(unknown, "") or self._unknown_name(rest)

    def _days(self, sentence: str, left: list[str]) -> str:
        """Blank the dates in `left`; return the first that is not known."""
        for match in _NUMERIC_DAY.finditer(sentence):
            if not any(_day_of(match, turned) in self._exact for turned in (False, True)):
                return match.group()
            _blank(left, match.span())
        for dated in find_dates("".join(left), None):
            if not self._knows(dated, sentence):
                return dated.words
            _blank(left, dated.chars)
        return ""

    def _knows(self, dated: Dated, sentence: str) -> bool:
        words = re.sub(r"^(?:on|by|in|since|until|around) ", "", dated.words.lower())
        if self.holds_words(dated.words) or self.holds_words(words):
            return True
        if dated.relative:
            return words in self._calendar
        if dated.day is None:
            return dated.month_day in self._month_days
        precision = dated.precision
        if precision == "day":
            rough: tuple[Precision, ...] = ("about", "week", "weekend")
            roughly = _ROUGHLY.search(sentence[: dated.chars[0]])
            fine = ("day", *rough) if roughly else ("day",)
            return any((dated.day, one) in self._days_known for one in fine)
        near = [day for day, finer in self._days_known if finer in _FINER[precision]]
        if precision == "month":
            return any((d.year, d.month) == (dated.day.year, dated.day.month) for d in near)
        if precision == "year":
            return any(day.year == dated.day.year for day in near)
        return dated.day in near

    def _clocks(self, sentence: str, left: list[str]) -> str:
        for match in _OFFSET.finditer(sentence):
            if match.group() in self.places:
                _blank(left, match.span())
        for (start, end), minutes in clocks("".join(left)):
            if not any(known <= minutes for known in self._minutes):
                return sentence[start:end]
            _blank(left, (start, end))
        return ""

    def _unknown_name(self, sentence: str) -> str:
        for match in _CAPITAL.finditer(sentence):
            word = fold(match.group()).replace("’", "'").removesuffix("'s")
            if not match.group()[0].isupper():
                continue
            opening = not re.search(r"\w", re.split(r"[.!?:]\s", sentence[: match.start()])[-1])
            if word in self._words or stem(word) in self._stems or word in _FIRST:
                continue
            if word in CALENDAR and word in self._calendar:
                continue
            if word in FUNCTION_WORDS:
                continue
            if opening and (word in _OPENERS or _NO_PERSON.match(word)):
                continue
            return match.group()
        return ""

    @cached_property
    def _folded(self) -> str:
        return fold("\n".join([*(text for text, _ in self.told), *self.names]))

    @cached_property
    def _words(self) -> frozenset[str]:
        found = re.findall(r"[^\W_]+(?:['’][^\W_]+)?", self._folded)
        bare = {word.replace("’", "'").removesuffix("'s") for word in found}
        return frozenset({*found, *bare})

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(map(stem, self._words))

    @cached_property
    def _forms(self) -> frozenset[str]:
        found = set(terms(self._folded))
        return frozenset(found | {f"{term[:_STEM]}…" for term in found if len(term) >= _STEM})

    @cached_property
    def _figures(self) -> frozenset[str]:
        return frozenset(figures("\n".join([*(text for text, _ in self.told), *self.names])))

    @cached_property
    def _days_known(self) -> frozenset[tuple[dt.date, Precision]]:
        said: set[tuple[dt.date, Precision]] = {(moment.date(), "day") for moment in self.moments}
        for text, at in self.told:
            for dated in find_dates(text, at):
                days = [day for day in (dated.day, dated.other) if day is not None]
                said |= {(day, dated.precision) for day in days}
            for match in _NUMERIC_DAY.finditer(text):
                read = [_day_of(match, turned) for turned in (False, True)]
                said |= {(day, "day") for day in read if day is not None}
        return frozenset(said)

    @cached_property
    def _exact(self) -> frozenset[dt.date]:
        return frozenset(day for day, precision in self._days_known if precision == "day")

    @cached_property
    def _month_days(self) -> frozenset[tuple[int, int]]:
        written = {d.month_day for t, _ in self.told for d in find_dates(t, None) if d.month_day}
        return frozenset(written | {(day.month, day.day) for day in self._exact})

    @cached_property
    def _calendar(self) -> frozenset[str]:
        """The weekdays and months, by name, of the days that are known."""
        months = {MONTHS[d.month - 1].lower() for d, p in self._days_known if p in _FINER["month"]}
        return frozenset(months | {WEEKDAYS[day.weekday()] for day in self._exact})

    @cached_property
    def _minutes(self) -> frozenset[frozenset[int]]:
        told = {minutes for text, _ in self.told for _, minutes in clocks(text)}
        return frozenset(told | {frozenset([60 * m.hour + m.minute]) for m in self.moments})


def known_by(passages: Iterable[Passage]) -> Known:
    """Return what lines tell: their words, who says them, when, and in which source."""
    lines = [passage.line for passage in passages]
    cited = [line.citation for line in lines]
    starts = [c.start_s for c in cited] + [c.end_s for c in cited]
    return Known(
        told=tuple((line.text, told_at(line)) for line in lines),
        names=tuple(n for c in cited for n in (c.speaker, c.source_title) if n),
        moments=tuple(said for line in lines if (said := told_at(line))),
        places=frozenset(offset(microseconds(max(0.0, s))) for s in starts if s is not None),
    )


def known_words(words: Sequence[str], now: dt.datetime | None) -> Known:
    """Return what words of the caller tell, said at `now`."""
    return Known(tuple((text, now) for text in words))


def _day_of(match: re.Match[str], turned: bool) -> dt.date | None:
    day, month = int(match[1]), int(match[2])
    if turned:
        day, month = month, day
    try:
        return dt.date(int(match[3]), month, day)
    except ValueError:
        return None


def _blank(left: list[str], chars: tuple[int, int]) -> None:
    left[chars[0] : chars[1]] = " " * (chars[1] - chars[0])
