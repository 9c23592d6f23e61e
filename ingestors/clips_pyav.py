"""Frames by PyAV: seek to a key frame at or before the time, decode forward from there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmem.errors import DamagedFile
from mmem.ingestors.clips import SIDE_PX, Frames, reduced
from mmem.ingestors.container import opened, readable, to_us
from mmem.ingestors.picture import turn_of
from mmem.ingestors.probe import Probe
from mmem.ports import ByteArray
from mmem.schemas.clock import MICROSECONDS

if TYPE_CHECKING:
    from av import Packet, VideoFrame
    from av.container import InputContainer
    from av.video.stream import VideoStream
    from PIL.Image import Transpose

_THREADS = 2
# Decoding on for so long costs no more than a seek.
_NEAR_US = MICROSECONDS
_BACK_US = (0, 2 * MICROSECONDS, 10 * MICROSECONDS)
# Without an index nobody knows whether a key frame lies between.
_BLIND_US = 10 * MICROSECONDS


@contextlib.contextmanager
def pyav_clips(path: Path, found: Probe) -> Iterator[PyAvClips]:
    """Open a recording's pictures. Raises DamagedFile when it has none."""
    if found.video is None:
        raise DamagedFile(f"{path.name}: it has no pictures", hint="give a recording with a video")
    with contextlib.closing(PyAvClips(path, found.video.index, origin_us=found.origin_us)) as one:
        yield one


class PyAvClips:
    """One pass that jumps: the frame at hand, the one after it, and what can still be decoded."""

    def __init__(self, path: Path, index: int, *, origin_us: int) -> None:
        self._path, self._index, self._origin_us = path, index, origin_us
        self._file = contextlib.ExitStack()
        self._container, self._stream = self._opened()
        self._coming: Iterator[tuple[int, VideoFrame]] = iter(())
        self._here: tuple[int, VideoFrame] | None = None
        self._next: tuple[int, VideoFrame] | None = None
        self._turn: tuple[Transpose | None] | None = None

    def close(self) -> None:
        """Close the file."""
        self._coming, self._here, self._next = iter(()), None, None
        self._file.close()

    def _opened(self) -> tuple[InputContainer, VideoStream]:
        container = self._file.enter_context(opened(self._path))
        stream = next(one for one in container.streams.video if one.index == self._index)
        stream.codec_context.thread_count = _THREADS
        stream.codec_context.thread_type = "AUTO"
        return container, stream

    def frames_at(self, times_us: Sequence[int], *, side_px: int = SIDE_PX) -> Frames:
        """Return the frame shown at each time, as ClipReader says."""
        shown: dict[int, tuple[int, ByteArray]] = {}
        for time_us in sorted(set(times_us)):
            at_us, frame = self._at(time_us)
            known = next((one for one in shown.values() if one[0] == at_us), None)
            shown[time_us] = known or (at_us, self._upright(frame, side_px))
        rows = [shown[time_us] for time_us in times_us]
        pixels = np.stack([row for _, row in rows])
        return Frames(tuple(at_us for at_us, _ in rows), pixels, "pyav")

    def _at(self, time_us: int) -> tuple[int, VideoFrame]:
        if not self._is_ahead(time_us):
            self._seek(time_us)
        while self._next is not None and self._next[0] <= time_us:
            self._step()
        if self._here is None:
            raise DamagedFile(
                f"{self._path.name}: no frame of it can be decoded", hint="ask for the file again"
            )
        return self._here

    def _is_ahead(self, time_us: int) -> bool:
        """Tell whether to decode on to a time, rather than to seek."""
        if self._here is None or time_us < self._here[0]:
            return False
        if time_us - self._here[0] <= _NEAR_US:
            return True
        key_us = self._key_before(time_us)
        if key_us is None:
            return time_us - self._here[0] <= _BLIND_US
        return key_us <= self._here[0]

    def _key_before(self, time_us: int) -> int | None:
        """Return the last time at or before another at which the index knows a key frame."""
        entries = self._stream.index_entries
        number = entries.search_timestamp(self._ticks(time_us), backward=True)
        if number < 0 or len(entries) < 2:
            return None
        key_us = to_us(entries[number].timestamp, self._stream.time_base)
        return None if key_us is None else key_us - self._origin_us

    def _seek(self, time_us: int) -> None:
        """Go to a frame at or before a time, or to the first.

        A key frame that is stored before a time may be shown after it, and some containers only
        guess where a time is: then one that lies further back is tried, at last the beginning.
        """
        import av

        for back_us in _BACK_US:
            if back_us >= time_us:
                break
            with contextlib.suppress(av.error.FFmpegError):
                self._container.seek(self._ticks(time_us - back_us), stream=self._stream)
                self._begin()
                if self._here is not None and self._here[0] <= time_us:
                    return
        self.close()
        self._container, self._stream = self._opened()
        self._begin()

    def _begin(self) -> None:
        self._coming, self._here = self._decoded(), None
        self._step()

    def _step(self) -> None:
        if self._here is None:
            self._here = next(self._coming, None)
        else:
            self._here = self._next
        self._next = next(self._coming, None)

    def _decoded(self) -> Iterator[tuple[int, VideoFrame]]:
        """Yield the frames from here on; what cannot be decoded is passed over."""
        for packet in readable(self._container, [self._stream]):
            yield from self._out(packet)
        yield from self._out(None)

    def _out(self, packet: Packet[VideoStream] | None) -> Iterator[tuple[int, VideoFrame]]:
        import av

        try:
            frames = self._stream.codec_context.decode(packet)
        except av.error.FFmpegError:
            return
        for frame in frames:
            ticks = frame.pts if frame.pts is not None else frame.dts
            at_us = to_us(ticks, self._stream.time_base)
            if at_us is not None and not frame.is_corrupt:
                yield at_us - self._origin_us, frame

    def _ticks(self, time_us: int) -> int:
        base = self._stream.time_base
        assert base is not None
        return int((time_us + self._origin_us) / MICROSECONDS / base)

    def _upright(self, frame: VideoFrame, side_px: int) -> ByteArray:
        from PIL import Image

        if self._turn is None:
            self._turn = (turn_of(frame),)
        (turn,) = self._turn
        image = Image.fromarray(frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False))
        upright = image if turn is None else image.transpose(turn)
        aspect = self._stream.sample_aspect_ratio or None
        return reduced(upright, aspect=aspect, quarter=is_quarter(turn), side_px=side_px)


def is_quarter(turn: Transpose | None) -> bool:
    """Tell whether a turn swaps width and height."""
    from PIL.Image import Transpose

    straight = (
        None,
        Transpose.ROTATE_180,
        Transpose.FLIP_LEFT_RIGHT,
        Transpose.FLIP_TOP_BOTTOM,
    )
    return turn not in straight
