"""How a clause is meant: as a fact, a plan, a wish, a question; Modality of schemas/events."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mmem.derive.clauses import Clause
from mmem.derive.contexts import SUPPOSED, Meaning, above_clause, marks_of
from mmem.derive.lexicon import (
    FUTURE,
    GOING,
    HEDGES,
    PLAN_VERBS,
    POSSIBLE,
    WISH_VERBS,
    WISHING_AUX,
)
from mmem.derive.told import Said
from mmem.derive.trees import Tree
from mmem.schemas import Moment
from mmem.words import is_question

_EXCLAIMING = re.compile(r"(?:what an?|how|such an?|no wonder|so much for)\b(?!.*\?)", re.I)
_QUOTES = re.compile('["\u201c\u201d\u00ab\u00bb]')
_DOUBT = frozenset(
    "if unless whether hope guess think wish suppose believe bet assume imagine doubt".split()
)
_PARTING = frozenset({"but", "because", "so"})
_WISHING = frozenset({"wish", "hope", "want", "need"})


def meaning(tree: Tree, clause: Clause) -> Meaning:
    """Return how a clause is meant, from the clauses above it down to its own verbs."""
    start, end = tree.sentence(clause.head)
    sentence = tree.text[start:end]
    if is_question(sentence) or _inverts(tree, clause):
        return Meaning("asked", plain=False)
    if _is_quoted(tree, clause.head):
        return Meaning("reported", plain=False)
    above = above_clause(tree, clause.head)
    own = _own(tree, clause)
    if above is None:
        return Meaning(own.modality, own.plain and not _EXCLAIMING.match(sentence))
    if above.modality == "reported" and own.modality != "asserted":
        return Meaning("reported", plain=False)
    if above.modality != "asserted":
        return above
    return Meaning(own.modality, own.plain and above.plain)


def is_past(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause speaks of what was: past tense or perfect."""
    tags = [tree.words[a].tag for a in clause.auxiliaries]
    return (tags[0] if tags else tree.words[clause.head].tag) == "VBD" or _has(tree, clause)


def lies_ahead(tree: Tree, clause: Clause, moment: Moment, said: Said) -> bool:
    """Tell whether a present tense means what is to come ("I'm meeting Tom tomorrow")."""
    if said.at_us is None or moment.start_us is None or is_past(tree, clause):
        return False
    return moment.start_us > said.at_us


