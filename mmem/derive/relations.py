"""The words of the two graphs, as data: which predicate means which relation.

The relations and the types of nodes are EM²Mem's (G_E, 19 relations); which verbs mean them, and
which types their ends may have, is our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mmem.derive.lexicon import PERSON_NOUNS, PLACE_NOUNS
from mmem.words import stem

NodeType = Literal["Event", "Person", "Place", "Object", "Topic", "Entity"]
Relation = Literal[
    "hand_to",
    "hold",
    "use",
    "inspect",
    "ask_about",
    "confirm",
    "say_about",
    "discuss",
    "organize",
    "move",
    "place_on",
    "take_from",
    "occurs_in",
    "explain",
    "invite",
    "write_on",
    "assemble",
    "fit_into",
    "offer",
]
Attachment = Literal["involves", "occurs_in", "about", "mentions_object", "mentions", "before"]
Role = Literal["who", "what", "whom", "beside"]
"""Parts of an act: who does it, what with, to whom, and what stands after the preposition."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Which types the two ends of a relation may have, the likelier first."""

    source: tuple[NodeType, ...]
    target: tuple[NodeType, ...]


_SPOKEN_OF: tuple[NodeType, ...] = ("Topic", "Person", "Place")
ENDS: Mapping[Relation, Ends] = {
    "hand_to": Ends(("Person",), ("Person",)),
    "hold": Ends(("Person",), ("Object",)),
    "use": Ends(("Person",), ("Object",)),
    "inspect": Ends(("Person",), ("Object", "Place")),
    "ask_about": Ends(("Person",), _SPOKEN_OF),
    "confirm": Ends(("Person",), ("Topic",)),
    "say_about": Ends(("Person",), _SPOKEN_OF),
    "discuss": Ends(("Person",), _SPOKEN_OF),
    "organize": Ends(("Person",), ("Object", "Place")),
    "move": Ends(("Person",), ("Object",)),
    "place_on": Ends(("Object",), ("Object", "Place")),
    "take_from": Ends(("Object",), ("Object", "Place", "Person")),
    "occurs_in": Ends(("Event",), ("Place",)),
    "explain": Ends(("Person",), _SPOKEN_OF),
    "invite": Ends(("Person",), ("Person",)),
    "write_on": Ends(("Person",), ("Object", "Place")),
    "assemble": Ends(("Person",), ("Object",)),
    "fit_into": Ends(("Object",), ("Object", "Place")),
    "offer": Ends(("Person",), ("Object", "Person")),
}
"""Constraints on the ends; an edge that breaks them is none."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A predicate's relation, and which parts of the act are its ends."""

    relation: Relation
    source: Role
    target: Role


def _rules(
    relation: Relation, verbs: str, source: Role, target: Role, prepositions: str = ""
) -> dict[tuple[str, str], list[Rule]]:
    """Return rules by (verb, preposition); verbs are parted by commas, "" is no preposition."""
    found = prepositions.split() or [""]
    rule = Rule(relation, source, target)
    return {(verb.strip(), one): [rule] for verb in verbs.split(",") for one in found}


