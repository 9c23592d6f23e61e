"""The index recall reads: arrays in memory, exact, one visibility mask over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np

from mmem.ports import (
    BoolArray,
    ByteArray,
    Columns,
    FactGraph,
    FloatArray,
    IntArray,
    LongArray,
)
from mmem.stores.occurrences import joined as joined_rows
from mmem.stores.postings import Postings, Statistics, saturation


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


@dataclass(frozen=True)
class Facts:
    """Facts in the order of rows: their vectors, and their two ends as places in `names`."""

    vectors: Vectors
    names: Sequence[str]
    subjects: IntArray
    objects: IntArray

    @classmethod
    def of(cls, vectors: Vectors, subjects: Sequence[str], objects: Sequence[str]) -> Facts:
        """Number the keys of the facts' ends; as many as there are vectors."""
        number: dict[str, int] = {}
        for name in (*subjects, *objects):
            number.setdefault(name, len(number))
        ends = [np.array([number[name] for name in side], np.int32) for side in (subjects, objects)]
        return cls(vectors, tuple(number), ends[0], ends[1])


@dataclass(frozen=True)
class Segment:
    """Everything the index holds of n rows.

    `same` int32[p, 2] are pairs of rows that tell of one occurrence, `apart` such that do not.

    `codes` u8[tokens, d/8] with `code_offsets` int64[n + 1]: the sign bits of the token vectors.
    """

    columns: Columns
    postings: Postings
    lines: Vectors
    chunks: Vectors
    facts: Facts
    codes: ByteArray
    code_offsets: LongArray
    same: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    apart: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int32))

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.columns)


