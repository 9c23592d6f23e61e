"""English wordings by which a question shows what it asks for (EM²Mem's question families).

Regular expressions without case; of several families the first that matches is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mmem.ports import Family

WORDINGS: Mapping[Family, Sequence[str]] = {
    "habit-preference": (
        r"\b(?:usual|usually|always|often|habit\w*|normally|typically|generally|mostly)\b",
        r"\b(?:most of the time|tends? to|every (?:day|morning|evening|night|week|time))\b",
        r"\b(?:never|rarely|seldom)\b",
        r"\b(?:favou?rite|prefer\w*|dislikes?|hates?|fond of|enjoys?|can['’]t stand)\b",
        r"\b(?:do|does|did|not) (?:\w+ ){1,4}?(?:like|love)\b",
        r"^who (?:likes?|loves?|eats?|drinks?|wears?)\b",
    ),
    "plan-intention-decision": (
        r"\b(?:plan|plans|planned|planning|intend\w*|intention\w*|going to|about to|gonna)\b",
        r"\b(?:decid\w+|decision\w*|agreed|promis\w+|propos\w+|suggest\w*|arrang\w+)\b",
        r"\b(?:tomorrow|next (?:step|week|month|year)|do next|upcoming|to-?do|tasks?|options)\b",
        r"\b(?:should|shall|will|still need|needs? to|have to|has to|want to|wants to)\b",
        r"\b(?:not|n['’]t) (?:yet )?(?:bought|purchased|done|finished)\b",
        r"\b(?:need|needed) to (?:be )?(?:buy|bought|purchase|do|get|bring)\b",
    ),
    "participant-membership": (
        r"\bwhom? (?:just )?(?:joined|join|attended|took part|participated|helped?)\b",
        r"\bwho (?:was|were|is|are) (?:\w+ )?(?:with|there|present|missing|absent|among)\b",
        r"\bwho (?:\w+ ){0,4}(?:with me|with us|together)\b|\bwith (?:whom|who)\b",
        r"\bwho (?:did|do|was|were|am) (?:\w+ ){1,4}with\b|\bwho else\b|\bwho all\b",
        r"\b(?:joined|took part|participat\w+|attended|missing from|absent from)\b",
        r"\b(?:which|what) (?:of the following |two |three |other )?(?:people|persons?|members?)\b",
    ),
    "source-trace": (
        r"\bwhere (?:\w+ ){1,8}?(?:before|from|originally|previously|earlier)\b",
        r"\bwhere (?:did|do|does|have|has) (?:\w+ ){1,6}?"
        r"(?:come|get|got|find|found|buy|bought|take|took|put|place|leave|left|keep|kept)\b",
        r"\bwhere (?:was|were|is|are) (?:\w+ ){1,8}?"
        r"(?:put|placed|kept|left|taken|stored|bought|purchased|last)\b",
        r"\b(?:came|come|comes|taken|brought|bought|moved) from\b",
        r"\bwhat was in (?:\w+ ){1,5}before\b|\bwhere (?:was|were)\b",
    ),
    "action-owner": (r"\b(?:who|whom|whose)\b",),
    "temporal-recall": (
        r"^when\b|\bwhat (?:time|day|date)\b|\bhow long ago\b|\bwhen (?:was|did|were|is)\b",
        r"\b(?:last|first|previous|second|earlier|next) time\b|\b(?:previously|last|first)\b",
        r"\bwhat (?:happened|did (?:\w+ ){1,3}do) (?:right )?(?:before|after)\b",
        r"\b(?:before|after|since) (?:i|we|he|she|they)\b|\byesterday\b|\bjust now\b",
    ),
}

FIRST = r"\b(?:first|earliest|originally|initially)\b"
"""The question wants the earliest that fits."""
LAST = r"\b(?:last|latest|most recent(?:ly)?|previous(?:ly)?|just now|just)\b"
"""The question wants the latest that fits."""
MOVING = frozenset(
    "put place take bring carry fetch get buy purchase give hand pass move return leave keep store "
    "pick find receive borrow lend deliver remove grab".split()
)
"""Base forms of verbs that tell where a thing comes from or goes to."""
STATING = frozenset("be have call name belong contain mean cost like own use".split())
"""Base forms of verbs that say what something is, holds, or is for."""
NOBODY = frozenset("i me we us you he him she her they them it someone somebody".split())
"""Participants that name nobody."""
