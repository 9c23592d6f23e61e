"""Picture files: JPEG, PNG and WebP, upright, bounded, as pixels and as a small JPEG to keep."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmem.errors import DamagedFile, UnsupportedFormat
from mmem.ingestors.picture import MAX_SIDE_PX, jpeg
from mmem.ports import ByteArray

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("JPEG", "PNG", "WEBP")
MOST_BYTES = 64 * 1024 * 1024
MOST_PIXELS = 80_000_000
"""More than phones make at their usual settings; 240 MB once decoded."""
LEAST_SIDE_PX = 8


@dataclasses.dataclass(frozen=True, slots=True)
class Still:
    """A picture, upright, at most 960 px a side: u8[h, w, 3] and the JPEG that is kept of it.

    `pixels` are those of the JPEG, so that a vector made of either is the same.
    """

    pixels: ByteArray
    jpeg: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the JPEG, in hex."""
        return hashlib.sha256(self.jpeg).hexdigest()


def read_still(path: Path) -> Still:
    """Return a picture file as it is to be seen: turned as its EXIF says, on white where clear.

    Raises UnsupportedFormat for a file that is no JPEG, PNG or WebP, DamagedFile for one that
    can't be decoded whole or is out of bounds, both in one line with the file's name.
    """
    from PIL import Image, UnidentifiedImageError

    _check_size(path)
    with warnings.catch_warnings():
        # Pillow warns of large pictures, and of odd EXIF that is passed over; bounds are ours.
        warnings.simplefilter("ignore")
        try:
            with Image.open(path, formats=FORMATS) as image:
                _check_sides(path, image)
                kept = jpeg(_small(image))
        except UnidentifiedImageError as error:
            raise UnsupportedFormat(
                f"{path.name} is no picture that can be read", hint="JPEG, PNG or WebP"
            ) from error
        except Image.DecompressionBombError as error:
            raise _too_large(path) from error
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise DamagedFile(
                f"{path.name}: the picture is damaged ({' '.join(str(error).split())[:120]})",
                hint="copy or export it again",
            ) from error
    return Still(pixels=_pixels(kept), jpeg=kept)


def _check_size(path: Path) -> None:
    if not path.is_file():
        raise DamagedFile(f"{path}: there is no such file", hint="check the path")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise DamagedFile(
            f"{path.name} has {size >> 20} MB, more than the {MOST_BYTES >> 20} that are read",
            hint="make it smaller",
        )


def _check_sides(path: Path, image: Image) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise _too_large(path)
    if min(width, height) < LEAST_SIDE_PX:
        raise DamagedFile(
            f"{path.name} has {width} x {height} pixels, too few to show anything",
            hint=f"at least {LEAST_SIDE_PX} a side",
        )


def _too_large(path: Path) -> DamagedFile:
    return DamagedFile(
        f"{path.name} has more than {MOST_PIXELS // 1_000_000} million pixels",
        hint="make it smaller",
    )


def _small(image: Image) -> Image:
    """Return a picture upright, in RGB, at most 960 px a side; a moving one by its first frame."""
    from PIL import Image as images
    from PIL import ImageOps

    image.draft("RGB", (2 * MAX_SIDE_PX, 2 * MAX_SIDE_PX))
    upright = ImageOps.exif_transpose(image)
    if upright.mode in ("RGBA", "LA", "PA", "P") or "transparency" in upright.info:
        clear = upright.convert("RGBA")
        upright = images.new("RGB", clear.size, "white")
        upright.paste(clear, mask=clear.getchannel("A"))
    plain = upright.convert("RGB")
    plain.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX), images.Resampling.LANCZOS, reducing_gap=3.0)
    return plain


def _pixels(encoded: bytes) -> ByteArray:
    from PIL import Image

    with Image.open(io.BytesIO(encoded)) as image:
        return np.asarray(image.convert("RGB"), np.uint8)
