"""The earlier units that are most like each unit, kept up to date without looking at all again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mmem.ports import BoolArray, FloatArray, LongArray

_BLOCK = 512
# The matrix product that makes the short list rounds otherwise than the dot products that decide.
_ROUNDING = np.float32(1e-4)


@dataclass(frozen=True)
class Candidates:
    """Earlier rows, the likest first (equal ones: the newest first), and their cosines."""

    rows: tuple[int, ...] = ()
    cosines: tuple[float, ...] = ()


def nearest_earlier(
    vectors: FloatArray, known: Mapping[int, Candidates], *, most: int, floor: float
) -> list[Candidates]:
    """Return for each row of f32[n, d] (vectors of length 1) its `most` likest earlier rows.

    Only cosines of at least `floor` count. `known` has what was found before for rows of which
    neither their vector nor one of their candidates has changed since; these are only compared with
    the rows that are not in it. The result is that of an empty `known`.
    """
    fresh = np.array([row for row in range(len(vectors)) if row not in known], np.int64)
    is_fresh = np.zeros(len(vectors), bool)
    is_fresh[fresh] = True
    found = [known.get(row, Candidates()) for row in range(len(vectors))]
    every = np.arange(len(vectors), dtype=np.int64)
    for start in range(0, len(fresh), _BLOCK):
        block = fresh[start : start + _BLOCK]
        for row, near in _near(vectors, block, every[: int(block[-1])], floor):
            found[row] = _best(vectors, row, near, most, floor)
    old = every[~is_fresh]
    for start in range(0, len(old) if len(fresh) else 0, _BLOCK):
        block = old[start : start + _BLOCK]
        for row, near in _near(vectors, block, fresh[fresh < int(block[-1])], floor):
            if len(near):
                merged = np.concatenate([near, np.array(found[row].rows, np.int64)])
                found[row] = _best(vectors, row, merged, most, floor)
    return found


def _near(
    vectors: FloatArray, block: LongArray, among: LongArray, floor: float
) -> list[tuple[int, LongArray]]:
    """Return for each row of a block the earlier rows, of some, that may pass the floor."""
    if not len(among):
        return [(int(row), among) for row in block]
    cosines = vectors[block] @ vectors[among].T
    passing: BoolArray = (cosines >= floor - _ROUNDING) & (among[None, :] < block[:, None])
    return [(int(row), among[mask]) for row, mask in zip(block, passing, strict=True)]


def _best(vectors: FloatArray, row: int, near: LongArray, most: int, floor: float) -> Candidates:
    cosines = np.vecdot(vectors[near], vectors[row])
    order = np.lexsort((-near, -cosines))[:most]
    kept = order[cosines[order] >= floor]
    return Candidates(tuple(near[kept].tolist()), tuple(cosines[kept].tolist()))
