"""What makes a sentence a poor witness: ordered, taken back, or only wished for."""

from __future__ import annotations

import re

from mmem.answer.passages import Quote
from mmem.answer.question import Asked
from mmem.orders import is_order

ORDERED = 1.0
_TAKEN_BACK = 0.6
_WISHED = 0.4
_WISH = re.compile(
    r"\b(?:would|['’]d)(?: really| so)? (?:love|like|prefer) to\b|\bi wish\b|\bdream(?:ing|s)? of\b"
    r"|\b(?:thinking|dreaming) (?:of|about) \w+ing\b|\bhop(?:e|es|ing) to\b|\bwhat if\b"
    r"|\b(?:maybe|perhaps) (?:some|one) day\b|\bif (?:i|we|he|she|they|it) (?:\w+ )?(?:had|were"
    r"|could|was)\b",
    re.I,
)
_ASKS_WISH = re.compile(
    r"\b(?:will|would|want\w*|wish\w*|hop(?:e|es|ing)|plan\w*|dream\w*|think\w*|consider\w*|like"
    r"|love|going to|might|could|should|if|next|intend\w*|interested|goal|aspir\w*)\b",
    re.I,
)
_OF_A_STATE = ("person", "place", "number", "polar", "name")


def doubt_of(asked: Asked, quote: Quote, taken_back: frozenset[str]) -> float:
    """Return how little a sentence asserts, 0 for a plain one, 1 for an order to a machine.

    What somebody ordered is his when he is asked about. A wish answers no question of what is.
    """
    passage = quote.passage
    if passage.shown:
        return 0.0
    if passage.speaker not in asked.about and is_order(passage.line.text):
        return ORDERED
    if passage.line.citation.atom_id in taken_back:
        return _TAKEN_BACK
    of_a_state = asked.kind in _OF_A_STATE and not _ASKS_WISH.search(asked.text)
    return _WISHED if of_a_state and _WISH.search(quote.text) else 0.0
