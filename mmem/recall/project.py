"""Scales of time in the ranking: what minutes and hours match is projected to their units.

EM²Mem (section 3.3, appendix C): each scale is searched by itself and ranked anew by what it
shares with the question, the best units lend to those next to them and to those that have the
same entities, and all of it is summed over the units that it stands for.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from mmem.ports import DoubleArray, FactGraph, FloatArray, LongArray, Scales
from mmem.recall.context import Seen
from mmem.recipes import Projection

_SECOND_US = 1_000_000
_UNKNOWN = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Projector:
    """Projects what a question matches at each scale to m visible rows.

    `vector` f32[d] and `terms` are the question's, `cosines` f32[m] those of the rows with it;
    `graph` are the facts of the rows, None where entities lend nothing.
    """

    seen: Seen
    scales: Scales
    graph: FactGraph | None
    settings: Projection
    vector: FloatArray
    terms: Set[str]
    cosines: FloatArray

    def scores(self) -> FloatArray:
        """Return f32[m], the lowest 0 and the highest 1; all 0 where nothing is retrieved."""
        total = self._units()
        for level, weight in enumerate(self.settings.weights[1:]):
            if weight > 0:
                total += weight * self._level(level)
        low, top = total.min(initial=0.0), total.max(initial=0.0)
        spread = (total - low) / (top - low) if top > low else np.zeros_like(total)
        return spread.astype(np.float32)

    def _units(self) -> DoubleArray:
        """Return f64[m]: what the units themselves match, and what the best lend to others."""
        total = np.zeros(len(self.cosines), np.float64)
        if not self.settings.weights[0]:
            return total
        found = _best(self.cosines, self.settings.units)
        shared = self.scales.shared_by(self.seen.rows[found], self.terms)
        scores = dict(zip(found.tolist(), self._reranked(self.cosines[found], shared), strict=True))
        lent = self._with_lent(scores)
        for rank, row in enumerate(_ranked(lent)):
            total[row] = self.settings.weights[0] * lent[row] / (rank + 1)
        return total

    def _level(self, level: int) -> DoubleArray:
        """Return f64[m]: what the views of one level match, shared among their units."""
        total = np.zeros(len(self.cosines), np.float64)
        views = np.flatnonzero(self.scales.level == level)
        cosines = np.vecdot(self.scales.vectors[views], self.vector)
        found = _best(cosines, self.settings.views[level])
        shared = [self.scales.shared(int(views[one]), self.terms) for one in found]
        scores = self._reranked(cosines[found], np.array(shared, np.float32).reshape(-1, 4))
        for rank, place in enumerate(_ranked(dict(enumerate(scores)))):
            rows = np.searchsorted(self.seen.rows, self.scales.members(int(views[found[place]])))
            total[rows] += scores[place] / ((rank + 1) * np.sqrt(len(rows)))
        return total

    def _reranked(self, cosines: FloatArray, shared: FloatArray) -> list[float]:
        """Return cosines from lowest to highest, plus what each item shares with the question."""
        if not len(cosines):
            return []
        low, top = float(cosines.min()), float(cosines.max())
        base = (cosines - low) / (top - low) if top > low else np.zeros_like(cosines)
        weights = np.array(self.settings.overlaps, np.float32)
        found: list[float] = (base + np.vecdot(shared, weights)).tolist()
        return found

    def _with_lent(self, scores: dict[int, float]) -> dict[int, float]:
        """Return scores with those that the best lend to others; the larger counts."""
        found = dict(scores)
        for seed in _ranked(scores)[: self.settings.seeds]:
            for near in (int(self.seen.previous[seed]), int(self.seen.next[seed])):
                if near < len(self.cosines):
                    found[near] = max(
                        found.get(near, 0.0), scores[seed] * self.settings.temporal_hop
                    )
            for other, share in self._kin(seed):
                found[other] = max(found.get(other, 0.0), scores[seed] * share)
        return found

    def _kin(self, seed: int) -> list[tuple[int, float]]:
        """Return the rows that have entities in common with one, and how much it lends them."""
        met = self._met_again(seed)
        rows = np.flatnonzero(met)
        if not len(rows):
            return []
        settings = self.settings
        before = np.maximum(self.seen.start_us[seed] - self.seen.end_us[rows], 0)
        after = np.maximum(self.seen.start_us[rows] - self.seen.end_us[seed], 0)
        known = (self.seen.end_us[rows] != _UNKNOWN) & (self.seen.end_us[seed] != _UNKNOWN)
        gap_s = np.where(known, (before + after) / _SECOND_US, settings.gap_s)
        counted = np.minimum(met[rows], settings.entities) / settings.entities
        share = settings.entity_hop * (0.55 + 0.45 * counted) / (1.0 + gap_s / settings.gap_s)
        best = np.lexsort((rows, -share))[: settings.kin]
        return [(int(rows[one]), float(share[one])) for one in best]

    def _met_again(self, seed: int) -> LongArray:
        """Return int64[m]: how many names of a row's facts each other row's facts have too."""
        met = np.zeros(len(self.cosines), np.int64)
        graph = self.graph
        if graph is None or not self.settings.entity_hop:
            return met
        holders = len(graph.holders)
        place = int(np.searchsorted(graph.holders, self.seen.rows[seed]))
        if place == holders or graph.holders[place] != self.seen.rows[seed]:
            return met
        names = _targets(graph, place)
        for name in names[names >= holders]:
            others = _targets(graph, int(name))
            held = graph.holders[others[others < holders]]
            met[np.searchsorted(self.seen.rows, held)] += 1
        met[seed] = 0
        return met


def _targets(graph: FactGraph, node: int) -> LongArray:
    return np.unique(graph.targets[graph.offsets[node] : graph.offsets[node + 1]]).astype(np.int64)


def _best(cosines: FloatArray, most: int) -> LongArray:
    """Return the places of the largest, equal ones the later first."""
    return np.lexsort((-np.arange(len(cosines)), -cosines))[:most]


def _ranked(scores: dict[int, float]) -> list[int]:
    return sorted(scores, key=lambda place: (-scores[place], -place))
