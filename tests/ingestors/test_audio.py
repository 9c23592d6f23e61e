from __future__ import annotations

from pathlib import Path

import pytest

from mmem.errors import DamagedFile
from mmem.ingestors import video
from mmem.ingestors.audio import READER
from mmem.ingestors.reading import Damage, Head, RecordingReader
from mmem.ingestors.registry import reader_for
from tests.conftest import Desk
from tests.ingestors.film import Tone, film


def test_it_is_a_recording_reader() -> None:
    """The audio reader fits the contract."""
    assert isinstance(READER, RecordingReader)


@pytest.mark.parametrize("name", ["a.wav", "a.m4a", "a.flac", "a.mp3", "a.mkv", "a.webm"])
def test_containers_are_told_by_content(tmp_path: Path, name: str) -> None:
    """Sound alone is audio, whatever the container and the name."""
    path = film(tmp_path / name, [], [Tone(0, 1)]).rename(tmp_path / "nameless")
    assert READER.sniff(Head.of(path)) > 0.9
    assert video.READER.sniff(Head.of(path)) == 0
    assert reader_for(path) is READER


def test_a_source_with_sound_and_no_pictures(desk: Desk, tmp_path: Path) -> None:
    """Sound is a recording of its own, without pictures."""
    path = film(tmp_path / "memo.m4a", [], [Tone(0, 2)])
    source = desk.one(READER, path).source
    assert (source.kind, source.format, source.title) == ("recording", "audio", "memo")
    assert source.duration_us == pytest.approx(2_000_000, abs=100_000)
    assert READER.has_sound(path)
    assert list(READER.pictures(path, source, Damage())) == []


def test_a_wave_file_without_a_body_is_named(desk: Desk) -> None:
    """A file with a sound header and nothing behind it is damaged, in one line."""
    with pytest.raises(DamagedFile, match=r"memo\.wav"):
        desk.many(READER, desk.write("memo.wav", b"RIFF\x24\0\0\0WAVE"))


def test_real_sound_is_told(shared: Path) -> None:
    """Every real sound file is known by its bytes."""
    for path in sorted((shared / "media" / "audio").iterdir()):
        if path.suffix != ".rttm":
            assert reader_for(path) is READER, path.name
