"""When something happened by a sentence: both as it was said and as the day that it means."""

from __future__ import annotations

import datetime as dt
import re

from mmem.answer.dates import Dated, find_dates, write_date
from mmem.answer.expressions import Precision
from mmem.answer.passages import Quote, told_at
from mmem.answer.question import Asked
from mmem.words import term_spans

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
_COARSE: dict[str, Precision] = {"month": "month", "year": "year"}


def date_in(quote: Quote, asked: Asked) -> str | None:
    """Return when, by this sentence: the day meant, then the words said and when they were said."""
    if re.search(r"\b(?:what|which) time\b", asked.text, re.I):
        clock = _CLOCK.search(quote.text)
        return clock.group() if clock else None
    said = told_at(quote.passage.line)
    dated = _best(find_dates(quote.text, said), quote.text, asked)
    return None if dated is None else _written(dated, said, asked)


def day_of_telling(quote: Quote) -> str | None:
    """Return the day of the line for something that names no date, None for plans and wishes."""
    said = told_at(quote.passage.line)
    if said is None or _TO_COME.search(quote.text):
        return None
    return f"by {write_date(said.date(), 'day')} (said then, no date named)"


def _best(found: list[Dated], text: str, asked: Asked) -> Dated | None:
    """The date nearest to the words that the sentence shares with the question."""
    free = [dated for dated in found if not any(_same(dated, other) for other in asked.dates)]
    places = [start for term, start, _ in term_spans(text) if term in asked.terms] or [0]
    return min(
        free, key=lambda dated: min(abs(place - dated.chars[0]) for place in places), default=None
    )


def _same(dated: Dated, asked: Dated) -> bool:
    """Whether both are one day, or the same words; a day without a year is so in any year."""
    if _bare(dated.words) == _bare(asked.words):
        return True
    if dated.day is None or asked.month_day is None:
        return False
    return (dated.day.month, dated.day.day) == asked.month_day


def _bare(words: str) -> str:
    return re.sub(r"^(?:on|by|in|since|until|around|this) ", "", words.lower())


def _written(dated: Dated, said: dt.datetime | None, asked: Asked) -> str:
    if dated.day is None:
        return dated.words
    precision = _precision(dated, asked)
    day = write_date(dated.day, precision)
    if dated.other is not None:
        day = f"{day} or {write_date(dated.other, precision)}"
    if not dated.relative or said is None:
        return day
    return f"{day} (“{dated.words}”, said {write_date(said.date(), 'day')})"


def _precision(dated: Dated, asked: Asked) -> Precision:
    match = re.search(r"\b(?:what|which) (month|year)\b", asked.text, re.I)
    return _COARSE[match[1].lower()] if match else dated.precision
