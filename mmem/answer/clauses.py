"""A question as clauses that each ask something, with what they state and point back to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mmem.words import FUNCTION_WORDS, fold, is_question, sentences

_ASKING_WORD = r"(?:who|whom|whose|what|when|where|which|why|how)\b"
_CLAUSE = re.compile(
    r"[,;]?\s+(?:and|but)\s+(?=(?:(?:at|in|on|by|for|from|with|to|since|until|of)\s+)?"
    rf"{_ASKING_WORD})|(?<=[?？])\s+",
    re.I,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|these|those|there)\b", re.I
)
_OF_THE_ASKER = re.compile(r"\b(?:i|me|my|we|us|our)\b", re.I)
_PLAIN = frozenset(
    """day date time year month week new old exact person place city many much long""".split()
)


@dataclass(frozen=True)
class Clause:
    """Something asked; `scene` is earlier text that it leans on, `claims` what it states first."""

    text: str
    scene: str = ""
    claims: tuple[str, ...] = ()


def clauses(question: str) -> list[Clause]:
    """Return the clauses of a question; one that points back leans on the one before it.

    >>> [c.text for c in clauses("Who promised the fix, and what was on the screen then?")]
    ['Who promised the fix', 'what was on the screen then?']
    >>> clauses("The pilot was moved. To which date?")[0].claims
    ('The pilot was moved.',)
    """
    parts = [part.strip() for part in _CLAUSE.split(question)]
    found: list[Clause] = []
    for part in [part for part in parts if part] or [question]:
        if found and not is_question(part) and not re.search(_ASKING_WORD, part, re.I):
            continue
        before, asking = _stated_and_asked(part)
        scene = " ".join(before)
        if not scene and found and _leans(asking):
            scene = " ".join([found[-1].scene, found[-1].text]).strip()
        stated = tuple(s for s in before if not is_question(s) and not _OF_THE_ASKER.search(s))
        found.append(Clause(asking, scene, stated))
    return found


_BIDDING = re.compile(
    r"(?:please |and )?(?:consider|recall|reflect|think|remember|imagine|list|describe|provide|tell"
    r"|name|find|give|explain|summari[sz]e)\b",
    re.I,
)


def _stated_and_asked(part: str) -> tuple[list[str], str]:
    """The sentences that set the scene, and the last one or all from the first that bids."""
    every = sentences(part) or [part]
    bidding = (i for i, sentence in enumerate(every) if _BIDDING.match(sentence))
    first = next(bidding, len(every) - 1)
    return every[:first], " ".join(every[first:])


def _leans(asking: str) -> bool:
    """Whether a clause says "it" and the like, or has no content word of its own."""
    words = re.findall(r"\w+", fold(asking))
    bare = all(word in FUNCTION_WORDS | _PLAIN for word in words)
    return bare or bool(_POINTS_BACK.search(asking))
