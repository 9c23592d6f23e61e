"""Keyframes as small pictures inside a page."""

from __future__ import annotations

import base64
import io
from pathlib import Path

_QUALITY = 72


def data_uri(path: str | Path, side_px: int = 320) -> str | None:
    """Return a JPEG file as a data URI, at most `side_px` a side; None when it can't be read.

    Without Pillow the picture keeps its size.
    """
    try:
        whole = Path(path).read_bytes()
    except OSError:
        return None
    encoded = base64.b64encode(_small(whole, side_px)).decode("ascii")
    return f"data:image/jpeg;base64,{encoded}"


def _small(jpeg: bytes, side_px: int) -> bytes:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        return jpeg
    try:
        with Image.open(io.BytesIO(jpeg)) as picture:
            small = picture.convert("RGB")
    except (UnidentifiedImageError, OSError):
        return jpeg
    small.thumbnail((side_px, side_px))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=_QUALITY, optimize=True)
    return buffer.getvalue()
