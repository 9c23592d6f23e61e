"""A text encoder without a model: every term is a fixed random direction.

Feature hashing (Weinberger et al. 2009). It knows equal words only, needs nothing installed, and
is what tests and a bare install use in place of MiniLM.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from mmem.ports import Encoded, FloatArray, QueryVectors, VectorSpace
from mmem.words import term_spans

WIDTH = 256


class HashedWords:
    """Encodes a text as the sum of its terms' directions; one token vector a term."""

    @property
    def identity(self) -> VectorSpace:
        """The vector space; vectors of another one can't be compared with these."""
        return VectorSpace(
            provider="mmem",
            model="hashed-words",
            revision="1",
            width=WIDTH,
            pooling="sum",
            preprocessing="terms",
        )

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return pooled vectors f32[n, 256] of length 1 and the sign codes of every term."""
        queries = [self.encode_query(text) for text in texts]
        pooled = np.array([q.pooled for q in queries], np.float32).reshape(-1, WIDTH)
        return Encoded(pooled=pooled, codes=[np.packbits(q.tokens > 0, axis=1) for q in queries])

    def encode_query(self, text: str) -> QueryVectors:
        """Return the pooled vector and one vector of length 1 for each term."""
        spans = term_spans(text)
        tokens = np.array([_direction(term) for term, _, _ in spans], np.float32)
        tokens = tokens.reshape(-1, WIDTH)
        total = tokens.sum(axis=0)
        return QueryVectors(
            pooled=total / max(float(np.linalg.norm(total)), 1e-12),
            tokens=tokens,
            spans=np.array([span for _, *span in spans], np.int32).reshape(-1, 2),
        )


@lru_cache(maxsize=65_536)
def _direction(term: str) -> FloatArray:
    bits = np.frombuffer(hashlib.shake_128(term.encode()).digest(WIDTH // 8), np.uint8)
    signs = np.unpackbits(bits).astype(np.float32) * 2.0 - 1.0
    direction: FloatArray = signs / np.sqrt(np.float32(WIDTH))
    return direction
