"""Recordings of sound alone: MP3, M4A, WAV, FLAC, Ogg, Opus and what else PyAV opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mmem.ingestors.probe import probe
from mmem.ingestors.reading import Damage, Head, Picture, ReadContext, Reading
from mmem.ingestors.recordings import Kind, kind_of, reading
from mmem.ingestors.sound import sound_windows
from mmem.ports import SoundWindow
from mmem.schemas import Source


class AudioReader:
    """Reads the source of a sound recording; a cover picture does not make it a video."""

    name = "audio"
    version = 1
    summary = "a sound recording (MP3, M4A, WAV, FLAC, Ogg, Opus, …)"

    def sniff(self, head: Head) -> float:
        """Return 0.95 for a container with sound alone, 0.6 for one that cannot be opened."""
        return {Kind.AUDIO: 0.95, Kind.BROKEN_AUDIO: 0.6}.get(kind_of(head), 0.0)

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield the recording, without atoms. Raises DamagedFile, MissingExtra."""
        yield reading(path, context, name=self.name, version=self.version)

    def pictures(self, path: Path, source: Source, damage: Damage) -> Iterator[Picture]:
        """Yield nothing: there are no pictures."""
        return iter(())

    def has_sound(self, path: Path) -> bool:
        """Tell whether the sound can be decoded. Raises DamagedFile."""
        return probe(path).sound is not None

    def sound(self, path: Path, damage: Damage) -> Iterator[SoundWindow]:
        """Yield the sound in windows on the recording's clock. Raises DamagedFile."""
        return sound_windows(path, damage=damage)


READER = AudioReader()
