"""Which lanes of sound a recording has: tracks that differ, channels that carry different voices.

A mix of two channels hides one voice behind the other, and cancels what is in opposite phase.
What is decided here is decided on loudness over time (20 ms steps), from the beginning of the
tracks until two minutes of them were loud: one room heard by two microphones rises and falls
together, two callers do not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mmem.ingestors.probe import Probe, Track, sound_tracks
from mmem.ingestors.sound import RATE_HZ, Lane, stretches

_STEP = RATE_HZ // 50
_ENOUGH_STEPS = 120 * 50
_MOST_STEPS = 1800 * 50
_LOUD = 10 ** (-45 / 20)
_CLEARLY_LOUDER = 10 ** (10 / 20)
_OWN_SHARE = 0.05
"""Least share of the loud steps in which a channel with its own voice is clearly the louder."""
_TOGETHER = 0.5
"""Least correlation of the loudness of two channels of one scene."""
_SAME = 0.88
"""Least correlation of the loudness of two tracks of the same sound."""
_OPPOSITE = -0.5
_MOST_SHIFT = 10
"""Two encodings of one sound begin at most so many steps apart."""

Loudness = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, slots=True)
class _Heard:
    """Loudness (root mean square) of both channels in steps of 20 ms, and how alike they swing."""

    left: Loudness
    right: Loudness
    swing: float

    @property
    def both(self) -> Loudness:
        """The louder of the two, step by step."""
        return np.maximum(self.left, self.right)


def lanes_of(path: Path, found: Probe) -> list[Lane]:
    """Return the lanes that are worth hearing, in track order. Raises DamagedFile.

    Two tracks of the same sound are one lane. A single mono track is not looked at.
    """
    tracks = sound_tracks(found)
    if len(tracks) == 1 and tracks[0].channels != 2:
        return [Lane(tracks[0].index)]
    lanes: list[Lane] = []
    known: list[_Heard] = []
    for track in tracks:
        heard = _listened(path, track, origin_us=found.origin_us)
        if any(_is_same(heard.both, other.both) for other in known):
            continue
        known.append(heard)
        lanes.extend(_lanes(track, heard))
    return lanes


def _lanes(track: Track, heard: _Heard) -> Iterator[Lane]:
    if track.channels != 2:
        yield Lane(track.index)
    elif _are_apart(heard):
        yield Lane(track.index, (1.0, 0.0))
        yield Lane(track.index, (0.0, 1.0))
    elif heard.swing < _OPPOSITE:
        yield Lane(track.index, (0.5, -0.5))
    else:
        yield Lane(track.index)


def _are_apart(heard: _Heard) -> bool:
    """Tell whether two channels carry different voices."""
    loud = heard.both > _LOUD
    count = int(loud.sum())
    if not count:
        return False
    left, right = heard.left[loud], heard.right[loud]
    own_left = float((left > _CLEARLY_LOUDER * right).mean())
    own_right = float((right > _CLEARLY_LOUDER * left).mean())
    if min(own_left, own_right) < _OWN_SHARE:
        return False
    return _correlation(left, right) < _TOGETHER


def _is_same(one: Loudness, other: Loudness) -> bool:
    """Tell whether two tracks have the same sound, if not to the sample at the same time."""
    return any(
        _swing_together(one[max(0, shift) :], other[max(0, -shift) :])
        for shift in range(-_MOST_SHIFT, _MOST_SHIFT + 1)
    )


def _swing_together(one: Loudness, other: Loudness) -> bool:
    """Tell whether two loudnesses are as good as one; steps of silence in both say nothing."""
    length = min(len(one), len(other))
    one, other = one[:length], other[:length]
    loud = (one > _LOUD) | (other > _LOUD)
    return bool(loud.any()) and _correlation(one[loud], other[loud]) > _SAME


def _correlation(one: Loudness, other: Loudness) -> float:
    """Return the correlation of two loudnesses in decibels; 0 where one of them is constant."""
    a, b = (20 * np.log10(np.maximum(x, 1e-4)) for x in (one, other))
    spread = float(a.std() * b.std())
    return float(((a - a.mean()) * (b - b.mean())).mean()) / spread if spread else 0.0


def _listened(path: Path, track: Track, *, origin_us: int) -> _Heard:
    sides: list[Loudness] = []
    steps = loud = 0
    energy, cross = np.zeros(2), 0.0
    for _, sound in stretches(path, track.index, origin_us=origin_us, stereo=True):
        whole = sound[: len(sound) // _STEP * _STEP].astype(np.float64)
        loudness = np.sqrt((whole.reshape(-1, _STEP, 2) ** 2).mean(axis=1))
        sides.append(loudness)
        energy += (whole**2).sum(axis=0)
        cross += float((whole[:, 0] * whole[:, 1]).sum())
        steps, loud = steps + len(loudness), loud + int((loudness.max(axis=1) > _LOUD).sum())
        if loud >= _ENOUGH_STEPS or steps >= _MOST_STEPS:
            break
    both = np.concatenate(sides) if sides else np.zeros((0, 2))
    norm = float(np.sqrt(energy.prod()))
    return _Heard(both[:, 0], both[:, 1], cross / norm if norm else 0.0)
