"""What a question asks for, read from its words: terms, people, times, newest-first, options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import partial

from mmem.recall.days import DayCount
from mmem.recall.times import Window, windows
from mmem.recipes import Recipe
from mmem.words import fold, terms

TIME_WORDS = frozenset(
    terms("time times last first now before after recently recent usually usual ever previous "
          "previously ago earlier latest just again when date day days week weeks month months "
          "year years hour hours minute minutes currently today yesterday tonight")
)  # fmt: skip
"""Terms that say when, not what; matching them in rows misleads (bench, EgoLife)."""

_LATEST = re.compile(
    r"\b(?:last|latest|current(?:ly)?|now|nowadays|most\s+recent(?:ly)?|recent(?:ly)?|"
    r"still|anymore|these\s+days|just)\b",
    re.I,
)
_NOT_LATEST = re.compile(
    r"\b(?:last\s+names?|at\s+last|lasts?\s+for|how\s+long\s+\w+\s+\w*\s*last)\b", re.I
)


_SEVERAL = re.compile(
    r"\b(?:both|in\s+what\s+ways)\b|^(?:where|what|who)\s+(?:has|have)\b|^how\s+many\b"
    r"|^(?:who|what)\s+are\b|\b(?:all|every|each)\s+(?:the|of)\b",
    re.I,
)
_PLURAL = re.compile(
    r"(?:what|which)(?:\s+[\w-]+){0,3}?\s+\w+s\s+(?:has|have|does|do|did|are|were|is)\b", re.I
)


@dataclass(frozen=True)
class Person:
    """A speaker that the question names: index into the columns' speakers, and the words used."""

    speaker: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Option:
    """One of the caller's possible answers: words to look for, or a time."""

    text: str
    windows: tuple[Window, ...]
    weights: dict[str, float]


@dataclass(frozen=True)
class Plan:
    """How a question will be looked up."""

    question: str
    weights: dict[str, float]
    """Lexical weight of each term."""
    dense_text: str
    """The question without the names of speakers."""
    people: tuple[Person, ...]
    windows: tuple[Window, ...]
    wants_latest: bool
    wants_several: bool
    options: tuple[Option, ...]


def make_plan(
    question: str,
    recipe: Recipe,
    *,
    speakers: Sequence[tuple[int, str]] = (),
    options: Sequence[str] = (),
    now_us: int | None = None,
    newest_us: int | None = None,
    zone: tzinfo = UTC,
    days: DayCount | None = None,
) -> Plan:
    """Read a question; `speakers` are the (index, name) pairs of the visible rows.

    `now_us` is the moment of asking, `newest_us` the end of the newest visible row; `days` counts
    the days that a question may number.
    """
    timed = partial(windows, now_us=now_us, newest_us=newest_us, zone=zone, days=days)
    found = tuple(timed(question))
    asked = _without_days(question, found)
    people = people_in(question, speakers)
    named = {term for person in people for word in person.words for term in terms(word)}
    return Plan(
        question=question,
        weights=_weights(asked, recipe, named),
        dense_text=without_names(asked, people) if recipe.remove_names else asked,
        people=people,
        windows=found,
        wants_latest=bool(_LATEST.search(question)) and not _NOT_LATEST.search(question),
        wants_several=asks_for_several(question),
        options=tuple(_option(text, tuple(timed(text))) for text in options),
    )


def asks_for_several(question: str) -> bool:
    """Tell whether the answer is likely a list, whose parts lie in different sessions.

    >>> asks_for_several("What books has Ann read?"), asks_for_several("When did Ann move?")
    (True, False)
    """
    return bool(_SEVERAL.search(question) or _PLURAL.match(question))


def people_in(question: str, speakers: Sequence[tuple[int, str]]) -> tuple[Person, ...]:
    """Return the speakers that a question names, by full name or by a first name of one of them.

    >>> [p.speaker for p in people_in("What did Ann tell Bo Li?", [(0, "Ann Lee"), (1, "Bo Li")])]
    [0, 1]
    """
    firsts = [fold(name.split()[0]) for _, name in speakers if name.strip()]
    found = []
    for speaker, name in speakers:
        used = [alias for alias in _aliases(name, firsts) if _name_pattern(alias).search(question)]
        if used:
            found.append(Person(speaker, tuple(used)))
    return tuple(found)


def without_names(question: str, people: Sequence[Person]) -> str:
    """Return the question with the people's names (and their 's) taken out.

    >>> without_names("What is Ann's job?", [Person(0, ("Ann",))])
    'What is job?'
    """
    for person in people:
        for alias in person.words:
            question = _name_pattern(alias).sub(" ", question)
    return re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s+", " ", question)).strip()


def _without_days(question: str, found: Sequence[Window]) -> str:
    """Return a question without the words that number a day: rows tell no such number."""
    left = question
    for window in found:
        if window.counted:
            left = left.replace(window.words, " ")
    return left if terms(left) else question


def _aliases(name: str, firsts: list[str]) -> list[str]:
    words = name.split()
    if not words:
        return []
    first = words[0]
    distinct = len(first) > 2 and firsts.count(fold(first)) == 1
    return [name, first] if distinct and len(words) > 1 else [name]


def _name_pattern(alias: str) -> re.Pattern[str]:
    """Match a name as written; a lower-case question word is not a name ("will", "mark")."""
    return re.compile(rf"(?<!\w){re.escape(alias)}(?:['\u2019]s)?(?!\w)")


def _weights(question: str, recipe: Recipe, named: set[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for term in terms(question):
        weight = 1.0
        if term in named:
            weight = recipe.name_weight
        elif term in TIME_WORDS:
            weight = recipe.time_word_weight
        if weight > 0.0:
            weights[term] = weight
    return weights


def _option(text: str, found: tuple[Window, ...]) -> Option:
    rest = text
    for window in found:
        rest = rest.replace(window.words, " ")
    is_time = bool(found) and not set(terms(rest)) - _VAGUE
    weights = {} if is_time else {term: 1.0 for term in terms(text)}
    return Option(text=text, windows=found if is_time else (), weights=weights)


_VAGUE = frozenset(terms("about around approximately almost roughly nearly over more than"))
