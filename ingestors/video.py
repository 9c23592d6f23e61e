"""Recordings with pictures: MP4, MOV, MKV, WebM, AVI, MPEG-TS and what else PyAV opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mmem.ingestors import keyframes
from mmem.ingestors.probe import probe
from mmem.ingestors.reading import Damage, Head, Picture, ReadContext, Reading
from mmem.ingestors.recordings import Kind, kind_of, reading
from mmem.ingestors.sound import sound_windows
from mmem.ports import SoundWindow
from mmem.schemas import Source


class VideoReader:
    """Reads the source of a video; pictures come from `pictures`, sound from sound.py."""

    name = "video"
    version = 1
    summary = "a video file, with or without sound (MP4, MOV, MKV, WebM, AVI, TS, …)"

    def sniff(self, head: Head) -> float:
        """Return 0.95 for a container with pictures, 0.6 for one that cannot be opened."""
        return {Kind.VIDEO: 0.95, Kind.BROKEN_VIDEO: 0.6}.get(kind_of(head), 0.0)

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield the recording, without atoms. Raises DamagedFile, MissingExtra."""
        yield reading(path, context, name=self.name, version=self.version)

    def pictures(self, path: Path, source: Source, damage: Damage) -> Iterator[Picture]:
        """Yield keyframes in time order. Raises DamagedFile."""
        return keyframes.pictures(path, source.id, damage=damage)

    def has_sound(self, path: Path) -> bool:
        """Tell whether there is a sound track that can be decoded. Raises DamagedFile."""
        return probe(path).sound is not None

    def sound(self, path: Path, damage: Damage) -> Iterator[SoundWindow]:
        """Yield the sound in windows on the recording's clock. Raises DamagedFile."""
        return sound_windows(path, damage=damage)


READER = VideoReader()
