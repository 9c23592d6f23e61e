"""Rows that tell of one occurrence: pairs that were judged the same, joined."""

from __future__ import annotations

import numpy as np

from mmem.ports import BoolArray, IntArray, LongArray


def counted(pairs: IntArray, known: BoolArray, most: int) -> LongArray:
    """Return which of some pairs count for a reader: the first `most` of each row that he may know.

    `pairs` int32[p, 2 or more] are rows and what they are compared with, the likest first, those of
    one row together; `known` bool[rows].

    >>> pairs = np.array([[4, 3], [4, 2], [4, 1], [5, 3]], np.int32)
    >>> counted(pairs, np.array([1, 1, 1, 0, 1, 1], bool), 1).tolist()
    [1]
    """
    kept = np.flatnonzero(known[pairs[:, :2]].all(axis=1))
    rows = pairs[kept, 0]
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    sizes = np.diff(np.append(starts, len(rows)))
    place = np.arange(len(rows)) - np.repeat(starts, sizes)
    return kept[place < most].astype(np.int64)


def joined(count: int, pairs: IntArray, apart: IntArray | None = None) -> LongArray:
    """Return int64[count]: rows that pairs int32[p, 2] join share a number, that of the first one.

    Rows that a pair of `apart` int32[q, 2] names are in no group together, over whomever they could
    be joined; the first pairs win.

    >>> joined(4, np.array([[3, 1]], np.int32)).tolist()
    [0, 1, 2, 1]
    """
    first = list(range(count))

    def root(row: int) -> int:
        while first[row] != row:
            first[row] = first[first[row]]
            row = first[row]
        return row

    touched = set()
    foes = [] if apart is None else apart.tolist()
    for one, other in pairs.tolist():
        low, high = sorted((root(one), root(other)))
        if any({root(a), root(b)} == {low, high} for a, b in foes):
            continue
        first[high] = low
        touched |= {one, other}
    found = np.arange(count, dtype=np.int64)
    for row in touched:
        found[row] = root(row)
    return found
