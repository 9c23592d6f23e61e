"""What a reader is: sniff a head, read a path, hand over sources with their atoms."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from mmem.ports import SoundWindow
from mmem.schemas import Atom, Keyframe, Source

HEAD_BYTES = 64 * 1024


@dataclasses.dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file: what sniffing may look at."""

    path: Path
    data: bytes
    size: int

    @classmethod
    def of(cls, path: Path) -> Head:
        """Read the first 64 KiB of a file. Raises OSError."""
        with path.open("rb") as file:
            return cls(path=path, data=file.read(HEAD_BYTES), size=path.stat().st_size)


@dataclasses.dataclass(frozen=True, slots=True)
class ReadContext:
    """What the caller says about a file, beside its bytes.

    `digest` is the SHA-256 of the file; `title` overrides a conversation's title; `zone` is the
    time zone of times written without one; `recorded_us` is the stated wall start of a recording;
    `day_first` says how dates such as 03/04/2024 are to be read when the file does not tell.
    """

    digest: str
    title: str | None = None
    zone: str | None = None
    recorded_us: int | None = None
    day_first: bool | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """One source read from a file, with one revision, and its atoms in reading order."""

    source: Source
    atoms: tuple[Atom, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Damage:
    """What of a recording could not be decoded: one entry a packet. Threads may share it."""

    packets: list[str] = dataclasses.field(default_factory=list)

    def note(self, error: Exception) -> None:
        """Count a packet that could not be decoded."""
        self.packets.append(str(error))

    def told(self) -> str:
        """Return what is lost as a clause, "" where nothing is.

        >>> Damage(["Invalid data"]).told()
        'the file is damaged: 1 packet could not be decoded, the rest is there'
        """
        count = len(self.packets)
        packets = "1 packet" if count == 1 else f"{count} packets"
        what = f"the file is damaged: {packets} could not be decoded, the rest is there"
        return what if count else ""


@runtime_checkable
class Reader(Protocol):
    """A format. `version` is raised when the same bytes would be read differently."""

    name: str
    version: int
    summary: str

    def sniff(self, head: Head) -> float:
        """Return the confidence, 0 to 1, that the file is of this format."""
        ...

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield the sources in the file. Raises DamagedFile, AmbiguousDate, ConfigError."""
        ...


@runtime_checkable
class ChoosyReader(Reader, Protocol):
    """A format some of whose files hold nothing that a memory is made of."""

    def refuse(self, head: Head) -> None:
        """Raise UnsupportedFormat, with the reason, for a file that is not to be read."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class Picture:
    """A keyframe and its encoded JPEG bytes."""

    keyframe: Keyframe
    jpeg: bytes


@runtime_checkable
class RecordingReader(Reader, Protocol):
    """A format with sound or pictures: `read` gives the source without atoms."""

    def pictures(self, path: Path, source: Source, damage: Damage) -> Iterator[Picture]:
        """Yield keyframes, in time order, as they are decoded; nothing when there is no picture.

        Packets that cannot be decoded are passed over and noted in `damage`.
        """
        ...

    def has_sound(self, path: Path) -> bool:
        """Tell whether the recording has a sound track."""
        ...

    def sound(self, path: Path, damage: Damage) -> Iterator[SoundWindow]:
        """Yield the sound in windows on the recording's clock. Raises DamagedFile.

        What cannot be decoded is passed over and noted in `damage`.
        """
        ...
