"""What the rooms ask of each other: Protocols and the arrays that pass between them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float32]
DoubleArray: TypeAlias = npt.NDArray[np.float64]
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


@dataclass(frozen=True)
class FactGraph:
    """The facts of the visible rows: int32[f] row, and subject and object as numbers of names.

    `degrees` int32[names] counts the rows in whose facts a name stands.
    """

    rows: IntArray
    subjects: IntArray
    objects: IntArray
    degrees: IntArray

    @property
    def names(self) -> int:
        """How many names there are."""
        return len(self.degrees)


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

    def facts(self, query: FloatArray) -> FloatArray:
        """f32[n] cosine of the best fact of a row; 0 where it has none, and on hidden rows."""
        ...

    def fact_graph(self, query: FloatArray) -> tuple[FactGraph, FloatArray]:
        """The visible facts, and their cosines f32[f] with a question."""
        ...

    def acts(self, words: Sequence[str]) -> BoolArray:
        """bool[n]: visible rows in whose asserted events somebody with all these words acts."""
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


class Labeller(Protocol):
    """Names the things on pictures."""

    @property
    def identity(self) -> str:
        """The model: what the probabilities depend on beside the picture."""
        ...

    @property
    def names(self) -> Sequence[str]:
        """The names that it knows, in the order of the probabilities."""
        ...

    def label(self, frames: ByteArray) -> FloatArray:
        """Return probabilities f32[n, names] for RGB frames u8[n, h, w, 3], each frame alone."""
        ...


Asked = TypeVar("Asked")
_CHAT_MARK = re.compile(r"[<>]|\[(?=/?[A-Z][A-Z_ ]{2,}\])")


@dataclass(frozen=True)
class Message:
    """Words to a language model: rules of ours ("system"), or a task with its data ("user").

    Words of a file only ever stand in a user's message, and there as `with_data` writes them.
    """

    role: Literal["system", "user", "assistant"]
    text: str

    @classmethod
    def with_data(cls, task: str, data: object) -> Message:
        """Return a user's message of a task and its data, JSON between marks.

        No text in the data can close its string, the marks, or a turn of the chat: quotes are
        escaped by JSON, and what opens a mark of a chat format ("<|", "[INST]") is written as its
        JSON escape, which reads as the same character.
        """
        written = json.dumps(data, ensure_ascii=False, indent=1)
        written = _CHAT_MARK.sub(lambda m: f"\\u{ord(m.group()):04x}", written)
        return cls("user", f"{task}\n<data>\n{written}\n</data>")


@dataclass(frozen=True)
class Request(Generic[Asked]):
    """What is asked of a language model.

    `wanted` is the record that the reply is read as, or `str` for plain words. `max_tokens` bounds
    the reply, thoughts included. `atom_ids` are the atoms whose words are in the messages:
    forgetting one of them forgets the reply.
    """

    messages: tuple[Message, ...]
    wanted: type[Asked]
    max_tokens: int = 2000
    atom_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply(Generic[Asked]):
    """What a language model answered, and what that took.

    `value` is the reply as wanted, None where it could not be read. `partial` says why a reply is
    not whole (cut off, elements left out, unreadable, no reply), "" for a whole one. `calls` is 0
    for one from the cache. Tokens are as the endpoint counts them, None where it does not.
    `money` is in the currency of the prices, None where no price is set; where the endpoint
    counts no tokens it is the most that the call can have cost.
    """

    text: str
    value: Asked | None
    partial: str = ""
    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    money: float | None = None
    cached: bool = False


@dataclass(frozen=True)
class Spent:
    """What a language model has used up since it was built; `money` None where no price is set.

    `uncounted` are the calls for which the endpoint told no tokens; `cached` are replies that
    took no call.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    money: float | None = None


class LanguageModel(Protocol):
    """Answers in words or records."""

    @property
    def identity(self) -> str:
        """Model and parameters: what answers depend on beside the request."""
        ...

    @property
    def spent(self) -> Spent:
        """What was used up so far."""
        ...

    def ask(self, request: Request[Asked]) -> Reply[Asked]:
        """Answer one request.

        Raises ConfigError where no request can succeed (address, key, model), and BudgetExceeded
        before a call that could pass a cap; what fails for this request alone is in `partial`.
        """
        ...

    def ask_all(self, requests: Iterable[Request[Asked]]) -> Iterator[Reply[Asked]]:
        """Yield replies in the order of the requests, several asked at once. Raises as `ask`."""
        ...

    def stream(self, request: Request[str]) -> Iterator[str]:
        """Yield a reply's words as they come.

        Raises as `ask`, and ReplyUnusable where the reply breaks off.
        """
        ...
