"""Clauses of which subject, relation and object alone would mislead: they give no quadruple.

What is left out matters: a relative clause that says which ones, where the fun was, how sure it
is, when it comes.
"""

from __future__ import annotations

from mmem.derive.clauses import Clause, is_past
from mmem.derive.lexicon import MUTUAL_NOUNS
from mmem.derive.roles import verb_lemma
from mmem.derive.trees import Tree, is_temporal

_SOME = frozenset("some any certain such sorts kinds types sort kind many several".split())
_MOODS = frozenset("fun blast ball time laugh party news".split())
"""Nouns that say how it was, or that there is something to tell, not what."""
_EMPTY = frozenset("experience moment time chance place spot thing story reason".split())
"""Nouns that tell nothing without the clause that says which."""
_HEDGES = frozenset("kinda sorta kindof sortof somewhat".split())
_SUBJECTS = frozenset("csubj pcomp advcl".split())


def misleads(tree: Tree, clause: Clause, heads: tuple[int, ...]) -> bool:
    """Tell whether a clause loses what it says where only its subject and these objects stay."""
    return (
        _is_hedged(tree, clause)
        or _is_seen_only(tree, clause)
        or _is_dated_later(tree, clause)
        or any(_is_bare(tree, clause, head) for head in heads)
    )


def _is_bare(tree: Tree, clause: Clause, head: int) -> bool:
    """Tell whether an object names too little by itself."""
    inside = tree.below(head)
    words = {tree.lower(place) for place in inside}
    said_which = any(tree.words[place].dep == "relcl" for place in inside)
    if said_which and words & _SOME:
        return True  # "met some people who play chess"
    lemma = tree.words[head].lemma.lower()
    if lemma in _EMPTY and any(tree.words[place].dep in ("relcl", "acl") for place in inside):
        return True  # "had an experience that changed me"
    if verb_lemma(tree, clause.last) in ("have", "get") and words & _MOODS:
        return True  # "had a blast at the fair"
    joint = tree.words[head].dep == "dobj" and lemma in MUTUAL_NOUNS
    if joint and "with" not in words:
        return True  # "dogs and people have a bond"
    return any(place != head and is_temporal(tree, place) for place in inside if place > head)


def _is_hedged(tree: Tree, clause: Clause) -> bool:
    return any(tree.lower(c) in _HEDGES for verb in clause.chain for c in tree.children(verb))


def _is_seen_only(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause is what one sees or does somewhere ("seeing people help is great")."""
    word = tree.words[clause.head]
    above = tree.words[word.head]
    return word.dep == "ccomp" and above.tag == "VBG" and above.dep in _SUBJECTS


def _is_dated_later(tree: Tree, clause: Clause) -> bool:
    """Tell whether the date of a past clause stands in the one joined to it.

    "I finished it and sent it on Friday" may date both.
    """
    if not is_past(tree, clause) or _has_date(tree, clause.head):
        return False
    joined = [c for c in tree.children(clause.head, "conj") if c > clause.head]
    return any(tree.first(c, "nsubj") is None and _has_date(tree, c) for c in joined)


def _has_date(tree: Tree, verb: int) -> bool:
    for child in tree.children(verb):
        inner = tree.first(child, "pobj") if tree.words[child].dep == "prep" else child
        if inner is not None and inner != verb and is_temporal(tree, inner):
            return True
    return False
