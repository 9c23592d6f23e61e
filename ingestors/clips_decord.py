"""Frames by decord, where it is installed and its times are those of the packets.

Measured at 720p, 24 clips of eight frames: peak memory settles at 75 MB above the start on one
thread; on two it grew to between 180 and 320 MB, run by run. PyAV on two threads takes 30 MB and
about the same processor time. Opening reads the whole file.
"""

from __future__ import annotations

import bisect
import dataclasses
import importlib.util
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mmem.errors import DamagedFile
from mmem.ingestors.clips import SIDE_PX, Frames, reduced
from mmem.ingestors.clips_pyav import is_quarter
from mmem.ingestors.container import opened, packet_us, readable
from mmem.ingestors.picture import turn_of
from mmem.ingestors.probe import Probe
from mmem.ports import ByteArray

if TYPE_CHECKING:
    from PIL.Image import Transpose

_CODEC, _PIXELS = "h264", ("yuv420p", "yuvj420p")
# With more its memory grows from clip to clip.
_THREADS = 1
# A reader is opened anew after so many clips, so that what it holds is let go.
_SEGMENT = 16
# decord tells seconds in 32-bit floats.
_SLACK_US, _SLACK_SHARE = 2.0, 2.0**-22


@dataclasses.dataclass(frozen=True, slots=True)
class _Shape:
    """What the packets say of a stream: times of its shown frames, ascending, and its geometry."""

    times_us: tuple[int, ...]
    aspect: Fraction | None
    turn: Transpose | None
    size: tuple[int, int]


def decord_clips(path: Path, found: Probe) -> DecordClips | None:
    """Return a reader by decord, None where it is not installed or cannot be trusted."""
    if importlib.util.find_spec("decord") is None or not _is_fit(found):
        return None
    shape = _shape(path, found)
    if shape is None:
        return None
    reader = DecordClips(path, shape)
    return reader if reader.agrees(found.origin_us) else None


class DecordClips:
    """Frames by their number; opened by segment and dropped."""

    def __init__(self, path: Path, shape: _Shape) -> None:
        self._path, self._shape = path, shape
        self._reader: Any = None
        self._taken = 0

    def agrees(self, origin_us: int) -> bool:
        """Tell whether decord's times and size are those of the packets."""
        try:
            reader = self._opened()
            stamps = reader.get_frame_timestamp(list(range(len(reader))))[:, 0]
            height, width = reader[0].shape[:2]
        except (_errors(), ValueError, IndexError):
            return False
        theirs = stamps.astype(np.float64) * 1e6 - origin_us
        ours = np.array(self._shape.times_us, np.float64)
        if theirs.shape != ours.shape or not _near(theirs, ours, origin_us):
            return False
        stored = self._shape.size
        return (width, height) == (stored[::-1] if is_quarter(self._shape.turn) else stored)

    def frames_at(self, times_us: Sequence[int], *, side_px: int = SIDE_PX) -> Frames:
        """Return the frame shown at each time, as ClipReader says; DamagedFile if decord fails."""
        numbers = [max(0, bisect.bisect_right(self._shape.times_us, t) - 1) for t in times_us]
        try:
            reader = self._opened()
            seen = {number: self._small(reader[number], side_px) for number in sorted({*numbers})}
        except _errors() as error:
            self._reader = None
            raise DamagedFile(f"{self._path.name}: decord cannot read it") from error
        times = tuple(self._shape.times_us[number] for number in numbers)
        return Frames(times, np.stack([seen[number] for number in numbers]), "decord")

    def _opened(self) -> Any:
        import decord

        if self._reader is None or self._taken >= _SEGMENT:
            decord.logging.set_level(decord.logging.QUIET)
            self._reader, self._taken = None, 0
            self._reader = decord.VideoReader(
                str(self._path), ctx=decord.cpu(0), num_threads=_THREADS
            )
        self._taken += 1
        return self._reader

    def _small(self, frame: Any, side_px: int) -> ByteArray:
        from PIL import Image

        image, shape = Image.fromarray(frame.asnumpy()), self._shape
        turned = is_quarter(shape.turn)
        return reduced(image, aspect=shape.aspect, quarter=turned, side_px=side_px)


def _errors() -> type[Exception]:
    from decord import DECORDError

    error: type[Exception] = DECORDError
    return error


def _near(theirs: np.ndarray, ours: np.ndarray, origin_us: int) -> bool:
    slack = _SLACK_US + np.abs(ours + origin_us) * _SLACK_SHARE
    return bool(ours.size and (np.abs(theirs - ours) <= slack).all())


def _is_fit(found: Probe) -> bool:
    """Tell whether decord would take the same stream, and is known to read its kind rightly."""
    pictures = [track for track in found.tracks if track.kind == "video"]
    return len(pictures) == 1 and pictures == [found.video] and pictures[0].codec == _CODEC


def _shape(path: Path, found: Probe) -> _Shape | None:
    """Return what the packets of a stream say; None where frames are flipped or of another kind."""
    from PIL.Image import Transpose

    assert found.video is not None
    with opened(path) as container:
        stream = next(one for one in container.streams.video if one.index == found.video.index)
        if stream.codec_context.pix_fmt not in _PIXELS:
            return None
        times = [packet_us(p) for p in readable(container, [stream]) if not p.is_discard]
        container.seek(0)
        frame = next(container.decode(stream), None)
        turn = None if frame is None else turn_of(frame)
        size, aspect = (stream.width, stream.height), stream.sample_aspect_ratio or None
    turns = (None, Transpose.ROTATE_90, Transpose.ROTATE_180, Transpose.ROTATE_270)
    if frame is None or turn not in turns:
        return None
    shown = sorted(at_us - found.origin_us for at_us in times if at_us is not None)
    return _Shape(tuple(shown), aspect, turn, size)
