"""Words of a text in any script: terms for matching, sentences for quoting, question marks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

FUNCTION_WORDS = frozenset(
    """
    a about am an and any are as at be because been being but by can could did do does doing don for
    from had has have having he her hers herself him himself his how i if in into is it its itself
    just ll me might mine my myself no nor not of on or our ours ourselves re s shall she should so
    such t than that the their theirs them themselves then there these they this those to too us ve
    very was we were what when where which who whom whose why will with would you your yours
    yourself yourselves ain aren couldn didn doesn hadn hasn haven isn mustn needn shouldn wasn
    weren wouldn
    """.split()
)
"""English words that carry grammar, not content; they are not terms."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?", re.UNICODE)
_APOSTROPHE = re.compile("['\u2019]")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'\u201d\u2019)\]]*\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, repeats kept: stemmed content words and numbers.

    Scripts that put no spaces between words (Han, kana, Thai, Lao, Khmer, Burmese) give
    overlapping pairs of characters, as Lucene's CJKBigramFilter does.

    >>> terms("She's painted 3 sunsets, hasn't she?")
    ['paint', '3', 'sunset']
    >>> terms("会議は明日")
    ['会議', '議は', 'は明', '明日']
    """
    return [term for term, _, _ in term_spans(text)]


def term_spans(text: str) -> list[tuple[str, int, int]]:
    """Return the terms of a text with the character span each was read from."""
    found: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = match.group()
        if not word.isascii() and _UNSPACED.search(word):
            found.extend(_pairs(word, start))
            continue
        bare = word if word.isalnum() else _APOSTROPHE.split(word, maxsplit=1)[0]
        term = term_of(bare)
        if term:
            found.append((term, start, end))
    return found


@lru_cache(maxsize=65_536)
def term_of(word: str) -> str:
    """Return the term of one word, or "" when it is a function word.

    >>> term_of("Running"), term_of("the"), term_of("Café")
    ('run', '', 'caf')
    """
    folded = fold(word)
    return "" if folded in FUNCTION_WORDS else stem(folded)


def fold(text: str) -> str:
    """Return the text without case, width variants and accents (Unicode NFKD, marks dropped).

    >>> fold("Café ÉTÉ")
    'cafe ete'
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(c for c in decomposed if not unicodedata.combining(c) or ord(c) > _LAST_ACCENT)
    return unicodedata.normalize("NFC", kept)


_LAST_ACCENT = 0x08FF
"""Above this code point combining marks are letters (Indic vowels, kana voicing), not accents."""


def stem(word: str) -> str:
    """Return an English word without its commonest endings (S-stemmer of Harman 1991, -ed, -ing).

    Words of other scripts and words with digits come back unchanged.

    >>> [stem(w) for w in ("parties", "hiking", "stopped", "class", "2022s")]
    ['party', 'hik', 'stop', 'class', '2022s']
    """
    if not (word.isascii() and word.isalpha()):
        return word
    word = _without_ending(word)
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _without_ending(word: str) -> str:
    length = len(word)
    if length > 5 and word.endswith("ing") and _has_vowel(word[:-3]):
        return word[:-3]
    if length > 4 and word.endswith(("ied", "ies")):
        return word[:-3] + "y"
    if length > 4 and word.endswith("ed") and _has_vowel(word[:-2]):
        return word[:-2]
    if length > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if length > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _has_vowel(text: str) -> bool:
    return any(c in "aeiouy" for c in text)


def _pairs(word: str, start: int) -> list[tuple[str, int, int]]:
    if len(word) < 2:
        return [(fold(word), start, start + len(word))]
    return [(fold(word[i : i + 2]), start + i, start + i + 2) for i in range(len(word) - 1)]


_BEFORE_A_NAME = re.compile(r"^(?:the|a|an|some|this|that|these|those|our)\s+")


def name_key(name: str) -> str:
    """Return what two ways to write one name or noun phrase have in common.

    >>> name_key("The  Harbour team"), name_key("harbour Team's")
    ('harbour team', "harbour team's")
    """
    return _BEFORE_A_NAME.sub("", " ".join(fold(name).casefold().split()), count=1)


def name_words(name: str) -> list[str]:
    """Return the words of a name, as any way to write it has them.

    >>> name_words("Zoë Lee's")
    ['zoe', 'lee']
    """
    return [fold(match.group()).casefold().removesuffix("'s") for match in _WORD.finditer(name)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the half-open character spans of the sentences, without surrounding blanks.

    >>> sentence_spans("Yes.  We can!")
    [(0, 4), (6, 13)]
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _is_abbreviation(text, start, match.start()):
            continue
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    stripped = (_stripped(text, a, b) for a, b in spans)
    return [(a, b) for a, b in stripped if a < b]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, verbatim.

    >>> sentences("Dr. Lee left. Who saw her?")
    ['Dr. Lee left.', 'Who saw her?']
    """
    return [text[a:b] for a, b in sentence_spans(text)]


_ABBREVIATION = re.compile(r"(?:^|\s)(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|e\.g|i\.e|no|[a-z])\.$", re.I)


def _is_abbreviation(text: str, start: int, end: int) -> bool:
    tail = text[max(start, end - 8) : end]
    return tail.endswith(".") and not tail.endswith("I.") and bool(_ABBREVIATION.search(tail))


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def is_question(text: str) -> bool:
    """Say whether the last sentence of a text asks something, by its closing mark.

    >>> is_question("Fine. And you?"), is_question("Fine?! No.")
    (True, False)
    """
    return text.rstrip(" \t\n\"'\u201d\u2019)]!").endswith(_QUESTION_MARKS)
