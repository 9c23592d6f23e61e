"""Two ways to the ranks of a walk that restarts: power iteration, and local push.

Both solve ranks = (1 - damping) * reset + damping * (what neighbours hand on), where a node hands
what it has to its neighbours by the weights of its edges; one without edges hands on nothing.
"""

from __future__ import annotations

import numpy as np

from mmem.ports import DoubleArray, FactGraph

_STEPS = 20
_TOLERANCE = 1e-5
_WHOLE = 2
"""From one edge in so many on, all edges together are quicker than the nodes that are due."""


def by_power(graph: FactGraph, reset: DoubleArray, damping: float) -> DoubleArray:
    """Return the ranks f64[nodes] by power iteration: every step costs all edges."""
    source = np.repeat(np.arange(len(reset)), np.diff(graph.offsets))
    ranks = reset
    for _ in range(_STEPS):
        moved = np.bincount(graph.targets, ranks[source] * graph.shares, len(reset))
        ranks = (1 - damping) * reset + damping * moved
    return ranks


def by_push(graph: FactGraph, reset: DoubleArray, damping: float) -> DoubleArray:
    """Return the ranks f64[nodes] by local push (Andersen, Chung, Lang 2006, section 3).

    What a node has not handed on yet is its residual. All nodes are pushed at once whose residual
    is more than `strengths` times the tolerance times the best row's rank, until there is none: a
    row's rank is then wrong by `strengths` times that at the most. Nodes that stay below cost
    nothing.
    """
    from scipy.sparse import csr_array

    held, edges = len(graph.holders), np.diff(graph.offsets)
    given_by = csr_array((graph.shares, graph.targets, graph.offsets), shape=(len(reset),) * 2)
    ranks, residual = np.zeros(len(reset)), reset.copy()
    due = np.flatnonzero(residual)
    while len(due):
        handed = damping * residual[due]
        ranks[due] += (1 - damping) * residual[due]
        residual[due] = 0.0
        if _WHOLE * int(edges[due].sum()) > len(graph.targets):
            handing = np.zeros(len(reset))
            handing[due] = handed
            residual += given_by.T @ handing
        else:
            residual += given_by[due].T @ handed
        least = _TOLERANCE * float(ranks[:held].max(initial=0.0))
        due = np.flatnonzero(residual > least * graph.strengths)
    result: DoubleArray = ranks + (1 - damping) * residual
    return result
