"""The walk over facts solves its equation, and names that are close are neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from mmem.ports import FactGraph
from mmem.recall import propagate
from mmem.recall.walks import by_push
from mmem.recipes import Propagation
from mmem.stores.graph import CloseNames, FactIncidence

DAMPING = 0.5


def made(seed: int, units: int) -> tuple[FactIncidence, np.random.Generator]:
    """Facts of units with hubs among their subjects, and some close names."""
    rng = np.random.default_rng(seed)
    facts, names = units, int(units * 1.2) + 2
    rows = np.sort(rng.integers(0, units, facts))
    subjects = (rng.zipf(1.6, facts) % names).astype(np.int32)
    objects = rng.integers(0, names, facts).astype(np.int32)
    keys = [f"name {n}" for n in range(names)]
    pairs = {tuple(sorted(p)) for p in rng.integers(0, names, (units // 4, 2)) if p[0] != p[1]}
    ones, others = ([keys[p[side]] for p in sorted(pairs)] for side in (0, 1))
    cosines = rng.uniform(0.75, 1, len(pairs)).astype(np.float32)
    close = CloseNames(ones, others, cosines)
    return FactIncidence.of(rows, [(keys, subjects, objects)], close), rng


def solved(graph: FactGraph, reset: np.ndarray) -> np.ndarray:
    """Return the ranks by solving the linear system."""
    size = len(reset)
    moves = np.zeros((size, size))
    source = np.repeat(np.arange(size), np.diff(graph.offsets))
    np.add.at(moves, (graph.targets, source), graph.shares)
    return np.linalg.solve(np.eye(size) - DAMPING * moves, (1 - DAMPING) * reset)


def resets(graph: FactGraph, rng: np.random.Generator) -> np.ndarray:
    """Return a reset vector as a question has it: a few names, some rows."""
    held = len(graph.holders)
    reset = np.zeros(held + len(graph.degrees))
    reset[held + rng.choice(graph.subjects, 4)] += 0.25
    some = rng.choice(held, max(1, held // 3), replace=False)
    reset[some] = 0.05 * rng.random(len(some))
    return reset / reset.sum()


@pytest.mark.parametrize("units", [5, 40, 300, 900])
@pytest.mark.parametrize("seed", range(5))
def test_a_push_solves_the_walk(units: int, seed: int) -> None:
    """Ranks are within 1e-3 of the exact ones, and the first twenty rows come in one order.

    Rows whose ranks differ by less than that may change places.
    """
    incidence, rng = made(seed, units)
    graph = incidence.seen(rng.random(units) < 0.8, synonyms=5)
    reset = resets(graph, rng)
    held = len(graph.holders)
    exact = solved(graph, reset)[:held]
    near = 1e-3 * exact.max()
    ranks = by_push(graph, reset, DAMPING)[:held]
    assert np.abs(ranks - exact).max() < near
    best = np.lexsort((np.arange(held), -ranks))[:20]
    assert (np.diff(exact[best]) <= near).all()
    assert np.sort(exact)[::-1][:20] == pytest.approx(exact[best], abs=near)
    assert (by_push(graph, reset, DAMPING)[:held] == ranks).all()


def test_a_push_leaves_far_nodes_alone() -> None:
    """What is not reached keeps nothing: a second part of the graph has no rank at all."""
    names = [f"n{n}" for n in range(400)]
    rows = np.arange(200)
    subjects, objects = rows.astype(np.int32), (rows + 1).astype(np.int32)
    subjects[100:] += 100
    objects[100:] += 100
    incidence = FactIncidence.of(rows, [(names, subjects, objects)], CloseNames())
    graph = incidence.seen(np.ones(200, bool), synonyms=0)
    reset = np.zeros(200 + 400)
    reset[200] = 1.0
    ranks = by_push(graph, reset, DAMPING)
    assert ranks[0] > ranks[1] > ranks[5] > 0 and not ranks[100:200].any()


def test_a_walk_goes_over_names_that_are_close() -> None:
    """Without the edge the other row gets nothing; with it, less than the row of the fact."""
    close = CloseNames(["spouse"], ["husband"], np.array([0.8], np.float32))
    ends = (
        ["ann", "husband", "spouse", "cook"],
        np.array([0, 2], np.int32),
        np.array([1, 3], np.int32),
    )
    incidence = FactIncidence.of(np.arange(2), [ends], close)
    scores, units = np.array([0.9, 0.0], np.float32), np.zeros(2, np.float32)
    found = {}
    for synonyms in (0, 5):
        graph = incidence.seen(np.ones(2, bool), synonyms=synonyms)
        found[synonyms] = propagate.propagated(graph, scores, units, Propagation())
    assert found[0].tolist() == [1.0, 0.0]
    assert 0.0 < found[5][1] < found[5][0] == 1.0
