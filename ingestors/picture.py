"""A decoded frame as a picture: upright, in its true shape, small, hashed, encoded."""

from __future__ import annotations

import dataclasses
import io
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mmem.errors import MissingExtra

if TYPE_CHECKING:
    from fractions import Fraction

    from av import VideoFrame
    from PIL.Image import Image, Transpose

MAX_SIDE_PX = 960
JPEG_QUALITY = 85
THUMB_PX = (160, 96)

Thumb = npt.NDArray[np.int16]

# Measured on shared/media: a pointer moves 6 of 15,360 pixels, a short word 40 or more.
_PIXEL_STEP = 24
_MOVED_SHARE = 0.0025
_MEAN_STEP = 4.0


class Thumbnailer:
    """Makes thumbs; a thread has one of its own, which keeps its scaler from frame to frame."""

    def __init__(self) -> None:
        from av.video.reformatter import VideoReformatter

        self._scaler = VideoReformatter()

    def thumb_of(self, frame: VideoFrame) -> Thumb:
        """Return a frame as 160 x 96 brightness values (0 to 255), as stored, not turned."""
        width, height = THUMB_PX
        small = self._scaler.reformat(
            frame, width=width, height=height, format="gray", interpolation="AREA"
        )
        return small.to_ndarray().astype(np.int16)


def difference(one: Thumb, other: Thumb) -> float:
    """Return how much two thumbs differ: 0 for equal ones, below 1 for near-duplicates.

    The larger of two measures: the share of pixels that changed clearly (a new line on a slide),
    and the mean change (a cut, a fade), each in units of what is still the same picture.
    """
    step = np.abs(one - other)
    moved = float((step > _PIXEL_STEP).mean()) / _MOVED_SHARE
    return max(moved, float(step.mean()) / _MEAN_STEP)


@dataclasses.dataclass(frozen=True, slots=True)
class Reduced:
    """A frame of at most 960 px a side, as stored: little memory, until it is known to be kept."""

    frame: VideoFrame
    turn: Transpose | None

    @classmethod
    def of(cls, frame: VideoFrame, *, aspect: Fraction | None, turn: Transpose | None) -> Reduced:
        """Reduce a frame; `aspect` is the width of a pixel over its height."""
        width, height = shown_size(frame.width, frame.height, aspect)
        # 10-bit, odd and full-range formats all end here as 8 bits; even sides, as 4:2:0 wants.
        small = frame.reformat(
            width=width + width % 2,
            height=height + height % 2,
            format="yuv420p",
            interpolation="AREA",
        )
        return cls(small, turn)

    def upright(self) -> Image:
        """Return the picture as it is to be seen: turned, flipped, its pixels square."""
        rgb = self.frame.reformat(format="rgb24")
        image = _from_array(rgb.to_ndarray().astype(np.uint8, copy=False))
        return image if self.turn is None else image.transpose(self.turn)


def shown_size(width: int, height: int, aspect: Fraction | None) -> tuple[int, int]:
    """Return the size of a stored picture with square pixels, at most 960 px a side.

    >>> shown_size(1920, 1080, None)
    (960, 540)
    """
    wide = width * float(aspect) if aspect else float(width)
    scale = min(1.0, MAX_SIDE_PX / max(wide, height))
    return max(1, round(wide * scale)), max(1, round(height * scale))


def transposition(matrix: tuple[int, ...] | None) -> Transpose | None:
    """Return what turns a stored picture upright, from its display matrix (ISO/IEC 14496-12).

    The matrix maps (x, y) to (a x + c y, b x + d y), y down; it is rounded to quarter turns and
    flips. None where nothing is to be done.
    """
    from PIL.Image import Transpose

    if matrix is None:
        return None
    a, b, _, c, d = matrix[:5]
    if abs(a) + abs(d) >= abs(b) + abs(c):
        shape = (a >= 0, d >= 0)
        straight = {
            (True, True): None,
            (False, False): Transpose.ROTATE_180,
            (False, True): Transpose.FLIP_LEFT_RIGHT,
            (True, False): Transpose.FLIP_TOP_BOTTOM,
        }
        return straight[shape]
    turned = {
        (True, False): Transpose.ROTATE_270,  # clockwise by a quarter
        (False, True): Transpose.ROTATE_90,
        (True, True): Transpose.TRANSPOSE,
        (False, False): Transpose.TRANSVERSE,
    }
    return turned[(b >= 0, c >= 0)]


def perceptual_hash(image: Image) -> str:
    """Return 64 bits in hex: signs of the low cosine frequencies of a 32 x 32 copy (pHash)."""
    from PIL.Image import Resampling

    small = np.asarray(image.convert("L").resize((32, 32), Resampling.BOX), np.float64)
    basis = np.cos(np.pi * np.outer(np.arange(8), 2 * np.arange(32) + 1) / 64)
    low = np.round(basis @ small @ basis.T, 6).reshape(-1)
    bits = low > np.median(low[1:])
    return f"{int(''.join('1' if bit else '0' for bit in bits), 2):016x}"


def jpeg(image: Image) -> bytes:
    """Return a picture as JPEG, quality 85."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()


def turn_of(frame: VideoFrame) -> Transpose | None:
    """Return what turns a frame upright, as its display matrix says.

    Once asked, a frame and its side data hold each other until the next collection of garbage:
    ask it of one frame of a recording.
    """
    data: Any = frame.side_data.get("DISPLAYMATRIX")
    # Nine native 32-bit integers (libavutil, display.h).
    return transposition(struct.unpack("=9i", bytes(data)[:36]) if data is not None else None)


def _from_array(pixels: npt.NDArray[np.uint8]) -> Image:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra("keyframes need Pillow", hint="run `pip install pillow`") from error
    return Image.fromarray(pixels)
