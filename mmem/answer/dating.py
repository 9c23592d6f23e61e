"""When something happened by a sentence: both as it was said and as the day that it means."""

from __future__ import annotations

import datetime as dt
import re

from mmem.answer.passages import Quote, told_at
from mmem.answer.question import Asked
from mmem.date_rules import Precision, is_past, part_around
from mmem.dates import Dated, find_dates, is_same, write_date
from mmem.words import term_spans, terms

_CLOCK = re.compile(
    r"\b(?:[01]?\d|2[0-3])[:.h][0-5]\d(?:\s?[ap]\.?m\b\.?)?|\b(?:1[0-2]|[1-9])\s?(?:[ap]\.?m\b\.?"
    r"|o['’]clock)|\b(?:noon|midnight)\b",
    re.I,
)
_TO_COME = re.compile(
    r"\b(?:will|would|going to|gonna|plan\w*|hop(?:e|ing)|want\w*|soon|might|may|could|should"
    r"|until)\b|['’]ll\b",
    re.I,
)
_LONG_PAST = re.compile(
    r"\b(?:ago|before last|years?|decades?|back (?:then|in|when)|once|used to|in those days"
    r"|when (?:i|we|he|she) (?:was|were)|as (?:a|an) (?:child|kid|girl|boy|student|teenager))\b",
    re.I,
)
_AGO = re.compile(r"\b[\w-]+ (?:day|week|month|year|decade)s? ago\b", re.I)
_PRESENT = re.compile(r"\b(?:is|are|am|now|just)\b|['’](?:s|re|m)\b", re.I)
_ASKS_DAY = re.compile(r"\b(?:what|which) (?:week)?day\b", re.I)
_COARSE: dict[str, Precision] = {"month": "month", "year": "year"}


def date_in(quote: Quote, asked: Asked) -> str | None:
    """Return when, by this sentence: the day meant, then the words said and when they were said."""
    if re.search(r"\b(?:what|which) time\b", asked.text, re.I):
        clock = _CLOCK.search(quote.text)
        return clock.group() if clock else None
    said = told_at(quote.passage.line)
    found = find_dates(quote.text, said)
    if any(not _is_read(ago.span(), found) for ago in _AGO.finditer(quote.text)):
        return None
    dated = _best(found, quote.text, asked)
    return None if dated is None else _written(dated, said, asked)


def _is_read(span: tuple[int, int], found: list[Dated]) -> bool:
    """Whether a "forty years ago" is among the dates; else a date beside it is of something else"""
    return any(a < span[1] and span[0] < b for a, b in (dated.chars for dated in found))


def day_of_telling(quote: Quote, asked: Asked) -> str | None:
    """Return the day of the line for something that names no date, in the grain asked for.

    None for plans, wishes and what is told of long ago. What is told in the present tense is of
    that day; what is told as past had happened by then.
    """
    said = told_at(quote.passage.line)
    if said is None or _TO_COME.search(quote.text) or _LONG_PAST.search(quote.text):
        return None
    grain = _asked_grain(asked)
    day = write_date(said.date(), grain or "day")
    day = day if grain else f"{said:%A}, {day}"
    return day if _PRESENT.search(quote.text) and not is_past(quote.text) else f"by {day}"


def _best(found: list[Dated], text: str, asked: Asked) -> Dated | None:
    """The date nearest to the words that the sentence shares with the question."""
    free = [dated for dated in found if not any(is_same(dated, other) for other in asked.dates)]
    own = set(asked.terms) - asked.background
    parts = {dated.chars: set(terms(part_around(text, dated.chars[0]))) for dated in free}
    if own & set(terms(text)):
        free = [dated for dated in free if own & parts[dated.chars]]
    places = [start for term, start, _ in term_spans(text) if term in asked.terms] or [0]
    return min(
        free, key=lambda dated: min(abs(place - dated.chars[0]) for place in places), default=None
    )


def _written(dated: Dated, said: dt.datetime | None, asked: Asked) -> str:
    if dated.day is None:
        return dated.words
    precision = _precision(dated, asked)
    day = write_date(dated.day, precision)
    if precision == "day" and dated.other is None and _ASKS_DAY.search(asked.text):
        day = f"{dated.day:%A}, {day}"
    if dated.other is not None:
        day = f"{day} or {write_date(dated.other, precision)}"
    if not dated.relative or said is None:
        return day
    return f"{day} (“{dated.words}”, said {write_date(said.date(), 'day')})"


def _precision(dated: Dated, asked: Asked) -> Precision:
    return _asked_grain(asked) or dated.precision


def _asked_grain(asked: Asked) -> Precision | None:
    match = re.search(r"\b(?:what|which) (month|year)\b", asked.text, re.I)
    return _COARSE[match[1].lower()] if match else None
