"""Critical speech: lines that propose, promise, hand over, put somewhere, or say who someone is.

EM²Mem (appendix B) finds them by patterns and keeps them through every scale of summary; the
patterns here are our own, for English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from mmem.derive.told import Said
from mmem.schemas import CriticalKind, CriticalLine
from mmem.words import sentences, terms

MOST = 6
"""EM²Mem: at most six lines in 30 seconds."""

_THING = r"(?:\w+['’]?\w*\s+){0,4}?"
_WORDINGS: dict[CriticalKind, str] = {
    "identity": (
        r"\bmy name(?:['’]s| is)\b|\b(?:he|she|that|this)(?:['’]s| is) (?:called|named)\b"
        r"|\b(?:it|that|this)(?:['’]s| is) (?:my|your|his|her|their) (?!own\b)\w+"
        r"|\bbelongs to\b"
    ),
    "commitment": (
        r"\bI(?:['’]ll| will| shall| promise|['’]m going to| am going to)\b"
        r"|\blet me\b|\bleave (?:it|that|this) to me\b|\bwe(?:['’]ll| will)\b"
    ),
    "proposal": (
        r"\blet['’]?s\b|\b(?:why don['’]t|how about) (?:we|you)\b|\b(?:shall|should) we\b"
        r"|\bwe (?:should|could|can|need to|have to|must)\b|\bhow about\b|\bwhat if we\b"
        r"|\bI (?:suggest|propose)\b"
    ),
    "transfer": (
        rf"\b(?:give|gave|hand|handed|pass|passed|lend|lent|send|sent|bring|brought|return)\s+"
        rf"(?:me|you|him|her|them|us|it|{_THING}(?:to|back))\b"
        r"|\btake (?:this|that|it|these|those)\b|\bhere you (?:go|are)\b"
    ),
    "placement": (
        rf"\b(?:put|place|leave|left|store|hang|keep)\s+{_THING}(?:in|on|into|onto|under|behind|"
        r"next to|beside|by|over there|here|there|inside|back)\b"
        r"|\b(?:is|are|was|were)\s+(?:in|on|under|behind|beside|inside)\s+(?:the|my|your)\b"
    ),
}
_PATTERNS = {kind: re.compile(words, re.IGNORECASE) for kind, words in _WORDINGS.items()}
"""Of several kinds the first counts."""
_FEWEST_TERMS = 2


def critical_lines(lines: Sequence[Said]) -> tuple[CriticalLine, ...]:
    """Return the critical lines among what is said aloud or written, in order, at most `MOST`.

    Questions promise and hand over nothing. Of more, those that say the most are kept.
    """
    found = list(_found(lines))
    kept = set(most_telling([one.text for one in found], MOST))
    return tuple(one for place, one in enumerate(found) if place in kept)


def most_telling(texts: Sequence[str], most: int) -> list[int]:
    """Return the places of the texts with most different terms, in their order."""
    ranked = sorted(range(len(texts)), key=lambda place: (-len(set(terms(texts[place]))), place))
    return sorted(ranked[:most])


def _found(lines: Iterable[Said]) -> Iterator[CriticalLine]:
    seen: set[str] = set()
    for said in lines:
        if said.kind == "caption":
            continue
        for sentence in sentences(said.text):
            kind = kind_of(sentence)
            if kind is not None and sentence not in seen:
                seen.add(sentence)
                yield CriticalLine(
                    kind=kind, speaker=said.speaker, text=sentence, atom_ids=said.atom_ids
                )


def kind_of(sentence: str) -> CriticalKind | None:
    """Return what makes a sentence critical, None for all others.

    >>> kind_of("I'll fix the login page by noon."), kind_of("It rained.")
    ('commitment', None)
    """
    if len(set(terms(sentence))) < _FEWEST_TERMS:
        return None
    asks = sentence.rstrip().endswith("?")
    for kind, pattern in _PATTERNS.items():
        if pattern.search(sentence) and (kind == "proposal" or not asks):
            return kind
    return None
