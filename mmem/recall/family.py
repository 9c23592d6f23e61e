"""What a question asks for: its family, and which end of time it wants, by its words."""

from __future__ import annotations

import re
from typing import Literal

from mmem.ports import Family
from mmem.recall.family_words import FIRST, LAST, WORDINGS

_PATTERNS = {
    family: re.compile("|".join(f"(?:{words})" for words in wordings), re.I)
    for family, wordings in WORDINGS.items()
}
_FIRST, _LAST = re.compile(FIRST, re.I), re.compile(LAST, re.I)


def family_of(question: str) -> Family:
    """Return the family of a question; one that shows none asks for an attribute.

    >>> family_of("Who used the screwdriver first?"), family_of("What is in the box?")
    ('action-owner', 'attribute-content-purpose')
    >>> family_of("Who usually pays?"), family_of("Where was the marker before?")
    ('habit-preference', 'source-trace')
    """
    for family, pattern in _PATTERNS.items():
        if pattern.search(question):
            return family
    return "attribute-content-purpose"


def wanted_end(question: str) -> Literal["first", "last"] | None:
    """Return whether a question wants the first or the last that fits, None for neither."""
    if _FIRST.search(question):
        return "first"
    return "last" if _LAST.search(question) else None
