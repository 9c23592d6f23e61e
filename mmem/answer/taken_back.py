"""Words taken back: "ignore him, it was a joke"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mmem.answer.passages import Passage

_TAKES_BACK = re.compile(
    r"\b(?:ignore|disregard|don['’]?t (?:listen to|believe))"
    r" (?:that|this|it|him|her|them|what (?:he|she|they|i) said|my last|the last)\b"
    r"|\bnever ?mind (?:him|her|them)\b"
    r"|\b(?:that|it|this)(?: was|['’]s| is)(?: just| only| all)? (?:an? )?(?:bad |silly |stupid )?"
    r"(?:joke|prank|spam|hoax|scam|lie|nonsense|rubbish|not true|untrue|made up|fake)\b"
    r"|\b(?:just|only|was|am|['’]m) (?:kidding|joking|teasing)\b|\bscratch that\b",
    re.I,
)
_BACK = 3
"""So many lines in a row of one speaker are taken back together."""


def taken_back(passages: Sequence[Passage]) -> frozenset[str]:
    """Return the atoms of lines that the line after them calls a joke or says to ignore.

    One's own words are taken back one line at a time, another's up to the line before his.
    """
    by_atom = {p.line.citation.atom_id: p for p in passages}
    found: set[str] = set()
    for passage in passages:
        if passage.before is None or not _TAKES_BACK.search(passage.line.text):
            continue
        earlier = by_atom.get(passage.before.citation.atom_id)
        whose = earlier.speaker if earlier else ""
        for _ in range(1 if whose == passage.speaker else _BACK):
            if earlier is None or earlier.speaker != whose:
                break
            found.add(earlier.line.citation.atom_id)
            before = earlier.before
            earlier = by_atom.get(before.citation.atom_id) if before else None
    return frozenset(found)
