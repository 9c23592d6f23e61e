"""Postings: lexical scores equal a slow reading of the definition."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mmem.stores.postings import Postings, Statistics, saturation

ROWS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), min_size=1, max_size=12)


@given(ROWS, st.data())
def test_a_term_lists_exactly_its_visible_rows(rows: list[list[str]], data: st.DataObject) -> None:
    """rows_of gives the visible rows that hold a term, ascending, with their counts."""
    mask = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    postings = Postings.build(rows)
    for term in "abcdez":
        ordinals, counts = postings.rows_of(term, np.array(mask))
        wanted = [(i, row.count(term)) for i, row in enumerate(rows) if mask[i] and term in row]
        assert list(zip(ordinals.tolist(), counts.tolist(), strict=True)) == wanted


@given(st.integers(0, 50), st.integers(0, 50))
def test_idf_is_never_negative_and_falls_with_df(rows: int, df: int) -> None:
    """idf >= 0 for df <= N, and a rarer term never weighs less."""
    df = min(df, rows)
    statistics = Statistics(rows=rows, total_length=0)
    assert statistics.idf(df) >= 0
    assert df == 0 or statistics.idf(df - 1) >= statistics.idf(df)
    assert math.isclose(statistics.idf(df), math.log(1 + (rows - df + 0.5) / (df + 0.5)))


def test_saturation_of_an_average_row_with_one_occurrence_is_one() -> None:
    """f = 1 in a row of mean length gives exactly weight 1, whatever k1 and b."""
    one = np.array([1], np.int32)
    weight = saturation(one, np.array([7], np.int32), 7.0, k1=1.2, b=0.5)
    assert weight[0] == 1.0
