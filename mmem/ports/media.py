"""What hears, reads and names: models over sound and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mmem.ports.arrays import ByteArray, FloatArray
from mmem.ports.texts import VectorSpace

if TYPE_CHECKING:
    from mmem.schemas import VisualRecord


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


@dataclass(frozen=True, slots=True)
class PictureSet:
    """Some pictures of one unit, in order of time: their JPEG files, and the atoms they are of."""

    files: tuple[str, ...]
    atom_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """What was seen on some pictures; `record` None where they could not be described.

    `reason` then says why.
    """

    record: VisualRecord | None
    reason: str = ""


class Captioner(Protocol):
    """Says in words what pictures show (EM²Mem, the visual-derived fields of a record).

    It is handed pictures alone: no line of their unit is known to it.
    """

    @property
    def identity(self) -> str:
        """Model and version: what the words depend on beside the pictures. Raises ConfigError."""
        ...

    def describe_all(self, sets: Iterable[PictureSet]) -> Iterator[Described]:
        """Yield what each set shows, in their order; sets are drawn as they are needed.

        Raises ConfigError where no set can be described, and BudgetExceeded before a call that
        could pass a cap.
        """
        ...


class ImageEncoder(Protocol):
    """Turns pictures and texts into vectors of one space; each depends on itself alone."""

    @property
    def identity(self) -> VectorSpace:
        """The space the vectors live in; the digest of the preprocessing belongs to it."""
        ...

    def ensure_installed(self) -> None:
        """Raise MissingExtra where pictures cannot be encoded here; nothing is loaded."""
        ...

    def encode(self, frames: ByteArray) -> FloatArray:
        """Return f32[n, d], rows of length 1, for RGB frames u8[n, h, w, 3]."""
        ...

    def encode_text(self, texts: Sequence[str]) -> FloatArray:
        """Return f32[n, d], rows of length 1, in the space of the pictures."""
        ...
