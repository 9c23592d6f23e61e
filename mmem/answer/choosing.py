"""Which sentences are quoted: the best, the newest where that counts, and what adds to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mmem.answer.passages import newest_last
from mmem.answer.question import Asked
from mmem.answer.settings import QuotedSettings
from mmem.answer.weighing import Weighed
from mmem.words import terms

_CORRECTION = re.compile(
    r"^\W*(?:no\b|actually|sorry|correction|wait|update)|\b(?:i meant|i mean|instead|not \w+ but"
    r"|mov(?:ed?|es) to|changed? to|not (?-i:[A-Z])\w*|change of plans?|no longer|any ?more"
    r"|from now on|is now|new \w+(?: \w+)?(?= is\b| are\b|:))\b",
    re.I,
)


def choose(asked: Asked, weighed: Sequence[Weighed], settings: QuotedSettings) -> list[Weighed]:
    """Return the sentences to quote, most important first; `weighed` is best first."""
    if not weighed:
        return []
    first = _first(asked, weighed, settings)
    if asked.latest:
        return [first]
    chosen = [first]
    for each in weighed:
        if len(chosen) == settings.sentences:
            break
        near = _near(each.score, weighed[0].score, _share(asked, each, settings))
        if near and all(_adds(each, other) for other in chosen):
            chosen.append(each)
    return chosen


def _share(asked: Asked, each: Weighed, settings: QuotedSettings) -> float:
    """How near to the best a sentence must come: lists and reasons take more sentences."""
    if asked.kind == "reason" and each.measures.kind:
        return settings.reason_support
    return settings.list_support if asked.several else settings.support


def _first(asked: Asked, weighed: Sequence[Weighed], settings: QuotedSettings) -> Weighed:
    """The best sentence, or a later one as good: the newest for "now", a correction otherwise."""
    best = weighed[0]
    if asked.revised:
        told = (w for w in weighed if corrects(w) and _near(w.score, best.score, settings.revised))
        return next(told, best)
    good = [w for w in weighed if _near(w.score, best.score, settings.good_match)]
    by_passage: dict[int, Weighed] = {}
    for each in good:
        by_passage.setdefault(id(each.quote.passage), each)
    order = [by_passage[id(p)] for p in newest_last([w.quote.passage for w in by_passage.values()])]
    if asked.latest:
        return order[-1]
    later = order[order.index(by_passage[id(best.quote.passage)]) + 1 :]
    corrected = [
        w
        for w in later
        if (asked.kind == "polar" or corrects(w)) and w.measures.coverage >= best.measures.coverage
    ]
    return corrected[-1] if corrected else best


def corrects(weighed: Weighed) -> bool:
    """Tell whether a sentence says that something is otherwise than it was said before."""
    said = not weighed.quote.passage.shown
    return said and bool(_CORRECTION.search(weighed.quote.text))


def _near(score: float, best: float, share: float) -> bool:
    return score >= best - (1 - share) * abs(best)


def _adds(each: Weighed, other: Weighed) -> bool:
    """Whether a sentence is another one and says something that the other doesn't."""
    if each.quote.passage is other.quote.passage and each.quote.chars == other.quote.chars:
        return False
    return not set(terms(each.quote.text)) <= set(terms(other.quote.text))
