"""What the bodies of the text encoder share: chunks by tokens, remembered questions, lengths of 1.

A chunk is made of whole sentences; how many tokens a sentence has is each encoder's own matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from mmem.ports import FloatArray, QueryVectors
from mmem.words import sentence_spans

REMEMBERED = 16
_HALF = re.compile(r"[\ud800-\udfff]")
SHORTEST = 1e-12
"""No vector is divided by less than this."""
Offsets = Callable[[str], Sequence[tuple[int, int]]]
"""Returns the character spans of a text's tokens, in order, marks like [CLS] left out."""


def chunk_spans(text: str, offsets: Offsets, *, max_tokens: int) -> list[tuple[int, int]]:
    """Return character spans that cover a text's sentences, each of at most `max_tokens`.

    A single sentence that is longer is cut between tokens.
    """
    spans: list[tuple[int, int]] = []
    used = 0
    for start, end in sentence_spans(text):
        for a, b, size in _cuts(text, start, end, offsets, max_tokens):
            if spans and used + size <= max_tokens:
                spans[-1] = (spans[-1][0], b)
                used += size
            else:
                spans.append((a, b))
                used = size
    return spans


def _cuts(
    text: str, start: int, end: int, offsets: Offsets, limit: int
) -> list[tuple[int, int, int]]:
    found = offsets(text[start:end])
    cuts = []
    for first in range(0, len(found), limit):
        last = min(first + limit, len(found))
        a = start if first == 0 else start + found[first][0]
        b = end if last == len(found) else start + found[last][0]
        cuts.append((a, b, last - first))
    return cuts


class RememberedQuestions:
    """The vectors of the last few questions: recall and answer ask for the same one."""

    def __init__(self) -> None:
        self._known: dict[str, QueryVectors] = {}

    def get(self, text: str, make: Callable[[str], QueryVectors]) -> QueryVectors:
        """Return a question's vectors, made if they are not remembered."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = make(text)
            while len(self._known) > REMEMBERED:
                del self._known[next(iter(self._known))]
        return known


def without_halves(text: str) -> str:
    """Return a text with a mark for each half character, which no tokenizer takes.

    >>> without_halves("a" + chr(0xD83D) + "b") == "a" + chr(0xFFFD) + "b"
    True
    """
    return _HALF.sub("\ufffd", text)


def of_length_1(vectors: FloatArray) -> FloatArray:
    """Return vectors f32[..., d] divided by their lengths."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    divided: FloatArray = (vectors / np.maximum(lengths, SHORTEST)).astype(np.float32)
    return divided
