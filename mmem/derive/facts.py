"""Quadruples of a clause: who, what, with what, when (SEEM GML (s, r, o, τ)).

Fewer and true before many: a clause gives one only where its subject and its object have names,
and where leaving out the rest of the sentence leaves it true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.clauses import Clause, drops_speaker
from mmem.derive.lexicon import (
    HABITS,
    IDIOMS,
    IDLE_VERBS,
    STATIVE_VERBS,
)
from mmem.derive.modality import is_past, is_progressive
from mmem.derive.objects import Found, objects
from mmem.derive.phrases import is_temporal, naming, phrase, with_conjuncts
from mmem.derive.references import FIRST_PLURAL, SECOND, Cast
from mmem.derive.roles import prepositional, verb_lemma
from mmem.derive.trees import Tree
from mmem.schemas import FactKind

_FINITE = frozenset({"VB", "VBD", "VBP", "VBZ", "MD"})


@dataclass(frozen=True, slots=True)
class Fact:
    """Subject, relation, object of a clause; `chars` is where it is said."""

    subject: str
    relation: str
    object: str
    kind: FactKind
    confidence: float
    chars: tuple[int, int]


def facts(tree: Tree, clause: Clause, cast: Cast) -> Iterator[Fact]:
    """Yield what a clause says of each of its subjects."""
    if _is_idle(tree, clause) or _says_when(tree, clause):
        return
    subjects = list(_subjects(tree, clause, cast))
    if not subjects:
        return
    for found in objects(tree, clause):
        for value in _values(tree, found, cast):
            for head, subject in subjects:
                if value.lower() == subject.lower():
                    continue
                yield Fact(
                    subject=subject,
                    relation=found.relation,
                    object=value,
                    kind=_kind(tree, clause),
                    confidence=_confidence(tree, clause, head, found),
                    chars=_chars(tree, clause, head),
                )


def _is_idle(tree: Tree, clause: Clause) -> bool:
    verbs = {tree.words[v].lemma.lower() for v in clause.chain}
    if verbs & IDLE_VERBS or _is_mixed(tree, clause):
        return True
    lemma = tree.words[clause.last].lemma.lower()
    heads = [*tree.children(clause.last, "dobj", "attr"), *_prepositional_heads(tree, clause)]
    return any((lemma, tree.words[h].lemma.lower()) in IDIOMS for h in heads)


def _is_mixed(tree: Tree, clause: Clause) -> bool:
    """Tell whether a verb before the last is none that asserts ("am blessed to have")."""
    if any(tree.first(verb, "neg") is not None for verb in clause.chain[1:]):
        return True
    for verb in clause.chain[:-1]:
        if tree.words[verb].lemma == "be" or tree.first(verb, "auxpass", "acomp") is not None:
            return True
    asking = [c for verb in clause.chain[1:] for c in tree.children(verb)]
    asking += tree.children(tree.words[clause.last].head)
    return any(tree.words[c].tag in ("WRB", "WP", "WDT") for c in asking)


def _prepositional_heads(tree: Tree, clause: Clause) -> list[int]:
    return [item.head for item in prepositional(tree, clause)]


def _says_when(tree: Tree, clause: Clause) -> bool:
    return any(is_temporal(tree, c) for c in tree.children(clause.last, "attr"))


def _subjects(tree: Tree, clause: Clause, cast: Cast) -> Iterator[tuple[int, str]]:
    if not clause.subjects and drops_speaker(tree, clause) and cast.said.speaker:
        yield clause.head, cast.said.speaker
    if tree.first(clause.head, "csubj") is not None:
        return
    if not clause.subjects or len(with_conjuncts(tree, clause.subjects[0])) == 0:
        return
    for head in clause.subjects:
        if any(
            tree.words[p].dep in ("relcl", "acl") or tree.words[p].tag in _FINITE
            for p in tree.below(head, frozenset({"conj"}))
        ):
            continue
        if tree.lower(head) in SECOND and not is_past(tree, clause):
            continue
        named = naming(tree, head, cast)
        if named is not None:
            yield head, named


def _values(tree: Tree, found: Found, cast: Cast) -> Iterator[str]:
    if found.words:
        text = phrase(tree, list(found.words), cast)
        if text is not None:
            yield text
    for head in found.heads:
        for one in _joined(tree, head):
            named = None if is_temporal(tree, one) else naming(tree, one, cast)
            if named is not None:
                yield named


def _joined(tree: Tree, head: int) -> list[int]:
    """Return the objects that are joined; of complements of "be" only those with an article."""
    found = with_conjuncts(tree, head)
    if tree.words[head].dep != "attr":
        return found
    return found[:1] + [f for f in found[1:] if tree.first(f, "det", "poss") is not None]


def _kind(tree: Tree, clause: Clause) -> FactKind:
    lemma = verb_lemma(tree, clause.head)
    usual = any(tree.lower(c) in HABITS for c in tree.children(clause.head, "advmod"))
    if usual or lemma == "used":
        return "semantic"
    if is_past(tree, clause) or is_progressive(tree, clause):
        return "episodic"
    if lemma == "be":
        return "semantic" if tree.first(clause.last, "attr") is not None else "episodic"
    return "semantic" if lemma in STATIVE_VERBS else "episodic"


def _confidence(tree: Tree, clause: Clause, subject: int, found: Found) -> float:
    value = found.confidence
    if subject == clause.head:
        value -= 0.1
    if tree.lower(subject) in FIRST_PLURAL or tree.lower(subject) in SECOND:
        value -= 0.05
    if clause.inherited:
        value -= 0.05
    return round(value, 2)


def _chars(tree: Tree, clause: Clause, subject: int) -> tuple[int, int]:
    """Return the range from the subject to the last own word of the clause."""
    own = [p for p in clause.places if tree.words[p].pos != "PUNCT"]
    start, end = tree.chars(own)
    return min(start, tree.words[subject].start), end
