"""What the rooms ask of each other: Protocols and the arrays that pass between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float32]
IntArray: TypeAlias = npt.NDArray[np.int32]
LongArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
ByteArray: TypeAlias = npt.NDArray[np.uint8]

UNKNOWN_TIME = np.iinfo(np.int64).max
"""Wall time (UTC microseconds) of a row whose time is not known; sorts last."""


@dataclass(frozen=True)
class VectorSpace:
    """What makes two vectors comparable; a store refuses vectors of another space."""

    provider: str
    model: str
    revision: str
    width: int
    pooling: str
    preprocessing: str


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
    """Turns texts into vectors; the vectors of a text depend on that text alone."""

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


@dataclass(frozen=True)
class Columns:
    """Facts about n rows (units) in canonical order: wall end, wall start, id; unknown last."""

    ids: Sequence[str]
    anchor: BoolArray
    """True for an anchor of a recording, False for a passage of dialogue."""
    source: IntArray
    session: IntArray
    """Rows of one conversation session, or of one recording, share a number."""
    position: IntArray
    """Order within the session."""
    start_us: LongArray
    end_us: LongArray
    """Wall time, UTC microseconds; UNKNOWN_TIME when not known."""
    speaker: IntArray
    """Index into `speakers`; -1 for none or several."""
    speakers: Sequence[str]
    question: BoolArray
    """The row's text is itself a question."""

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.ids)


class Index(Protocol):
    """What recall may ask of the rows that a reader may see; hidden rows leave no trace in it."""

    @property
    def columns(self) -> Columns:
        """All rows, hidden ones too; arrays of the other methods have the same n."""
        ...

    @property
    def visible(self) -> BoolArray:
        """bool[n]: before the as-of time, allowed by labels, passed by the caller's filters."""
        ...

    def bm25(self, weights: Mapping[str, float], *, k1: float, b: float) -> FloatArray:
        """f32[n] BM25 scores of weighted terms; 0 on hidden rows."""
        ...

    def idf(self, terms: Sequence[str]) -> FloatArray:
        """f32[len(terms)] log(1 + (N - df + 0.5) / (df + 0.5)) over the visible rows."""
        ...

    def occurs(self, terms: Sequence[str], rows: LongArray) -> BoolArray:
        """bool[terms, rows]: the row holds the term; False on hidden rows."""
        ...

    def dense(self, query: FloatArray) -> tuple[FloatArray, FloatArray]:
        """f32[n] best line and f32[n] best chunk cosine of a row; 0 where it has none."""
        ...

    def codes(self, rows: LongArray) -> tuple[ByteArray, LongArray]:
        """Sign codes u8[t, d/8] of the tokens of these rows and their offsets int64[rows + 1]."""
        ...


@dataclass(frozen=True)
class SoundWindow:
    """A stretch of sound: `samples` f32[n], one channel at 16 kHz, from media offset `start_us`.

    Windows of a recording follow each other in time; one that starts later than the last one
    ended leaves a stretch without sound.
    """

    start_us: int
    samples: FloatArray


@dataclass(frozen=True)
class Heard:
    """A spoken line as recognised, in microseconds of the recording's media clock.

    `rejected` says why a line is held to be no speech, or none that is new; "" for speech.
    """

    start_us: int
    end_us: int
    text: str
    speaker: str | None = None
    rejected: str = ""


@dataclass(frozen=True)
class Stretch:
    """What was recognised at one go: all lines up to media offset `done_us`, rejected ones too."""

    lines: tuple[Heard, ...]
    done_us: int
    language: str | None

    @property
    def said(self) -> list[Heard]:
        """The lines that are speech."""
        return [line for line in self.lines if not line.rejected]


class Recogniser(Protocol):
    """Turns sound into spoken lines, in time order, as the sound goes by."""

    @property
    def identity(self) -> str:
        """Model, precision and weights: what the lines depend on beside the sound."""
        ...

    @property
    def language(self) -> str | None:
        """The language spoken, once known (BCP 47)."""
        ...

    @property
    def language_basis(self) -> str:
        """How the language is known: "stated", "detected", or "assumed" and why."""
        ...

    def recognise(
        self, windows: Iterable[SoundWindow], *, known: Sequence[Stretch] = ()
    ) -> Iterator[Stretch]:
        """Yield stretch after stretch of what was said.

        `known` are the first stretches as a run over the same sound had them that was broken off;
        they are yielded again without being recognised again, and what follows is the same as in
        an unbroken run.
        """
        ...


@dataclass(frozen=True)
class ReadLine:
    """A line of text on a picture: `box` left, top, right, bottom as shares of its sides."""

    text: str
    box: tuple[float, float, float, float]
    confidence: float


class ScreenReader(Protocol):
    """Reads the words on a picture."""

    @property
    def identity(self) -> str:
        """The models: what the lines depend on beside the picture."""
        ...

    def read_all(self, pictures: Iterable[str]) -> Iterator[list[ReadLine]]:
        """Yield the lines of each image file, top to bottom, in the order of the files."""
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
