"""Channels: late interaction against a slow reference, and exact whatever stands beside a row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.ports import QueryVectors
from mmem.recall.channels import by_maximum, by_range, late_interaction
from mmem.recall.context import carried, session_best
from mmem.stores.index import ArrayIndex, Facts, Segment, Vectors
from mmem.stores.postings import Postings
from tests.stores.test_index import columns

WIDTH = 32


def index_of(sizes: list[int], seed: int = 0) -> ArrayIndex:
    """Rows with random token codes; nothing else is read here."""
    codes = np.random.default_rng(seed).integers(0, 256, (sum(sizes), WIDTH // 8)).astype(np.uint8)
    none = Vectors(np.empty((0, WIDTH), np.float32), np.empty(0, np.int32))
    return ArrayIndex(
        [
            Segment(
                columns=columns([f"u{i}" for i in range(len(sizes))]),
                postings=Postings.build([[] for _ in sizes]),
                lines=none,
                chunks=none,
                facts=Facts.of(none, [], []),
                codes=codes,
                code_offsets=np.cumsum([0, *sizes]),
            )
        ]
    )


def query(tokens: int) -> QueryVectors:
    """Random token vectors of length 1."""
    vectors = np.random.default_rng(tokens).normal(size=(tokens, WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return QueryVectors(vectors[0], vectors, np.zeros((tokens, 2), np.int32))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=90), st.integers(1, 6))
def test_late_interaction_equals_its_definition(sizes: list[int], tokens: int) -> None:
    """The weighted mean over query tokens of the best cosine with a row's signs."""
    index, asked = index_of(sizes), query(tokens)
    weights = np.arange(tokens, dtype=np.float32) + 1
    rows = np.arange(len(sizes))
    scores = late_interaction(asked, weights, index, rows)
    for row, size in enumerate(sizes):
        codes, _ = index.codes(np.array([row]))
        signs = np.unpackbits(codes, axis=1) * 2.0 - 1.0
        cosines = asked.tokens @ signs.T / np.sqrt(WIDTH) / np.sqrt(2 / np.pi)
        wanted = float(weights @ cosines.max(axis=1) / weights.sum()) if size else 0.0
        assert scores[row] == pytest.approx(wanted, abs=2e-3)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=90), st.data())
def test_a_late_score_has_the_same_bits_in_any_company(
    sizes: list[int], data: st.DataObject
) -> None:
    """Any choice of rows gives each of them the score it has among all."""
    index, asked = index_of(sizes), query(4)
    weights = np.array([0.0, 1.0, 0.3, 2.0], np.float32)
    chosen = np.array(sorted(data.draw(st.sets(st.integers(0, len(sizes) - 1), min_size=1))))
    whole = late_interaction(asked, weights, index, np.arange(len(sizes)))
    assert (late_interaction(asked, weights, index, chosen) == whole[chosen]).all()


@given(st.lists(st.floats(0, 9, width=32), max_size=8))
def test_normalised_scores_lie_between_zero_and_one(values: list[float]) -> None:
    """Both mappings give 0 to 1, and 0 everywhere when nothing stands out."""
    scores = np.array(values, np.float32)
    for mapped in (by_maximum(scores), by_range(scores)):
        assert ((mapped >= 0) & (mapped <= 1)).all()
    assert not by_range(np.full(3, 2.0, np.float32)).any()
    assert not by_maximum(np.zeros(3, np.float32)).any()


def test_a_session_is_as_good_as_the_mean_of_its_best() -> None:
    """Missing rows count as 0, so that one lucky row does not make a session."""
    scores = np.array([3, 0, 6, 9], np.float32)
    session = np.array([1, 1, 1, 0], np.int32)
    assert session_best(scores, session).tolist() == [3, 3, 3, 3]


def test_the_first_row_of_a_session_is_given_nothing_by_the_one_before() -> None:
    """The place past the end stands for "none"."""
    assert carried(np.array([5, 7], np.float32), np.array([2, 0])).tolist() == [0, 5]
