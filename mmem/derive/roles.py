"""The slots of an event: action, place, cause, manner, recipient (SEEM section 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.clauses import Clause
from mmem.derive.lexicon import (
    CAUSES,
    GOING,
    HABITS,
    MOTION_VERBS,
    NO_MANNER,
    PERSON_NOUNS,
    PLACE_ADVERBS,
    PLACE_NOUNS,
    PLACE_PREPOSITIONS,
)
from mmem.derive.phrases import is_temporal, naming, phrase, with_conjuncts
from mmem.derive.references import PRONOUNS, Cast, gender_of
from mmem.derive.trees import Tree

_PLACES = frozenset({"GPE", "LOC", "FAC"})
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
        if number and word.tag == "VB" and verb_lemma(tree, chain[number - 1]) != "help":
            parts.append("to")
        keep = (number and word.tag == "VBG") or (clause.passive and verb == chain[-1])
        parts.append(word.text.lower() if keep else verb_lemma(tree, verb))
        parts += [tree.lower(c) for c in tree.children(verb, "prt")]
    return " ".join(parts)


def verb_lemma(tree: Tree, verb: int) -> str:
    """Return the base form of a verb; "used" before "to" stays."""
    word = tree.words[verb]
    if word.lemma.lower() == "use" and word.tag == "VBD" and tree.first(verb, "xcomp") is not None:
        return "used"
    if word.lemma.lower() == "get" and word.tag in ("VBN", "VBD") and _has_got(tree, verb):
        return "have"
    known = {"'m": "be", "'re": "be", "'s": "be", "ai": "be", "'ve": "have", "gon": "go"}
    return known.get(tree.lower(verb), word.lemma.lower())


def _has_got(tree: Tree, verb: int) -> bool:
    """Tell whether "got" means "have": "I've got a dog"."""
    return any(tree.lower(c) in ("'ve", "'s", "have", "has") for c in tree.children(verb, "aux"))


def location(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return where a clause takes place or leads to, as it is said; "" where nothing tells."""
    found = [p for p in prepositional(tree, clause) if is_place(tree, p)]
    texts = [_place_words(tree, p, cast) for p in found]
    if any(texts):
        return next(text for text in texts if text)
    for verb in clause.chain:
        for child in tree.children(verb, "advmod", "npadvmod", "dobj"):
            if tree.lower(child) in PLACE_ADVERBS - {"away"}:
                return tree.lower(child)
    return ""


def is_place(tree: Tree, item: Prepositional) -> bool:
    """Tell whether a prepositional phrase names a place."""
    word, prep = tree.words[item.head], tree.lower(item.preposition)
    if (
        not {prep, item.words.split()[0]} & PLACE_PREPOSITIONS
        or word.tag.startswith("PRP")
        or word.entity == "PERSON"
    ):
        return False
    if word.entity in _PLACES:
        return True
    moves = tree.words[item.verb].lemma.lower() in MOTION_VERBS
    if prep in ("to", "from", "into", "by", "past") and not moves:
        return False
    named = word.pos == "PROPN" and prep in ("in", "at", "near") and word.entity != "ORG"
    return named or word.lemma.lower() in PLACE_NOUNS or word.text.lower() in PLACE_NOUNS


def _place_words(tree: Tree, item: Prepositional, cast: Cast) -> str:
    named = naming(tree, item.head, cast)
    if named is None:
        return ""
    return named if item.words in ("in", "at", "to", "up to") else f"{item.words} {named}"


def cause(tree: Tree, clause: Clause) -> str:
    """Return why, as it is said: a "because" clause, "due to" phrase or purpose; "" if untold."""
    for verb in clause.chain:
        for child in tree.children(verb, "advcl", "prep"):
            words = tree.below(child)
            if _gives_cause(tree, child):
                return _cut(tree.slice(words))
    return ""


def _gives_cause(tree: Tree, child: int) -> bool:
    word = tree.words[child]
    inner = {tree.lower(c) for c in tree.children(child)}
    if word.dep == "prep":
        whole = {tree.lower(child), *inner}
        return bool(whole & {"because", "due"}) or {"thanks", "to"} <= whole
    marks = {tree.lower(c) for c in tree.children(child, "mark")}
    if marks & CAUSES - {"since", "as"}:
        return True
    if "since" in marks:
        return word.tag in ("VBZ", "VBP")
    purpose = word.tag == "VB" and any(tree.lower(c) == "to" for c in tree.children(child, "aux"))
    return purpose or ("so" in inner and bool(inner & {"that", "can", "could"}))


