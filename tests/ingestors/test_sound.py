from __future__ import annotations

import wave as wavefile
from pathlib import Path

import numpy as np
import pytest

from mmem.ingestors.reading import Damage
from mmem.ingestors.sound import RATE_HZ, sound_windows
from tests.ingestors.film import Shot, Tone, even, film, tracks, wave

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
            if loud and -0.001 < start - loud[-1][1] < 0.11:
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


def _stereo(path: Path, left: list[Tone], right: list[Tone], *, flip: bool = False) -> Path:
    """Write a WAV of two channels; `flip` gives the right one the opposite phase."""
    seconds = max(tone.at_s + tone.seconds for tone in (*left, *right))
    sides = np.zeros((2, round(seconds * RATE_HZ)), np.float32)
    for side, tones in zip(sides, (left, right), strict=True):
        for tone in tones:
            start = round(tone.at_s * RATE_HZ)
            side[start : start + round(tone.seconds * RATE_HZ)] += wave(tone)
    if flip:
        sides[1] *= -1
    with wavefile.open(str(path), "wb") as file:
        file.setnchannels(2), file.setsampwidth(2), file.setframerate(RATE_HZ)
        file.writeframes((sides.T * 32767).astype("<i2").tobytes())
    return path


TURNS = [Tone(0, 1), Tone(4, 1)], [Tone(2, 1, 600), Tone(6, 1, 600)]


@pytest.mark.parametrize(
    ("left", "right", "flip", "loud"),
    [
        ([Tone(0, 1)], [Tone(0, 1)], False, [(0, 1)]),
        ([Tone(0, 1)], [Tone(0, 1)], True, [(0, 1)]),
        ([Tone(0, 1)], [Tone(1, 1, 0)], False, [(0, 1)]),
        (*TURNS, False, [(0, 1), (4, 5), (2, 3), (6, 7)]),
    ],
    ids=["same", "opposite phase", "one silent", "two voices"],
)
def test_channels_are_kept_apart_only_where_they_differ(
    tmp_path: Path, left: list[Tone], right: list[Tone], flip: bool, loud: list[tuple[float, float]]
) -> None:
    """Nothing cancels, nothing hides, nothing is heard twice: two voices are two lanes."""
    assert _near(_loud(_stereo(tmp_path / "a.wav", left, right, flip=flip)), loud)


def test_a_second_track_is_heard_unless_it_is_the_same(tmp_path: Path) -> None:
    """Tracks that differ are lanes, one after the other; a copy and a silent one are not."""
    one = [Tone(0, 1), Tone(1, 1, 0), Tone(2, 3), Tone(5, 1, 0), Tone(6, 1)]
    other = [Tone(0, 1, 0), Tone(1, 1), Tone(2, 6, 0), Tone(8, 1)]
    mute = [Tone(0, 9, 0)]
    path = tracks(tmp_path / "a.mkv", [one, one, mute, other])
    expected = [(0, 1), (2, 5), (6, 7), (1, 2), (8, 9)]
    assert _near(_loud(path), expected)


def test_windows_follow_each_other(tmp_path: Path) -> None:
    """Windows hold at most 30 s, in order, without overlap, as f32 at 16 kHz."""
    windows = list(sound_windows(film(tmp_path / "a.flac", [], [Tone(0, 65)])))
    assert [window.start_us for window in windows] == [0, 30_000_000, 60_000_000]
    assert sum(len(window.samples) for window in windows) == 65 * RATE_HZ
    assert all(window.samples.dtype == np.float32 for window in windows)


def test_no_sound_track_gives_no_window(tmp_path: Path) -> None:
    """A recording without sound is silent, not an error."""
    assert list(sound_windows(film(tmp_path / "a.mp4", RED))) == []


def test_sound_that_cannot_be_decoded_is_counted(tmp_path: Path) -> None:
    """Packets that are passed over are noted, the rest is heard."""
    path = film(tmp_path / "a.m4a", [], [Tone(0, 20)])
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4000] = b"\xff" * 4000
    path.write_bytes(data)
    damage = Damage()
    heard = sum(len(window.samples) for window in sound_windows(path, damage=damage))
    assert damage.packets and "could not be decoded" in damage.told()
    assert 15 < heard / 16_000 < 20.5
