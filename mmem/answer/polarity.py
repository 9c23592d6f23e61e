"""Yes or no: only where the sentence covers the question and says it flatly."""

from __future__ import annotations

import re

from mmem.answer.passages import Quote
from mmem.answer.question import Asked
from mmem.words import fold, term_of, terms

_NOT = re.compile(
    r"\b(?:not|never|no longer|nothing|nobody|none|neither|cannot|without|no)\b|n['’]t\b", re.I
)
_FORBIDS = re.compile(r"\b(?:forbidden|banned|prohibited|off limits)\b", re.I)
_HEDGED = re.compile(
    r"\b(?:if|would|could|might|may|maybe|perhaps|think(?:ing)?|thought|hope|hoping|guess|wonder|asks?|asked"
    r"|probably|wish|supposed|rumou?rs?|nobody said|(?:said|says|claims?|heard) (?:that|the|he|she"
    r"|they)|should|unless|whether|almost|nearly)\b",
    re.I,
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|of course|correct|exactly|absolutely|definitely|right|indeed"
    r"|totally|certainly)\b",
    re.I,
)
_NO = re.compile(r"^\W*(?:no|nope|nah|not really|not yet|never|unfortunately not|sadly no)\b", re.I)


def polarity_of(quote: Quote, asked: Asked, *, covered: float, enough: float) -> str | None:
    """Return "Yes", "No", or None when the sentence does not settle the question.

    `covered` is the share of the question's terms in the sentence, the question it replies to and
    the name of its speaker; below `enough` (half of it for "yes" or "no" in reply) it says nothing.
    """
    text = quote.text
    if quote.passage.answers and covered >= enough / 2 and (spoken := _spoken(text)):
        return spoken
    if covered < enough:
        return None
    if _hedged(text, asked) or not _speaks_of(quote, asked):
        return None
    denied = bool(_NOT.search(text) or _forbids(text, asked)) and not _YES.match(text)
    asked_denied = bool(re.search(r"\bnot\b|n['’]t\b|\bnever\b", asked.text, re.I))
    return "No" if denied != asked_denied else "Yes"


def _hedged(text: str, asked: Asked) -> bool:
    """Whether a sentence leaves it open; "may" in answer to "may we" is the answer."""
    asking = fold(asked.text)
    permits = term_of("allow") in asked.terms
    return any(
        not re.search(rf"\b{re.escape(fold(found.group()))}\b", asking)
        and not (permits and fold(found.group()) == "may")
        for found in _HEDGED.finditer(text)
    )


def _forbids(text: str, asked: Asked) -> bool:
    return bool(_FORBIDS.search(text)) and not _FORBIDS.search(asked.text)


def replies(quote: Quote) -> bool:
    """Tell whether a sentence says yes or no to the question right before it."""
    return quote.passage.answers and _spoken(quote.text) is not None


def _spoken(text: str) -> str | None:
    if _NO.match(text):
        return "No"
    return "Yes" if _YES.match(text) else None


def _speaks_of(quote: Quote, asked: Asked) -> bool:
    """Whether the subject of the question is the sentence's: it says "I", or names the person."""
    if not asked.about:
        return True
    words = set(terms(quote.text))
    named = any(set(terms(name)) & words for name in asked.about)
    first = bool(re.search(r"\b(?:i|we|my|our)\b", fold(quote.text)))
    return named or (first and quote.passage.speaker in asked.about)
