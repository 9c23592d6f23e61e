"""The index recall reads: arrays in memory, exact, one visibility mask over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
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
from mmem.recipes import FUSING
from mmem.stores import occurrences as together
from mmem.stores.graph import CloseNames, FactIncidence, runs
from mmem.stores.postings import Postings, Statistics, saturation
from mmem.stores.shown import Shown
from mmem.stores.vectors import Vectors, means


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

    `compared` int32[p, 3] are rows, earlier ones that they were compared with (the likest first,
    those of one row together), and 1 for one occurrence, else 0. `apart` int32[p, 2] are pairs that
    somebody has said not to be one.

    `codes` u8[tokens, d/8] with `code_offsets` int64[n + 1]: the sign bits of the token vectors.
    `close` are the close ones of the facts' names.
    """

    columns: Columns
    postings: Postings
    lines: Vectors
    chunks: Vectors
    facts: Facts
    codes: ByteArray
    code_offsets: LongArray
    images: Shown = field(default_factory=Shown.nothing)
    compared: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int32))
    apart: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    close: CloseNames = field(default_factory=CloseNames)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.columns)


class ArrayIndex:
    """An `Index` over one or more segments; a later segment overlays the earlier ones."""

    def __init__(
        self,
        segments: Sequence[Segment],
        visible: BoolArray | None = None,
        known: BoolArray | None = None,
    ) -> None:
        self._segments = tuple(segments)
        self._firsts = np.cumsum([0, *(len(s) for s in segments)])
        size = int(self._firsts[-1])
        self._visible = np.ones(size, bool) if visible is None else visible
        self._known = self._visible if known is None else known
        self._graphs: dict[int, FactGraph] = {}
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

    def restricted(self, visible: BoolArray, *, known: BoolArray | None = None) -> ArrayIndex:
        """Return a view of the rows that are visible here and in the mask; arrays are shared.

        `known` are those that the reader may see whatever he asks for (default: the visible ones):
        they take their places among what a row was compared with.
        """
        known = visible if known is None else known
        view = ArrayIndex(self._segments, self._visible & visible, self._known & known)
        for shared in ("columns", "_incidence"):
            if shared in self.__dict__:
                view.__dict__[shared] = self.__dict__[shared]
        return view

    def shown_by(self, moment_us: int) -> ArrayIndex:
        """Return a view whose rows show only pictures that had ended by a moment."""
        segments = [replace(s, images=s.images.ended_by(moment_us)) for s in self._segments]
        view = ArrayIndex(segments, self._visible, self._known)
        view.__dict__["columns"] = self.columns
        return view

    def overlaid(self, extra: Segment) -> ArrayIndex:
        """Return a view with a few more rows at the end; they are visible."""
        more = np.ones(len(extra), bool)
        masks = (np.concatenate([mask, more]) for mask in (self._visible, self._known))
        return ArrayIndex([*self._segments, extra], *masks)

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

    def means(self) -> FloatArray:
        """Return f32[n, d]: the mean of each row's chunks, else of its lines; 0 for hidden rows."""
        return np.concatenate([means([s.chunks, s.lines], v) for s, v in self._parts()])

    def pictures(self, query: FloatArray) -> FloatArray:
        """Return f32[n], the best cosine of each visible row's pictures; -inf where it has none."""
        return np.concatenate([s.images.best(query, v) for s, v in self._parts()])

    def fact_graph(self, *, synonyms: int) -> FactGraph:
        """Return the visible facts and the names at their ends, made once for what is visible."""
        if synonyms not in self._graphs:
            kept = self._visible[self._incidence.rows]
            self._graphs[synonyms] = self._incidence.seen(kept, synonyms=synonyms)
        return self._graphs[synonyms]

    def fact_cosines(self, queries: FloatArray) -> FloatArray:
        """Return f32[f], for each visible fact its best cosine with one of the queries."""
        parts = []
        for segment, seen in self._parts():
            vectors = segment.facts.vectors
            kept = seen[vectors.rows]
            found = [np.vecdot(vectors.values, query)[kept] for query in queries]
            parts.append(np.max(found, axis=0))
        best: FloatArray = np.concatenate(parts)
        return best

    @cached_property
    def _incidence(self) -> FactIncidence:
        """The facts of all segments, hidden ones too."""
        facts = [s.facts for s in self._segments]
        rows = [first + f.vectors.rows for f, first in zip(facts, self._firsts, strict=False)]
        ends = [(f.names, f.subjects, f.objects) for f in facts]
        return FactIncidence.of(np.concatenate(rows), ends, self._segments[0].close)

    def occurrences(self) -> LongArray:
        """Return int64[n]: visible rows of one occurrence share a number, others have their own."""
        near = self.compared()
        same = near[near[:, 2] == 1, :2]
        parts = list(zip(self._parts(), self._firsts, strict=False))
        apart = [first + s.apart[seen[s.apart].all(axis=1)] for (s, seen), first in parts]
        return together.joined(len(self._visible), same, np.concatenate(apart))

    def compared(self) -> IntArray:
        """Return what visible rows are compared with of what the reader sees; see `Segment`."""
        firsts = zip(self._segments, self._firsts, strict=False)
        parts = [s.compared + np.array([a, a, 0]) for s, a in firsts]
        pairs: IntArray = np.concatenate(parts).astype(np.int32)
        pairs = pairs[together.counted(pairs, self._known, FUSING.most)]
        return pairs[self._visible[pairs[:, :2]].all(axis=1)]

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
            found[runs(offsets[pick], sizes[pick])] = segment.codes[runs(starts, sizes[pick])]
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


def _renumbered(part: Columns, names: list[str]) -> IntArray:
    numbers = np.array([*(names.index(name) for name in part.speakers), -1], np.int32)
    return numbers[part.speaker]


def _finite(scores: FloatArray) -> FloatArray:
    return np.where(np.isneginf(scores), np.float32(0), scores)
