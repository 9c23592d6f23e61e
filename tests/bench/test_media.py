"""The footage of the bench, and the figures that are taken of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmem.bench import media
from mmem.bench.footage import joined, make_clip, make_screens, write_transcript
from mmem.ingestors import webvtt
from mmem.ingestors.keyframes import pictures
from mmem.ingestors.probe import probe
from mmem.ingestors.sound import sound_windows
from tests.conftest import Desk
from tests.ingestors.film import Tone, film


def test_footage_is_as_long_as_its_clips(tmp_path: Path) -> None:
    """Joined pictures follow each other without a gap; every anchor of a dense screen has three."""
    clip, long = tmp_path / "clip.mp4", tmp_path / "long.mp4"
    make_screens(clip, "dense", width=640, height=360, seconds=30)
    joined(clip, long, times=3, kind="video")
    assert probe(long).duration_us == pytest.approx(90_000_000, abs=200_000)
    times = [picture.keyframe.time_us / 1e6 for picture in pictures(long, "s")]
    assert times == pytest.approx([10 * n for n in range(9)], abs=0.1)


def test_natural_footage_changes_in_every_scene(tmp_path: Path) -> None:
    """A clip of four scenes has four pictures at least, and no sound."""
    clip = tmp_path / "clip.mp4"
    make_clip(clip, width=320, height=180, seconds=120)
    found = probe(clip)
    assert found.sound is None
    assert len(list(pictures(clip, "s"))) >= 4


def test_joined_sound_is_heard_to_its_end(tmp_path: Path) -> None:
    """Copied packets of sound lie end to end, also where the first comes before zero."""
    clip, long = film(tmp_path / "a.mp4", tones=[Tone(0, 10)]), tmp_path / "long.mp4"
    joined(clip, long, times=12, kind="audio")
    heard = sum(len(window.samples) for window in sound_windows(long)) / 16_000
    assert heard == pytest.approx(120, abs=2)


def test_a_transcript_has_a_line_every_five_seconds(tmp_path: Path, desk: Desk) -> None:
    """The made transcript is one that mmem reads, with two speakers."""
    path = tmp_path / "a.vtt"
    write_transcript(path, seconds=7200)
    lines = desk.lines(desk.one(webvtt.READER, path))
    assert len(lines) == 1440
    assert {who for *_, who, _ in lines} == {"Maya", "Tomas"}
    assert [lines[-1][0], lines[-1][1]] == [7195, 7199]


@pytest.mark.parametrize("act", ["keyframes", "windows"])
def test_a_figure_is_taken_in_a_process_of_its_own(tmp_path: Path, act: str) -> None:
    """An act tells seconds, processor seconds and a peak; its rate is that of the recording."""
    path = film(tmp_path / "a.mp4", tones=[Tone(0, 5)])
    taken = media.measured(act, path)
    assert taken.seconds > 0 and taken.cpu_s > 0 and 20 < taken.peak_mb < 500
    assert media.Taken(2.0, 3.25, 140).shown(600) == "300 x, 3.2 CPU s, peak 140 MB"
