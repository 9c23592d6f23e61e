"""The name or title that a sentence gives to a thing: in quotation marks, or in capitals."""

from __future__ import annotations

import re

from mmem.answer.question import CALENDAR, Asked
from mmem.words import FUNCTION_WORDS, fold, terms

_QUOTED = re.compile('["“«](?P<title>[^"”»]{2,60})["”»]')
_CAPITALS = re.compile(
    r"(?<![\w’'-])[A-ZÀ-Þ][\w’'-]*(?:\s+(?:(?:of|the|and|for|de|in)\s+){0,2}[A-ZÀ-Þ0-9][\w’'-]*)*"
)


def title_in(text: str, asked: Asked, speakers: tuple[str, ...]) -> str | None:
    """Return the first name in a sentence that is new to the question, None when there is none."""
    quoted = [match["title"].strip() for match in _QUOTED.finditer(text)]
    named = [name for m in _CAPITALS.finditer(text) if (name := _inside(m, text))]
    found = [name for name in (*quoted, *named) if not _known(name, asked, speakers)]
    return found[0] if found else None


def _inside(match: re.Match[str], text: str) -> str:
    """A capital that opens the sentence says nothing, so the first word there is left out."""
    if re.search(r"\w", text[: match.start()]):
        return match.group()
    return match.group().partition(" ")[2]


def _known(name: str, asked: Asked, speakers: tuple[str, ...]) -> bool:
    words = set(terms(name)) - {term for word in CALENDAR for term in terms(word)}
    people = {term for speaker in speakers for term in terms(speaker)}
    plain = fold(name) in FUNCTION_WORDS or fold(name) in ("i'm", "i'll", "i've", "i'd")
    return (
        plain
        or not words
        or not re.search(r"[^\W\d_]{3}", name)
        or words <= set(terms(asked.text)) | people
    )