_TABLE = (
    _rules("hand_to", "hand, give, pass, return, throw, deliver, lend", "who", "whom"),
    _rules("hold", "hold, carry, grip, clutch, pick up, grab, lift up, grasp", "who", "what"),
    _rules("use", "use, operate, try out, turn on, switch on, scroll", "who", "what"),
    _rules(
        "use", "wipe, cut, clean, stir, tighten, dry, cover, scoop, measure, fasten, draw, sew",
        "who", "beside", "with",
    ),
    _rules("use", "type, tap, scroll, swipe, click, play", "who", "beside", "on"),
    _rules("inspect", "inspect, check, examine, test, look over, check out, read", "who", "what"),
    _rules("inspect", "look, peer, stare, glance", "who", "beside", "at into through"),
    _rules("inspect", "check", "who", "beside", "on"),
    _rules("ask_about", "ask, inquire, enquire, question, consult", "who", "beside", "about for"),
    _rules("confirm", "confirm, verify, double-check, double check", "who", "what"),
    _rules("confirm", "agree, settle, decide", "who", "beside", "on to"),
    _rules("say_about", "mention, announce, report, praise, describe", "who", "what"),
    _rules("say_about", "say, tell, remark, comment, inform, remind", "who", "beside", "about on"),
    _rules("discuss", "discuss, debate, negotiate, talk over", "who", "what"),
    _rules("discuss", "talk, chat, argue, speak, joke", "who", "beside", "about of"),
    _rules("organize", "organize, organise, arrange, sort, sort out, tidy, tidy up", "who", "what"),
    _rules("organize", "clean up, straighten, straighten up, rearrange", "who", "what"),
    _rules("move", "move, push, pull, shift, slide, drag, roll, relocate", "who", "what"),
    _rules(
        "place_on", "put, place, lay, set, leave, hang, stack, put down, set down, put back, rest",
        "what", "beside", "on onto",
    ),
    _rules(
        "take_from", "take, remove, get, grab, pull, unload, borrow, collect, pick, take out, "
        "pick up, pull out, fetch, retrieve, lift",
        "what", "beside", "from off out",
    ),
    _rules("explain", "explain, clarify, demonstrate, teach", "who", "what"),
    _rules("invite", "invite", "who", "what"),
    _rules("write_on", "write, draw, note, paint, scribble, sketch, sign", "who", "beside", "on"),
    _rules("assemble", "assemble, build, construct, put together, mount, install", "who", "what"),
    _rules(
        "fit_into", "fit, insert, plug, screw, slot, put, pour, pack, load, stuff, place, put back",
        "what", "beside", "in into inside",
    ),
    _rules("offer", "offer", "who", "what"),
)  # fmt: skip


def _merged() -> Mapping[tuple[str, str], tuple[Rule, ...]]:
    found: dict[tuple[str, str], tuple[Rule, ...]] = {}
    for rows in _TABLE:
        for (verb, preposition), rules in rows.items():
            key = (_stemmed(verb), preposition)
            found[key] = (*found.get(key, ()), *rules)
    return found


_IRREGULAR: Mapping[str, str] = {
    form: base
    for base, forms in {
        "give": "gave given",
        "hold": "held",
        "take": "took taken",
        "get": "got gotten",
        "write": "wrote written",
        "draw": "drew drawn",
        "say": "said",
        "tell": "told",
        "build": "built",
        "throw": "threw thrown",
        "lay": "laid",
        "leave": "left",
        "hang": "hung",
        "teach": "taught",
        "speak": "spoke spoken",
        "lend": "lent",
        "drink": "drank drunk",
        "eat": "ate eaten",
        "make": "made",
        "buy": "bought",
        "bring": "brought",
        "feed": "fed",
        "sing": "sang sung",
        "ride": "rode ridden",
        "drive": "drove driven",
        "swim": "swam swum",
        "run": "ran",
        "sweep": "swept",
        "sew": "sewn",
        "meet": "met",
    }.items()
    for form in forms.split()
}
"""Forms that a language model may leave in an act ("took the cup"); the grammar gives bases."""


def verb_key(words: str) -> str:
    """Return what the forms of a verb, with its particle, have in common.

    >>> verb_key("placed"), verb_key("took out"), verb_key("Pick up") == verb_key("picks up")
    ('plac', 'tak out', True)
    """
    return _stemmed(words)


def _stemmed(words: str) -> str:
    verb, _, particle = words.casefold().partition(" ")
    base = stem(_IRREGULAR.get(verb, verb))
    return f"{base} {particle}" if particle else base


RULES: Mapping[tuple[str, str], tuple[Rule, ...]] = _merged()
"""Rules by verb (as `verb_key` writes it) and preposition, "" where none is needed."""

COMPOUNDS = frozenset(verb for verb, _ in RULES if " " in verb)
"""Verbs with a particle that the rules know."""
PARTICLES = frozenset("up down out off back over together away".split())
"""Words that belong to the verb before them where no preposition is meant."""

HANDLED = frozenset(
    "table desk chair sofa couch bed shelf counter fridge oven stove cupboard drawer box bag "
    "backpack cart basket stool bench door window wall gate car bus train plane van truck bike "
    "boat ship screen whiteboard blackboard board sink plate bowl pot pan server elevator tent "
    "floor roof grass sand snow ground lot track field class event meeting party concert show "
    "dentist doctor ceremony conference convention festival fair exhibition parade workshop "
    "tournament wedding".split()
)
"""Nouns that may stand for a place and are things, people or events as well."""
PLACES = frozenset(PLACE_NOUNS - HANDLED)
PEOPLE = frozenset(PERSON_NOUNS) - frozenset("dog cat pup puppy pet kitten".split())
