from __future__ import annotations

from pathlib import Path

import pytest

from mmem.errors import DamagedFile
from mmem.ingestors import audio
from mmem.ingestors.reading import Damage, Head, RecordingReader
from mmem.ingestors.registry import reader_for
from mmem.ingestors.video import READER
from mmem.schemas.identity import source_id
from tests.conftest import Desk
from tests.ingestors.film import Tone, even, film

RED = even(["red"] * 10, fps=10)


def test_it_is_a_recording_reader() -> None:
    """The video reader fits the contract."""
    assert isinstance(READER, RecordingReader)


@pytest.mark.parametrize("name", ["a.mp4", "a.mov", "a.mkv", "a.avi", "a.ts"])
def test_containers_are_told_by_content(tmp_path: Path, name: str) -> None:
    """A video is known by its bytes, under whatever name."""
    path = film(tmp_path / name, RED).rename(tmp_path / "nameless")
    assert READER.sniff(Head.of(path)) > 0.9
    assert audio.READER.sniff(Head.of(path)) == 0


@pytest.mark.parametrize("text", ["Ann: hello", "GET / HTTP/1.1", "WEBVTT\n\n", "ID3 is a tag", ""])
def test_text_is_not_taken(desk: Desk, text: str) -> None:
    """Text is nobody's recording."""
    assert READER.sniff(Head.of(desk.write("a.txt", text))) == 0


def test_a_still_picture_is_not_taken(desk: Desk) -> None:
    """HEIC and AVIF share MP4's boxes and are no recordings."""
    path = desk.write("a.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(64))
    assert READER.sniff(Head.of(path)) == 0


def test_a_broken_video_is_ours_to_name(desk: Desk, tmp_path: Path) -> None:
    """A video that cannot be opened is claimed, so that its reader says what is wrong."""
    whole = film(tmp_path / "whole.mp4", RED).read_bytes()
    path = desk.write("half.mp4", whole[: whole.find(b"moov") - 4])
    assert READER.sniff(Head.of(path)) >= 0.5
    assert reader_for(path) is READER
    with pytest.raises(DamagedFile, match=r"half\.mp4"):
        desk.many(READER, path)


def test_a_source_without_atoms(desk: Desk, tmp_path: Path) -> None:
    """A recording is identified by its bytes and read without atoms; its title is its stem."""
    path = film(tmp_path / "stand-up.mp4", RED, [Tone(0, 1)])
    reading = desk.one(READER, path)
    source = reading.source
    assert reading.atoms == ()
    assert (source.kind, source.format, source.title) == ("recording", "video", "stand-up")
    assert source.key == source.revisions[0].digest
    assert source.id == source_id("recording", source.key)
    assert source.duration_us == pytest.approx(1_000_000, abs=100_000)
    assert READER.has_sound(path) and source.notes == ()


def test_a_mute_video_says_so(desk: Desk, tmp_path: Path) -> None:
    """A video without a sound track is read, and says that it has none."""
    path = film(tmp_path / "mute.mp4", RED)
    source = desk.one(READER, path).source
    assert not READER.has_sound(path)
    assert source.notes == ("the file has no sound track",)
    assert [picture.keyframe.source_id for picture in READER.pictures(path, source, Damage())] == [
        source.id
    ]


def test_a_stated_start_gives_the_period(desk: Desk, tmp_path: Path) -> None:
    """The stated wall start places the recording and its revision on the wall."""
    path = film(tmp_path / "a.mp4", RED)
    source = desk.one(READER, path, recorded_us=1_000_000_000_000_000, zone="Europe/Berlin").source
    assert (source.clock.confidence, source.clock.zone) == ("stated", "Europe/Berlin")
    period = source.revisions[0].period
    assert period is not None and period.start_us == source.clock.at_us
    assert period.end_us - period.start_us == source.duration_us


def test_field_case_no_sound_track(shared: Path, desk: Desk) -> None:
    """o02: a mute clip keeps its pictures and does not end the batch."""
    batch = shared / "cases" / "o02-no-audio-track" / "batch"
    mute, voiced = batch / "01-silent-demo.mp4", batch / "02-with-voice.mp4"
    source = desk.one(READER, mute).source
    times = [picture.keyframe.time_us for picture in READER.pictures(mute, source, Damage())]
    assert times == pytest.approx([0, 4_000_000], abs=200_000)
    assert READER.has_sound(voiced) and not READER.has_sound(mute)


def test_real_videos_are_told_and_shown(shared: Path, desk: Desk) -> None:
    """Every real video is known by its bytes and gives at least one keyframe."""
    for path in sorted((shared / "media" / "video").iterdir()):
        assert reader_for(path) is READER, path.name
        source = desk.one(READER, path).source
        assert next(iter(READER.pictures(path, source, Damage()))).jpeg, path.name
