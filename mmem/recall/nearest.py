"""A picture as the question: the rows whose pictures are nearest to it."""

from __future__ import annotations

import numpy as np

from mmem.ports import FloatArray, Index
from mmem.recall.look import Confidence
from mmem.recall.plan import make_plan
from mmem.recall.search import Ranked, Ranking
from mmem.recipes import Recipe


def search_picture(
    name: str, vector: FloatArray, index: Index, recipe: Recipe, *, depth: int
) -> Ranking:
    """Rank the visible rows that show pictures by their nearest one; exact, newest first of equals.

    `vector` f32[d] is of length 1, in the space of the index's pictures; `name` stands for the
    question. Scores are cosines.
    """
    scores = index.pictures(vector)
    shown = np.flatnonzero(~np.isneginf(scores) & index.visible)
    order = shown[np.lexsort((-shown, -scores[shown]))][:depth]
    rows = [
        Ranked(
            row=row,
            id=index.columns.ids[row],
            score=float(scores[row]),
            cosine=float(scores[row]),
            signals={"visual": float(scores[row])},
        )
        for row in order.tolist()
    ]
    plan = make_plan(name, recipe)
    return Ranking(plan=plan, rows=rows, confidence=Confidence(), visible=len(shown), fusion=None)
