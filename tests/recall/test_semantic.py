"""Which lasting facts a question is about, and what they vote for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.recall.semantic import Semantic, SemanticFacts, best_facts, semantic_votes, walked

EM2MEM = Semantic()


def facts(
    vectors: list[list[float]],
    ends: list[tuple[int, int]],
    rows: list[list[int]],
    *,
    support: list[int] | None = None,
    confidence: list[float] | None = None,
) -> SemanticFacts:
    count = len(vectors)
    return SemanticFacts(
        vectors=np.array(vectors, np.float32).reshape(count, 2),
        subjects=np.array([one for one, _ in ends], np.int32),
        objects=np.array([other for _, other in ends], np.int32),
        support=np.array(support or [1] * count, np.int64),
        confidence=np.array(confidence or [0.5] * count, np.float64),
        rows=np.array([row for each in rows for row in each], np.int32),
        offsets=np.cumsum([0, *(len(each) for each in rows)]).astype(np.int64),
    )


QUERY = np.array([1.0, 0.0], np.float32)


def test_the_constants_are_the_papers() -> None:
    """EM²Mem: top max(8, 3K) facts, walk from the names of the top max(2K, 8)."""
    assert (EM2MEM.facts, EM2MEM.seeds, EM2MEM.damping) == (15, 10, 0.85)
    assert (Semantic(depth=2).facts, Semantic(depth=2).seeds) == (8, 8)
    assert EM2MEM.cosine + EM2MEM.walk + EM2MEM.confidence == pytest.approx(1.0)


def test_the_nearest_fact_comes_first_and_votes_for_its_rows() -> None:
    """By hand: cosine 1 and 0, equal ranks and confidences; 1/(rank+1)·1.15·0.85/√n."""
    two = facts([[1, 0], [0, 1]], [(0, 1), (2, 3)], [[0, 1, 2, 3], [4]])
    best, scores = best_facts(QUERY, two, EM2MEM)
    assert best.tolist() == [0, 1] and scores.tolist() == pytest.approx([0.55, 0.0])
    votes = semantic_votes(QUERY, two, 6, EM2MEM)
    # 1/√4 for each of four rows, 1/2 for the one of the second: equal
    assert votes.tolist() == pytest.approx([1, 1, 1, 1, 1, 0])


def test_support_and_confidence_weigh() -> None:
    """(1 + 0.15·min(support, 5)) · (0.7 + 0.3·confidence), by hand."""
    two = facts([[1, 0], [1, 0]], [(0, 1), (2, 3)], [[0], [1]], support=[9, 1], confidence=[1, 0])
    votes = semantic_votes(QUERY, two, 2, EM2MEM)
    first, second = 1.75 * 1.0, 1.15 / 2 * 0.7
    assert votes.tolist() == pytest.approx([1.0, second / first])


def test_the_walk_reaches_what_shares_a_name() -> None:
    """Facts of the seeds' names rank above others with the same cosine."""
    chain = facts(
        [[1, 0], [0, 1], [0, 1]], [(0, 1), (1, 2), (3, 4)], [[0], [1], [2]]
    )  # the second shares a name with the first, the third with none
    ranks = walked(chain, np.array([0]), EM2MEM)
    assert ranks[0] > ranks[1] > ranks[2] == 0.0
    near = Semantic(depth=0, least_facts=1)
    assert best_facts(QUERY, chain, near)[0].tolist() == [0]
    wide = Semantic(depth=1, least_facts=1)
    assert best_facts(QUERY, chain, wide)[0].tolist() == [0, 1, 2]


def test_the_ranks_of_two_names_are_known() -> None:
    """One edge, started at one end of both: each holds half; a loop loses nothing."""
    one = facts([[1, 0]], [(0, 1)], [[0]])
    assert walked(one, np.array([0]), EM2MEM).tolist() == pytest.approx([1.0])
    loop = facts([[1, 0]], [(0, 0)], [[0]])
    assert walked(loop, np.array([0]), EM2MEM).tolist() == pytest.approx([2.0])


def test_no_fact_votes_for_nothing() -> None:
    """A memory without lasting facts has no semantic signal."""
    none = facts([], [], [])
    assert semantic_votes(QUERY, none, 3, EM2MEM).tolist() == [0, 0, 0]


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 30), st.integers(0, 1000))
def test_votes_are_from_0_to_1_and_only_for_rows_of_the_best(count: int, seed: int) -> None:
    """At most fifteen facts vote; the best row has 1; others keep 0."""
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((count, 2))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ends = [tuple(pair) for pair in random.integers(0, 8, (count, 2)).tolist()]
    held = facts(vectors.tolist(), ends, [[n] for n in range(count)])
    votes = semantic_votes(QUERY, held, count, EM2MEM)
    best, scores = best_facts(QUERY, held, EM2MEM)
    assert votes.max() == 1.0 and set(np.flatnonzero(votes).tolist()) == set(best.tolist())
    assert len(best) == min(15, count) and (np.diff(scores) <= 0).all()
    assert walked(held, best[:3], EM2MEM).sum() > 0
