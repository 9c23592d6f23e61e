from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mmem.ingestors.sound import RATE_HZ, sound_windows
from tests.ingestors.film import Shot, Tone, even, film

RED = even(["red"] * 10, fps=10)


def _loud(path: Path) -> list[tuple[float, float]]:
    """Stretches of sound on the media clock, in seconds rounded to a tenth."""
    loud: list[tuple[float, float]] = []
    for window in sound_windows(path):
        step = RATE_HZ // 20
        for place in range(0, len(window.samples) - step + 1, step):
            if np.abs(window.samples[place : place + step]).max() < 0.1:
                continue
            start = window.start_us / 1e6 + place / RATE_HZ
            if loud and start - loud[-1][1] < 0.11:
                loud[-1] = (loud[-1][0], start + 0.05)
            else:
                loud.append((start, start + 0.05))
    return [(round(a, 1), round(b, 1)) for a, b in loud]


def _near(found: list[tuple[float, float]], expected: list[tuple[float, float]]) -> bool:
    return len(found) == len(expected) and bool(np.allclose(found, expected, atol=0.11))


@pytest.mark.parametrize(
    ("name", "tones", "expected"),
    [
        ("a.wav", [Tone(0, 2)], [(0, 2)]),
        ("a.flac", [Tone(0, 2)], [(0, 2)]),
        ("a.m4a", [Tone(0, 1), Tone(1, 1, 0), Tone(2, 1)], [(0, 1), (2, 3)]),
        ("a.mkv", [Tone(0, 1), Tone(5, 1)], [(0, 1), (5, 6)]),
        ("a.mkv", [Tone(0, 1), Tone(100, 1)], [(0, 1), (100, 101)]),
        ("a.mkv", [Tone(0, 70)], [(0, 70)]),
    ],
)
def test_sound_lies_where_its_packets_say(
    tmp_path: Path, name: str, tones: list[Tone], expected: list[tuple[float, float]]
) -> None:
    """Sound is heard at its packets' times, across gaps short and long."""
    assert _near(_loud(film(tmp_path / name, [], tones)), expected)


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv"])
def test_a_late_start_is_kept(tmp_path: Path, name: str) -> None:
    """A sound track that starts after the pictures keeps its delay."""
    path = film(tmp_path / name, even(["red"] * 50, fps=10), [Tone(3, 1)])
    assert _near(_loud(path), [(3, 4)])


def test_late_pictures_leave_the_sound_at_zero(tmp_path: Path) -> None:
    """Pictures that start after the sound do not move it."""
    shots = [Shot(4 + one.at_s, one.colour) for one in RED]
    assert _near(_loud(film(tmp_path / "a.mkv", shots, [Tone(0, 6)])), [(0, 6)])


def test_windows_follow_each_other(tmp_path: Path) -> None:
    """Windows hold at most 30 s, in order, without overlap, as f32 at 16 kHz."""
    windows = list(sound_windows(film(tmp_path / "a.flac", [], [Tone(0, 65)])))
    assert [window.start_us for window in windows] == [0, 30_000_000, 60_000_000]
    assert sum(len(window.samples) for window in windows) == 65 * RATE_HZ
    assert all(window.samples.dtype == np.float32 for window in windows)


def test_no_sound_track_gives_no_window(tmp_path: Path) -> None:
    """A recording without sound is silent, not an error."""
    assert list(sound_windows(film(tmp_path / "a.mp4", RED))) == []
