"""Where somebody speaks: islands of voice in the sound, and pieces packed from them.

Voice is found by Silero VAD (snakers4/silero-vad, the ONNX file that faster-whisper carries) over
blocks of fixed length, so that the islands do not depend on how the sound was cut into windows.
"""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Iterable, Iterator

import numpy as np

from mmem.ports import FloatArray, SoundWindow

RATE_HZ = 16_000
_BLOCK = 240 * RATE_HZ
_TAIL = RATE_HZ
_PAD = int(0.3 * RATE_HZ)
_STEP_US = 1_000
_BRIEF_US = 20_000
# As the batched pipeline of faster-whisper cuts; 29 s leave room for the pads in a 30 s piece.
_LONGEST_VOICE_S = 29
_SHORTEST_SILENCE_MS = 160
MOST_SAMPLES = 30 * RATE_HZ
_LONG_SILENCE_US = 1_000_000
_BREATH = int(0.2 * RATE_HZ)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Island:
    """Voice from `start_us` to `end_us` of the media clock; `samples` begin at `from_us`."""

    start_us: int
    end_us: int
    from_us: int
    samples: FloatArray


def islands(windows: Iterable[SoundWindow]) -> Iterator[Island]:
    """Yield the islands of voice, in time order. Holds at most four minutes of sound."""
    block = _Block(0)
    for window in windows:
        if abs(window.start_us - block.end_us) > _STEP_US:
            yield from block.cut(last=True)
            block = _Block(window.start_us)
        block.parts.append(window.samples)
        while block.held >= _BLOCK:
            yield from block.cut(last=False)
    yield from block.cut(last=True)


class _Block:
    """Sound without a step in time; `base` is the sample number of the first one held."""

    def __init__(self, start_us: int) -> None:
        self._start_us = start_us
        self._base = 0
        self._voice_end = 0
        self.parts: list[FloatArray] = []

    @property
    def held(self) -> int:
        """Samples held."""
        return sum(len(part) for part in self.parts)

    @property
    def end_us(self) -> int:
        """Media offset of the next sample."""
        return self._us(self._base + self.held)

    def cut(self, *, last: bool) -> Iterator[Island]:
        """Yield the islands of the first block; one that may go on waits for the next."""
        whole = np.concatenate(self.parts) if self.parts else np.zeros(0, np.float32)
        sound = whole if last else whole[:_BLOCK]
        voices = _voices(sound)
        keep = len(sound) if last else len(sound) - _TAIL
        if not last and voices and voices[-1][1] > len(sound) - _TAIL:
            keep = max(0, voices.pop()[0] - _PAD)
        for place, (start, end) in enumerate(voices):
            after = voices[place + 1][0] if place + 1 < len(voices) else len(sound)
            yield self._island(sound, start, end, after)
        self.parts = [whole[keep:]] if len(whole) > keep else []
        self._base += keep

    def _island(self, sound: FloatArray, start: int, end: int, after: int) -> Island:
        before = max(0, self._voice_end - self._base)
        first = max(start - _PAD, (start + before) // 2 if before else 0, 0)
        final = min(end + _PAD, (end + after) // 2 if after < len(sound) else len(sound))
        self._voice_end = self._base + end
        return Island(
            start_us=self._us(self._base + start),
            end_us=self._us(self._base + end),
            from_us=self._us(self._base + first),
            samples=sound[first:final].copy(),
        )

    def _us(self, sample: int) -> int:
        return self._start_us + _us(sample)


def _us(samples: int) -> int:
    return samples * 1_000_000 // RATE_HZ


def _voices(sound: FloatArray) -> list[tuple[int, int]]:
    """Return half-open sample ranges of voice, unpadded."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    if not len(sound):
        return []
    options = VadOptions(
        max_speech_duration_s=_LONGEST_VOICE_S,
        min_silence_duration_ms=_SHORTEST_SILENCE_MS,
        speech_pad_ms=0,
    )
    found = get_speech_timestamps(sound, options)
    return [(int(one["start"]), int(one["end"])) for one in found if one["end"] > one["start"]]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Islands laid one after the other, at most 30 s; `offsets` are their first samples."""

    islands: tuple[Island, ...]
    offsets: tuple[int, ...]

    @classmethod
    def of(cls, parts: Iterable[Island]) -> Piece:
        """Lay islands in a row, with a breath of silence where a long one was cut out."""
        laid = tuple(parts)
        offsets, place = [], 0
        for island, before in zip(laid, (None, *laid), strict=False):
            place += _breath(before, island)
            offsets.append(place)
            place += len(island.samples)
        return cls(islands=laid, offsets=tuple(offsets))

    @property
    def size(self) -> int:
        """Samples of the row."""
        return self.offsets[-1] + len(self.islands[-1].samples)

    @property
    def sound(self) -> FloatArray:
        """The row itself, f32[size]."""
        row = np.zeros(self.size, np.float32)
        for island, offset in zip(self.islands, self.offsets, strict=True):
            row[offset : offset + len(island.samples)] = island.samples
        return row

    def media_us(self, start: int, end: int) -> tuple[int, int]:
        """Return where samples [start, end) of the row lie on the media clock.

        What lies between two islands belongs to the one that holds the middle, and is cut to its
        voice: a word does not reach over a silence.
        """
        place = max(0, bisect.bisect_right(self.offsets, (start + end) // 2) - 1)
        island, offset = self.islands[place], self.offsets[place]
        first = max(island.from_us + _us(start - offset), island.start_us)
        final = min(island.from_us + _us(end - offset), island.end_us)
        if final - first < _BRIEF_US:  # aligned beside the voice: it ends, or begins, with it
            final = min(max(final, island.start_us + _us(end - start)), island.end_us)
            first = max(island.start_us, final - _us(end - start))
        return first, max(first, final)


def pieces(found: Iterable[Island]) -> Iterator[Piece]:
    """Pack islands, in order, into pieces of at most 30 s, none over a step back in time."""
    held: list[Island] = []
    size = 0
    for island in found:
        grown = size + _breath(held[-1] if held else None, island) + len(island.samples)
        back = bool(held) and island.start_us < held[-1].end_us
        if held and (back or grown > MOST_SAMPLES):
            yield Piece.of(held)
            held, grown = [], len(island.samples)
        held.append(island)
        size = grown
    if held:
        yield Piece.of(held)


def _is_long(before: Island, after: Island) -> bool:
    return after.start_us - before.end_us > _LONG_SILENCE_US


def _breath(before: Island | None, after: Island) -> int:
    return _BREATH if before is not None and _is_long(before, after) else 0
