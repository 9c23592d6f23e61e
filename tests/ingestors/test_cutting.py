"""A cut is a stretch of the recording, copied."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from mmem.errors import ConfigError
from mmem.ingestors.cutting import cut_out
from tests.ingestors.film import Tone, even, film

SECOND = 1_000_000


@pytest.mark.parametrize("name", ["talk.mp4", "talk.mkv"])
def test_a_cut_begins_at_the_last_whole_picture(name: str, tmp_path: Path) -> None:
    """Law: the stretch is in the cut whole, and at most one group of pictures more."""
    path, out = tmp_path / name, tmp_path / f"cut-{name}"
    film(path, even(["red"] * 50 + ["blue"] * 50, fps=5), [Tone(0, 20)], gop=10)
    cut_out(path, out, start_us=11 * SECOND, end_us=15 * SECOND)
    with av.open(str(out)) as copy:
        pictures = [frame.time for frame in copy.decode(video=0)]
    assert 4.0 <= len(pictures) / 5 <= 6.2
    assert pictures[0] == pytest.approx(0.0, abs=0.3)


def test_a_sound_recording_can_be_cut(tmp_path: Path) -> None:
    """Law: what has no pictures is cut by its sound."""
    path, out = film(tmp_path / "note.m4a", tones=[Tone(0, 30)]), tmp_path / "cut.m4a"
    cut_out(path, out, start_us=10 * SECOND, end_us=12 * SECOND)
    with av.open(str(out)) as copy:
        seconds = sum(frame.samples / frame.sample_rate for frame in copy.decode(audio=0))
    assert seconds == pytest.approx(2.0, abs=0.2)


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    """Law: a cut makes a new file or none."""
    path = film(tmp_path / "talk.mp4", even(["red"] * 10, fps=5))
    with pytest.raises(ConfigError, match="exists already"):
        cut_out(path, path, start_us=0, end_us=SECOND)


@pytest.mark.parametrize("start_s", [3, 11, 19])
def test_a_cut_of_a_stream_without_an_index_begins_with_a_key_picture(
    start_s: int, tmp_path: Path
) -> None:
    """Law: where seeking goes by bytes the cut still begins with a picture that can be shown."""
    path, out = tmp_path / "talk.ts", tmp_path / "cut.ts"
    shots = even(["red"] * 50 + ["blue"] * 50, fps=5)
    film(path, shots, [Tone(0, 20)], gop=10, codec="libx264")
    cut_out(path, out, start_us=start_s * SECOND, end_us=(start_s + 1) * SECOND)
    with av.open(str(out)) as copy:
        first = next(p for p in copy.demux(video=0) if p.size)
    assert first.is_keyframe
    with av.open(str(out)) as copy:
        pictures = [frame for frame in copy.decode(video=0) if not frame.is_corrupt]
    assert 1.0 <= len(pictures) / 5 <= 3.4


def test_a_cut_that_breaks_off_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law: a file is there once it is whole."""
    path = film(tmp_path / "talk.mp4", even(["red"] * 50, fps=5), gop=10)

    def interrupt(packet: object, by_us: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mmem.ingestors.cutting._shift", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cut_out(path, tmp_path / "cut.mp4", start_us=0, end_us=SECOND)
    assert [one.name for one in tmp_path.iterdir()] == ["talk.mp4"]
