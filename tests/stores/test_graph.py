"""The graph of facts: what is hidden leaves no trace in it, and close names follow the mask."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mmem.ports import FactGraph
from mmem.stores.graph import CloseNames, FactIncidence

NAMES = "abcdefgh"
FACTS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    min_size=1,
    max_size=12,
).map(lambda facts: sorted(facts, key=lambda fact: fact[0]))
CLOSE = st.dictionaries(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda p: p[0] < p[1]),
    st.sampled_from([0.75, 0.8, 0.9, 1.0]),
    max_size=20,
)
Fact = tuple[int, str, str]
Close = dict[tuple[str, str], float]


def incidence(facts: list[Fact], close: Close) -> tuple[FactIncidence, list[str]]:
    """Put facts together; names are numbered as they come."""
    names = list(dict.fromkeys(name for _, *ends in facts for name in ends))
    sides = (np.array([names.index(f[side]) for f in facts], np.int32) for side in (1, 2))
    pairs = CloseNames(
        [one for one, _ in close],
        [other for _, other in close],
        np.array(list(close.values()), np.float32),
    )
    rows = np.array([row for row, *_ in facts], np.int64)
    return FactIncidence.of(rows, [(names, *sides)], pairs), names


def edges(graph: FactGraph, names: list[str]) -> dict[tuple[str, str], float]:
    """Return the weight between nodes, rows by number and names by key."""
    nodes = [*map(str, graph.holders), *names]
    found: dict[tuple[str, str], float] = defaultdict(float)
    for place, node in enumerate(nodes):
        for edge in range(graph.offsets[place], graph.offsets[place + 1]):
            weight = graph.shares[edge] * graph.strengths[place]
            found[node, nodes[graph.targets[edge]]] += round(float(weight), 5)
    return {key: round(weight, 4) for key, weight in found.items()}


def written_out(facts: list[Fact], close: Close, most: int) -> dict[tuple[str, str], float]:
    """Return the edges by definition."""
    found: Counter[tuple[str, str]] = Counter()
    for row, one, other in facts:
        for a, b in ((str(row), one), (str(row), other), (one, other)):
            found[a, b] += 1
            found[b, a] += 1
    there = {name for _, *ends in facts for name in ends}
    weights: dict[tuple[str, str], float] = dict(found)
    linked = set()
    for name in there:
        near = [
            (-cosine, (set(pair) - {name}).pop())
            for pair, cosine in close.items()
            if name in pair and set(pair) <= there
        ]
        linked |= {tuple(sorted((name, other))) for _, other in sorted(near)[:most]}
    for one, other in linked:
        for key in ((one, other), (other, one)):
            weights[key] = weights.get(key, 0.0) + float(np.float32(close[one, other]))
    return {key: round(weight, 4) for key, weight in weights.items()}


@given(FACTS, CLOSE, st.integers(0, 3), st.data())
def test_the_graph_is_that_of_the_visible_facts_alone(
    facts: list[Fact], close: Close, most: int, data: st.DataObject
) -> None:
    """Edges, degrees and close names are counted over visible facts; each edge leads back."""
    mask = data.draw(st.lists(st.booleans(), min_size=len(facts), max_size=len(facts)))
    whole, names = incidence(facts, close)
    graph = whole.seen(np.array(mask, bool), synonyms=most)
    seen = [fact for fact, shown in zip(facts, mask, strict=True) if shown]
    found = edges(graph, names)
    assert found == written_out(seen, close, most)
    assert all(found[b, a] == weight for (a, b), weight in found.items())
    rows = {name: {row for row, *ends in seen if name in ends} for name in names}
    assert graph.degrees.tolist() == [len(rows[name]) for name in names]


def test_a_hidden_name_takes_no_place_among_the_closest() -> None:
    """Of two close names the closer one is hidden: the other one is linked in its place."""
    facts: list[Fact] = [(0, "a", "b"), (1, "c", "c"), (2, "d", "d")]
    close = {("a", "c"): 0.9, ("a", "d"): 0.8}
    whole, names = incidence(facts, close)
    linked = edges(whole.seen(np.array([True, False, True]), synonyms=1), names)
    assert linked["a", "d"] == 0.8 and ("a", "c") not in linked
