"""Propagation: from the facts that a question is about, over the names in them, to units.

Personalised PageRank over units, names and their facts, as HippoRAG 2 (Gutiérrez et al. 2025,
section 3) and SEEM (section 3.4) use it. Edges, undirected: a unit and each name in its facts, the
two names of a fact, and, weighted by their cosine, two names that are close.
"""

from __future__ import annotations

import numpy as np

from mmem.ports import DoubleArray, FactGraph, FloatArray, LongArray
from mmem.recall.walks import by_push
from mmem.recipes import Propagation


def propagated(
    graph: FactGraph, scores: FloatArray, units: FloatArray, settings: Propagation
) -> FloatArray:
    """Return f32[n] the rank of each row over the largest; all 0 where no fact is recognised.

    `scores` f32[f] are cosines of the question with the facts, `units` f32[n] from 0 to 1 how well
    each row matches by itself (0 on hidden rows).
    """
    names = _seeds(graph, scores, settings)
    if not names.any():
        return np.zeros(len(units), np.float32)
    mass = settings.passage_weight * _best(units, settings.passages).astype(np.float64)
    names /= names.sum()
    total = mass.sum() + names.sum()
    # A unit without a fact has no edge: it keeps its share of the reset. Only the others walk, so
    # that the cost follows the facts and not the memory.
    ranks: DoubleArray = (1 - settings.damping) * mass / total
    held = graph.holders
    reset = np.concatenate([mass[held], names]) / total
    ranks[held] = by_push(graph, reset, settings.damping)[: len(held)]
    top = float(ranks.max(initial=0.0))
    # Rounded, so that the order in which rows are summed leaves no trace.
    return np.round(ranks / (top or 1.0), 6).astype(np.float32)


def _best(units: FloatArray, most: int) -> FloatArray:
    """Return the values of the best rows, the earlier ones of equals, and 0 for the others."""
    if len(units) <= most:
        return units
    kept = np.zeros_like(units)
    order = _first(units, most)
    kept[order] = units[order]
    return kept


def _first(values: FloatArray, most: int) -> LongArray:
    """Return the places of the largest values, largest first, of equals the earlier ones first."""
    least = np.partition(values, -most)[-most] if len(values) > most else -np.inf
    found = np.flatnonzero(values >= least)
    return found[np.lexsort((found, -values[found]))][:most]


def _seeds(graph: FactGraph, scores: FloatArray, settings: Propagation) -> DoubleArray:
    """Return the weight f64[names] of the names in the best facts: rare names weigh more."""
    weights = np.zeros(len(graph.degrees), np.float64)
    order = _first(scores, settings.top_facts)
    for fact in order[scores[order] >= settings.recognition]:
        for name in (graph.subjects[fact], graph.objects[fact]):
            weights[name] += float(scores[fact]) / float(graph.degrees[name])
    return weights
