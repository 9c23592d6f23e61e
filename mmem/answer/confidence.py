"""How sure it is that the evidence answers a clause at all."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mmem.answer.passages import Passage
from mmem.answer.question import Asked
from mmem.answer.settings import QuotedSettings
from mmem.answer.weighing import Weighed
from mmem.words import terms


@dataclass(frozen=True)
class Signs:
    """What speaks for an answer being there, each within -1..1.

    `covered` is the best sentence's coverage with its context; `together` that of the best five
    lines at once; `likeness` the best sentence's cosine; `own` how much better the best sentence
    of a person asked about is than the best of anybody else, 0 when nobody is asked about;
    `missing` the share of the names and numbers in the question that no line of evidence has.
    """

    covered: float
    together: float
    likeness: float
    own: float
    missing: float
    kind: float

    def confidence(self, settings: QuotedSettings) -> float:
        """Return the logistic of the weighted sum, 0..1."""
        total = settings.sure_bias + (
            settings.sure_covered * self.covered
            + settings.sure_together * self.together
            + settings.sure_likeness * self.likeness
            + settings.sure_own * self.own
            + settings.sure_missing * self.missing
            + settings.sure_kind * self.kind
        )
        return 1.0 / (1.0 + math.exp(-total))


def signs_of(asked: Asked, weighed: Sequence[Weighed], passages: Sequence[Passage]) -> Signs:
    """Return the signs of one clause; `weighed` is best first and not empty."""
    best = weighed[0].measures
    return Signs(
        covered=best.coverage + best.context,
        together=_together(asked, weighed),
        likeness=max(w.measures.similarity for w in weighed[:5]),
        own=_own(weighed),
        missing=_missing(asked, passages),
        kind=best.kind,
    )


def _together(asked: Asked, weighed: Sequence[Weighed]) -> float:
    seen: set[str] = set()
    for each in weighed[:5]:
        seen |= set(terms(f"{each.quote.passage.speaker} {each.quote.passage.line.text}"))
    return len(seen & set(asked.terms)) / max(1, len(asked.terms))


def _own(weighed: Sequence[Weighed]) -> float:
    def best(subject: float) -> float:
        return max(
            (w.measures.coverage + w.measures.context + w.measures.similarity
             for w in weighed if w.measures.subject == subject),
            default=0.0,
        )  # fmt: skip

    return 0.0 if weighed[0].measures.subject == 0 else (best(1.0) - best(-1.0)) / 2


def _missing(asked: Asked, passages: Sequence[Passage]) -> float:
    """Names count whole: a person of the same first name is somebody else."""
    wanted = [set(terms(name)) for name in asked.names]
    wanted += [{number} for number in re.findall(r"\b\d+\b", asked.bare)]
    wanted = [words for words in wanted if words]
    lines = [set(terms(f"{p.speaker} {p.line.text}")) for p in passages]
    absent = sum(not any(words <= line for line in lines) for words in wanted)
    return absent / len(wanted) if wanted else 0.0
