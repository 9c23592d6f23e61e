"""The slots of an event: its verb, place, manner and people (SEEM section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.clauses import Clause
from mmem.derive.lexicon import (
    GOING,
    HABITS,
    IDIOMS,
    KNOWING_VERBS,
    LIKING_VERBS,
    MOTION_VERBS,
    NO_MANNER,
    PLACE_ADVERBS,
    PLACE_NOUNS,
    PLACE_PREPOSITIONS,
    STATIVE_VERBS,
)
from mmem.derive.phrases import (
    group_naming,
    is_narrowed,
    naming,
    with_conjuncts,
)
from mmem.derive.references import Cast, names_person
from mmem.derive.trees import Tree, is_temporal

_PLACES = frozenset({"GPE", "LOC", "FAC"})
_LATE_MANNER = frozenset({"seriously", "honestly", "clearly", "simply", "exactly", "personally"})
_DOUBLED = re.compile(r"([bgmnp])\1e$")  # "blogge" for "blogging"
_LONGEST_PLACE = 12
_BESIDE = frozenset(
    {"with", "to", "for", "by", "from", "at", "behind", "beside", "between", "near"}
)
_MEANS = frozenset({"with", "by", "using", "via", "without"})


@dataclass(frozen=True, slots=True)
class Prepositional:
    """A preposition, the head of its phrase and the verb that it hangs on.

    `words` are the preposition's, two of "up to" and "out of".
    """

    preposition: int
    head: int
    verb: int
    words: str


def prepositional(tree: Tree, clause: Clause) -> Iterator[Prepositional]:
    """Yield the prepositional phrases of a clause's verbs in order, times left out."""
    for verb in clause.chain:
        for prep in tree.children(verb, "prep", "dative", "agent"):
            inner, words = prep, tree.lower(prep)
            while (further := tree.first(inner, "prep")) is not None and further == inner + 1:
                inner, words = further, f"{words} {tree.lower(further)}"
            head = tree.first(inner, "pobj")
            if head is not None and not is_temporal(tree, head):
                yield Prepositional(inner, head, verb, words)


def base_form(tree: Tree, clause: Clause) -> str:
    """Return the verbs in their base form, particles and "to" included ("want to pick up")."""
    parts = ["be"] if clause.passive else []
    chain = clause.chain
    if len(chain) > 1 and tree.lower(chain[0]) in GOING and tree.words[chain[1]].tag == "VB":
        chain = chain[1:]
    for number, verb in enumerate(chain):
        word = tree.words[verb]
        above = "" if not number else verb_lemma(tree, chain[number - 1])
        if number and word.tag == "VB" and above not in ("help", "wanna"):
            parts.append("to")
        keep = (number and word.tag == "VBG") or (clause.passive and verb == chain[-1])
        parts.append(word.text.lower() if keep else verb_lemma(tree, verb))
        parts += [tree.lower(c) for c in tree.children(verb, "prt") if not _leads_on(tree, verb, c)]
    return " ".join(parts)


def _leads_on(tree: Tree, verb: int, particle: int) -> bool:
    """Tell whether a particle behind the object belongs to a place ("the coast | up in Maine")."""
    direct = tree.first(verb, "dobj")
    after = tree.children(verb, "prep")
    return direct is not None and direct < particle and particle + 1 in after


def verb_lemma(tree: Tree, verb: int) -> str:
    """Return the base form of a verb; "used" before "to" stays."""
    word = tree.words[verb]
    to = tree.first(verb, "xcomp") is not None and tree.first(verb, "dobj") is None
    if word.lemma.lower() == "use" and word.tag == "VBD" and to:
        return "used"
    if word.lemma.lower() == "get" and word.tag in ("VBN", "VBD") and _has_got(tree, verb):
        return "have"
    known = {
        "'m": "be",
        "'re": "be",
        "'s": "be",
        "ai": "be",
        "wan": "want",
        "'ve": "have",
        "gon": "go",
    }
    return known.get(tree.lower(verb), _DOUBLED.sub(r"\1", word.lemma.lower()))


