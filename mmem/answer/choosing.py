"""Which sentences are quoted: the best, the newest where that counts, and what adds to it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from mmem.answer.passages import newest_last, told_at
from mmem.answer.question import CHANGE_TERMS, Asked
from mmem.answer.settings import QuotedSettings
from mmem.answer.weighing import Weighed
from mmem.words import terms

_CHANGES = (
    r"\b(?:instead|mov(?:ed?|es) (?:\w+ )?to|(?:changed?|postponed|shifted) to|change of plans?"
    r"|not \w+ but|not (?-i:[A-Z])\w*|no longer|any ?more|from now on|is now"
    r"|new \w+(?: \w+)?(?= is\b| are\b|:)|(?:sold|replaced|swapped) (?:my|our|the|his|her|their)"
    r"|switched to)\b"
)
_CHANGE = re.compile(_CHANGES, re.I)
_CORRECTION = re.compile(
    rf"^\W*(?:no\b|actually|sorry|correction|wait|update)|\b(?:i meant|i mean)\b|{_CHANGES}",
    re.I,
)


def choose(asked: Asked, weighed: Sequence[Weighed], settings: QuotedSettings) -> list[Weighed]:
    """Return the sentences to quote, most important first; `weighed` is best first.

    After a correction comes what it corrects. None is more doubtful than the best.
    """
    if not weighed:
        return []
    weighed = [w for w in weighed if w.measures.doubt <= weighed[0].measures.doubt]
    first = _first(asked, weighed, settings)
    if asked.latest or asked.former:
        return [first]
    chosen = [first]
    for each in weighed:
        if len(chosen) == settings.sentences:
            break
        near = _near(each.score, weighed[0].score, _share(asked, each, settings))
        near = near and _covered(each) >= settings.of_it * _covered(first)
        if near and _needed(asked, each, chosen) and all(_adds(each, c) for c in chosen):
            chosen.append(each)
    return chosen


def _needed(asked: Asked, each: Weighed, chosen: Sequence[Weighed]) -> bool:
    """Whether an answer lacks a sentence: a list goes on, else a word of the question is new."""
    if asked.several:
        return True
    said = {term for other in chosen for term in terms(other.quote.passage.line.text)}
    new = set(asked.terms) - asked.background - said
    return bool(new & set(terms(each.quote.text)))


def overtaken(
    asked: Asked, first: Weighed, weighed: Sequence[Weighed], settings: QuotedSettings
) -> Weighed | None:
    """Return the best sentence of what the one quoted first tells a change of, None without one."""
    if asked.latest or asked.former or not _CHANGE.search(first.quote.text):
        return None
    least = max(settings.overtaken * first.measures.coverage, 1e-9)
    found = (
        w
        for w in weighed
        if w.measures.kind
        and w.measures.doubt <= first.measures.doubt
        and w.measures.coverage >= least
        and w.measures.subject >= first.measures.subject
    )
    return next((w for w in found if _is_earlier(w, first)), None)


def _is_earlier(each: Weighed, other: Weighed) -> bool:
    passage = each.quote.passage
    order = newest_last([other.quote.passage, passage])
    return passage is not other.quote.passage and order[0] is passage


def _covered(weighed: Weighed) -> float:
    return weighed.measures.coverage + weighed.measures.context


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
    if asked.latest or asked.former:
        good = [
            w
            for w in weighed
            if _near(w.score, best.score, settings.good_match)
            and w.measures.subject >= best.measures.subject
        ]
        return _by_time(good)[0 if asked.former else -1]
    if then := _true_then(asked, weighed, best, settings):
        return then
    order = _by_time([w for w in weighed if w is best or _overtakes(asked, w, best, settings)])
    return order[-1] if best in order[:-1] else best


def _true_then(
    asked: Asked, weighed: Sequence[Weighed], best: Weighed, settings: QuotedSettings
) -> Weighed | None:
    """For "where … in March": the newest of it told by then, if the best sentence came later."""
    days = [dated.day for dated in asked.dates if dated.day]
    if asked.kind != "place" or not days or best.measures.time:
        return None
    least = settings.same_thing * best.measures.coverage
    by_then = [
        w
        for w in weighed
        if w.measures.kind
        and w.measures.coverage >= least
        and w.measures.subject >= best.measures.subject
        and (told := told_at(w.quote.passage.line))
        and told.date() < max(days) + dt.timedelta(days=31)
    ]
    return _by_time(by_then)[-1] if by_then else None


def _by_time(weighed: Sequence[Weighed]) -> list[Weighed]:
    """The best sentence of each passage, oldest first."""
    by_passage: dict[int, Weighed] = {}
    for each in weighed:
        by_passage.setdefault(id(each.quote.passage), each)
    return [by_passage[id(p)] for p in newest_last([w.quote.passage for w in by_passage.values()])]


def _overtakes(asked: Asked, each: Weighed, best: Weighed, settings: QuotedSettings) -> bool:
    """Whether a sentence, if it is the later one, takes the place of the best one.

    It corrects (for yes or no: says) as much of what is asked, or it tells a change of half of it
    and has an answer of the kind asked for.
    """
    of_it = each.measures.coverage, best.measures.coverage
    if of_it[0] <= 0 or of_it[1] <= 0 or asked.visual:
        return False
    if each.measures.subject < best.measures.subject:
        return False
    if _near(each.score, best.score, settings.good_match) and of_it[0] >= of_it[1]:
        return asked.kind == "polar" or corrects(each)
    changed = each.measures.kind > 0 and _tells_change(asked, each)
    return changed and of_it[0] >= settings.same_thing * of_it[1]


def _tells_change(asked: Asked, weighed: Weighed) -> bool:
    """Whether a sentence tells a change of a thing asked about; "change" itself is none."""
    things = set(asked.terms) - asked.background - CHANGE_TERMS
    said = not weighed.quote.passage.shown and bool(things & set(terms(weighed.quote.text)))
    return said and bool(_CHANGE.search(weighed.quote.text))


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
