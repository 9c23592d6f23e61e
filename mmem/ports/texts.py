"""What makes vectors and parses of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from mmem.ports.arrays import ByteArray, FloatArray, IntArray

ENDPOINT = "endpoint"
"""The provider of vectors that a server makes."""


@dataclass(frozen=True)
class VectorSpace:
    """What makes two vectors comparable; a store refuses vectors of another space."""

    provider: str
    model: str
    revision: str
    width: int
    pooling: str
    preprocessing: str

    @property
    def has_tokens(self) -> bool:
        """Tell whether token vectors are there: an endpoint gives none, odd widths can't be packed.

        Without them there is no late interaction.
        """
        return self.provider != ENDPOINT and self.width % 8 == 0


@dataclass(frozen=True)
class Encoded:
    """Vectors of n texts: `pooled` f32[n, d] of length 1; `codes` one u8[tokens, d/8] a text."""

    pooled: FloatArray
    codes: list[ByteArray]


@dataclass(frozen=True)
class QueryVectors:
    """Vectors of one question.

    `pooled` f32[d] of length 1; `tokens` f32[t, d], rows of length 1, t = 0 where the encoder
    has no token vectors; `spans` int32[t, 2] character spans, (0, 0) for marks like [CLS].
    """

    pooled: FloatArray
    tokens: FloatArray
    spans: IntArray


class TextEncoder(Protocol):
    """Turns texts into vectors; the vectors of a text depend on that text alone.

    One without token vectors gives empty codes, u8[0, d // 8], and no tokens.
    """

    @property
    def identity(self) -> VectorSpace:
        """The space the vectors live in."""
        ...

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Encode texts to be stored."""
        ...

    def encode_query(self, text: str) -> QueryVectors:
        """Encode one question."""
        ...

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        """Return character spans that cover a text's sentences, each of at most `max_tokens`."""
        ...


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a parsed text, by Universal Dependencies as spaCy's English models write them.

    `head` is the place of its governor in the text (its own for a root), `start` and `end` its
    half-open character range, `entity` the type of the named entity it is in ("PERSON", …) or "".
    """

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int
    entity: str
    begins_entity: bool
    begins_sentence: bool


class Parser(Protocol):
    """Reads the grammar of a text."""

    @property
    def identity(self) -> str:
        """Package and version: what a parse depends on beside the text."""
        ...

    @property
    def language(self) -> str:
        """The language it knows (BCP 47)."""
        ...

    def parse_all(self, texts: Iterable[str]) -> Iterator[tuple[Word, ...]]:
        """Yield the words of each text in order; a text's words depend on that text alone."""
        ...
