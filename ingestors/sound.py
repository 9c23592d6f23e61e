"""The sound of a recording: one channel at 16 kHz in windows on the recording's media clock.

A recording may have several lanes of sound (lanes.py): tracks that differ, channels that carry
different voices. Each lane begins again at its own start.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmem.ingestors.container import opened, readable, to_us
from mmem.ingestors.probe import Probe, probe
from mmem.ingestors.reading import Damage
from mmem.ports import FloatArray, SoundWindow
from mmem.schemas.clock import MICROSECONDS

if TYPE_CHECKING:
    from av import AudioFrame, AudioResampler
    from av.audio.stream import AudioStream
    from av.container import InputContainer

RATE_HZ = 16_000
WINDOW_SECONDS = 30
# Time stamps of Matroska are rounded to 1 ms and devices drift: only a larger step is a gap.
_STEP_US = 60_000
_LONGEST_FILL_US = WINDOW_SECONDS * MICROSECONDS
_RATES_HZ = range(1, 768_001)
_RESAMPLED_AT_ONCE = 1 << 16


@dataclasses.dataclass(frozen=True, slots=True)
class Lane:
    """A track as one channel: `weights` of left and right, None for the mean of all channels."""

    stream: int
    weights: tuple[float, float] | None = None


def sound_windows(
    path: Path, *, found: Probe | None = None, damage: Damage | None = None
) -> Iterator[SoundWindow]:
    """Yield a recording's sound in windows of 30 s, lane after lane; nothing when it has none.

    A window that starts before the last one ended begins another lane. Memory does not grow with
    the length. A pause in the packets of up to 30 s becomes silence, a longer one ends the window
    early; sound that overlaps what came before is dropped, as are windows of digital silence.
    Packets that cannot be decoded are left out and noted in `damage`. Raises DamagedFile.
    """
    from mmem.ingestors.lanes import lanes_of

    found = found or probe(path)
    for lane in lanes_of(path, found):
        for window in lane_windows(path, lane, origin_us=found.origin_us, damage=damage):
            if window.samples.any():
                yield window


def lane_windows(
    path: Path, lane: Lane, *, origin_us: int, damage: Damage | None = None
) -> Iterator[SoundWindow]:
    """Yield one lane in windows of 30 s, in time order. Raises DamagedFile."""
    gathered = _Windows()
    for start_us, sound in stretches(
        path, lane.stream, origin_us=origin_us, stereo=bool(lane.weights), damage=damage
    ):
        samples = sound @ np.array(lane.weights, np.float32) if lane.weights else sound[:, 0]
        early = max(0, _samples(-start_us))  # priming of the encoder, before the clock begins
        yield from gathered.add(start_us + early * MICROSECONDS // RATE_HZ, samples[early:])
    yield from gathered.rest()


def stretches(
    path: Path, index: int, *, origin_us: int, stereo: bool, damage: Damage | None = None
) -> Iterator[tuple[int, FloatArray]]:
    """Yield sound f32[n, channels] at 16 kHz with the media offset of its first sample.

    There are two channels with `stereo`, else one; stretches may part. Raises DamagedFile.
    """
    with opened(path) as container:
        stream = next(one for one in container.streams.audio if one.index == index)
        stream.codec_context.thread_type = "AUTO"
        frames = _frames(container, stream, damage or Damage())
        yield from _pieces(
            frames, stream.time_base, origin_us, layout="stereo" if stereo else "mono"
        )


def _frames(container: InputContainer, stream: AudioStream, damage: Damage) -> Iterator[AudioFrame]:
    import av

    for packet in readable(container, [stream], damage):
        try:
            yield from stream.decode(packet)
        except av.error.FFmpegError as error:
            damage.note(error)
    try:
        yield from stream.codec_context.decode(None)
    except av.error.FFmpegError as error:
        damage.note(error)


def _pieces(
    frames: Iterator[AudioFrame], time_base: Fraction | None, origin_us: int, *, layout: str
) -> Iterator[tuple[int, FloatArray]]:
    track: _Track | None = None
    for frame in frames:
        if frame.sample_rate not in _RATES_HZ or not frame.samples:
            continue
        at = to_us(frame.pts, time_base)
        at = None if at is None else at - origin_us
        if track is not None and not track.continued_by(frame, at):
            yield from track.end()
            at = track.next_us if at is None else at
            track = None
        if track is None:
            track = _Track(frame, at or 0, layout)
        yield from track.add(frame)
    if track is not None:
        yield from track.end()


class _Track:
    """A stretch of sound without a step in its time stamps or its layout."""

    def __init__(self, frame: AudioFrame, start_us: int, layout: str) -> None:
        import av

        self._shape = _shape(frame)
        self._channels = 2 if layout == "stereo" else 1
        self._start_us = start_us
        self._taken = 0
        self._given = 0
        self._gathered = av.AudioFifo()
        self._resampler = _resampler(layout)

    @property
    def next_us(self) -> int:
        """Where the next frame is expected."""
        return self._start_us + self._taken * MICROSECONDS // self._shape[0]

    def continued_by(self, frame: AudioFrame, at_us: int | None) -> bool:
        """Tell whether a frame follows without a step."""
        if at_us is not None and abs(at_us - self.next_us) > _STEP_US:
            return False
        return _shape(frame) == self._shape

    def add(self, frame: AudioFrame) -> Iterator[tuple[int, FloatArray]]:
        """Take a frame; yield what comes out of the resampler."""
        self._taken += frame.samples
        frame.pts = None
        self._gathered.write(frame)
        if self._gathered.samples >= _RESAMPLED_AT_ONCE:
            yield from self._resampled(self._gathered.read())

    def end(self) -> Iterator[tuple[int, FloatArray]]:
        """Yield what the resampler still holds."""
        if self._gathered.samples:
            yield from self._resampled(self._gathered.read())
        yield from self._resampled(None)

    def _resampled(self, frame: AudioFrame | None) -> Iterator[tuple[int, FloatArray]]:
        for out in self._resampler.resample(frame):
            samples = out.to_ndarray().reshape(-1, self._channels).astype(np.float32)
            start = self._start_us + self._given * MICROSECONDS // RATE_HZ
            self._given += len(samples)
            yield start, samples / np.float32(32768)


class _Windows:
    """Cuts stretches into windows that start at the second where the last one ended."""

    def __init__(self) -> None:
        self._size = WINDOW_SECONDS * RATE_HZ
        self._parts: list[FloatArray] = []
        self._held = 0
        self._start_us = 0

    def add(self, start_us: int, samples: FloatArray) -> Iterator[SoundWindow]:
        """Take a stretch; yield the windows that it fills."""
        step_us = start_us - self._next_us if self._started else 0
        if step_us > _LONGEST_FILL_US:
            yield from self.rest()
        elif step_us > 1_000:
            self._append(np.zeros(_samples(step_us), np.float32))
        elif step_us < -1_000:
            samples = samples[_samples(-step_us) :]
        if not self._held:
            self._start_us = start_us if step_us >= 0 else start_us - step_us
        self._append(samples)
        while self._held >= self._size:
            yield self._window(self._size)

    def rest(self) -> Iterator[SoundWindow]:
        """Yield the last, shorter window."""
        if self._held:
            yield self._window(self._held)

    @property
    def _next_us(self) -> int:
        return self._start_us + self._held * MICROSECONDS // RATE_HZ

    _started = False

    def _append(self, samples: FloatArray) -> None:
        self._started = True
        if len(samples):
            self._parts.append(samples)
            self._held += len(samples)

    def _window(self, size: int) -> SoundWindow:
        whole = np.concatenate(self._parts)
        window = SoundWindow(start_us=self._start_us, samples=whole[:size].copy())
        self._parts = [whole[size:]] if len(whole) > size else []
        self._held = len(whole) - size
        self._start_us += size * MICROSECONDS // RATE_HZ
        return window


def _samples(us: int) -> int:
    return us * RATE_HZ // MICROSECONDS


def _shape(frame: AudioFrame) -> tuple[int, str, str]:
    return frame.sample_rate, frame.layout.name, frame.format.name


def _resampler(layout: str) -> AudioResampler:
    import av

    # 16-bit output makes the mix of channels an average; in floating point it would grow.
    return av.AudioResampler(format="s16", layout=layout, rate=RATE_HZ)
