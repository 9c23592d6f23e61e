"""From bytes to text: encodings, broken characters, invisible marks, JSON."""

from __future__ import annotations

import codecs
import dataclasses
import json
import re
from collections.abc import Sequence
from pathlib import Path

from mmem.errors import DamagedFile

REPLACEMENT = "\ufffd"
# Unicode bidirectional controls (UAX #9, section 2): they order glyphs and carry no text.
_MARKS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_MARK = re.compile(f"[{_MARKS}]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ODD_SPACE = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
# UTF-32 first: its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text with LF line ends, and a remark when it was not plain UTF-8."""

    text: str
    notes: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded:
    """Return bytes as text: a byte order mark is followed, else UTF-8, UTF-16, Windows-1252.

    >>> decode(b"caf\\xe9 au lait").text
    'café au lait'
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    if utf16 := _unmarked_utf16(data):
        return _decoded(data, utf16)
    try:
        return Decoded(clean(data.decode("utf-8")))
    except UnicodeDecodeError:
        pass
    repaired = data.decode("utf-8", "replace")
    broken = repaired.count(REPLACEMENT)
    if broken <= sum(character > "\x7f" for character in repaired) - broken:
        return _decoded(data, "utf-8")
    return Decoded(
        clean(data.decode("cp1252", "replace")), ("the file is not UTF-8: read as Windows-1252",)
    )


def read_text(path: Path) -> Decoded:
    """Return a file's text. Raises OSError."""
    return decode(path.read_bytes())


def head_text(data: bytes) -> str:
    """Return the beginning of a file as text; a character cut at its end is dropped."""
    return decode(data[:-4] + data[-4:].rstrip(bytes(range(0x80, 0x100)))).text


def read_json(path: Path) -> object:
    """Return the value of a JSON file. Raises DamagedFile, OSError."""
    return parse_json(read_text(path).text, path.name)


def parse_json(text: str, name: str) -> object:
    """Return the value of JSON text; `name` is the file's, for the message. Raises DamagedFile."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedFile(
            f"{name}: the JSON cannot be read: {error or 'too deeply nested'}",
            hint="the file may be cut off: export it again",
        ) from error
    return value


def clean(text: str) -> str:
    """Return text with LF line ends that can be stored: NUL and lone surrogates become U+FFFD.

    >>> clean("a\\r\\nb\\x00")
    'a\\nb\\ufffd'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return _UNSTORABLE.sub(REPLACEMENT, text)


def words(text: str) -> tuple[str, ...]:
    """Return the words of a table of words written as one text."""
    return tuple(text.split())


def without_marks(text: str) -> str:
    """Return text without bidirectional control marks."""
    return _MARK.sub("", text)


def tidy(text: str) -> str:
    """Return text as it is stored: clean, without marks, without outer white space.

    >>> tidy(" \\u200emenu.pdf \\n\\u200e")
    'menu.pdf'
    """
    return without_marks(clean(text)).strip().strip("\ufeff").strip()


def plain_spaces(text: str) -> str:
    """Return text of the same length with every kind of space as U+0020."""
    return _ODD_SPACE.sub(" ", text)


def not_read(what: str, places: Sequence[int], why: str) -> tuple[str, ...]:
    """Return a remark on what was not read, none for no places; `what` is one of the things.

    >>> not_read("line", [12, 14], "no message has begun")
    ('2 lines were not read (no message has begun), the first is line 12',)
    """
    return remark(what, places, f"not read ({why})")


def remark(what: str, places: Sequence[int], said: str) -> tuple[str, ...]:
    """Return a remark on things at places, none for no places.

    >>> remark("message", [3], "without a time that can be read")
    ('1 message was without a time that can be read, the first is message 3',)
    """
    if not places:
        return ()
    counted = f"1 {what} was" if len(places) == 1 else f"{len(places)} {what}s were"
    return (f"{counted} {said}, the first is {what} {places[0]}",)


def _decoded(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    broken = text.count(REPLACEMENT)
    notes = (f"{broken} broken characters of {encoding.upper()} were replaced",) if broken else ()
    return Decoded(clean(text.lstrip("\ufeff")), notes)


def _unmarked_utf16(data: bytes) -> str | None:
    """Return the UTF-16 that every second byte being NUL gives away, else None."""
    sample = data[:4096]
    half = len(sample) // 2
    if half < 2:
        return None
    if sample[1::2].count(0) > half * 0.6 and sample[0::2].count(0) < half * 0.1:
        return "utf-16-le"
    if sample[0::2].count(0) > half * 0.6 and sample[1::2].count(0) < half * 0.1:
        return "utf-16-be"
    return None
