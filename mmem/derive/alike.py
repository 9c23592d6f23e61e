"""The earlier units that are most like each unit, for every reader who may see some of them.

They are kept up to date without looking at all of them again.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mmem.ports import BoolArray, FloatArray, IntArray, LongArray

_BLOCK = 512
# The matrix product that makes the short list rounds otherwise than the dot products that decide.
_ROUNDING = np.float32(1e-4)
Labels = frozenset[str]


@dataclass(frozen=True)
class Seen:
    """Which readers meet a unit: whose labels hold all of `need`, but not all of `unless`.

    With the labels of `unless` a reader is shown another unit in its place; None: nobody is.
    """

    need: Labels = frozenset()
    unless: Labels | None = None

    def by(self, labels: Labels) -> bool:
        """Tell whether a reader with these labels meets the unit."""
        return self.need <= labels and not self.is_replaced(labels)

    def is_replaced(self, labels: Labels) -> bool:
        """Tell whether a reader with these labels is shown another unit in its place."""
        return self.unless is not None and self.unless <= labels


@functools.cache
def meets(one: Seen, other: Seen) -> bool:
    """Tell whether there is a reader who meets both."""
    labels = one.need | other.need
    return one.by(labels) and other.by(labels)


@functools.cache
def _always_meets(third: Seen, one: Seen, other: Seen) -> bool:
    """Tell whether whoever meets these two meets the third as well."""
    labels = one.need | other.need
    if not third.need <= labels:
        return False
    if third.unless is None:
        return True
    more = labels | third.unless
    return one.is_replaced(more) or other.is_replaced(more)


@dataclass(frozen=True)
class Candidates:
    """Earlier rows, the likest first (equal ones: the newest first), and their cosines."""

    rows: tuple[int, ...] = ()
    cosines: tuple[float, ...] = ()


@dataclass(frozen=True)
class Rows:
    """Vectors f32[n, d] of length 1 in canonical order, and who meets each row.

    `kind` int32[n] are places in `kinds`.
    """

    vectors: FloatArray
    kind: IntArray
    kinds: Sequence[Seen]

    @classmethod
    def of(cls, vectors: FloatArray, seen: Sequence[Seen]) -> Rows:
        """Number the kinds of readers; as many as there are vectors."""
        number = {one: place for place, one in enumerate(dict.fromkeys(seen))}
        return cls(vectors, np.array([number[one] for one in seen], np.int32), list(number))

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.vectors)


def nearest_earlier(
    rows: Rows, known: Mapping[int, Candidates], *, most: int, floor: float
) -> list[Candidates]:
    """Return for each row the earlier rows that are among the `most` likest for some reader.

    Where all readers meet all rows, that are the `most` likest. What a reader does not meet takes
    no place among his. Only cosines of at least `floor` count. `known` has what was found before
    for rows of which neither they nor one of their candidates has changed since; these are only
    compared with the rows that are not in it. The result is that of an empty `known`.
    """
    fresh = np.array([row for row in range(len(rows)) if row not in known], np.int64)
    is_fresh = np.zeros(len(rows), bool)
    is_fresh[fresh] = True
    found = [known.get(row, Candidates()) for row in range(len(rows))]
    every = np.arange(len(rows), dtype=np.int64)
    for start in range(0, len(fresh), _BLOCK):
        block = fresh[start : start + _BLOCK]
        for row, near in _near(rows.vectors, block, every[: int(block[-1])], floor):
            found[row] = _best(rows, row, near, most, floor)
    old = every[~is_fresh]
    for start in range(0, len(old) if len(fresh) else 0, _BLOCK):
        block = old[start : start + _BLOCK]
        for row, near in _near(rows.vectors, block, fresh[fresh < int(block[-1])], floor):
            if len(near):
                merged = np.concatenate([near, np.array(found[row].rows, np.int64)])
                found[row] = _best(rows, row, merged, most, floor)
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


def _best(rows: Rows, row: int, near: LongArray, most: int, floor: float) -> Candidates:
    cosines = np.vecdot(rows.vectors[near], rows.vectors[row])
    order = np.lexsort((-near, -cosines))
    order = order[cosines[order] >= floor]
    kinds = rows.kind[near[order]]
    # The likest few of each kind of readers stand before all others of it, for everybody.
    few = [np.flatnonzero(kinds == kind)[:most] for kind in np.unique(kinds)]
    order = order[np.sort(np.concatenate(few))] if few else order
    seen = [rows.kinds[kind] for kind in rows.kind[near[order]]]
    kept = order[_needed(rows.kinds[rows.kind[row]], seen, most)]
    return Candidates(tuple(near[kept].tolist()), tuple(cosines[kept].tolist()))


def _needed(own: Seen, others: Sequence[Seen], most: int) -> list[int]:
    """Return which of some candidates, the likest first, are among the first few of a reader.

    One is left out where everybody who meets it beside the unit also meets `most` likelier ones.
    """
    kept: list[int] = []
    before: Counter[Seen] = Counter()
    for place, other in enumerate(others):
        if meets(own, other):
            ahead = sum(n for one, n in before.items() if _always_meets(one, own, other))
            if ahead < most:
                kept.append(place)
                before[other] += 1
    return kept


@dataclass(frozen=True)
class Look:
    """Candidates that a judge is shown at once, and those of them that he decides on.

    Both are places in the list of all candidates. Whoever meets one of those decided on beside the
    unit may see all that is shown.
    """

    shown: tuple[int, ...]
    decided: tuple[int, ...]


def looks(own: Seen, others: Sequence[Seen], most: int) -> list[Look]:
    """Return how the candidates of a unit are judged, so that no verdict tells of hidden ones.

    Each is judged beside the first few of the reader who sees least of those who meet it. Where
    all readers meet all candidates there is one look at all of them.
    """
    readers: dict[Labels, list[int]] = {}
    for place, other in enumerate(others):
        readers.setdefault(own.need | other.need, []).append(place)
    found: dict[tuple[int, ...], list[int]] = {}
    for labels, places in readers.items():
        first = [place for place, other in enumerate(others) if other.by(labels)][:most]
        found.setdefault(tuple(sorted({*first, *places})), []).extend(places)
    return [Look(shown, tuple(sorted(decided))) for shown, decided in found.items()]
