"""The frames of a clip: batched random access by media time, upright, small, with their true times.

Two bodies behind one Protocol give the same pixels. decord is used where it is installed, for
H.264 in a container with one picture track, and only if its times equal those of the packets: on
HEVC it hands out frames of other times than it says. Everything else is read by PyAV, which needs
no index. `Frames.body` tells which one it was.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mmem.errors import DamagedFile
from mmem.ports import ByteArray

if TYPE_CHECKING:
    from PIL.Image import Image

    from mmem.ingestors.probe import Probe

SIDE_PX = 512


@dataclasses.dataclass(frozen=True, slots=True)
class Frames:
    """Frames u8[n, h, w, 3], RGB, in the order that was asked for.

    `times_us` are their presentation times on the media clock; `body` names what read them.
    """

    times_us: tuple[int, ...]
    pixels: ByteArray
    body: str


class ClipReader(Protocol):
    """Random access to the frames of one recording."""

    def frames_at(self, times_us: Sequence[int], *, side_px: int = SIDE_PX) -> Frames:
        """Return the frame shown at each time: the last one that begins by then.

        Before the first frame it is the first, past the end the last one that can be decoded. The
        longer side has at most `side_px` pixels. Raises DamagedFile when no frame can be had.
        """
        ...


@contextlib.contextmanager
def clips(path: Path, *, found: Probe | None = None) -> Iterator[ClipReader]:
    """Open a recording for its frames. Raises DamagedFile, MissingExtra."""
    from mmem.ingestors.clips_decord import decord_clips
    from mmem.ingestors.clips_pyav import pyav_clips
    from mmem.ingestors.probe import probe

    found = found or probe(path)
    with pyav_clips(path, found) as plain:
        quick = decord_clips(path, found)
        yield plain if quick is None else _Either(quick, plain)


def frames_at(path: Path, times_us: Sequence[int], *, side_px: int = SIDE_PX) -> Frames:
    """Return the frames of one clip, as ClipReader does. Raises DamagedFile, MissingExtra."""
    with clips(path) as reader:
        return reader.frames_at(times_us, side_px=side_px)


@dataclasses.dataclass(frozen=True, slots=True)
class _Either:
    """decord, and PyAV for a clip that decord stumbles over."""

    quick: ClipReader
    plain: ClipReader

    def frames_at(self, times_us: Sequence[int], *, side_px: int = SIDE_PX) -> Frames:
        try:
            return self.quick.frames_at(times_us, side_px=side_px)
        except DamagedFile:
            return self.plain.frames_at(times_us, side_px=side_px)


def reduced(image: Image, *, aspect: Fraction | None, quarter: bool, side_px: int) -> ByteArray:
    """Return an upright picture u8[h, w, 3] with square pixels, at most `side_px` a side.

    `aspect` is the width of a stored pixel over its height; `quarter` tells that the picture was
    turned by a quarter since it was stored.
    """
    from PIL.Image import Resampling

    stretch = float(aspect) if aspect else 1.0
    width = image.width * (1.0 if quarter else stretch)
    height = image.height * (stretch if quarter else 1.0)
    scale = min(1.0, side_px / max(width, height))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = image if size == image.size else image.resize(size, Resampling.BICUBIC)
    return np.asarray(small, np.uint8)