def is_progressive(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause speaks of what goes on ("is building")."""
    return tree.words[clause.head].tag == "VBG"


def _has(tree: Tree, clause: Clause) -> bool:
    return any(tree.words[a].lemma in ("have", "'ve") for a in clause.auxiliaries)


def _inverts(tree: Tree, clause: Clause) -> bool:
    """Tell whether an auxiliary stands before the subject, as in a question without its mark."""
    if not clause.subjects or clause.inherited or tree.words[clause.head].dep != "ROOT":
        return False
    helpers = [*clause.auxiliaries]
    if tree.words[clause.head].lemma == "be":
        helpers.append(clause.head)
    if not helpers or min(helpers) > clause.subjects[0]:
        return False
    first = next(p for p in clause.places if tree.words[p].pos not in ("INTJ", "PUNCT", "CCONJ"))
    return first == min(helpers) or tree.words[first].tag in ("WP", "WRB", "WDT")


def _is_quoted(tree: Tree, place: int) -> bool:
    before = tree.text[: tree.words[place].start]
    after = tree.text[tree.words[place].end :]
    return len(_QUOTES.findall(before)) % 2 == 1 and bool(_QUOTES.search(after))


def _own(tree: Tree, clause: Clause) -> Meaning:
    verb = tree.words[clause.head]
    if _is_ordered(tree, clause):
        return Meaning("ordered", plain=False)
    if _has_condition(tree, clause) or _is_hedged(tree, clause) or _is_doubted(tree, clause):
        return SUPPOSED
    alone = verb.dep == "conj" and clause.inherited and not clause.auxiliaries
    if alone and verb.tag in ("VB", "VBP"):
        return _shared(tree, clause.head)
    return _by_helpers(tree, clause) or _by_verbs(tree, clause)


def _by_helpers(tree: Tree, clause: Clause) -> Meaning | None:
    """Return what auxiliaries make of a clause; None where they only tell its tense."""
    words = [tree.lower(a) for a in clause.auxiliaries]
    verb = tree.words[clause.head]
    if any(w in FUTURE for w in words) or any(tree.lower(v) in GOING for v in clause.chain[:-1]):
        return Meaning("planned", plain=len(clause.chain) < 3)
    if verb.lemma == "wait" and "ca" in words:
        return Meaning("wished", plain=False)
    if _is_wish(tree, clause, words):
        return Meaning("wished")
    if any(w in POSSIBLE for w in words if not _is_had(tree, clause, w)):
        return Meaning("supposed")
    done = any(tree.words[a].lemma == "do" for a in clause.auxiliaries)
    return SUPPOSED if verb.tag == "VB" and not done else None


def _by_verbs(tree: Tree, clause: Clause) -> Meaning:
    """Return what the governing verbs make of a clause ("plan to", "want")."""
    verb = tree.words[clause.head]
    lemmas = {tree.words[v].lemma.lower() for v in clause.chain[:-1]}
    if lemmas & PLAN_VERBS:
        return Meaning("planned")
    if lemmas & WISH_VERBS - {"like"} or verb.lemma in _WISHING:
        return Meaning("wished")
    if lemmas and verb.lemma == "have":
        return Meaning("asserted" if verb.tag == "VBD" else "planned")
    return Meaning("asserted")


def _shared(tree: Tree, place: int) -> Meaning:
    """Return how a verb without helpers of its own is meant, from the one it is joined to."""
    first = place
    while tree.words[first].dep in ("conj", "xcomp"):
        first = tree.words[first].head
    helpers = {tree.lower(c) for c in tree.children(first, "aux")}
    joined = any(tree.words[p].pos == "CCONJ" for p in range(first, place))
    if not joined and tree.first(place, "cc") is None:
        return Meaning("ordered", plain=False)
    if helpers & FUTURE or tree.lower(first) in GOING:
        return Meaning("planned")
    if any(h in POSSIBLE | WISHING_AUX for h in helpers):
        return SUPPOSED
    return Meaning("asserted") if joined and tree.words[place].tag == "VBP" else SUPPOSED


def _is_had(tree: Tree, clause: Clause, word: str) -> bool:
    return word == "'d" and tree.words[clause.head].tag in ("VBN", "VBG")


def _is_wish(tree: Tree, clause: Clause, words: list[str]) -> bool:
    if not any(w in WISHING_AUX for w in words):
        return False
    return tree.words[clause.head].lemma.lower() in ("love", "like", "prefer", "hate", "want")


def _is_ordered(tree: Tree, clause: Clause) -> bool:
    verb = tree.words[clause.head]
    if clause.subjects and not clause.inherited:
        return False
    first = clause.chain[0]
    while tree.words[first].dep == "conj":
        first = tree.words[first].head
    bare = tree.words[first].tag in ("VB", "VBP") and tree.words[first].dep in ("ROOT", "parataxis")
    helped = [a for a in clause.auxiliaries if tree.words[a].lemma != "do"]
    alone = tree.first(first, "nsubj", "nsubjpass", "expl", "csubj") is None
    return bare and alone and not helped and verb.tag in ("VB", "VBP")


def _has_condition(tree: Tree, clause: Clause) -> bool:
    for child in tree.children(clause.head, "advcl"):
        marks = {tree.lower(c) for c in marks_of(tree, child)}
        if marks & {"if", "unless", "whether"}:
            return True
    return False


def _is_doubted(tree: Tree, clause: Clause) -> bool:
    """Tell by its neighbours whether a clause is under "if", "hope" or "guess".

    A guard beside the tree, which a parser at times builds without that governor.
    """
    before = _neighbours(tree, range(clause.head - 1, -1, -1), clause.head)
    after = _neighbours(tree, range(clause.last + 1, len(tree.words)), clause.head)
    return any(tree.words[place].lemma.lower() in _DOUBT for place in before) or any(
        tree.lower(place) in ("if", "unless") for place in after
    )


def _neighbours(tree: Tree, places: range, head: int) -> Iterator[int]:
    """Yield words of a sentence up to a mark or a joining word."""
    start, end = tree.sentence(head)
    for place in places:
        word = tree.words[place]
        outside = not start <= word.start < end
        if outside or word.pos == "PUNCT" or tree.lower(place) in _PARTING:
            return
        yield place


def _is_hedged(tree: Tree, clause: Clause) -> bool:
    heads = {*clause.chain, *(tree.words[a].head for a in clause.auxiliaries)}
    return any(tree.lower(c) in HEDGES for h in heads for c in tree.children(h))
