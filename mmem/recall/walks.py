"""The ranks of a walk that restarts, by local push: what is not reached costs nothing.

They solve ranks = (1 - damping) * reset + damping * (what neighbours hand on), where a node hands
what it has to its neighbours by the weights of its edges; one without edges hands on nothing.
"""

from __future__ import annotations

import numpy as np

from mmem.ports import DoubleArray, FactGraph, LongArray

_TOLERANCE = 1e-4
"""Of the best row's rank (1e-5 takes half as long again, and the first ten rows are the same)."""
_MANY = 8
"""From one edge handed over for so many nodes on, it is quicker to look at all nodes."""


def by_push(graph: FactGraph, reset: DoubleArray, damping: float) -> DoubleArray:
    """Return the ranks f64[nodes] by local push (Andersen, Chung, Lang 2006, section 3).

    What a node has not handed on yet is its residual. All nodes are pushed at once whose residual
    is more than `strengths` times the tolerance times the best row's rank, until there is none: a
    row's rank is then wrong by `strengths` times that at the most.
    """
    held, nodes = len(graph.holders), len(reset)
    ranks: DoubleArray = np.zeros(nodes)
    residual, best = reset.copy(), 0.0
    due: LongArray = np.flatnonzero(residual)
    while len(due):
        own = residual[due]
        residual[due] = 0.0
        ranks[due] += (1 - damping) * own
        best = max(best, float(ranks[due[due < held]].max(initial=0.0)))
        edges, sizes = _edges(graph, due)
        targets = graph.targets[edges]
        handed = np.repeat(damping * own, sizes) * graph.shares[edges]
        if _MANY * len(targets) > nodes:
            residual += np.bincount(targets, handed, nodes)
            due = np.flatnonzero(residual > _TOLERANCE * best * graph.strengths)
        else:
            reached, place = np.unique(targets, return_inverse=True)
            residual[reached] += np.bincount(place, handed, len(reached))
            least = _TOLERANCE * best * graph.strengths[reached]
            due = reached[residual[reached] > least].astype(np.int64)
    result: DoubleArray = ranks + (1 - damping) * residual
    return result


def _edges(graph: FactGraph, nodes: LongArray) -> tuple[LongArray, LongArray]:
    """Return the places of the edges of some nodes, and how many each has."""
    starts = graph.offsets[nodes].astype(np.int64)
    sizes = graph.offsets[nodes + 1] - starts
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum())), sizes
