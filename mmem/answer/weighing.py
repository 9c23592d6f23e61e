"""How well a sentence answers a clause: words, context, speaker, likeness, kind of answer."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mmem.answer.doubts import doubt_of
from mmem.answer.languages import same_term
from mmem.answer.likeness import is_exact, likeness_known, measure
from mmem.answer.passages import Passage, Quote, quotes_of, told_at
from mmem.answer.question import Asked, about_whom
from mmem.answer.relations import implied
from mmem.answer.settings import QuotedSettings
from mmem.answer.taken_back import taken_back
from mmem.answer.verbs import base_of
from mmem.dates import Dated, find_dates, is_same
from mmem.ports import TextEncoder
from mmem.words import is_question, terms


@dataclass(frozen=True)
class Measures:
    """What speaks for one sentence; all within -1..1.

    `coverage` is the share of the clause's terms, by rarity, in the sentence; `context` that of the
    rest in the rest of its line and in the line before, if it replies or goes on; `subject` is
    that of `subject_of`; `unseen` marks words on a picture that a question does not ask to see;
    `doubt` is that of `doubt_of`.
    """

    strength: float
    coverage: float
    context: float
    similarity: float
    subject: float
    kind: float
    reply: float
    time: float
    unseen: float
    doubt: float = 0.0

    def total(self, settings: QuotedSettings) -> float:
        """Return the weighted sum."""
        return settings.subject * self.subject + self.apart_from_subject(settings)

    def apart_from_subject(self, settings: QuotedSettings) -> float:
        """Return the weighted sum of all but `subject`."""
        return (
            settings.strength * self.strength
            + settings.coverage * self.coverage
            + settings.context * self.context
            + settings.similarity * self.similarity
            + settings.kind * self.kind
            + settings.reply * self.reply
            + settings.time * self.time
            + settings.unseen * self.unseen
            + settings.doubt * self.doubt
        )


@dataclass(frozen=True)
class Weighed:
    """A sentence, what speaks for it, and the sum."""

    quote: Quote
    measures: Measures
    score: float


@lru_cache(maxsize=8192)
def term_set(text: str) -> frozenset[str]:
    """Return the terms of a text, kept: a line is read once for all its sentences."""
    return frozenset(terms(text))


@lru_cache(maxsize=8192)
def said_in(text: str) -> frozenset[str]:
    """Return the terms of a text, those of irregular verbs in their base form."""
    return frozenset(map(base_of, terms(text)))


def rarity_of(passages: Sequence[Passage]) -> Callable[[str], float]:
    """Return the idf of a term over these lines, floored so that no word of a question is free."""
    counts: Counter[str] = Counter()
    for passage in passages:
        counts.update(said_in(passage.line.text))
    total = max(len(passages), 8)

    def rarity(term: str) -> float:
        seen = counts[term]
        return max(0.5, math.log(1 + (total - seen + 0.5) / (seen + 0.5)))

    return rarity


def weigh(
    asked: Asked,
    passages: Sequence[Passage],
    *,
    encoder: TextEncoder | None,
    answers_kind: Callable[[Quote], bool],
    settings: QuotedSettings,
) -> list[Weighed]:
    """Return the sentences that ask nothing, best first.

    Likeness is known for the `shortlist` best by everything else, as far as it could bring them to
    the top (`reach`); it is 0 for the others.
    """
    rarity = rarity_of(passages)
    weights = {
        base_of(term): rarity(base_of(term))
        * (settings.background if term in asked.background else 1.0)
        for term in asked.terms
    }
    taken = taken_back(passages)
    found = []
    for quote in (q for p in passages for q in quotes_of(p) if not is_question(q.text)):
        measures = Measures(
            strength=quote.passage.strength,
            similarity=0.0,
            kind=float(_on_topic(asked, quote) and answers_kind(quote)),
            reply=float(quote.passage.answers),
            time=float(_in_time(asked, quote)),
            unseen=float(quote.passage.shown and not asked.visual),
            subject=subject_of(asked, quote),
            doubt=doubt_of(asked, quote, taken),
            **_covered(asked, quote, weights),
        )
        found.append(Weighed(quote, measures, measures.total(settings)))
    found.sort(key=_order)
    if encoder is not None and found:
        least = found[0].score - settings.similarity * settings.reach
        near = [each for each in found[: settings.shortlist] if each.score >= least]
        found[: len(near)] = _with_likeness(asked, near, encoder, settings)
    return sorted(found, key=_order)


def _on_topic(asked: Asked, quote: Quote) -> bool:
    """Whether a line, or the question it replies to, has a word of the clause beside its scene."""
    own = set(asked.terms) - asked.background
    if not own or not asked.scene:
        return True
    passage = quote.passage
    around = term_set(passage.line.text)
    if passage.before is not None and passage.answers:
        around |= term_set(passage.before.text)
    return bool(own & around)


def _order(weighed: Weighed) -> tuple[float, int, tuple[int, int]]:
    return -weighed.score, weighed.quote.passage.rank, weighed.quote.chars


def _with_likeness(
    asked: Asked, shortlist: Sequence[Weighed], encoder: TextEncoder, settings: QuotedSettings
) -> list[Weighed]:
    """Take what recall measured; encode the sentences that could come first by it, if several."""
    guessed = sorted((_liked(w, likeness_known(w.quote), settings) for w in shortlist), key=_order)
    near = [w for w in guessed if w.score >= guessed[0].score - settings.margin]
    inexact = [w.quote.text for w in near if not is_exact(w.quote)] if len(near) > 1 else []
    measured = measure(inexact[: settings.encoded], asked, encoder)
    return [_liked(w, measured.get(w.quote.text, w.measures.similarity), settings) for w in guessed]


def _liked(weighed: Weighed, cosine: float, settings: QuotedSettings) -> Weighed:
    measures = replace(weighed.measures, similarity=cosine)
    return Weighed(weighed.quote, measures, measures.total(settings))


def _in_time(asked: Asked, quote: Quote) -> bool:
    """Whether a sentence was said, or speaks of something, in the time that the question names."""
    if asked.kind == "date" or not asked.dates:
        return False
    said = told_at(quote.passage.line)
    spoken = find_dates(quote.text, said)
    if any(is_same(dated, other) for dated in spoken for other in asked.dates):
        return True
    days = [dated.day for dated in spoken if dated.day]
    days += [said.date()] if said else []
    return any(_within(day, dated) for dated in asked.dates for day in days)


def _within(day: dt.date, dated: Dated) -> bool:
    if dated.day is None:
        return bool(dated.weekday == day.strftime("%A").lower())
    match dated.precision:
        case "month":
            return (day.year, day.month) == (dated.day.year, dated.day.month)
        case "year":
            return day.year == dated.day.year
        case "season":
            return 0 <= (day - dated.day).days < 92
        case "week":
            return 0 <= (day - dated.day).days < 7
        case _:
            return abs((day - dated.day).days) <= 1


_FIRST = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b", re.I)
_SECOND = re.compile(r"\b(?:you|your|yours)\b", re.I)


def subject_of(asked: Asked, quote: Quote) -> float:
    """Return 1 when a sentence is of a person asked about, -1 when of somebody else, 0 if nobody.

    It is when that person says it, of himself or of the world, or when another says it, not of
    himself, to or of that person. On LoCoMo dev this tells swapped speakers (category 5) from
    real ones far better than the speaker's name does (AUROC 84 against 76).
    """
    if not asked.about:
        return 0.0
    first, second = _FIRST.search(quote.text), _SECOND.search(quote.text)
    if quote.passage.speaker in asked.about:
        return 1.0 if first or not second else -1.0
    meant = second or about_whom(quote.text, asked.about)
    return 1.0 if meant and not first else -1.0


def _covered(asked: Asked, quote: Quote, weights: dict[str, float]) -> dict[str, float]:
    passage = quote.passage
    inside = said_in(quote.text) | implied(quote.text)
    around = said_in(passage.line.text)
    if passage.before is not None and (passage.answers or passage.goes_on):
        around |= said_in(passage.before.text)
    if asked.language != "English":
        inside, around = _inflected(weights, inside), _inflected(weights, around)
    total = sum(weights.values()) or 1.0
    return {
        "coverage": sum(w for term, w in weights.items() if term in inside) / total,
        "context": sum(w for term, w in weights.items() if term in around - inside) / total,
    }


def _inflected(wanted: Iterable[str], said: frozenset[str]) -> frozenset[str]:
    """Return the wanted terms of which some form is said."""
    return frozenset(w for w in wanted if any(same_term(w, term) for term in said))