def _cut(text: str) -> str:
    return text if len(text) <= 200 else text[:199].rsplit(" ", 1)[0] + "…"


def manner(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return how, as it is said: an adverb, "by train", "with a brush"; "" if untold."""
    for verb in clause.chain:
        for child in tree.children(verb, "advmod"):
            word = tree.lower(child)
            ly = word.endswith("ly") and word not in NO_MANNER
            if (
                ly
                or word in HABITS
                or word in ("together", "alone", "fast", "hard", "well", "quickly")
            ):
                return word
    for item in prepositional(tree, clause):
        prep = tree.lower(item.preposition)
        agent = tree.words[item.preposition].dep == "agent"
        if prep in _MEANS and not agent and not names_person(tree, item.head):
            named = naming(tree, item.head, cast)
            if named is not None:
                return f"{prep} {named}"
    return ""


def names_person(tree: Tree, head: int) -> bool:
    """Tell whether a phrase is a person or people, by entity, pronoun or noun."""
    word = tree.words[head]
    personal = tree.lower(head) in PRONOUNS and tree.lower(head) not in (
        "it",
        "itself",
        "they",
        "them",
    )
    named = word.pos == "PROPN" and gender_of(word.text) != ""
    return personal or named or word.entity == "PERSON" or word.lemma.lower() in PERSON_NOUNS


def companions(tree: Tree, clause: Clause, cast: Cast) -> Iterator[str]:
    """Yield the people in the clause beside its subject: objects, "with" and "to" whom."""
    heads = [o for verb in clause.chain for o in tree.children(verb, "dobj", "dative", "attr")]
    items = prepositional(tree, clause)
    heads += [item.head for item in items if tree.lower(item.preposition) in _BESIDE]
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


def action(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return the predicate in its base form with its object, without time and place."""
    parts = [base_form(tree, clause)]
    last = clause.last
    if tree.lower(last) in ("let", "make", "help", "see", "watch", "hear"):
        parts += [tree.slice(_short(tree, c)) for c in tree.children(last, "ccomp") if c > last]
    if tree.first(last, "expl") is not None:
        parts[0] = f"there {parts[0]}"
    for child in tree.children(last, "dobj", "attr", "oprd", "acomp", "xcomp", "prep", "agent"):
        parts.append(_action_words(tree, clause, child, cast))
    return " ".join(part for part in parts if part)


def _action_words(tree: Tree, clause: Clause, child: int, cast: Cast) -> str:
    word = tree.words[child]
    if child in clause.chain or is_temporal(tree, child) or word.tag in ("WDT", "WP", "WRB"):
        return ""
    if word.dep in ("prep", "agent"):
        return _prepositional_words(tree, clause, child, cast)
    if word.dep != "dobj":
        return _named(tree, child, cast)
    if tree.lower(child) in PLACE_ADVERBS:
        return ""
    several = with_conjuncts(tree, child)
    if len(several) < 2:
        return _named(tree, child, cast)
    return " and ".join(name for one in several if (name := naming(tree, one, cast)))


def _prepositional_words(tree: Tree, clause: Clause, prep: int, cast: Cast) -> str:
    """Return a prepositional phrase that is no place, time or means, else ""."""
    for item in prepositional(tree, clause):
        if prep not in (item.preposition, tree.words[item.preposition].head):
            continue
        means = tree.lower(prep) in _MEANS and tree.words[prep].dep != "agent"
        return (
            "" if is_place(tree, item) or means else f"{item.words} {_named(tree, item.head, cast)}"
        )
    return ""


def _named(tree: Tree, head: int, cast: Cast) -> str:
    words = _short(tree, head)
    return naming(tree, head, cast) or phrase(tree, words, cast) or tree.slice(words)


def _short(tree: Tree, head: int) -> list[int]:
    """Return the words of a phrase without the clauses in it."""
    leave_out = frozenset({"relcl", "advcl", "ccomp", "punct", "parataxis", "conj", "cc"})
    found = tree.below(head, leave_out)
    middle = found.index(head)
    last = middle
    while last + 1 < len(found) and found[last + 1] == found[last] + 1:
        last += 1
    first = middle
    while first and found[first - 1] == found[first] - 1:
        first -= 1
    return found[first : last + 1]
