"""How sure it is that the evidence answers a clause at all."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mmem.answer.choosing import corrects
from mmem.answer.kinds import Kind
from mmem.answer.passages import Passage
from mmem.answer.question import Asked
from mmem.answer.settings import QuotedSettings
from mmem.answer.weighing import Measures, Weighed, term_set
from mmem.words import terms


@dataclass(frozen=True)
class Signs:
    """What speaks for an answer being there, each within -1..1.

    `covered` is the best sentence's coverage with its context and the time asked about; `likeness`
    the best cosine of the first few sentences; `own` how much better the best sentence of a person
    asked about is than the best of anybody else, a constant when nobody is asked about; `missing`
    the share of the names and numbers in the question that no line of evidence has; `kind` up to 1
    with a direct answer where one is asked for, down to -2 without; `presumed` -1 for a change that
    the question presumes and the sentence quoted first doesn't tell, and -1 for a picture that is
    asked for and not there, or there and not asked for.
    """

    covered: float
    likeness: float
    own: float
    missing: float
    kind: float
    presumed: float

    def confidence(self, settings: QuotedSettings) -> float:
        """Return the logistic of the weighted sum, 0..1."""
        total = settings.sure_bias + (
            settings.sure_covered * self.covered
            + settings.sure_likeness * self.likeness
            + settings.sure_own * self.own
            + settings.sure_missing * self.missing
            + settings.sure_kind * self.kind
            + settings.sure_presumed * self.presumed
        )
        return 1.0 / (1.0 + math.exp(-total))


def signs_of(
    asked: Asked,
    weighed: Sequence[Weighed],
    passages: Sequence[Passage],
    settings: QuotedSettings,
    *,
    first: Weighed,
    short: str | None,
) -> Signs:
    """Return the signs of one clause.

    `weighed` is best first and not empty; `first` is quoted first and `short` its direct answer.
    """
    best = weighed[0].measures
    return Signs(
        covered=_covered(asked, best, settings),
        likeness=_likeness(weighed[:5]) or settings.likeness_unmeasured,
        own=_own(weighed, settings),
        missing=_missing(asked, passages, first.quote.passage, settings),
        kind=_kind(asked, first, short),
        presumed=_presumed(asked, first),
    )


def _covered(asked: Asked, best: Measures, settings: QuotedSettings) -> float:
    """A date in the question counts as a share of its words."""
    share = settings.dated if asked.dates and asked.kind != "date" else 0.0
    return (1 - share) * (best.coverage + best.context) + share * best.time


def _likeness(best: Sequence[Weighed]) -> float:
    """Words on a picture that nobody asked to see are not counted."""
    return max((w.measures.similarity for w in best if not w.measures.unseen), default=0.0)


_WITHOUT: dict[Kind, float] = {
    "date": -2.0,
    "number": -2.0,
    "name": -2.0,
    "person": -1.0,
    "place": -1.0,
    "polar": -1.0,
}
_WHILE = re.compile(r"\b(?:when|while|after|before|during|until|once)\b", re.I)


def _kind(asked: Asked, first: Weighed, short: str | None) -> float:
    """A thing of the right kind says little in a sentence that shares little with the question."""
    if asked.kind not in _WITHOUT:
        return 0.0
    if short is not None:
        return min(1.0, 4 * (first.measures.coverage + first.measures.context) - 0.8)
    half = asked.kind == "date" and _WHILE.search(first.quote.text)
    return _WITHOUT[asked.kind] / (2 if half else 1)


def _presumed(asked: Asked, first: Weighed) -> float:
    hit = first.quote.passage.hit
    unseen = not hit.keyframes if asked.visual else first.quote.passage.shown
    unchanged = asked.revised and not corrects(first)
    return -float(unseen) - float(unchanged)


def _own(weighed: Sequence[Weighed], settings: QuotedSettings) -> float:
    def best(subject: float) -> float:
        same = (w.measures for w in weighed if w.measures.subject == subject)
        return max((m.apart_from_subject(settings) for m in same), default=0.0)

    if weighed[0].measures.subject == 0:
        return settings.own_of_nobody
    most = max(best(1.0), best(-1.0))
    return (best(1.0) - best(-1.0)) / most if most > 0 else 0.0


def _missing(
    asked: Asked, passages: Sequence[Passage], first: Passage, settings: QuotedSettings
) -> float:
    """Names count whole: a person of the same first name is somebody else."""
    wanted = [set(terms(name)) for name in asked.names]
    wanted += [{number} for number in re.findall(r"\b\d+\b", asked.bare)]
    wanted = [words for words in wanted if words]
    lines = [term_set(p.line.text) | term_set(p.speaker) for p in passages]
    near = term_set(first.line.text) | term_set(first.speaker)
    near |= term_set(first.before.text) if first.before else frozenset()
    away = sum(not words <= near for words in wanted)
    absent = sum(not any(words <= line for line in lines) for words in wanted)
    share = settings.named_near
    return ((1 - share) * absent + share * away) / len(wanted) if wanted else 0.0
