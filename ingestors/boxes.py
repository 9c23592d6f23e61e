"""What the outermost boxes of a media file claim, read from a few bytes.

Enough to say why a file cannot be opened and whether it was cut off: ISO/IEC 14496-12 boxes
(MP4, MOV), RIFF chunks (AVI, WAV) and EBML elements (RFC 8794: Matroska, WebM).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_SEGMENT = b"\x18\x53\x80\x67"
_EBML = b"\x1a\x45\xdf\xa3"
_MOST_BOXES = 10_000
_SOUND_BRANDS = (b"M4A ", b"M4B ", b"F4A ", b"M4P ")


@dataclasses.dataclass(frozen=True, slots=True)
class Claims:
    """`family` is "iso", "riff", "ebml" or ""; `end` is where the file says that it ends.

    `indexed` is False for an ISO file without its index (moov, or moof fragments); `what` is
    "video" or "sound recording", as its brand says.
    """

    family: str = ""
    end: int = 0
    indexed: bool = True
    what: str = "video"

    def cut_off(self, size: int) -> bool:
        """Tell whether a file of `size` bytes is shorter than it says."""
        return self.end > size


def claims_of(path: Path) -> Claims:
    """Return what a file claims; an unknown kind claims nothing. Raises OSError."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] in (b"RIFF", b"RIFX"):
            return _riff(head)
        if head[:4] == _EBML:
            file.seek(0)
            return Claims(family="ebml", end=_segment_end(file.read(4096)))
        if is_iso(head):
            what = "sound recording" if is_sound(head) else "video"
            return dataclasses.replace(_iso(file, size), what=what)
    return Claims()


def is_iso(head: bytes) -> bool:
    """Tell whether a file begins like MP4 or MOV.

    >>> is_iso(b"\\0\\0\\0\\x18ftypmp42")
    True
    """
    return head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"pnot", b"styp", b"moof")


def is_sound(head: bytes) -> bool:
    """Tell whether an MP4 file says that it holds sound alone.

    >>> is_sound(b"\\0\\0\\0\\x18ftypM4A "), is_sound(b"\\0\\0\\0\\x18ftypmp42")
    (True, False)
    """
    return head[4:8] == b"ftyp" and head[8:12] in _SOUND_BRANDS


def _riff(head: bytes) -> Claims:
    order = "little" if head[:4] == b"RIFF" else "big"
    length = int.from_bytes(head[4:8], order)  # type: ignore[arg-type]
    # 0 and -1 are written by recorders that never came to fill the length in.
    return Claims(family="riff", end=0 if length in (0, 0xFFFFFFFF) else length + 8)


def _iso(file: BinaryIO, size: int) -> Claims:
    end, indexed = 0, False
    for kind, stop in _iso_boxes(file, size):
        indexed = indexed or kind in (b"moov", b"moof")
        end = stop
    return Claims(family="iso", end=end, indexed=indexed)


def _iso_boxes(file: BinaryIO, size: int) -> Iterator[tuple[bytes, int]]:
    place = 0
    for _ in range(_MOST_BOXES):
        file.seek(place)
        head = file.read(16)
        if len(head) < 8:
            return
        length = int.from_bytes(head[:4], "big")
        if length == 1 and len(head) == 16:
            length = int.from_bytes(head[8:16], "big")
        elif length == 0:
            length = size - place
        if length < 8:
            return
        place += length
        yield head[4:8], place
        if place >= size:
            return


def _segment_end(data: bytes) -> int:
    place = data.find(_SEGMENT)
    if place < 0 or place + 4 >= len(data):
        return 0
    place += 4
    width = 9 - data[place].bit_length()
    field = data[place : place + width]
    value = int.from_bytes(field, "big") & ((1 << (7 * width)) - 1)
    unknown = value == (1 << (7 * width)) - 1
    return 0 if unknown or width > 8 else place + width + value
