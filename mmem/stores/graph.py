"""The graph of facts: sorted once for all rows, then cut to the visible ones without a sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mmem.ports import BoolArray, DoubleArray, FactGraph, FloatArray, IntArray, LongArray

Ends = tuple[Sequence[str], IntArray, IntArray]
"""Keys of names, and the places among them of each fact's subject and object."""


@dataclass(frozen=True)
class CloseNames:
    """Pairs of name keys whose vectors are close, each pair once, with their cosines f32[p]."""

    ones: Sequence[str] = ()
    others: Sequence[str] = ()
    cosines: FloatArray = field(default_factory=lambda: np.zeros(0, np.float32))

    def numbered(self, names: Sequence[str]) -> tuple[IntArray, FloatArray]:
        """Return the pairs int32[p, 2] of these names, and their cosines; others are left out."""
        number = {name: place for place, name in enumerate(names)}
        found = [
            (number[one], number[other], cosine)
            for one, other, cosine in zip(self.ones, self.others, self.cosines, strict=True)
            if one in number and other in number
        ]
        pairs = np.array([pair for *pair, _ in found], np.int32).reshape(-1, 2)
        return pairs, np.array([cosine for *_, cosine in found], np.float32)


@dataclass(frozen=True)
class FactIncidence:
    """All facts of an index, ascending by row, and what is sorted of them.

    The ends 2 * fact (its subject) and 2 * fact + 1 (its object) of name i are
    `ends[name_offsets[i] : name_offsets[i + 1]]`, ascending. `close` int32[s, 2] are pairs of close
    names in both directions, by the first name, the closest other first, equal ones by their keys;
    `cosines` f32[s] are theirs.
    """

    rows: IntArray
    subjects: IntArray
    objects: IntArray
    ends: IntArray
    name_offsets: LongArray
    close: IntArray
    cosines: FloatArray

    @classmethod
    def of(cls, rows: LongArray, ends_of: Sequence[Ends], close: CloseNames) -> FactIncidence:
        """Sort the ends of facts by name, and the close names.

        `ends_of` are those of each segment; as many altogether as there are `rows`.
        """
        number: dict[str, int] = {}
        parts = []
        for own, *sides in ends_of:
            local = np.array([number.setdefault(n, len(number)) for n in own], np.int32)
            parts.append([local[side] for side in sides])
        subjects, objects = (np.concatenate(side) for side in zip(*parts, strict=True))
        names = list(number)
        owner = np.stack([subjects, objects], axis=1).ravel()
        ends = np.argsort(owner, kind="stable").astype(np.int32)
        offsets = _offsets(np.bincount(owner, minlength=len(names)))
        pairs, cosines = _both_ways(*close.numbered(names), names)
        return cls(rows.astype(np.int32), subjects, objects, ends, offsets, pairs, cosines)

    def seen(self, kept: BoolArray, *, synonyms: int) -> FactGraph:
        """Return the graph of some facts, with up to `synonyms` close names of each name there.

        `kept` bool[f]. What is left out leaves no trace but the numbers of the names.
        """
        rows, subjects, objects = self.rows[kept], self.subjects[kept], self.objects[kept]
        stay = kept[self.ends >> 1]
        ends = (2 * (np.cumsum(kept) - 1)[self.ends[stay] >> 1] + (self.ends[stay] & 1)).astype(
            np.int64
        )
        offsets = _offsets(stay)[self.name_offsets]
        degrees = _distinct(rows[ends >> 1], offsets)
        holders, place = np.unique(rows, return_inverse=True)
        near, likeness, near_counts = self._synonyms(degrees > 0, synonyms)
        other = np.where(ends & 1, subjects[ends >> 1], objects[ends >> 1])
        held, counts = len(holders), np.diff(offsets)
        sizes = np.concatenate([2 * np.bincount(place, minlength=held), 2 * counts + near_counts])
        edges = _offsets(sizes)
        targets, weights = np.empty(edges[-1], np.int32), np.ones(edges[-1])
        targets[: 2 * len(rows)] = held + np.stack([subjects, objects], axis=1).ravel()
        names_at = edges[held:-1]
        targets[runs(names_at, 2 * counts)] = np.stack([place[ends >> 1], held + other], 1).ravel()
        close_at = runs(names_at + 2 * counts, near_counts)
        targets[close_at], weights[close_at] = held + near, likeness
        owner = np.repeat(np.arange(len(sizes)), sizes)
        strengths: DoubleArray = np.bincount(owner, weights, len(sizes)).astype(np.float64)
        return FactGraph(
            subjects=subjects,
            objects=objects,
            degrees=degrees,
            holders=holders,
            targets=targets,
            shares=weights / strengths[owner],
            offsets=edges.astype(np.int32),
            strengths=strengths,
        )

    def _synonyms(self, visible: BoolArray, most: int) -> tuple[IntArray, FloatArray, LongArray]:
        """Return edges between visible names, each of the closest few of one of its ends.

        They are sorted by their first name; the last array counts those of each name.
        """
        names = len(visible)
        there = np.flatnonzero(visible[self.close].all(axis=1))
        own = self.close[there, 0]
        chosen = there[np.arange(len(own)) - np.searchsorted(own, own) < most]
        near, cosines = self.close[chosen].astype(np.int64), self.cosines[chosen]
        both, doubled = np.concatenate([near, near[:, ::-1]]), np.concatenate([cosines, cosines])
        key, first = np.unique(both[:, 0] * names + both[:, 1], return_index=True)
        counts = np.bincount(both[first, 0], minlength=names)
        return (key % max(names, 1)).astype(np.int32), doubled[first], counts


def runs(starts: LongArray, sizes: LongArray) -> LongArray:
    """Return the numbers start .. start + size - 1 of each run, one run after the other."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)


def _offsets(counts: LongArray | BoolArray) -> LongArray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _distinct(rows: IntArray, offsets: LongArray) -> IntArray:
    """Return in how many different rows each name's ends stand, which ascend by row."""
    new = np.diff(rows, prepend=-1) != 0
    new[offsets[:-1][np.diff(offsets) > 0]] = True
    found: IntArray = np.diff(_offsets(new)[offsets]).astype(np.int32)
    return found


def _both_ways(
    pairs: IntArray, cosines: FloatArray, names: Sequence[str]
) -> tuple[IntArray, FloatArray]:
    """Return the pairs in both directions, sorted as `FactIncidence` tells."""
    place = np.empty(len(names), np.int32)
    place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    both, doubled = np.concatenate([pairs, pairs[:, ::-1]]), np.concatenate([cosines, cosines])
    order = np.lexsort((place[both[:, 1]], -doubled, both[:, 0]))
    return both[order], doubled[order]
