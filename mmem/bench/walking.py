"""How long the walk over facts takes, at the size of a memory and at a hundred thousand units."""

from __future__ import annotations

import statistics
import time

import numpy as np

from mmem.recall.propagate import propagated
from mmem.recipes import Propagation
from mmem.stores.graph import CloseNames, FactIncidence

_FACTS_A_UNIT = 0.2
"""As LoCoMo has it."""
_NAMES_A_FACT = 1.2
_WIDTH = 384
_ASKED = 30


def milliseconds(units: int) -> float:
    """Return the median time from a question's vector to ranks, for a made graph of so many units.

    Subjects are distributed as names are (Zipf), objects evenly; facts are scored by a dot product.
    The graph is laid out once, as it is for what a reader may see.
    """
    rng = np.random.default_rng(units)
    facts = int(units * _FACTS_A_UNIT)
    names = int(facts * _NAMES_A_FACT)
    rows = np.sort(rng.integers(0, units, facts)).astype(np.int32)
    subjects = (rng.zipf(1.6, facts) % names).astype(np.int32)
    objects = rng.integers(0, names, facts).astype(np.int32)
    vectors = rng.normal(size=(facts, _WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    own = rng.random(units).astype(np.float32)
    keys = [str(name) for name in range(names)]
    incidence = FactIncidence.of(rows.astype(np.int64), [(keys, subjects, objects)], CloseNames())
    graph = incidence.seen(np.ones(facts, bool), synonyms=0)
    times = []
    for asked in range(_ASKED):
        start = time.perf_counter()
        scores = np.vecdot(vectors, vectors[asked])
        propagated(graph, scores, own, Propagation())
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)
