"""What a clause says of its subject: the relation and where its object stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.clauses import Clause
from mmem.derive.lexicon import (
    CARRYING_VERBS,
    DEGREES,
    FEELINGS,
    GERUND_VERBS,
    IDLE_ADJECTIVES,
    INTRANSITIVE_VERBS,
    LIKING_VERBS,
    PARTIAL_ROLES,
    PERSONAL_STATES,
    PLACE_ADVERBS,
    PURPOSE_VERBS,
    SAYING_VERBS,
    SUPPOSING_VERBS,
)
from mmem.derive.phrases import complement_words, tells_where
from mmem.derive.references import FIRST, FIRST_PLURAL, SECOND, names_person
from mmem.derive.roles import base_form, prepositional, verb_lemma
from mmem.derive.trees import Tree, is_temporal

_STATES = PERSONAL_STATES | FEELINGS
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
        if not _is_incomplete(tree, clause, direct) and not _is_misread(tree, clause, direct):
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
    led = tree.first(direct, "compound") is not None and tree.lower(direct).endswith("ing")
    if lemma == "take" and led:
        return True  # "took the family camping"
    if lemma in ("watch", "see", "hear", "help", "let", "make") and before == ["PROPN"]:
        return True  # "watch Ann write", where the verb is taken for a noun
    onward = {tree.lower(c) for c in tree.children(last, "prep")}
    if lemma in _TAKING and onward & {"to", "out"}:
        return True
    me = tree.words[direct].tag == "PRP" and tree.words[direct].dep == "dobj"
    if me and (lemma == "have" or any(p.preposition > direct for p in prepositional(tree, clause))):
        return True
    beyond = tree.words[direct + 1] if direct + 1 < len(tree.words) else None
    gives = beyond is not None and (beyond.pos in ("DET", "ADJ", "NOUN") or beyond.text == "so")
    if me and (gives or tree.first(last, "advcl") is not None):
        return True
    return me and not any(names_person(tree, s) for s in clause.subjects)


def _is_misread(tree: Tree, clause: Clause, direct: int) -> bool:
    """Tell whether an object is none, or says nothing that lasts of the one who likes it."""
    last, word = clause.last, tree.words[direct]
    lemma = verb_lemma(tree, last)
    between = range(last + 1, direct)
    if lemma in INTRANSITIVE_VERBS or any(_parts(tree, p) for p in between):
        return True
    if any(c in between for c in tree.children(last, "prep")):
        return True
    if word.dep == "attr":
        every = any(tree.lower(c) in ("every", "each") for c in tree.children(direct, "det"))
        return every or word.tag == "PRP" or _is_partial(tree, direct)
    if lemma in _TAKING and any(tree.lower(c) in PLACE_ADVERBS for c in tree.children(last)):
        return True
    if lemma == "do" and last + 1 < len(tree.words):
        return tree.words[last + 1].lemma.lower() in LIKING_VERBS | SUPPOSING_VERBS  # "do love …"
    if lemma in SAYING_VERBS and names_person(tree, direct):
        return True  # what was told is left out
    second = bool(clause.subjects) and tree.lower(clause.subjects[0]) in SECOND
    if second and tree.words[last].lemma == "get" and not clause.auxiliaries:
        return True  # "you got the skills", which are had
    return lemma in LIKING_VERBS - {"miss"} and _is_reaction(tree, clause, direct)


def _parts(tree: Tree, place: int) -> bool:
    """Tell whether a mark that stands between a verb and what follows parts sentences."""
    word = tree.words[place]
    blank = tree.text[max(0, word.start - 1) : word.start].isspace()
    return word.text in (":", ";", "\u2013", "\u2014", "--", "...", "(") or (
        word.text == "-" and blank
    )


def _is_partial(tree: Tree, direct: int) -> bool:
    """Tell whether it is left open of what somebody is something ("I'm a fan too")."""
    bare = tree.first(direct, "prep", "compound", "poss") is None
    return bare and tree.words[direct].lemma.lower() in PARTIAL_ROLES


def _is_reaction(tree: Tree, clause: Clause, direct: int) -> bool:
    """Tell whether liking is of a thing at hand ("I love the colours", "I love your hat")."""
    if tree.words[clause.head].tag not in ("VBP", "VB") or clause.negative:
        return False
    if any(tree.lower(c) in SECOND for c in tree.children(direct, "poss")):
        return True
    definite = any(tree.lower(c) == "the" for c in tree.children(direct, "det"))
    return definite and tree.first(direct, "prep") is None and tree.words[direct].pos != "PROPN"


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
    if any(p - n != words[0] for n, p in enumerate(words)):
        return None
    if len(words) == 1 and tree.words[first].lemma.lower() in ("keep", "continue", "stop"):
        return None  # what is kept up is told elsewhere
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
    prep = tree.first(state, "prep")
    spoken = any(tree.lower(s) in FIRST | FIRST_PLURAL for s in clause.subjects)
    if prep is None and not spoken and not {lemma, tree.lower(state)} & (_STATES):
        return
    human = lemma in PERSONAL_STATES and all(tree.words[s].pos == "PROPN" for s in clause.subjects)
    if not human and not any(names_person(tree, s) for s in clause.subjects):
        return
    at_times = any(tree.lower(c) == "sometimes" for c in tree.children(clause.last, "advmod"))
    if at_times or tree.children(state, "ccomp", "xcomp", "advcl", "pcomp"):
        return
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


def _is_named(tree: Tree, inner: int) -> bool:
    """Tell whether a preposition leads to a noun or a gerund, not to a clause."""
    return tree.words[inner].dep == "pobj" or tree.words[inner].tag == "VBG"


def onward_complement(tree: Tree, head: int, verb: int, taken: frozenset[str]) -> int:
    """Return the last word of the verb's phrases that go straight on from an object, -1 if none.

    Only prepositions in `taken` are complements of it ("buy a leash | for my dog").
    """
    end = max(tree.below(head, frozenset({"relcl", "advcl"})))
    last = -1
    for prep in tree.children(verb, "prep", "dative"):
        inner = tree.first(prep, "pobj", "pcomp")
        if (
            prep == end + 1
            and inner is not None
            and tree.lower(prep) in taken
            and _is_named(tree, inner)
        ):
            if is_temporal(tree, inner) or tells_where(tree, prep, inner):
                break
            if tree.lower(inner) in PLACE_ADVERBS:
                break
            last = end = complement_words(tree, prep)[-1]
    return last
