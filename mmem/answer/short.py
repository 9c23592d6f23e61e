"""The direct answer of a sentence, by the kind of answer that is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mmem.answer.dating import date_in, day_of_telling
from mmem.answer.doubts import ORDERED
from mmem.answer.languages import language_of
from mmem.answer.numbers import number_in
from mmem.answer.passages import Quote
from mmem.answer.people import person_in, somebody_in
from mmem.answer.places import place_in
from mmem.answer.polarity import polarity_of, replies
from mmem.answer.question import Asked
from mmem.answer.settings import QuotedSettings
from mmem.answer.titles import title_in
from mmem.answer.weighing import Weighed
from mmem.words import fold, terms


def direct(quote: Quote, asked: Asked, speakers: Sequence[str]) -> str | None:
    """Return the person, date, number, place or name in a sentence, None for other kinds.

    Of a sentence that isn't English only figures are understood.
    """
    if language_of(quote.text) != "English":
        number = number_in(quote.text, asked.bare) if asked.kind == "number" else None
        return number if number and any(c.isdigit() for c in number) else None
    match asked.kind:
        case "person":
            return person_in(quote, asked, speakers)
        case "date":
            return date_in(_about(quote, asked) if quote.passage.shown else quote, asked)
        case "number":
            return number_in(quote.text, asked.bare)
        case "place":
            text = (_about(quote, asked) if quote.passage.shown else quote).text
            return place_in(text, asked, tuple(speakers))
        case "name":
            return None if quote.passage.shown else title_in(quote.text, asked, tuple(speakers))
        case _:
            return None


def _about(quote: Quote, asked: Asked) -> Quote:
    """The lines of a screen that share a word with the question, each with the one below it."""
    about = set(asked.terms)
    lines = quote.text.split("\n")
    named = {i for i, line in enumerate(lines) if about & set(terms(line))}
    kept = [line for i, line in enumerate(lines) if i in named or i - 1 in named]
    return replace(quote, text="\n".join(kept))


_REASON = re.compile(
    r"\b(?:because|cause[sd]?|why|reason|due to|since|so that|in order to|thanks to|as)\b", re.I
)


def answers_kind(quote: Quote, asked: Asked, speakers: Sequence[str]) -> bool:
    """Tell whether a sentence holds a thing of the kind asked for."""
    if asked.kind == "reason":
        return bool(_REASON.search(quote.text))
    if asked.kind == "polar":
        return replies(quote)
    if asked.kind == "person":
        return somebody_in(quote, asked, speakers) is not None
    return direct(quote, asked, speakers) is not None


def short_of(
    best: Weighed, asked: Asked, speakers: Sequence[str], settings: QuotedSettings
) -> str | None:
    """Return the direct answer of the chosen sentence, None when it gives none.

    What somebody orders a machine to note is quoted, and no answer.
    """
    foreign = language_of(best.quote.text) != "English" and asked.kind != "number"
    if foreign or best.measures.doubt >= ORDERED:
        return None
    if asked.kind == "polar":
        covered = best.measures.coverage + best.measures.context * best.quote.passage.answers
        return polarity_of(best.quote, asked, covered=covered, enough=settings.entailed)
    found = direct(best.quote, asked, speakers) if best.measures.kind else None
    if (
        found is None
        and asked.kind == "date"
        and best.measures.coverage >= settings.dated_by_telling
    ):
        return day_of_telling(best.quote, asked)
    return found


def changed(short: str | None, before: str | None) -> str | None:
    """Return a direct answer with what it was before, if that is something else.

    >>> changed("8 December", "1 December"), changed("Yes", None)
    ('8 December (earlier: 1 December)', 'Yes')
    """
    if short is None or before is None or fold(short) == fold(before):
        return short
    return f"{short} (earlier: {before})"


def best_option(asked: Asked, chosen: Sequence[Weighed], pool: Sequence[Weighed]) -> str | None:
    """Return the option whose own words the best sentences hold most of, None when none has any."""
    shared = set.intersection(*(set(terms(o)) for o in asked.options)) if asked.options else set()

    def support(option: str) -> float:
        own = set(terms(option)) - shared
        return max(
            (
                w.score * _share(own, option, w.quote.passage.line.text)
                for w in [*chosen, *pool[:10]]
            ),
            default=0.0,
        )

    best = max(asked.options, key=support, default=None)
    return best if best is not None and support(best) > 0 else None


def _share(own: set[str], option: str, text: str) -> float:
    if not own:
        return float(fold(option) in fold(text))
    return len(own & set(terms(text))) / len(own)
