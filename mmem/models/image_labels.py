"""Object-label vectors: ConSE (Norouzi et al. 2014, section 3.2), labels in the space of texts.

A picture's vector is the mean of the vectors of its likeliest labels' names, weighted by their
probabilities: it lies near words that mean what those labels mean. What the labeller has no name
for (people, actions, rooms, colours) is not in it, and it is sure when wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from mmem.models.labels import LITE0_IDENTITY, EfficientNetLite
from mmem.ports import ByteArray, FloatArray, Labeller, TextEncoder, VectorSpace

TOP = 10
"""ConSE's T; the paper's Table 1 has T = 1, 10 and 1000, of which 10 is the best."""
_DECIMALS = 4
"""Probabilities are rounded, so that last bits of the network cannot change which labels count."""


class LabelVectors:
    """The keyless image encoder: a labeller's names, through a text encoder.

    `labeller` None means the embedded one, which is loaded with the first picture: texts need none.
    """

    def __init__(self, text: TextEncoder, labeller: Labeller | None = None) -> None:
        self._text = text
        self._given = labeller
        self._named: dict[str, FloatArray] = {}

    @property
    def identity(self) -> VectorSpace:
        """The space of the text encoder, entered by this labeller's names."""
        text = self._text.identity
        return VectorSpace(
            provider="labels",
            model=f"{TOP} labels in {text.model}",
            revision=text.revision,
            width=text.width,
            pooling="conse",
            preprocessing=f"{self._given.identity if self._given else LITE0_IDENTITY};"
            f"{text.provider};{text.pooling};{text.preprocessing}",
        )

    def ensure_installed(self) -> None:
        """Raise MissingExtra where the labeller is not installed."""
        _ = self._labeller

    def encode(self, frames: ByteArray) -> FloatArray:
        """Return f32[n, d], rows of length 1. Raises MissingExtra."""
        found = np.empty((len(frames), self._text.identity.width), np.float32)
        for row, frame in enumerate(frames):
            (probabilities,) = self._labeller.label(frame[None])
            found[row] = self._conse(probabilities)
        return found

    def encode_text(self, texts: Sequence[str]) -> FloatArray:
        """Return f32[n, d], rows of length 1."""
        vectors = [self._text.encode_query(text).pooled for text in texts]
        return np.array(vectors, np.float32).reshape(-1, self._text.identity.width)

    def _conse(self, probabilities: FloatArray) -> FloatArray:
        rounded = np.round(probabilities.astype(np.float64), _DECIMALS)
        best = sorted(range(len(rounded)), key=lambda row: (-rounded[row], row))[:TOP]
        names = [self._labeller.names[row] for row in best]
        mixed = np.vecdot(self._vectors_of(names).T, rounded[best]).astype(np.float32)
        length = float(np.linalg.norm(mixed))
        vector: FloatArray = mixed / np.float32(max(length, 1e-12))
        return vector

    def _vectors_of(self, names: Sequence[str]) -> FloatArray:
        """Return f32[n, d], the vectors of labels' names; each is made once."""
        for name in names:
            if name not in self._named:
                self._named[name] = self._text.encode([name]).pooled[0]
        return np.stack([self._named[name] for name in names])

    @cached_property
    def _labeller(self) -> Labeller:
        return self._given or EfficientNetLite()
