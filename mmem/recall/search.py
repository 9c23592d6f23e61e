"""A question becomes ranked rows: plan, channels side by side, one sum, and what each part did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import cached_property

import numpy as np

from mmem.ports import (
    FloatArray,
    ImageEncoder,
    Index,
    QuestionReader,
    QuestionReading,
    Scales,
    TextEncoder,
)
from mmem.recall import context
from mmem.recall.context import Seen
from mmem.recall.days import DayCount
from mmem.recall.fuse import Effect, Fusion
from mmem.recall.look import Confidence, Look
from mmem.recall.plan import Plan, make_plan
from mmem.recall.semantic import SemanticFacts
from mmem.recipes import Recipe


@dataclass(frozen=True)
class Ranked:
    """One row of the answer: ordinal in the index, id, final score, and its signals by name.

    `cosine` is that of the question with the row's best line.
    """

    row: int
    id: str
    score: float
    cosine: float
    signals: Mapping[str, float]


@dataclass(frozen=True)
class Ranking:
    """The best rows first, how the question was read, and signs of confidence.

    `reading` are its quadruples, None where the recipe has no use for them; `vector` f32[d] is its
    own, None where nothing was looked up.
    """

    plan: Plan
    rows: list[Ranked]
    confidence: Confidence
    visible: int
    fusion: Fusion | None
    reading: QuestionReading | None = None
    vector: FloatArray | None = None

    @cached_property
    def effects(self) -> list[Effect]:
        """For each mechanism: did it fire, did it change the first ten."""
        return self.fusion.effects() if self.fusion else []


def search(
    question: str,
    index: Index,
    encoder: TextEncoder,
    recipe: Recipe,
    *,
    eyes: ImageEncoder | None = None,
    options: Sequence[str] = (),
    now_us: int | None = None,
    zone: tzinfo = UTC,
    days: DayCount | None = None,
    depth: int = 100,
    reader: QuestionReader | None = None,
    scales: Scales | None = None,
    lasting: SemanticFacts | None = None,
) -> Ranking:
    """Rank the visible rows for a question; a pure function of them, the recipe and the models.

    `options` are the caller's possible answers, if it has them. `now_us` (UTC microseconds) is
    the moment of asking: "yesterday" and "last" are read from it. `eyes`, of the space of the
    index's pictures, are given where the question asks for what is seen (`visual`). `reader` is
    asked for quadruples only where the recipe and the question have a use for them. `scales` are
    the longer stretches of time, `lasting` the facts that last, for a recipe that uses them.
    `days` counts the visible days, where the question may number one.
    """
    seen = Seen.of(index.columns, index.visible, index.occurrences())
    names = index.columns.speakers
    spoken = [(int(s), names[s]) for s in np.unique(seen.speaker) if s >= 0]
    plan = make_plan(
        question,
        recipe,
        speakers=spoken,
        options=options,
        now_us=now_us,
        newest_us=context.newest_us(seen),
        zone=zone,
        days=days,
    )
    if not len(seen.rows):
        return Ranking(plan=plan, rows=[], confidence=Confidence(), visible=0, fusion=None)
    look = Look(plan, index, encoder, recipe, seen, now_us, eyes, reader, scales, lasting)
    fusion = Fusion(
        seen=seen,
        signals=look.signals(),
        ages=context.age_hours(seen, now_us),
        wants_latest=plan.wants_latest,
        wants_several=plan.wants_several,
        recipe=recipe,
    )
    order = fusion.order(depth)
    return Ranking(
        plan=plan,
        rows=[_ranked(look, fusion, index, int(row)) for row in order],
        confidence=look.confidence(order[:3]),
        visible=len(seen.rows),
        fusion=fusion,
        reading=look.reading,
        vector=look.vector,
    )


def _ranked(look: Look, fusion: Fusion, index: Index, row: int) -> Ranked:
    ordinal = int(fusion.seen.rows[row])
    return Ranked(
        row=ordinal,
        id=index.columns.ids[ordinal],
        score=float(fusion.total[row]),
        cosine=look.cosine(row),
        signals={name: float(signal[row]) for name, signal in fusion.signals.items()},
    )