class ArrayIndex:
    """An `Index` over one or more segments; a later segment overlays the earlier ones."""

    def __init__(self, segments: Sequence[Segment], visible: BoolArray | None = None) -> None:
        self._segments = tuple(segments)
        self._firsts = np.cumsum([0, *(len(s) for s in segments)])
        size = int(self._firsts[-1])
        self._visible = np.ones(size, bool) if visible is None else visible
        if len(self._visible) != size:
            raise ValueError(f"mask of {len(self._visible)} rows for an index of {size}")

    @cached_property
    def columns(self) -> Columns:
        """The columns of all segments, one after the other."""
        return joined([s.columns for s in self._segments])

    @property
    def visible(self) -> BoolArray:
        """bool[n]: rows that may be seen."""
        return self._visible

    def restricted(self, visible: BoolArray) -> ArrayIndex:
        """Return a view of the rows that are visible here and in the mask; arrays are shared."""
        view = ArrayIndex(self._segments, self._visible & visible)
        for shared in ("columns", "_names"):
            if shared in self.__dict__:
                view.__dict__[shared] = self.__dict__[shared]
        return view

    def overlaid(self, extra: Segment) -> ArrayIndex:
        """Return a view with a few more rows at the end; they are visible."""
        seen = np.concatenate([self._visible, np.ones(len(extra), bool)])
        return ArrayIndex([*self._segments, extra], seen)

    def bm25(self, weights: Mapping[str, float], *, k1: float, b: float) -> FloatArray:
        """Score the visible rows by BM25, terms in sorted order; f32[n], hidden rows 0."""
        scores = np.zeros(len(self._visible), np.float32)
        for term in sorted(weights):
            found = [s.postings.rows_of(term, v) for s, v in self._parts()]
            idf = self._statistics.idf(sum(len(rows) for rows, _ in found))
            for (rows, counts), segment, first in zip(
                found, self._segments, self._firsts, strict=False
            ):
                lengths = segment.postings.lengths[rows]
                mean = self._statistics.mean_length
                weight = np.float32(weights[term] * idf)
                scores[first + rows] += weight * saturation(counts, lengths, mean, k1=k1, b=b)
        return scores

    def idf(self, terms: Sequence[str]) -> FloatArray:
        """Return f32[len(terms)] inverse document frequencies over the visible rows."""
        dfs = [sum(len(s.postings.rows_of(t, v)[0]) for s, v in self._parts()) for t in terms]
        return np.array([self._statistics.idf(df) for df in dfs], np.float32)

    def occurs(self, terms: Sequence[str], rows: LongArray) -> BoolArray:
        """Return bool[terms, rows]: a visible row holds a term."""
        found = np.zeros((len(terms), len(rows)), bool)
        for number, term in enumerate(terms):
            for (segment, seen), first in zip(self._parts(), self._firsts, strict=False):
                holders = first + segment.postings.rows_of(term, seen)[0]
                found[number] |= np.isin(rows, holders)
        return found

    def dense(self, query: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return best line and best chunk cosine f32[n]; each stands in for the other.

        Hidden rows and rows without vectors get 0.
        """
        parts = list(self._parts())
        line = np.concatenate([s.lines.best(query, v) for s, v in parts])
        chunk = np.concatenate([s.chunks.best(query, v) for s, v in parts])
        line, chunk = (
            np.where(np.isneginf(line), chunk, line),
            np.where(np.isneginf(chunk), line, chunk),
        )
        return _finite(line), _finite(chunk)

    def fact_graph(self, query: FloatArray) -> tuple[FactGraph, FloatArray]:
        """Return the visible facts, and their cosines f32[f] with a question."""
        known = {name: number for number, name in enumerate(self._names)}
        parts: list[tuple[IntArray, IntArray, IntArray, FloatArray]] = []
        for (segment, seen), first in zip(self._parts(), self._firsts, strict=False):
            facts = segment.facts
            kept = np.flatnonzero(seen[facts.vectors.rows])
            number = np.array([known[name] for name in facts.names], np.int32)
            parts.append(
                (
                    (first + facts.vectors.rows[kept]).astype(np.int32),
                    number[facts.subjects[kept]],
                    number[facts.objects[kept]],
                    np.vecdot(facts.vectors.values[kept], query),
                )
            )
        rows, subjects, objects, scores = (
            np.concatenate(part) for part in zip(*parts, strict=True)
        )
        return graph_of(rows, subjects, objects, names=len(known)), scores

    @cached_property
    def _names(self) -> list[str]:
        """Every name of the facts of all segments, once."""
        return list(dict.fromkeys(name for s in self._segments for name in s.facts.names))

    def occurrences(self) -> LongArray:
        """Return int64[n]: visible rows of one occurrence share a number, others have their own."""
        parts = list(zip(self._parts(), self._firsts, strict=False))
        same = [first + s.same[seen[s.same].all(axis=1)] for (s, seen), first in parts]
        apart = [first + s.apart[seen[s.apart].all(axis=1)] for (s, seen), first in parts]
        return joined_rows(len(self._visible), np.concatenate(same), np.concatenate(apart))

    def codes(self, rows: LongArray) -> tuple[ByteArray, LongArray]:
        """Return the sign codes of these rows' tokens, joined, and offsets int64[rows + 1]."""
        number = np.searchsorted(self._firsts, rows, side="right") - 1
        local = rows - self._firsts[number]
        picks = [np.flatnonzero(number == i) for i in range(len(self._segments))]
        pairs = list(zip(self._segments, picks, strict=True))
        sizes = np.zeros(len(rows), np.int64)
        for segment, pick in pairs:
            sizes[pick] = np.diff(segment.code_offsets)[local[pick]]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        width = self._segments[0].codes.shape[1] if self._segments else 0
        found = np.empty((int(offsets[-1]), width), np.uint8)
        for segment, pick in pairs:
            starts = segment.code_offsets[local[pick]]
            found[_runs(offsets[pick], sizes[pick])] = segment.codes[_runs(starts, sizes[pick])]
        return found, offsets

    def _parts(self) -> list[tuple[Segment, BoolArray]]:
        bounds = zip(self._firsts[:-1], self._firsts[1:], strict=True)
        return [(s, self._visible[a:b]) for s, (a, b) in zip(self._segments, bounds, strict=True)]

    @cached_property
    def _statistics(self) -> Statistics:
        lengths = sum(int(s.postings.lengths[v].sum()) for s, v in self._parts())
        return Statistics(rows=int(self._visible.sum()), total_length=lengths)


def joined(parts: Sequence[Columns]) -> Columns:
    """Return the columns of several row sets as one; their speakers are matched by name."""
    if len(parts) == 1:
        return parts[0]
    names = list(dict.fromkeys(name for part in parts for name in part.speakers))
    plain = [f.name for f in fields(Columns) if f.name not in ("ids", "speaker", "speakers")]
    return Columns(
        ids=[i for part in parts for i in part.ids],
        speaker=np.concatenate([_renumbered(part, names) for part in parts]),
        speakers=names,
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in plain},
    )


def graph_of(rows: IntArray, subjects: IntArray, objects: IntArray, *, names: int) -> FactGraph:
    """Return the graph of facts; a name's degree counts the different rows that it stands in."""
    pairs = np.concatenate([subjects, objects]).astype(np.int64) + names * np.concatenate(
        [rows, rows]
    ).astype(np.int64)
    degrees = np.bincount(np.unique(pairs) % max(names, 1), minlength=names)
    return FactGraph(rows, subjects, objects, degrees.astype(np.int32))


def _renumbered(part: Columns, names: list[str]) -> IntArray:
    numbers = np.array([*(names.index(name) for name in part.speakers), -1], np.int32)
    return numbers[part.speaker]


def _finite(scores: FloatArray) -> FloatArray:
    return np.where(np.isneginf(scores), np.float32(0), scores)


def _runs(starts: LongArray, sizes: LongArray) -> LongArray:
    """Return the numbers start .. start + size - 1 of each run, one run after the other."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)
