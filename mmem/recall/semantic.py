"""Semantic facts that a question is about, and the units that bear them out (EM²Mem appendix C).

Facts are ranked by their cosine with the question, by a walk over the names in them, and by their
confidence; what the best ones say then votes for their units. All of it is arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mmem.ports import DoubleArray, FloatArray, IntArray, LongArray
from mmem.recall.channels import by_range

_STEPS = 50


@dataclass(frozen=True)
class SemanticFacts:
    """f facts: vectors f32[f, d] of length 1 (0 where there is none), and their two ends.

    `subjects` and `objects` int32[f] are numbers of names, from 0 on. `support` int64[f] counts
    what bears a fact out, `confidence` f64[f] is from 0 to 1. The rows of fact i are
    `rows[offsets[i] : offsets[i + 1]]`, int32 without repeats.
    """

    vectors: FloatArray
    subjects: IntArray
    objects: IntArray
    support: LongArray
    confidence: DoubleArray
    rows: IntArray
    offsets: LongArray

    def __len__(self) -> int:
        """Count the facts."""
        return len(self.support)


@dataclass(frozen=True)
class Semantic:
    """Constants of the semantic signal, EM²Mem's."""

    depth: int = 5
    """K: events that are wanted."""
    least_facts: int = 8
    cosine: float = 0.55
    walk: float = 0.30
    confidence: float = 0.15
    damping: float = 0.85

    @property
    def facts(self) -> int:
        """Facts that vote: max(8, 3K)."""
        return max(self.least_facts, 3 * self.depth)

    @property
    def seeds(self) -> int:
        """Facts whose names the walk starts at: max(8, 2K)."""
        return max(self.least_facts, 2 * self.depth)


def best_facts(
    query: FloatArray, facts: SemanticFacts, settings: Semantic
) -> tuple[LongArray, DoubleArray]:
    """Return the numbers of the best facts, the best first, and their scores from 0 to 1.

    `query` f32[d] is the question's vector. Of equals the earlier fact comes first.
    """
    if not len(facts):
        return np.zeros(0, np.int64), np.zeros(0, np.float64)
    cosines = np.vecdot(facts.vectors, query)
    scores = (
        settings.cosine * by_range(cosines)
        + settings.walk * by_range(walked(facts, _top(cosines, settings.seeds), settings))
        + settings.confidence * by_range(facts.confidence.astype(np.float32))
    )
    best = _top(scores, settings.facts)
    return best, scores[best].astype(np.float64)


def walked(facts: SemanticFacts, seeds: LongArray, settings: Semantic) -> FloatArray:
    """Return f32[f], the rank of each fact: of its two names together, in a walk from the seeds.

    Personalised PageRank over the names, undirected; the walk starts anew at each name of the
    seeds alike. An edge weighs confidence · (1 + 0.10 · min(support, 5)).
    """
    ends = np.stack([facts.subjects, facts.objects], axis=1)
    names = int(ends.max(initial=-1)) + 1
    reset = np.zeros(names)
    reset[np.unique(ends[seeds])] = 1.0
    reset /= reset.sum()
    weights = facts.confidence * (1 + 0.10 * np.minimum(facts.support, 5))
    sources, targets = (np.concatenate(pair) for pair in (ends.T, ends.T[::-1]))
    both = np.concatenate([weights, weights])
    strengths = np.bincount(sources, both, names)
    shares = both / np.where(strengths > 0, strengths, 1.0)[sources]
    ranks = reset
    for _ in range(_STEPS):
        moved = np.bincount(targets, ranks[sources] * shares, names)
        ranks = (1 - settings.damping) * reset + settings.damping * moved
    total: FloatArray = (ranks[facts.subjects] + ranks[facts.objects]).astype(np.float32)
    return total


def semantic_votes(
    query: FloatArray, facts: SemanticFacts, rows: int, settings: Semantic
) -> FloatArray:
    """Return f32[rows]: what the best facts vote for each row, from 0 to 1; 0 for most.

    A fact gives each of its n rows 1 / (rank + 1) · (1 + 0.15 · min(support, 5)) ·
    (0.7 + 0.3 · confidence) / √n, its rank counted from 0; a row takes the sum, over the largest.
    """
    best, _ = best_facts(query, facts, settings)
    votes = np.zeros(rows, np.float64)
    for rank, number in enumerate(best.tolist()):
        held = facts.rows[facts.offsets[number] : facts.offsets[number + 1]]
        share = (1 + 0.15 * min(int(facts.support[number]), 5)) / (rank + 1)
        share *= 0.7 + 0.3 * float(facts.confidence[number])
        votes[held] += share / max(1, len(held)) ** 0.5
    return (votes / (votes.max(initial=0.0) or 1.0)).astype(np.float32)


def _top(scores: FloatArray, most: int) -> LongArray:
    order: LongArray = np.lexsort((np.arange(len(scores)), -scores))[:most]
    return order
