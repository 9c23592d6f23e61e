"""How a clause is meant: as a fact, a plan, a wish, a question; Modality of schemas/events."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mmem.derive.clauses import Clause, is_past, leaves_out_i, stands_alone
from mmem.derive.contexts import SUPPOSED, Meaning, above_clause, marks_of
from mmem.derive.lexicon import (
    CONDITIONS,
    FACTIVE_ADJECTIVES,
    FUTURE,
    GOING,
    HEDGES,
    KNOWING_VERBS,
    PLAN_VERBS,
    POSSIBLE,
    WHENEVER,
    WISH_VERBS,
    WISHING_AUX,
)
from mmem.derive.trees import Tree
from mmem.orders import is_order
from mmem.words import is_question

_EXCLAIMING = re.compile(r"(?:what an?|how|such an?|no wonder|so much for)\b(?!.*\?)", re.I)
_QUOTES = re.compile('["\u201c\u201d\u00ab\u00bb]')
_DOUBT = frozenset(
    "if unless whether hope guess think wish suppose believe bet assume imagine doubt".split()
)
_ASKING = frozenset("ask wonder see check know tell decide say".split())
_CAUSING = frozenset("make help see watch hear let have notice".split())
_SUBJECT = ("nsubj", "nsubjpass")
_SETTING_OUT = frozenset({"going", "heading", "leaving", "flying", "travelling", "traveling"})
_PARTING = frozenset({"but", "because", "so"})
_WISHING = frozenset({"wish", "hope", "want", "need"})


def meaning(tree: Tree, clause: Clause) -> Meaning:
    """Return how a clause is meant, from the clauses above it down to its own verbs."""
    start, end = tree.sentence(clause.head)
    sentence = tree.text[start:end]
    if is_order(tree.text):
        return Meaning("ordered", plain=False)
    if is_question(sentence) or _inverts(tree, clause):
        return Meaning("asked", plain=False)
    if _is_quoted(tree, clause.head):
        return Meaning("reported", plain=False)
    above = _above(tree, clause)
    own = _own(tree, clause)
    if above is None:
        return Meaning(own.modality, own.plain and not _EXCLAIMING.match(sentence))
    if above.modality == "reported" and own.modality != "asserted":
        return Meaning("reported", plain=False)
    if above.modality != "asserted":
        return above
    return Meaning(own.modality, own.plain and above.plain)


def _above(tree: Tree, clause: Clause) -> Meaning | None:
    """Return what the clauses above make of a clause, those aside that grant what it says."""
    head = clause.head
    governor = tree.words[head].head
    if tree.words[head].dep not in ("ccomp", "advcl"):
        return above_clause(tree, head)
    granted = tree.words[head].dep == "ccomp" and _is_granted(tree, governor)
    marks = {tree.lower(m) for m in marks_of(tree, head)}
    if (
        _follows_so(tree, clause)
        or stands_alone(tree, clause)
        or (granted and not marks & (CONDITIONS | WHENEVER | {"how"}))
    ):
        return above_clause(tree, governor)
    return above_clause(tree, head)


def _follows_so(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause is what came of another ("it rained, so we left")."""
    marks = [c for c in tree.children(clause.head, "advmod", "mark", "cc") if c < clause.head]
    words = {tree.lower(m) for m in marks}
    helped = any(tree.words[a].tag == "MD" for a in clause.auxiliaries)
    if not clause.subjects or helped or "that" in words:
        return False
    so = [m for m in marks if tree.lower(m) == "so" and m < clause.subjects[0]]
    if not so or tree.words[so[0]].start <= tree.sentence(clause.head)[0]:
        return False
    parted = tree.words[so[0] - 1].pos in ("PUNCT", "CCONJ")
    return parted or is_past(tree, clause)  # else it may be a purpose


def _is_granted(tree: Tree, governor: int) -> bool:
    """Tell whether a verb grants its complement: "I can't believe", "I have to say"."""
    verb = tree.words[governor]
    subject = tree.first(governor, *_SUBJECT)
    own = tree.first(verb.head, *_SUBJECT) if verb.dep == "xcomp" else subject
    first = own is not None and tree.lower(own) in ("i", "we")
    what = verb.lemma == "guess" and any(tree.lower(c) == "what" for c in tree.children(governor))
    if what or _is_felt(tree, governor):
        return True
    denied = tree.first(governor, "neg") is not None
    helpers = {tree.lower(c) for c in tree.children(governor, "aux")}
    if verb.lemma == "believe":
        return first and denied and bool(helpers & {"ca", "can", "could"})
    must = bool(helpers & {"must"}) or (verb.dep == "xcomp" and verb.tag == "VB")
    obliged = must and tree.words[verb.head].lemma.lower() in ("get", "have", "got", "say", "admit")
    return first and not denied and verb.lemma in ("say", "admit") and obliged


