"""The sound of a recording: one channel at 16 kHz in windows on the recording's media clock."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmem.ingestors.probe import Probe, opened, probe, readable, to_us
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


def sound_windows(path: Path, *, found: Probe | None = None) -> Iterator[SoundWindow]:
    """Yield a recording's sound in windows of 30 s, or nothing when it has no sound track.

    Memory does not grow with the length. A pause in the packets of up to 30 s becomes silence, a
    longer one ends the window early; sound that overlaps what came before is dropped. Packets that
    cannot be decoded are left out. Raises DamagedFile.
    """
    found = found or probe(path)
    if found.sound is None:
        return
    with opened(path) as container:
        stream = _stream(container, found.sound.index)
        gathered = _Windows()
        frames = _frames(container, stream)
        for start_us, samples in _pieces(frames, stream.time_base, found.origin_us):
            early = max(0, _samples(-start_us))  # priming of the encoder, before the clock begins
            yield from gathered.add(start_us + early * MICROSECONDS // RATE_HZ, samples[early:])
        yield from gathered.rest()


def _stream(container: InputContainer, index: int) -> AudioStream:
    stream = next(one for one in container.streams.audio if one.index == index)
    stream.codec_context.thread_type = "AUTO"
    return stream


def _frames(container: InputContainer, stream: AudioStream) -> Iterator[AudioFrame]:
    import av

    for packet in readable(container, [stream]):
        try:
            yield from stream.decode(packet)
        except av.error.FFmpegError:
            continue
    try:
        yield from stream.codec_context.decode(None)
    except av.error.FFmpegError:
        return


def _pieces(
    frames: Iterator[AudioFrame], time_base: Fraction | None, origin_us: int
) -> Iterator[tuple[int, FloatArray]]:
    """Yield resampled sound with the media offset of its first sample; stretches may part."""
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
            track = _Track(frame, at or 0)
        yield from track.add(frame)
    if track is not None:
        yield from track.end()


class _Track:
    """A stretch of sound without a step in its time stamps or its layout."""

    def __init__(self, frame: AudioFrame, start_us: int) -> None:
        self._shape = _shape(frame)
        self._start_us = start_us
        self._taken = 0
        self._given = 0
        self._resampler = _resampler()

    @property
    def next_us(self) -> int:
        """Where the next frame is expected."""
        return self._start_us + round(Fraction(self._taken * MICROSECONDS, self._shape[0]))

    def continued_by(self, frame: AudioFrame, at_us: int | None) -> bool:
        """Tell whether a frame follows without a step."""
        if _shape(frame) != self._shape:
            return False
        return at_us is None or abs(at_us - self.next_us) <= _STEP_US

    def add(self, frame: AudioFrame) -> Iterator[tuple[int, FloatArray]]:
        """Take a frame; yield what comes out of the resampler."""
        self._taken += frame.samples
        frame.pts = None
        yield from self._resampled(frame)

    def end(self) -> Iterator[tuple[int, FloatArray]]:
        """Yield what the resampler still holds."""
        yield from self._resampled(None)

    def _resampled(self, frame: AudioFrame | None) -> Iterator[tuple[int, FloatArray]]:
        for out in self._resampler.resample(frame):
            samples = out.to_ndarray().reshape(-1).astype(np.float32) / np.float32(32768)
            start = self._start_us + self._given * MICROSECONDS // RATE_HZ
            self._given += len(samples)
            yield start, samples


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


def _resampler() -> AudioResampler:
    import av

    # 16-bit output makes the mix of channels an average; in floating point it would grow.
    return av.AudioResampler(format="s16", layout="mono", rate=RATE_HZ)
