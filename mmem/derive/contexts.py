"""What the clauses above a clause make of it: hoped, said by others, on a condition."""

from __future__ import annotations

from dataclasses import dataclass

from mmem.derive.lexicon import (
    CAUSES,
    CONDITIONS,
    KNOWING_VERBS,
    SAYING_VERBS,
    SUPPOSING_VERBS,
    WHENEVER,
)
from mmem.derive.trees import Tree
from mmem.schemas import Modality


@dataclass(frozen=True, slots=True)
class Meaning:
    """A modality; `plain` says that the clause stands by itself, so that facts may be read off."""

    modality: Modality
    plain: bool = True


SUPPOSED = Meaning("supposed", plain=False)


def above_clause(tree: Tree, head: int) -> Meaning | None:
    """Return what the clauses above make of a clause; None for one that depends on nothing."""
    word = tree.words[head]
    if word.dep == "ccomp":
        return _complement(tree, head)
    if word.dep == "advcl":
        return _adverbial(tree, head)
    if word.dep == "conj":
        return above_clause(tree, word.head)
    return None


def _complement(tree: Tree, head: int) -> Meaning:
    governor = tree.words[head].head
    verb = tree.words[governor]
    higher = above_clause(tree, governor)
    if higher is not None and higher.modality != "asserted":
        return higher
    if is_invitation(tree, governor):
        return Meaning("wished", plain=False)
    if _is_spliced(tree, head, governor):
        return Meaning("asserted")
    if _gives_reason(tree, head, governor):
        return Meaning("asserted")
    if _asks_inside(tree, head) or any(tree.lower(c) in CONDITIONS for c in marks_of(tree, head)):
        return SUPPOSED
    lemma = verb.lemma.lower()
    if _governor_doubts(tree, governor):
        return SUPPOSED
    if lemma in SAYING_VERBS:
        own = tree.first(governor, "nsubj")
        mine = own is not None and tree.lower(own) in ("i", "we")
        return Meaning("supposed" if mine else "reported", plain=not mine)
    return Meaning("asserted") if lemma in KNOWING_VERBS else SUPPOSED


def _is_spliced(tree: Tree, head: int, governor: int) -> bool:
    """Tell whether two sentences were joined by a comma ("I sold it, I did not need it")."""
    lemma = tree.words[governor].lemma.lower()
    subject = tree.first(governor, "nsubj", "nsubjpass", "expl")
    if subject is None or not head < subject or lemma in SAYING_VERBS:
        return False
    return lemma not in SUPPOSING_VERBS or tree.lower(subject) in ("it", "that", "this")


def _gives_reason(tree: Tree, head: int, governor: int) -> bool:
    """Tell whether a clause is the fact in "that's why I sold it"."""
    subject = tree.first(governor, "nsubj")
    why = any(tree.lower(c) == "why" for c in tree.children(head, "advmod"))
    that = subject is not None and tree.lower(subject) in ("that", "this", "which")
    return why and that and tree.words[governor].lemma == "be"


def _governor_doubts(tree: Tree, governor: int) -> bool:
    """Tell whether a governing verb is negated, modal, or one of thinking and hoping."""
    verb = tree.words[governor]
    helpers = tree.children(governor, "aux", "neg")
    open_ = any(tree.words[h].tag == "MD" or tree.words[h].dep == "neg" for h in helpers)
    return open_ or verb.tag == "VB" or verb.lemma.lower() in SUPPOSING_VERBS


def _asks_inside(tree: Tree, head: int) -> bool:
    """Tell whether a clause is an indirect question ("what it is", "how they did it")."""
    return any(
        tree.words[p].tag in ("WP", "WRB", "WDT", "WP$") for p in tree.children(head)
    ) or any(
        tree.words[g].tag in ("WDT", "WP$", "WRB")
        for c in tree.children(head)
        for g in tree.children(c)
    )


def marks_of(tree: Tree, head: int) -> list[int]:
    """Return the words before a verb that join its clause to another ("if", "when")."""
    return [c for c in tree.children(head, "mark", "advmod") if c < head]


def _adverbial(tree: Tree, head: int) -> Meaning:
    marks = {tree.lower(c) for c in marks_of(tree, head)}
    governor = tree.words[head].head
    higher = above_clause(tree, governor)
    if higher is not None and higher.modality != "asserted":
        return higher
    if marks & CONDITIONS or {"as", "though"} <= marks or "like" in marks:
        return SUPPOSED
    past = tree.words[head].tag == "VBD" or any(
        tree.words[a].tag == "VBD" for a in tree.children(head, "aux", "auxpass")
    )
    if marks & WHENEVER - CAUSES and not past:
        return SUPPOSED
    if not marks:
        return Meaning("asserted", plain=False) if _accompanies(tree, head) else SUPPOSED
    return Meaning("asserted", plain=not marks & (WHENEVER | {"when"}))


def _accompanies(tree: Tree, head: int) -> bool:
    """Tell whether a participle tells what goes on beside a fact ("left, holding a bag")."""
    above = tree.words[head].head
    modal = any(tree.words[c].tag in ("MD", "TO") for c in tree.children(above, "aux"))
    return tree.words[head].tag == "VBG" and not modal and tree.words[above].tag != "VB"


def is_invitation(tree: Tree, verb: int) -> bool:
    """Tell whether a verb is the "let" of "let's go" and "let me see"."""
    inner = tree.first(verb, "ccomp")
    if tree.lower(verb) not in ("let", "lets") or inner is None:
        return False
    subject = tree.first(inner, "nsubj")
    mine = subject is not None and tree.lower(subject) in ("'s", "us", "me")
    return mine and tree.first(verb, "nsubj") is None
