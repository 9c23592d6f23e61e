"""Propagation: from the facts that a question is about, over the names in them, to units.

Personalised PageRank over units, names and their facts, as HippoRAG 2 (Gutiérrez et al. 2025,
section 3) and SEEM (section 3.4) use it, by power iteration through the incidences.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mmem.ports import DoubleArray, FactGraph, FloatArray
from mmem.recipes import Propagation

_STEPS = 20


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
    mass = settings.passage_weight * units.astype(np.float64)
    names /= names.sum()
    total = mass.sum() + names.sum()
    # A unit without a fact has no edge: it keeps its share of the reset. Only the others walk, so
    # that the cost follows the facts and not the memory.
    ranks: DoubleArray = (1 - settings.damping) * mass / total
    held, rows = np.unique(graph.rows, return_inverse=True)
    walked = replace(graph, rows=rows.astype(np.int32))
    reset = np.concatenate([mass[held], names]) / total
    ranks[held] = _walk(walked, reset, len(held), settings.damping)[: len(held)]
    top = float(ranks.max(initial=0.0))
    # Rounded, so that the order in which rows are summed leaves no trace.
    return np.round(ranks / (top or 1.0), 6).astype(np.float32)


def _seeds(graph: FactGraph, scores: FloatArray, settings: Propagation) -> DoubleArray:
    """Return the weight f64[names] of the names in the best facts: rare names weigh more."""
    weights = np.zeros(graph.names, np.float64)
    order = np.lexsort((np.arange(len(scores)), -scores))[: settings.top_facts]
    for fact in order[scores[order] >= settings.recognition]:
        for name in (graph.subjects[fact], graph.objects[fact]):
            weights[name] += float(scores[fact]) / float(graph.degrees[name])
    return weights


def _walk(graph: FactGraph, reset: DoubleArray, units: int, damping: float) -> DoubleArray:
    """Return the stationary distribution f64[units + names] of a walk that restarts at `reset`.

    Edges, undirected: a unit and each name in its facts, and the two names of a fact.
    """
    one = np.concatenate([graph.rows, graph.rows, units + graph.subjects])
    other = units + np.concatenate([graph.subjects, graph.objects, graph.objects])
    size = len(reset)
    degree = np.bincount(one, minlength=size) + np.bincount(other, minlength=size)
    share = 1.0 / np.maximum(degree, 1)
    ranks = reset
    for _ in range(_STEPS):
        flow = ranks * share
        moved = np.bincount(other, flow[one], size) + np.bincount(one, flow[other], size)
        ranks = (1 - damping) * reset + damping * moved
    return ranks
