"""Ids: each follows from what the thing is made of, so a thing met twice has one id."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

_LENGTH = 20
_BLOCK = 1 << 20


def digest_of(*parts: object) -> str:
    """Return a short hex digest of an ordered list of parts (160 bits cut to 80).

    >>> digest_of("a", "bc") == digest_of("ab", "c")
    False
    """
    whole = hashlib.sha256()
    for part in parts:
        encoded = str(part).encode("utf-8", "surrogatepass")
        whole.update(b"%d:" % len(encoded))
        whole.update(encoded)
    return whole.hexdigest()[:_LENGTH]


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hex. Raises OSError."""
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            whole.update(block)
    return whole.hexdigest()


def source_id(kind: str, key: str) -> str:
    """Return the id of a source: recordings and transcripts by digest, conversations by key."""
    return f"s-{digest_of(kind, key)}"


def normalised_title(title: str) -> str:
    """Return a title as the key of a conversation: case, accents' form, copies and spaces folded.

    >>> normalised_title("WhatsApp Chat with  Lou (1)")
    'lou'
    """
    text = unicodedata.normalize("NFKC", title).casefold()
    text = re.sub(r"^whatsapp[ _-]*chat[ _-]*(?:with|mit|avec|con|com|-)?[ _-]*", "", text) or text
    text = re.sub(r"\s*\(\d{1,2}\)\s*$", "", text)
    return " ".join(text.split())


def turn_stamp(written: str, text: str) -> str:
    """Return what identifies a message within any conversation: its time as written and its text.

    The speaker is left out: contacts get renamed.
    """
    return digest_of(written, text)


def turn_ids(source: str, stamps: Iterable[str]) -> list[str]:
    """Return turn ids from stamps, in order, counting equals from 0."""
    seen: dict[str, int] = {}
    ids = []
    for stamp in stamps:
        ordinal = seen.get(stamp, 0)
        seen[stamp] = ordinal + 1
        ids.append(f"m-{digest_of(source, stamp, ordinal)}")
    return ids


def span_ids(source: str, kind: str, keys: Iterable[tuple[int, int, str]]) -> list[str]:
    """Return ids of timed lines from (start, end, text), in order, counting equals from 0."""
    seen: dict[tuple[int, int, str], int] = {}
    ids = []
    for key in keys:
        ordinal = seen.get(key, 0)
        seen[key] = ordinal + 1
        ids.append(f"{kind[:1]}-{digest_of(source, kind, *key, ordinal)}")
    return ids


def keyframe_id(source: str, stream: int, time_us: int) -> str:
    """Return a keyframe's id: recording, stream, presentation time."""
    return f"k-{digest_of(source, stream, time_us)}"


def screen_text_id(source: str, keyframe: str) -> str:
    """Return the id of the words on a keyframe."""
    return f"x-{digest_of('screen', source, keyframe)}"


def passage_id(source: str, first_atom: str, start_char: int) -> str:
    """Return a passage's id: its source and where it begins."""
    return f"p-{digest_of('passage', source, first_atom, start_char)}"


def anchor_id(source: str, width_us: int, start_us: int) -> str:
    """Return an anchor's id: recording, width, start."""
    return f"a-{digest_of('anchor', source, width_us, start_us)}"


def is_anchor_id(unit: str) -> bool:
    """Tell whether a unit's id is that of an anchor of a recording."""
    return unit.startswith("a-")


def frame_id(unit: str) -> str:
    """Return the id of the event frame of one unit."""
    return f"e-{digest_of('frame', unit)}"


def comparison_id(unit: str) -> str:
    """Return the id of the comparison of one unit's frame with earlier ones."""
    return f"j-{digest_of('comparison', unit)}"


def view_id(scale: str, place: str) -> str:
    """Return the id of a context view: its scale and which stretch it is."""
    return f"w-{digest_of('view', scale, place)}"


def quadruple_id(unit: str, subject: str, relation: str, value: str, said: str) -> str:
    """Return a quadruple's id: its unit and what it says."""
    return f"q-{digest_of('quadruple', unit, subject, relation, value, said)}"
