"""What a clause says of its subject: the relation and where its object stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.clauses import Clause
from mmem.derive.lexicon import (
    CARRYING_VERBS,
    DEGREES,
    GERUND_VERBS,
    IDLE_ADJECTIVES,
    LIKING_VERBS,
    PERSONAL_STATES,
    PLACE_ADVERBS,
    PURPOSE_VERBS,
)
from mmem.derive.references import FIRST_PLURAL
from mmem.derive.roles import base_form, names_person, prepositional, verb_lemma
from mmem.derive.trees import Tree

_DIRECT = ("dobj", "attr")
_TAKING = frozenset({"take", "bring", "send", "drive", "lead", "walk", "push"})
_FREE = frozenset({"get", "make", "spend", "find"})
_STATE_PREPOSITIONS = frozenset({"in", "at", "on", "from", "near", "into", "with"})


@dataclass(frozen=True, slots=True)
class Found:
    """A relation with the head of its object, or the words of an object that is no noun."""

    relation: str
    heads: tuple[int, ...]
    words: tuple[int, ...]
    confidence: float


def objects(tree: Tree, clause: Clause) -> Iterator[Found]:
    """Yield the relation of a clause with each of its objects; nothing where more is needed."""
    last, relation = clause.last, base_form(tree, clause)
    if len(clause.chain) > 1 and (liked := _liked(tree, clause)):
        yield liked
        return
    if clause.passive and len(clause.chain) > 1:
        return
    if clause.passive:
        yield from _passive(tree, clause)
        return
    direct = tree.first(last, *_DIRECT)
    if direct is not None:
        if not _is_incomplete(tree, clause, direct):
            yield Found(relation, (direct,), (), 0.85)
        return
    state = tree.first(last, "acomp")
    if state is not None:
        yield from _state(tree, clause, state)
        return
    if not tree.children(last, "oprd", "ccomp", "xcomp"):
        yield from _through_preposition(tree, clause, relation)


def _is_incomplete(tree: Tree, clause: Clause, direct: int) -> bool:
    """Tell whether what follows the object belongs to it ("keep us busy", "put it on")."""
    last = clause.last
    after = tree.children(last, "oprd", "xcomp", "acomp", "ccomp")
    if tree.lower(direct) in FIRST_PLURAL or not all(_is_purpose(tree, last, c) for c in after):
        return True
    follows = [tree.words[c].dep for c in tree.children(last, "prep", "advmod") if c > direct]
    lemma = tree.words[last].lemma.lower()
    if lemma in CARRYING_VERBS and ("advmod" in follows or (lemma not in _FREE and follows)):
        return True
    if _counts_otherwise(tree, clause, direct):
        return True
    before = [tree.words[c].pos for c in tree.children(direct, "compound", "det", "poss")]
    if lemma in ("watch", "see", "hear", "help", "let", "make") and before == ["PROPN"]:
        return True  # "watch Ann write", where the verb is taken for a noun
    onward = {tree.lower(c) for c in tree.children(last, "prep")}
    if lemma in _TAKING and onward & {"to", "out"}:
        return True
    me = tree.words[direct].tag == "PRP" and tree.words[direct].dep == "dobj"
    return me and not any(names_person(tree, s) for s in clause.subjects)


def _counts_otherwise(tree: Tree, clause: Clause, direct: int) -> bool:
    """Tell whether several are said to be something that each is not ("we are teammates")."""
    word = tree.words[direct]
    if word.dep != "attr" or word.tag not in ("NNS", "NNPS") or not clause.subjects:
        return False
    return len(clause.subjects) > 1 or tree.lower(clause.subjects[0]) in FIRST_PLURAL


def _is_purpose(tree: Tree, verb: int, child: int) -> bool:
    """Tell whether a complement says what for ("use my voice to help"), not who does it."""
    word = tree.words[child]
    to = word.tag == "VB" and any(tree.lower(c) == "to" for c in tree.children(child, "aux"))
    return to and word.dep == "xcomp" and tree.words[verb].lemma.lower() in PURPOSE_VERBS


def _liked(tree: Tree, clause: Clause) -> Found | None:
    """Return "love" with "painting landscapes", where the complement is a gerund."""
    first, second = clause.chain[0], clause.chain[1]
    if tree.words[first].lemma.lower() not in LIKING_VERBS | GERUND_VERBS:
        return None
    if tree.words[second].tag != "VBG" or tree.first(second, "ccomp", "oprd") is not None:
        return None
    words = [p for p in clause.places if p >= second and _is_kept(tree, second, p)]
    words = [p for n, p in enumerate(words) if p - n == words[0]]
    if any(tree.words[p].dep == "nsubj" or tree.words[p].tag in ("WP", "WRB") for p in words):
        return None
    return Found(verb_lemma(tree, first), (), tuple(words), 0.8)


def _is_kept(tree: Tree, verb: int, place: int) -> bool:
    here = place
    while here != verb:
        head = tree.words[here].head
        if tree.words[here].dep in ("advcl", "relcl", "ccomp", "npadvmod"):
            return False
        if head == verb and tree.words[here].dep in ("punct", "cc", "conj"):
            return False
        here = head
        if tree.words[here].head == here:
            return here == verb
    return True


def _passive(tree: Tree, clause: Clause) -> Iterator[Found]:
    last = clause.last
    relation = base_form(tree, clause)
    direct = tree.first(last, "dobj", "oprd")
    if direct is not None:
        yield Found(relation, (direct,), (), 0.75)
        return
    yield from _through_preposition(tree, clause, relation)


def _state(tree: Tree, clause: Clause, state: int) -> Iterator[Found]:
    """Yield a person's state: "be" with "allergic to peanuts"."""
    lemma = tree.words[state].lemma.lower()
    if verb_lemma(tree, clause.last) != "be" or lemma in IDLE_ADJECTIVES:
        return
    human = lemma in PERSONAL_STATES and all(tree.words[s].pos == "PROPN" for s in clause.subjects)
    if not human and not any(names_person(tree, s) for s in clause.subjects):
        return
    if tree.children(state, "ccomp", "xcomp", "advcl", "pcomp"):
        return
    prep = tree.first(state, "prep")
    inner = None if prep is None else tree.first(prep, "pobj")
    if prep is None:
        degrees = {c for c in tree.children(state, "advmod") if tree.lower(c) in DEGREES}
        words = [p for p in tree.below(state) if p not in degrees and tree.words[p].dep != "punct"]
        if all(tree.words[p].dep in ("acomp", "npadvmod", "amod", "compound") for p in words):
            yield Found("be", (), tuple(words), 0.75)
    elif inner is not None:
        yield Found(f"be {tree.lower(state)} {tree.lower(prep)}", (inner,), (), 0.75)


def _through_preposition(tree: Tree, clause: Clause, relation: str) -> Iterator[Found]:
    last = clause.last
    items = [p for p in prepositional(tree, clause) if p.verb == last and p.preposition > last]
    if not items:
        return
    item = items[0]
    prep = tree.lower(item.preposition)
    if relation == "be" and prep not in _STATE_PREPOSITIONS:
        return
    if (
        tree.words[item.preposition].text != prep
        or prep == "between"
        or tree.lower(item.head) == "place"
    ):
        return
    if any(
        not _is_loose(tree, p) for p in range(last + 1, item.preposition - item.words.count(" "))
    ):
        return
    yield Found(f"{relation} {item.words}", (item.head,), (), 0.85)


def _is_loose(tree: Tree, place: int) -> bool:
    """Tell whether a word may stand between verb and preposition without a loss."""
    word = tree.words[place]
    if tree.lower(place) in PLACE_ADVERBS:
        return False
    return word.dep in ("prt", "advmod", "npadvmod", "neg") or tree.words[word.head].dep in (
        "advmod",
        "npadvmod",
    )
