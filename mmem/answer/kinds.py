"""The kind of answer that a question asks for, by its asking word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Kind = Literal[
    "person", "date", "number", "place", "name", "reason", "polar", "choice", "screen", "open"
]

_POLAR = re.compile(
    r"^(?:and |so |but )?(?:do|does|did|is|are|am|was|were|has|have|had|can|could|will|would"
    r"|should|may|might|must|shall)"
    r"(?:n't|n’t)?\b",
    re.I,
)
_PERSON = re.compile(r"\b(?:who|whom|whose|(?:which|what) (?:person|colleague|speaker))\b", re.I)
_DATE = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:(?:is|was|are|were) )?(?:\w+ ){0,2}?"
    r"(?:day|date|time|month|year|week|weekday)s?\b"
    r"|\bhow long ago\b|\b(?:since|until) when\b",
    re.I,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|old|long|far|tall|big|large|often|high|deep|fast|heavy)\b"
    r"|\b(?:what|which)\b(?:[^?]*?)\b(?:number|code|price|cost|amount|percentage|percent|age"
    r"|version|size|temperature|score|budget|pin|password|ticket|total|rate|salary|weight)\b",
    re.I,
)
_PLACE = re.compile(
    r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:city|cities|town|country|countries|state|places?"
    r"|room|street|locations?|restaurant|venue|address|harbou?r|floor|cent(?:er|re)|building|hotel"
    r"|museum|shop|store|school)\b",
    re.I,
)
_TITLE = re.compile(r"\b(?:names?|title) of\b|\b(?:named|called)\s*\??$", re.I)
_SCREEN = re.compile(
    r"\b(?:on|at) (?:the|his|her|their|your|my) (?:shared )?(?:screen|slide|display|monitor)\b"
    r"|\b(?:screen|slide|picture|frame) (?:show|say)|\b(?:shown|displayed|visible)\b"
    r"|\bwhat (?:could|can|did|do) (?:we|you|i|one|they) see\b",
    re.I,
)


def kind_of(text: str, options: Sequence[str] = ()) -> Kind:
    """Return the kind of answer that a clause asks for.

    >>> [kind_of(q) for q in ("Did it pass?", "How old is Ben?", "In which month is the exam?")]
    ['polar', 'number', 'date']
    """
    if options:
        return "choice"
    if _SCREEN.search(text) and not _PERSON.search(text):
        return "screen"
    if _POLAR.match(text.strip()):
        return "polar"
    found: list[tuple[int, Kind]] = []
    kinds: tuple[tuple[re.Pattern[str], Kind], ...] = (
        (_DATE, "date"), (_PERSON, "person"), (_NUMBER, "number"), (_PLACE, "place")
    )  # fmt: skip
    for pattern, kind in kinds:
        if match := pattern.search(text):
            found.append((match.start(), kind))
    if re.search(r"\bwhy\b|\bfor what reason\b", text, re.I):
        return "reason"
    if not found or not _opens(text, found):
        return "name" if _TITLE.search(text) else "open"
    return min(found, key=lambda pair: pair[0])[1]


def _opens(text: str, found: list[tuple[int, Kind]]) -> bool:
    """Say whether the asking word comes before any other one ("what did he do when" is open)."""
    first = re.search(r"\b(?:what|which|why|how|who|whom|whose|where|when)\b", text, re.I)
    return first is None or min(found)[0] <= first.start()
