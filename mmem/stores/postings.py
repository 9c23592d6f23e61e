"""An inverted index whose statistics are those of the visible rows only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mmem.ports import BoolArray, FloatArray, IntArray, LongArray


@dataclass(frozen=True)
class Postings:
    """For each term the ordinals of its rows, ascending, and how often it occurs there.

    `bounds` int64[terms + 1] cuts `ordinals` int32 and `counts` int32; `lengths` int32[n].
    """

    vocabulary: Mapping[str, int]
    bounds: LongArray
    ordinals: IntArray
    counts: IntArray
    lengths: IntArray

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.lengths)

    @classmethod
    def build(cls, rows: Iterable[Sequence[str]]) -> Postings:
        """Index the terms of rows given in canonical order."""
        found: dict[str, tuple[list[int], list[int]]] = {}
        lengths: list[int] = []
        for ordinal, row in enumerate(rows):
            lengths.append(len(row))
            for term, count in Counter(row).items():
                ordinals, counts = found.setdefault(term, ([], []))
                ordinals.append(ordinal)
                counts.append(count)
        sizes = [len(ordinals) for ordinals, _ in found.values()]
        return cls(
            vocabulary={term: i for i, term in enumerate(found)},
            bounds=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
            ordinals=_joined([o for o, _ in found.values()]),
            counts=_joined([c for _, c in found.values()]),
            lengths=np.array(lengths, np.int32),
        )

    def rows_of(self, term: str, visible: BoolArray) -> tuple[IntArray, IntArray]:
        """Return the visible rows that hold a term, and its counts there."""
        number = self.vocabulary.get(term)
        if number is None:
            return _NOTHING, _NOTHING
        cut = slice(self.bounds[number], self.bounds[number + 1])
        ordinals, counts = self.ordinals[cut], self.counts[cut]
        seen = visible[ordinals]
        return ordinals[seen], counts[seen]


@dataclass(frozen=True)
class Statistics:
    """What lexical scores need to know of the visible rows: how many, and their total length."""

    rows: int
    total_length: int

    def idf(self, df: int) -> float:
        """Return log(1 + (N - df + 0.5) / (df + 0.5)), never negative (Lucene's BM25)."""
        return float(np.log1p((self.rows - df + 0.5) / (df + 0.5)))

    @property
    def mean_length(self) -> float:
        """Return the mean number of terms a row."""
        return self.total_length / self.rows if self.rows and self.total_length else 1.0


def saturation(
    counts: IntArray, lengths: IntArray, mean_length: float, *, k1: float, b: float
) -> FloatArray:
    """Return the BM25 weight of a term's counts in rows of these lengths (Robertson 2009, 3.15)."""
    norm = k1 * (1.0 - b + b * lengths.astype(np.float64) / mean_length)
    return (counts * (k1 + 1.0) / (counts + norm)).astype(np.float32)


_NOTHING: IntArray = np.empty(0, np.int32)


def _joined(parts: list[list[int]]) -> IntArray:
    return np.fromiter((x for part in parts for x in part), np.int32)