def _is_felt(tree: Tree, governor: int) -> bool:
    """Tell whether a complement is a fact that is felt about ("it's great to see that …")."""
    here = governor
    verb = tree.words[governor]
    if verb.dep == "xcomp" and verb.tag == "VB" and verb.lemma.lower() in KNOWING_VERBS:
        here = verb.head
    state = here if tree.words[here].pos == "ADJ" else tree.first(here, "acomp")
    if state is None or tree.lower(state) not in FACTIVE_ADJECTIVES:
        return False
    above = tree.words[state].head
    helpers = [*tree.children(above, "aux", "neg"), *tree.children(state, "aux", "neg")]
    return not any(tree.words[h].tag == "MD" or tree.words[h].dep == "neg" for h in helpers)


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
    if _is_caused(tree, clause) and not _is_doubted(tree, clause):
        return Meaning("asserted", plain=False)
    if _has_condition(tree, clause) or _is_hedged(tree, clause) or _is_doubted(tree, clause):
        return SUPPOSED
    alone = verb.dep == "conj" and clause.inherited and not clause.auxiliaries
    if alone and verb.tag in ("VB", "VBP"):
        return _shared(tree, clause.head)
    return _by_helpers(tree, clause) or _by_verbs(tree, clause)


def _is_caused(tree: Tree, clause: Clause) -> bool:
    """Tell whether a bare verb is what somebody is made to do or seen doing ("made me laugh")."""
    word = tree.words[clause.head]
    governor = tree.words[word.head]
    bare = word.dep == "ccomp" and word.tag == "VB" and not clause.auxiliaries
    finite = governor.tag in ("VBD", "VBZ", "VBP")
    return bare and finite and governor.lemma.lower() in _CAUSING


def _by_helpers(tree: Tree, clause: Clause) -> Meaning | None:
    """Return what auxiliaries make of a clause; None where they only tell its tense."""
    words = [tree.lower(a) for a in clause.auxiliaries]
    verb = tree.words[clause.head]
    if any(w in FUTURE for w in words) or any(tree.lower(v) in GOING for v in clause.chain[:-1]):
        return Meaning("planned", plain=len(clause.chain) < 3)
    if _is_setting_out(tree, clause):
        return Meaning("planned")
    if verb.lemma == "wait" and "ca" in words:
        return Meaning("wished", plain=False)
    if _is_wish(tree, clause, words):
        return Meaning("wished")
    if any(w in POSSIBLE for w in words if not _is_had(tree, clause, w)):
        return Meaning("supposed")
    done = any(tree.words[a].lemma == "do" for a in clause.auxiliaries)
    own = bool(clause.subjects) and not clause.inherited and not clause.auxiliaries
    done = done or leaves_out_i(tree, clause) or (own and verb.dep == "ROOT")  # a wrong tag
    return SUPPOSED if verb.tag == "VB" and not done else None


def _is_setting_out(tree: Tree, clause: Clause) -> bool:
    """Tell whether "going" is meant of what is to come ("we're going camping")."""
    present = any(tree.words[a].tag in ("VBP", "VBZ") for a in clause.auxiliaries)
    been = any(tree.words[a].tag in ("VBN", "VBD") for a in clause.auxiliaries)
    if tree.lower(clause.head) not in _SETTING_OUT or not present or been:
        return False
    to = any(tree.lower(c) in ("to", "on") for c in tree.children(clause.head, "prep"))
    doing = tree.children(clause.head, "xcomp", "dobj")
    return to or any(tree.words[c].tag == "VBG" for c in doing)


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
    plain = not helpers and tree.first(first, *_SUBJECT) is not None
    finite = tree.words[place].tag == "VBP" or (plain and tree.words[first].tag == "VBP")
    return Meaning("asserted") if finite else SUPPOSED


def _is_had(tree: Tree, clause: Clause, word: str) -> bool:
    return word == "'d" and tree.words[clause.head].tag in ("VBN", "VBG")


def _is_wish(tree: Tree, clause: Clause, words: list[str]) -> bool:
    if not any(w in WISHING_AUX for w in words):
        return False
    return tree.words[clause.head].lemma.lower() in ("love", "like", "prefer", "hate", "want")


def _is_ordered(tree: Tree, clause: Clause) -> bool:
    verb = tree.words[clause.head]
    if (clause.subjects and not clause.inherited) or leaves_out_i(tree, clause):
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
        if any(_is_condition(tree, mark) for mark in marks_of(tree, child)):
            return True
    return False


def _is_doubted(tree: Tree, clause: Clause) -> bool:
    """Tell by its neighbours whether a clause is under "if", "hope" or "guess".

    A guard beside the tree, which a parser at times builds without that governor.
    """
    governor = tree.words[clause.head].head
    if tree.words[clause.head].dep == "ccomp" and _is_granted(tree, governor):
        return False
    before = _neighbours(tree, range(clause.head - 1, -1, -1), clause.head)
    after = _neighbours(tree, range(clause.last + 1, len(tree.words)), clause.head)
    open_ = _DOUBT if is_past(tree, clause) else _DOUBT | {"when", "whenever"}
    return any(tree.words[place].lemma.lower() in open_ for place in before) or any(
        _is_condition(tree, place) for place in after
    )


def _is_condition(tree: Tree, place: int) -> bool:
    """Tell whether a word opens a condition, not what is asked ("asked if he knew")."""
    if tree.lower(place) not in ("if", "unless", "whether"):
        return False
    return not place or tree.words[place - 1].lemma.lower() not in _ASKING


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
