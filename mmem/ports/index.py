"""What recall may ask of a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mmem.ports.arrays import (
    BoolArray,
    ByteArray,
    DoubleArray,
    FloatArray,
    IntArray,
    LongArray,
)

UNKNOWN_TIME = np.iinfo(np.int64).max

"""Wall time (UTC microseconds) of a row whose time is not known; sorts last."""


@dataclass(frozen=True)
class Columns:
    """Facts about n rows (units) in canonical order: wall end, wall start, id; unknown last."""

    ids: Sequence[str]
    anchor: BoolArray
    """True for an anchor of a recording, False for a passage of dialogue."""
    source: IntArray
    session: IntArray
    """Rows of one conversation session, or of one recording, share a number."""
    position: IntArray
    """Order within the session."""
    start_us: LongArray
    end_us: LongArray
    """Wall time, UTC microseconds; UNKNOWN_TIME when not known."""
    speaker: IntArray
    """Index into `speakers`; -1 for none or several."""
    speakers: Sequence[str]
    question: BoolArray
    """The row's text is itself a question."""

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.ids)


@dataclass(frozen=True)
class FactGraph:
    """The facts of the visible rows, ascending by row, and the edges that they make, as CSR.

    `subjects` and `objects` int32[f] are numbers of names; `degrees` int32[names] counts the rows
    in whose facts a name stands, 0 for a hidden name. Nodes are the rows `holders` int32[h] that
    hold a fact, then the names: the edges of node i lead to `targets[offsets[i] : offsets[i + 1]]`
    (int32[e]) with `shares` f64[e] of its `strengths` f64[h + names], the sum of their weights; the
    same edge leads back with the same weight.
    """

    subjects: IntArray
    objects: IntArray
    degrees: IntArray
    holders: IntArray
    targets: IntArray
    shares: DoubleArray
    offsets: IntArray
    strengths: DoubleArray


class Index(Protocol):
    """What recall may ask of the rows that a reader may see; hidden rows leave no trace in it."""

    @property
    def columns(self) -> Columns:
        """All rows, hidden ones too; arrays of the other methods have the same n."""
        ...

    @property
    def visible(self) -> BoolArray:
        """bool[n]: before the as-of time, allowed by labels, passed by the caller's filters."""
        ...

    def bm25(self, weights: Mapping[str, float], *, k1: float, b: float) -> FloatArray:
        """f32[n] BM25 scores of weighted terms; 0 on hidden rows."""
        ...

    def idf(self, terms: Sequence[str]) -> FloatArray:
        """f32[len(terms)] log(1 + (N - df + 0.5) / (df + 0.5)) over the visible rows."""
        ...

    def occurs(self, terms: Sequence[str], rows: LongArray) -> BoolArray:
        """bool[terms, rows]: the row holds the term; False on hidden rows."""
        ...

    def dense(self, query: FloatArray) -> tuple[FloatArray, FloatArray]:
        """f32[n] best line and f32[n] best chunk cosine of a row; 0 where it has none."""
        ...

    def pictures(self, query: FloatArray) -> FloatArray:
        """f32[n] best cosine of a row's pictures with a vector of their space; -inf for none."""
        ...

    def fact_graph(self, *, synonyms: int) -> FactGraph:
        """The visible facts and their names, each with up to `synonyms` visible close ones."""
        ...

    def fact_cosines(self, queries: FloatArray) -> FloatArray:
        """f32[f]: for each visible fact its best cosine with one of the queries f32[q, d]."""
        ...

    def occurrences(self) -> LongArray:
        """int64[n]: visible rows that tell of one occurrence share a number; others have theirs."""
        ...

    def codes(self, rows: LongArray) -> tuple[ByteArray, LongArray]:
        """Sign codes u8[t, d/8] of the tokens of these rows and their offsets int64[rows + 1]."""
        ...
