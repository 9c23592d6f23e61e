"""Paired bootstrap over questions (Efron and Tibshirani 1993, chapter 16)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np


@dataclasses.dataclass(frozen=True)
class Difference:
    """Mean of b - a, its 95 % percentile interval, and a two-sided p."""

    mean: float
    low: float
    high: float
    p: float


def paired(
    a: Sequence[float], b: Sequence[float], *, resamples: int = 10_000, seed: int = 0
) -> Difference:
    """Compare two systems question by question; a[i] and b[i] are of the same question.

    >>> paired([0.0] * 50, [1.0] * 50)
    Difference(mean=1.0, low=1.0, high=1.0, p=0.0)
    """
    if len(a) != len(b) or not a:
        raise ValueError(f"paired values are needed, not {len(a)} and {len(b)}")
    differences = np.asarray(b, float) - np.asarray(a, float)
    size = len(differences)
    draws = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), size=resamples)
    means = draws @ differences / size
    p = 2 * min(float((means <= 0).mean()), float((means >= 0).mean()))
    low, high = np.percentile(means, [2.5, 97.5])
    return Difference(float(differences.mean()), float(low), float(high), min(p, 1.0))
