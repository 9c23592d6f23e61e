"""The mean of a row's vectors: of what it has, and of nothing that is hidden."""

from __future__ import annotations

import numpy as np

from mmem.stores.vectors import Vectors, means


def vectors(pairs: list[tuple[int, tuple[float, float]]]) -> Vectors:
    rows = np.array([row for row, _ in pairs], np.int32)
    return Vectors(np.array([v for _, v in pairs], np.float32).reshape(-1, 2), rows)


def test_a_row_has_the_mean_of_its_chunks_else_of_its_lines() -> None:
    """Lines count only where there is no chunk; a row without either, or hidden, has 0."""
    chunks = vectors([(0, (1, 0)), (0, (0, 1)), (2, (1, 0))])
    lines = vectors([(0, (9, 9)), (1, (0, 1)), (2, (9, 9)), (3, (9, 9))])
    found = means([chunks, lines], np.array([True, True, False, True, True]))
    expected = [[0.5, 0.5], [0.0, 1.0], [0.0, 0.0], [9.0, 9.0], [0.0, 0.0]]
    assert found.tolist() == expected