def means_have(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause says "have" with "got", which is no past."""
    return tree.words[clause.head].lemma == "get" and verb_lemma(tree, clause.head) == "have"


def _has_got(tree: Tree, verb: int) -> bool:
    """Tell whether "got" means "have": "I've got a dog"."""
    had = ("aux", "auxpass") if tree.first(verb, "dobj") is not None else ("aux",)
    return any(tree.lower(c) in ("'ve", "'s", "have", "has") for c in tree.children(verb, *had))


def location(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return where a clause takes place or leads to, as it is said; "" where nothing tells."""
    found = [p for p in (*prepositional(tree, clause), *_inner(tree, clause)) if is_place(tree, p)]
    texts = [_place_words(tree, p, cast) for p in found]
    if any(texts):
        return next(text for text in texts if text)
    for verb in clause.chain:
        for child in tree.children(verb, "advmod", "npadvmod", "dobj"):
            bare = not tree.children(child) and tree.first(verb, "expl") is None
            if bare and tree.lower(child) in PLACE_ADVERBS - {"away"} and not _shows(tree, verb):
                return tree.lower(child)
    return ""


def _shows(tree: Tree, verb: int) -> bool:
    """Tell whether a clause only hands something over ("here is the list")."""
    first = tree.first(verb, "advmod")
    return tree.words[verb].lemma == "be" and first is not None and first < verb


def _inner(tree: Tree, clause: Clause) -> Iterator[Prepositional]:
    """Yield the phrases that hang on the objects of a verb ("went on a hike in the hills")."""
    last = clause.last
    if clause.negative or tree.words[last].lemma.lower() in LIKING_VERBS | KNOWING_VERBS | {"be"}:
        return
    heads = [*tree.children(last, "dobj"), *(p.head for p in prepositional(tree, clause))]
    for head in heads:
        for prep in tree.children(head, "prep"):
            inner = tree.first(prep, "pobj")
            if inner is not None and tree.lower(prep) in ("in", "at", "near", "on"):
                yield Prepositional(prep, inner, last, tree.lower(prep))


def is_place(tree: Tree, item: Prepositional) -> bool:
    """Tell whether a prepositional phrase names a place."""
    word, prep = tree.words[item.head], tree.lower(item.preposition)
    if (
        not {prep, item.words.split()[0]} & PLACE_PREPOSITIONS
        or word.tag.startswith("PRP")
        or word.entity == "PERSON"
    ):
        return False
    if word.entity in _PLACES or _is_beside(tree, item):
        return True
    moves = tree.words[item.verb].lemma.lower() in MOTION_VERBS
    if prep in ("to", "from", "into", "by", "past") and not moves:
        return False
    verb = tree.words[item.verb].lemma.lower()
    if (verb, word.lemma.lower()) in IDIOMS:
        return False
    named = word.pos == "PROPN" and prep in ("in", "at", "near")
    named = named and (word.entity != "ORG" or prep == "at")
    return named or word.lemma.lower() in PLACE_NOUNS or word.text.lower() in PLACE_NOUNS


def _place_words(tree: Tree, item: Prepositional, cast: Cast) -> str:
    named = naming(tree, item.head, cast)
    if named is None and is_narrowed(tree, item.head):
        below = tree.below(item.head)
        named = tree.slice(below) if len(below) <= _LONGEST_PLACE else None
    if named is None:
        return ""
    return named if item.words in ("in", "at", "to", "up to") else f"{item.words} {named}"


def manner(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return how, as it is said: an adverb, "by train", "with a brush"; "" if untold."""
    for verb in clause.chain:
        for child in tree.children(verb, "advmod"):
            word = tree.lower(child)
            ly = word.endswith("ly") and word not in NO_MANNER
            ly = ly or (word in _LATE_MANNER and child > verb + 1)
            if (
                ly
                or word in HABITS
                or word in ("together", "alone", "fast", "hard", "well", "quickly")
            ):
                return word
    for item in prepositional(tree, clause):
        prep = tree.lower(item.preposition)
        agent = tree.words[item.preposition].dep == "agent"
        if is_means(tree, clause, prep) and not agent and not names_person(tree, item.head):
            named = group_naming(tree, with_conjuncts(tree, item.head) or [item.head], cast)
            if named is not None:
                return f"{prep} {named}"
    return ""


def is_means(tree: Tree, clause: Clause, prep: str) -> bool:
    """Tell whether a preposition tells by what means; "with" only beside an object."""
    if prep == "by" and any(_is_beside(tree, item) for item in prepositional(tree, clause)):
        return False
    done = tree.first(clause.last, "dobj") is not None
    done = done and tree.words[clause.last].lemma.lower() not in STATIVE_VERBS
    return prep in _MEANS and (prep != "with" or done)


def _is_beside(tree: Tree, item: Prepositional) -> bool:
    """Tell whether "by" means a place: "by the river", but not "by boat"."""
    named = tree.words[item.head].lemma.lower() in PLACE_NOUNS | {"water", "fire"}
    return item.words == "by" and named and tree.first(item.head, "det") is not None


def companions(tree: Tree, clause: Clause, cast: Cast) -> Iterator[str]:
    """Yield the people in the clause beside its subject: objects, "with" and "to" whom."""
    heads = [o for verb in clause.chain for o in tree.children(verb, "dobj", "dative", "attr")]
    items = prepositional(tree, clause)
    beside = _BESIDE if clause.passive else _BESIDE - {"by"}
    heads += [item.head for item in items if tree.lower(item.preposition) in beside]
    for head in heads:
        if tree.words[head].dep == "attr" or not _is_somebody(tree, head):
            continue
        for one in with_conjuncts(tree, head):
            if names_person(tree, one):
                named = naming(tree, one, cast)
                if named is not None:
                    yield named


def _is_somebody(tree: Tree, head: int) -> bool:
    """Tell whether a noun stands for a person, not for what one is ("promoted to manager")."""
    word = tree.words[head]
    set_off = tree.first(head, "det", "poss", "nummod") is not None
    return word.pos in ("PROPN", "PRON") or word.tag == "NNS" or set_off


def recipient(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return to whom something is given or told; "" where nobody is."""
    for head in tree.children(clause.last, "dative"):
        inner = tree.first(head, "pobj")
        who = naming(tree, head if inner is None else inner, cast)
        if who is not None:
            return who
    return ""
