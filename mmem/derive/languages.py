"""Whether a unit is in the language that a parser knows."""

from __future__ import annotations

import re

from mmem.derive.told import Said, Told
from mmem.models.tongue import detect_language

_SURE = 0.7
_NEAR = {"en": frozenset({"en", "pcm", "sco"})}
"""Languages that a detector takes English slang for."""
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_LINK = re.compile(r"https?://\S+|[\w.+-]+@\w[\w.-]+|[@#:]\w+")


def foreign_language(told: Told, known: str) -> str:
    """Return the language of a unit that is not the one known, "" where it is that or not sure.

    A text too short to tell is judged with the lines before it; a single word is never foreign.
    """
    own = _words(told.lines)
    if not _is_told(own):
        return ""
    language, probability = detect_language(own)
    if probability < _SURE:
        before = [line for unit in told.before for line in unit]
        language, probability = detect_language(f"{_words(before)} {own}")
    near = _NEAR.get(known, frozenset({known}))
    return "" if probability < _SURE or language in near else language


def _words(lines: tuple[Said, ...] | list[Said]) -> str:
    return " ".join(_LINK.sub(" ", line.text) for line in lines).strip()


def _is_told(text: str) -> bool:
    words = _WORD.findall(text)
    return len(words) > 1 or any(len(w) > 3 and not w.isascii() for w in words)
