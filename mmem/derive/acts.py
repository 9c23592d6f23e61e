"""Acts in words, taken apart: "put the cup on the table" is a verb, a thing, and a place.

It works on what frames and quadruples hold: a verb in its base form, then what it is done to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mmem.derive.lexicon import VAGUE_NOUNS
from mmem.derive.relations import COMPOUNDS, PARTICLES, verb_key
from mmem.words import terms

_PREPOSITIONS = frozenset(
    "on onto in into inside to from off out about with at for through over under near beside "
    "behind by around without".split()
)
_ENDS = frozenset("and or but that which who where when while because so if as than".split())
_DETERMINER = re.compile(
    r"^(?:the|a|an|some|any|this|that|these|those|my|your|his|her|its|our|their|another|both|all|"
    r"of|\S+['’]s)\s+",
    re.IGNORECASE,
)
_NO_NAME = VAGUE_NOUNS | frozenset(
    "i me you he him she her it we us they them there here up down back home forward backward left "
    "right around side".split()
)
BODY = frozenset(
    "head hand hands body leg legs arm arms foot feet eye eyes face nose mouth hair finger fingers "
    "knee knees palm palms shoulder shoulders thigh waist hips chin neck stance gaze".split()
)
"""Parts of the body: how somebody moves is nothing that is handled."""
_LONGEST = 5


@dataclass(frozen=True, slots=True)
class Act:
    """A verb with its particle, the thing it is done to, and (preposition, thing) pairs.

    Things are noun phrases without articles and owners; "" where the words name none.
    """

    verb: str
    what: str = ""
    beside: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=16_384)
def act_of(words: str) -> Act:
    """Return the act that some words tell; they begin with its verb.

    >>> act_of("pick up Ann's phone from the long table")
    Act(verb='pick up', what='phone', beside=(('from', 'long table'),))
    >>> act_of("put the cup back on the shelf").verb
    'put back'
    """
    tokens = re.sub(r"\s*[,;(].*", "", words).split()
    if not tokens:
        return Act("")
    verb, rest = tokens[0], tokens[1:]
    if rest and _is_particle(verb, rest):
        verb, rest = f"{verb} {rest[0]}", rest[1:]
    parts = list(_parts(rest))
    if " " not in verb and parts and parts[0][1] and (after := _particle_after(parts)):
        verb = f"{verb} {after}"
    beside = ((one, thing(text)) for one, text in parts if one)
    what = next((thing(text) for one, text in parts if not one), "")
    return Act(verb, what, tuple((one, text) for one, text in beside if text))


def place_of(words: str) -> tuple[str, str]:
    """Return the preposition and the thing of where something happens; "in" where none is said.

    >>> place_of("on the table"), place_of("the living room")
    (('on', 'table'), ('in', 'living room'))
    """
    for one, text in _parts(words.split()):
        return one or "in", thing(text)
    return "in", ""


@lru_cache(maxsize=16_384)
def thing(phrase: str) -> str:
    """Return a noun phrase without articles and owners, "" where it names nothing.

    >>> thing("the red cup"), thing("Ann's phone"), thing("it"), thing("this one")
    ('red cup', 'phone', '', '')
    """
    head = phrase.strip(" .!?'\"“”")
    while (bare := _DETERMINER.sub("", head)) != head:
        head = bare
    found = head.casefold().split()
    if not found or len(found) > _LONGEST or found[-1] in _NO_NAME or found[0] == "front":
        return ""
    return head if any(not term.isdigit() for term in terms(head)) else ""


def _is_particle(verb: str, rest: Sequence[str]) -> bool:
    """Tell whether the word after a verb is a part of it ("take out the milk")."""
    first = rest[0].casefold()
    if first not in PARTICLES:
        return verb_key(f"{verb} {first}") in COMPOUNDS
    return first != "out" or rest[1:2] != ["of"]


def _parts(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (preposition, words after it); the words before the first one with ""."""
    preposition, held = "", list[str]()
    for place, token in enumerate(tokens):
        word = token.casefold()
        if word in _ENDS:
            break
        if word in _PREPOSITIONS or word in PARTICLES or (word == "of" and not place):
            if held or preposition:
                yield preposition, " ".join(held)
            preposition, held = word, []
        elif not (word == "of" and preposition == "out" and not held):
            held.append(token)
    if held or preposition:
        yield preposition, " ".join(held)


def _particle_after(parts: Sequence[tuple[str, str]]) -> str:
    """Return a particle that stands behind the thing ("put the cup back on the shelf")."""
    bare = (one for one, text in parts[1:] if not text and one in PARTICLES | {"on", "in"})
    return next(bare, "")
