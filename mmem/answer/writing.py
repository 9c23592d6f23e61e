"""An answer in plain words: the short answer, then each quote with who said it, when and where."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Sequence

from mmem.schemas import Citation, Sentence
from mmem.schemas.clock import microseconds, offset

NOT_FOUND = "Not in this memory."
UNSETTLED = "Neither yes nor no is said plainly"


def quoted(citation: Citation) -> str:
    """Return "Speaker (when, source): “quote”" on one line."""
    place = ", ".join(part for part in (moment(citation), citation.source_title) if part)
    said = f"{citation.speaker} ({place})" if citation.speaker else place
    return plain(f"{said}: “{citation.quote}”")


def pictured(picture: Citation, caption: str) -> str:
    """Return what is known of a picture on one line."""
    place = ", ".join(part for part in (moment(picture), picture.source_title) if part)
    return plain(f"On the screen ({place}): {caption or 'a picture without a caption'}")


def moment(citation: Citation) -> str:
    """Return when, as a media offset or a wall time to the minute, "" when it isn't known.

    A wall time that mmem assumed says so.
    """
    if citation.start_s is not None:
        return offset(microseconds(max(0.0, citation.start_s)))
    if citation.at is None:
        return ""
    try:
        text = dt.datetime.fromisoformat(citation.at).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        text = citation.at
    return f"{text}, assumed" if citation.at_confidence == "assumed" else text


def plain(text: str) -> str:
    """Return text on one line without characters that could redraw or turn a shell."""
    kept = (
        " " if c.isspace() else c
        for c in text
        if unicodedata.category(c) not in ("Cf", "Cs") or c == "\u200d"
    )
    return " ".join("".join(c for c in kept if c == " " or unicodedata.category(c) != "Cc").split())


def page(shorts: Sequence[str], sentences: Sequence[Sentence]) -> str:
    """Return the text of an answer: short answers on the first line, then one quote a line."""
    lines = [f"{sentence.text} {_marks(sentence.citations)}" for sentence in sentences]
    return "\n".join([*(["; ".join(shorts)] if shorts else []), *lines])


def not_found(near_misses: Sequence[Citation]) -> str:
    """Return the text of an answer that has none, nearest misses below."""
    if not near_misses:
        return NOT_FOUND
    return "\n".join([f"{NOT_FOUND} Nearest:", *(f"- {quoted(miss)}" for miss in near_misses)])


def _marks(numbers: Sequence[int]) -> str:
    return " ".join(f"[{number + 1}]" for number in numbers)
