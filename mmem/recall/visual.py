"""Questions about what is seen, and how well pictures fit their words."""

from __future__ import annotations

import re

import numpy as np

from mmem.ports import FloatArray, ImageEncoder, Index, LongArray
from mmem.words import terms

_ASKS = re.compile(
    r"\bwhat\s+(?:kind\s+of\s+)?(?:colou?rs?|shape)\b|\b(?:which|what)\s+\w+\s+(?:was|is|were|are)\s+"
    r"(?:he|she|it|they|\w+)\s+(?:wearing|holding|carrying)\b"
    r"|\b(?:looks?|looked|looking)\s+(?:like|at)\b|\bhow\s+(?:does|do|did)\b.*\blook\b"
    r"|\b(?:pictures?|photos?|photographs?|images?|screenshots?|video|film(?:ed)?|footage|camera)\b"
    r"|\b(?:see|sees|saw|seen|visible|shows?|showed|shown|showing|wears?|wore|wearing|worn)\b"
    r"|\b(?:on|in|under|behind|beside|next\s+to|in\s+front\s+of)\s+the\s+"
    r"(?:table|desk|wall|floor|shelf|counter|background|foreground|scene|street|sky|hand)\b",
    re.I,
)
_FRAME = re.compile(
    r"\bwhat\s+colou?rs?\b"
    r"|\b(?:what|which|who|where|when|how|is|are|was|were|do|does|did|can|could|there|any|kind|of"
    r"|pictures?|photos?|photographs?|images?|screenshots?|video|film|filmed|footage"
    r"|camera|see|sees|saw|seen|visible|shows?|showed|shown|showing|wears?|wore|wearing|worn"
    r"|looks?|looked|looking|like|the|a|an|in|on|at|you|i|we|me|find|moment|scene)\b",
    re.I,
)


def asks_what_is_seen(question: str) -> bool:
    """Tell whether a question's words ask for what a picture shows.

    >>> asks_what_is_seen("What colour is the car?"), asks_what_is_seen("Who promised the fix?")
    (True, False)
    """
    return bool(_ASKS.search(question))


def things_asked(question: str) -> str:
    """Return what a question wants to be seen: its words without those that only ask.

    >>> things_asked("Where can you see a red umbrella in the picture?")
    'red umbrella'
    """
    left = " ".join(re.sub(r"[^\w\s'-]", " ", _FRAME.sub(" ", question)).split())
    return left or question


def picture_fit(index: Index, eyes: ImageEncoder, question: str, rows: LongArray) -> FloatArray:
    """Return f32[rows]: how well each row's pictures fit the words, 0 (least, or none) to 1.

    Pictures that fit equally well, or a single one, have 1: asked is for what is seen. All is
    times the share of the question's things that no row names in words: what is written or said
    somewhere is found there, and a picture's look has no vote against it.
    """
    asked = things_asked(question)
    (vector,) = eyes.encode_text([asked])
    scores = index.pictures(vector)[rows]
    there = ~np.isneginf(scores)
    found = np.zeros(len(rows), np.float32)
    if there.any():
        low, high = scores[there].min(), scores[there].max()
        found[there] = (scores[there] - low) / (high - low) if high > low else 1.0
    return found * np.float32(_unsaid(index, asked, rows))


def _unsaid(index: Index, asked: str, rows: LongArray) -> float:
    """Return the share, 0 to 1 by idf, of some words that the row with most of them lacks."""
    names = sorted(set(terms(asked)))
    idf = index.idf(names)
    mass = float(idf.sum())
    if not names or not len(rows) or mass <= 0:
        return 1.0
    held = np.vecdot(index.occurs(names, rows).T.astype(np.float32), idf)
    return max(0.0, 1.0 - float(held.max()) / mass)
