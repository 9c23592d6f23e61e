"""Ways to say that somebody works, lives or is allowed to, without a word of the question."""

from __future__ import annotations

import re
from functools import lru_cache

from mmem.words import term_of

_SAID: dict[str, str] = {
    "work": r"start(?:s|ed|ing)? (?:at|with)|join(?:s|ed|ing)?|hired|employed|(?:new|my|a) job"
    r"|(?:still|now|week|day|year|months?|role|position|job) (?:at|with)",
    "live": r"mov(?:e|es|ed|ing) (?:\w+ )?(?:to|into)|(?:flat|apartment|house|home|place) in"
    r"|based in|settled in|neighbou?rhood",
    "allow": r"may|can(?:not)?|can['’]t|permitted|welcome|forbidden|banned|prohibited|off limits"
    r"|must(?: not|n['’]t)|let (?:in|inside|into)",
}
_PATTERNS = [(term_of(verb), re.compile(rf"\b(?:{said})\b", re.I)) for verb, said in _SAID.items()]


@lru_cache(maxsize=8192)
def implied(text: str) -> frozenset[str]:
    """Return the terms of the verbs that a sentence says in other words.

    >>> sorted(implied("I start at Halden on Monday")), sorted(implied("We have a flat in Leith"))
    (['work'], ['liv'])
    """
    return frozenset(term for term, pattern in _PATTERNS if pattern.search(text))
