"""An encoder that encodes each text once in a process: for benches that build many memories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mmem.ports import ByteArray, Encoded, FloatArray, QueryVectors, TextEncoder, VectorSpace


class Remembering:
    """Hands texts on to another encoder unless it has met them."""

    def __init__(self, encoder: TextEncoder) -> None:
        self._encoder = encoder
        self._known: dict[str, tuple[FloatArray, ByteArray]] = {}

    @property
    def identity(self) -> VectorSpace:
        """The space of the encoder behind."""
        return self._encoder.identity

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Encode texts; those met before cost nothing."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        made = self._encoder.encode(fresh)
        for number, text in enumerate(fresh):
            self._known[text] = (made.pooled[number], made.codes[number])
        found = [self._known[text] for text in texts]
        width = self.identity.width
        return Encoded(
            pooled=np.array([pooled for pooled, _ in found], np.float32).reshape(-1, width),
            codes=[codes for _, codes in found],
        )

    def encode_query(self, text: str) -> QueryVectors:
        """Encode one question."""
        return self._encoder.encode_query(text)

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        """Return the stretches that the encoder behind reads whole."""
        return self._encoder.chunk_spans(text, max_tokens=max_tokens)
