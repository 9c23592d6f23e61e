"""Vectors of rows: the best one of each for a question, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mmem.ports import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Vectors:
    """Vectors f32[m, d] of length 1 and the row int32[m], ascending, that each belongs to."""

    values: FloatArray
    rows: IntArray

    def best(self, query: FloatArray, visible: BoolArray) -> FloatArray:
        """Return f32[n], the best cosine of each visible row's vectors; -inf where it has none.

        One dot product a vector (numpy vecdot), not a matrix product: its bits don't depend on
        which other vectors stand beside it.
        """
        found = np.full(len(visible), -np.inf, np.float32)
        if not len(self.rows):
            return found
        values, rows = self._seen(visible)
        if len(rows):
            starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
            scores = np.vecdot(values, query)
            found[rows[starts]] = np.maximum.reduceat(scores, starts)
        return found

    def _seen(self, visible: BoolArray) -> tuple[FloatArray, IntArray]:
        if visible.all():
            return self.values, self.rows
        last = len(visible) - int(np.argmax(visible[::-1])) if visible.any() else 0
        if visible[:last].all():
            cut = int(np.searchsorted(self.rows, last))
            return self.values[:cut], self.rows[:cut]
        kept = visible[self.rows]
        return self.values[kept], self.rows[kept]


def means(kinds: Sequence[Vectors], visible: BoolArray) -> FloatArray:
    """Return f32[n, d]: the mean of a row's vectors, of the first kind that it has any of.

    Rows that are hidden or have none have 0.
    """
    width = kinds[0].values.shape[1]
    found = np.zeros((len(visible), width), np.float32)
    open_rows = visible.copy()
    for kind in kinds:
        kept = open_rows[kind.rows]
        rows = kind.rows[kept]
        sums = np.zeros((len(visible), width), np.float64)
        np.add.at(sums, rows, kind.values[kept])
        counts = np.bincount(rows, minlength=len(visible))
        held = counts > 0
        found[held] = (sums[held] / counts[held, None]).astype(np.float32)
        open_rows[held] = False
    return found
