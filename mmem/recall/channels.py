"""Channels: each gives every visible row a number between 0 and 1 for one kind of evidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mmem.ports import ByteArray, FloatArray, Index, LongArray, QueryVectors
from mmem.words import term_spans

QUERY_LEVELS = 1023
"""Query token vectors are rounded to integers of this size, so that sums are exact in float32
(384 x 1023 < 2^24) and a row's score can't depend on the rows beside it."""

_ROWS_A_BLOCK = 64


def by_maximum(scores: FloatArray) -> FloatArray:
    """Divide by the largest score; all 0 when nothing matched."""
    top = scores.max(initial=0.0)
    return scores / top if top > 0 else np.zeros_like(scores)


def by_range(scores: FloatArray) -> FloatArray:
    """Map the smallest score to 0 and the largest to 1; all 0 when they are equal."""
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def token_weights(
    question: str, query: QueryVectors, index: Index, *, function_idf: float
) -> FloatArray:
    """Return f32[t], the idf of the word that each query token is a piece of.

    Pieces of one word share its idf; words that are no terms (function words) weigh
    `function_idf`; marks like [CLS] weigh nothing.
    """
    spans = term_spans(question)
    idf = index.idf([term for term, _, _ in spans])
    weights = np.zeros(len(query.tokens), np.float32)
    for token, (start, end) in enumerate(query.spans):
        if start == end:
            continue
        weights[token] = function_idf
        for number, (_, first, last) in enumerate(spans):
            if start < last and first < end:
                weights[token] = idf[number]
                break
    return weights


def late_interaction(
    query: QueryVectors, weights: FloatArray, index: Index, rows: LongArray
) -> FloatArray:
    """Return f32[rows]: the weighted mean, over query tokens, of the best cosine in the row.

    MaxSim of ColBERT (Khattab and Zaharia 2020) against sign codes; the cosine of v with the
    signs of w estimates sqrt(2/pi) of the cosine of v and w. 0 where a row has no codes.
    """
    used = np.flatnonzero(weights > 0)
    total = float(weights.sum())
    if not len(used) or not len(rows):
        return np.zeros(len(rows), np.float32)
    tokens = np.rint(query.tokens[used] * QUERY_LEVELS).astype(np.float32)
    width = tokens.shape[1]
    scale = np.float32(1.0 / (QUERY_LEVELS * np.sqrt(width) * np.sqrt(2 / np.pi)))
    share = (weights[used] / total).astype(np.float32) * scale
    codes, offsets = index.codes(rows)
    best = _best_per_row(tokens, codes, offsets)
    scores: FloatArray = np.vecdot(best, share)
    return scores


def _best_per_row(tokens: FloatArray, codes: ByteArray, offsets: LongArray) -> FloatArray:
    rows = len(offsets) - 1
    best = np.zeros((rows, len(tokens)), np.float32)
    filled = np.flatnonzero(np.diff(offsets) > 0)
    sums = tokens.sum(axis=1)
    for block in np.array_split(filled, max(1, -(-len(filled) // _ROWS_A_BLOCK))):
        if not len(block):
            continue
        first, last = offsets[block[0]], offsets[block[-1] + 1]
        bits = np.unpackbits(codes[first:last], axis=1).astype(np.float32)
        products = 2.0 * (bits @ tokens.T) - sums
        best[block] = np.maximum.reduceat(products, offsets[block] - first, axis=0)
    return best


def best_of(parts: Sequence[FloatArray]) -> FloatArray:
    """Return the elementwise maximum."""
    found = parts[0]
    for part in parts[1:]:
        found = np.maximum(found, part)
    return found
