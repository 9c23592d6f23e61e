"""The place that a sentence names: a phrase after in, at, to … or a capitalised name."""

from __future__ import annotations

import re

from mmem.answer.question import CALENDAR, Asked, class_of
from mmem.dates import find_dates
from mmem.words import FUNCTION_WORDS, fold, term_of, terms

_PHRASE = re.compile(
    r"\b(?P<preposition>in|at|to|from|near|inside|into|behind|under|above|around|across|on|via)\s+"
    r"(?:(?P<article>the|a|an|my|our|his|her|their|your|this|that)\s+)?"
    r"(?P<place>[\w’'&.-]*\w(?:\s+(?:of\s+(?:the\s+)?)?[\w’'&-]*\w){0,4})",
    re.I,
)
_EMPLOYER = re.compile(
    r"\b(?:work(?:s|ed|ing)?|job|still|now|started?|starting|hired|employed|joined|join|joining)\s+"
    r"(?P<preposition>(?:for|with|by)\b|(?=the\b|an?\b))\s*(?:(?P<article>the|an?|my|our)\s+)?"
    r"(?P<place>[\w’'&.-]*\w(?:\s+(?:of\s+(?:the\s+)?)?[\w’'&-]*\w){0,4})",
    re.I,
)
"""Whom somebody works for, or what he joined: places only where work is asked about."""
_STOPS = FUNCTION_WORDS | frozenset(
    """today tomorrow yesterday tonight now again soon then last next this every early late
    was is are were will and but so because after before since until while when with for go went
    came come""".split()
)
_NO_PLACE = frozenset(
    """all least first last once general fact case order time times touch love front addition end
    person total mind moment way morning afternoon evening night weekend week month year day days
    hour hours minute minutes future past meantime place terms need charge trouble return""".split()
)
_KINDS_OF_PLACE = frozenset(
    """clinic hospital school college university institute office museum library gallery theatre
    theater cinema hotel hostel restaurant cafe bar pub bakery shop store market mall bank company
    studio lab factory workshop garage gym club hall house building tower room centre center park
    garden street road avenue square bridge station airport harbour harbor beach island valley farm
    church team group""".split()
)
_ON_PLACES = frozenset(
    """floor street road beach island coast farm campus roof table wall desk board shelf
    stage""".split()
)
_NAMED = re.compile(r"(?<=[\w,;] )[A-ZÀ-Þ][\w’'-]+(?:(?:,? |, )[A-ZÀ-Þ][\w’'-]+)*")

_LEFT = re.compile(r"\b(?:left|leave|leaving|quit|quitting)\s+(?:the\s+)?$", re.I)


def place_in(text: str, asked: Asked, speakers: tuple[str, ...]) -> str | None:
    """Return the place that a sentence names, None when it names none that the question doesn't."""
    if not _is_such(text, asked):
        return None
    if labelled := _labelled(text, class_of(asked.text)):
        return labelled
    phrases = [*_PHRASE.finditer(text), *(_EMPLOYER.finditer(text) if _asks_work(asked) else ())]
    found = [
        (_rank(match, words, text, asked), words)
        for match in phrases
        if (words := _trimmed(match))
        and not _LEFT.search(text[: match.start()])
        and not _known(words, asked, speakers)
        and not _is_time(match.group())
    ]
    if found:
        return max(found)[1]
    named = [m.group() for m in _NAMED.finditer(text) if not _LEFT.search(text[: m.start()])]
    return next((n for n in named if not _known(n, asked, speakers) and not _is_time(n)), None)


def _asks_work(asked: Asked) -> bool:
    return bool({"work", "job", "employ"} & set(asked.terms))


def _labelled(text: str, noun: str) -> str | None:
    """What stands after "Room:" and the like."""
    label = rf"(?:{re.escape(noun)}|" if noun else "(?:"
    found = re.search(rf"(?:^|\n)\s*{label}place|venue|location|where):[ \t]*([^\n]+)", text, re.I)
    return found[1].strip(" .") if found else None


def _trimmed(match: re.Match[str]) -> str:
    """Cut a phrase at the first word that can't belong to a place; "" when nothing is left."""
    kept: list[str] = []
    for word in match["place"].split():
        bare = fold(word.strip(".,'’"))
        if bare in _STOPS - {"of", "the"} or (bare.endswith("ing") and kept and word.islower()):
            break
        kept.append(word)
    while kept and fold(kept[-1]) in ("of", "the"):
        kept.pop()
    if not kept or fold(kept[0]) in _NO_PLACE | CALENDAR or kept[0][0].isdigit():
        return ""
    article = match["article"] or ""
    preposition = match["preposition"].lower()
    if preposition == "to" and not article and not kept[0][0].isupper():
        return ""
    if preposition == "on" and fold(kept[-1]) not in _ON_PLACES:
        return ""
    kept = kept if not any(w[0].isupper() for w in kept) else _named_part(kept)
    shown = article if article.lower() in ("the", "a", "an", "my", "our", "his", "her") else ""
    return f"{shown} {' '.join(kept)}".strip()


def _named_part(words: list[str]) -> list[str]:
    """Keep up to the last capitalised word and the kind of place after it, if there is one.

    >>> _named_part("Paris last spring".split()), _named_part("Salus clinic today".split())
    (['Paris'], ['Salus', 'clinic'])
    """
    last = max(i for i, word in enumerate(words) if word[0].isupper())
    following = words[last + 1] if last + 1 < len(words) else ""
    owned = bool(following) and words[last].endswith(("'s", "’s"))
    return words[: last + 1 + (owned or fold(following) in _KINDS_OF_PLACE)]


def _rank(match: re.Match[str], words: str, text: str, asked: Asked) -> tuple[bool, bool, int]:
    """Named places first, then those after a word of the question, then the earlier."""
    before = set(terms(text[: match.start()])) & set(asked.terms)
    return (
        any(w[0].isupper() for w in words.split()),
        bool(before),
        -match.start(),
    )


def _known(words: str, asked: Asked, speakers: tuple[str, ...]) -> bool:
    found = set(terms(words))
    of_people = {term for name in speakers for term in terms(name)}
    return not found or found <= set(terms(asked.text)) or found <= of_people


_ANY_NAME = re.compile(
    r"cit(?:y|ies)|countr(?:y|ies)|states?|towns?|villages?|regions?|areas?|places?|locations?"
    r"|venues?|spots?|rooms?|cent(?:er|re)s?|halls?|floors?|buildings?|streets?|offices?",
    re.I,
)


def _is_such(text: str, asked: Asked) -> bool:
    """ "Which city" is answered by any place named, "which hotel" where a hotel is spoken of."""
    noun = class_of(asked.text)
    return not noun or bool(_ANY_NAME.fullmatch(noun)) or term_of(noun) in terms(text)


def _is_time(words: str) -> bool:
    return bool(find_dates(words, None)) or fold(words.split()[-1]) in CALENDAR
