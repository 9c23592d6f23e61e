"""Quadruples of a clause: who, what, with what, when (SEEM GML (s, r, o, τ)).

Fewer and true before many: a clause gives one only where its subject and its object have names,
and where leaving out the rest of the sentence leaves it true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.clauses import Clause, drops_speaker, is_past, is_progressive
from mmem.derive.lexicon import (
    EACH_VERBS,
    FEELINGS,
    HABITS,
    IDIOMS,
    IDLE_VERBS,
    LIKING_VERBS,
    MAKING_VERBS,
    PERCEIVING_VERBS,
    STATIVE_VERBS,
    TRAITS,
)
from mmem.derive.losses import misleads
from mmem.derive.objects import Found, objects, onward_complement
from mmem.derive.phrases import (
    group_naming,
    naming,
    phrase,
    share_words,
    with_conjuncts,
)
from mmem.derive.references import FIRST_PLURAL, SECOND, Cast
from mmem.derive.roles import means_have, prepositional, verb_lemma
from mmem.derive.trees import Tree, is_temporal
from mmem.schemas import FactKind

_COMPLEMENTS = frozenset("for about of against between in to on".split())
_MAKING = frozenset({"make", "let"})
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
    if _is_idle(tree, clause) or _says_when(tree, clause) or not _is_finite(tree, clause):
        return
    subjects = list(_subjects(tree, clause, cast))
    if not subjects:
        return
    for found in objects(tree, clause):
        if misleads(tree, clause, found.heads):
            continue
        for value in _values(tree, clause, found, cast):
            for head, subject in subjects:
                if subject.lower().endswith(value.lower()):
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
    heads = [
        *clause.subjects,
        *tree.children(clause.last, "dobj", "attr"),
        *_prepositional_heads(tree, clause),
    ]
    return any((lemma, tree.words[h].lemma.lower()) in IDIOMS for h in heads)


def _is_finite(tree: Tree, clause: Clause) -> bool:
    """Tell whether a predicate is a whole one, not a participle ("been ages", "love seeing it")."""
    word = tree.words[clause.head]
    if (
        word.tag == "VBN"
        and word.dep == "conj"
        and tree.first(clause.head, "aux", "auxpass") is None
    ):
        return _is_joint_participle(tree, clause.head)
    above = tree.words[word.head]
    if word.dep == "ccomp" and above.lemma.lower() in _MAKING and word.tag != "VB":
        return False  # "make my day trips a joy", where a noun is taken for a verb
    felt = tree.lower(clause.head) in FEELINGS and word.tag in ("VBN", "VBD")
    if felt and not clause.passive and tree.first(clause.head, "dobj") is None:
        return False  # "excited and scared to jump"
    participle = word.tag in ("VBG", "VBN")
    return bool(clause.auxiliaries) or clause.inherited or not participle


def _is_joint_participle(tree: Tree, place: int) -> bool:
    """Tell whether a participle shares its helper ("was built and sold", "feel calm and moved")."""
    first = place
    while tree.words[first].dep == "conj":
        first = tree.words[first].head
    helped = tree.first(first, "aux", "auxpass") is not None
    return helped and tree.words[first].tag == "VBN"


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
    if share_words(tree, clause.subjects):
        together = group_naming(tree, clause.subjects, cast)
        yield from () if together is None else ((clause.subjects[0], together),)
        return
    yield from _each_subject(tree, clause, cast)


def _each_subject(tree: Tree, clause: Clause, cast: Cast) -> Iterator[tuple[int, str]]:
    for head in clause.subjects:
        if any(
            tree.words[p].dep in ("relcl", "acl") or tree.words[p].tag in _FINITE
            for p in tree.below(head, frozenset({"conj"}))
        ):
            continue
        if tree.lower(head) in SECOND and not is_past(tree, clause):
            continue
        if tree.lower(head) in FIRST_PLURAL and not _holds_of_each(tree, clause):
            continue
        named = naming(tree, head, cast)
        if named is not None:
            yield head, named


def _holds_of_each(tree: Tree, clause: Clause) -> bool:
    """Tell whether what "we" do is done by the speaker alone too: seeing is, winning is not."""
    lemma = verb_lemma(tree, clause.last)
    if lemma in LIKING_VERBS:
        return True
    direct = tree.first(clause.last, "attr")
    if lemma not in EACH_VERBS or direct is not None:
        return False
    if is_past(tree, clause) and not means_have(tree, clause):
        return True
    owned = tree.first(clause.last, "dobj")
    alone = lemma == "have" and owned is not None and tree.words[owned].tag in ("NN", "NNP")
    return alone and owned is not None and tree.first(owned, "det", "nummod") is not None


def _values(tree: Tree, clause: Clause, found: Found, cast: Cast) -> Iterator[str]:
    if found.words:
        text = phrase(tree, list(found.words), cast)
        if text is not None:
            yield text
    taker = _taker(tree, clause, cast)
    for head in found.heads:
        named = _named(tree, clause, _joined(tree, head), cast)
        yield from (f"{one}{taker}" for one in named if taker is not None)


def _taker(tree: Tree, clause: Clause, cast: Cast) -> str | None:
    """Return " to Ann" of what is given to her before it is told, None where nobody knows who."""
    taker = next((c for c in tree.children(clause.last, "dative") if c < clause.places[-1]), None)
    if taker is None or tree.words[taker].pos == "ADP":
        return ""
    if tree.lower(taker) in FIRST_PLURAL and not is_past(tree, clause):
        return None
    named = naming(tree, taker, cast)
    made = verb_lemma(tree, clause.last) in MAKING_VERBS
    return None if named is None else f" {'for' if made else 'to'} {named}"


def _named(tree: Tree, clause: Clause, heads: list[int], cast: Cast) -> Iterator[str]:
    """Yield what each of joined objects names, or all of them together where they share words."""
    if not heads or any(is_temporal(tree, head) for head in heads):
        return
    taken = _COMPLEMENTS
    if verb_lemma(tree, clause.last) in LIKING_VERBS | {"have"}:
        taken = taken | {"with"}
    onward = onward_complement(tree, heads[-1], clause.last, taken)
    if len(heads) == 1 or share_words(tree, heads) or onward >= 0:
        named = [group_naming(tree, heads, cast, onward)]
    else:
        named = [naming(tree, one, cast) for one in heads]
    yield from (one for one in named if one is not None)


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
    if _is_habit(tree, clause):
        return "semantic"
    if lemma == "be":
        return "semantic" if _is_trait(tree, clause.last) else "episodic"
    return "semantic" if lemma in STATIVE_VERBS else "episodic"


def _is_trait(tree: Tree, verb: int) -> bool:
    """Tell whether "be" says what somebody is, not how he is just now."""
    state = tree.first(verb, "acomp")
    lasting = state is not None and tree.words[state].lemma.lower() in TRAITS
    return lasting or tree.first(verb, "attr") is not None


def _is_habit(tree: Tree, clause: Clause) -> bool:
    """Tell whether a simple present of several or of the speaker tells what they do at all times.

    "I play the harp" does; "I see a boat" and "Tom opens the door" may be of this moment.
    """
    helpers = {tree.lower(place) for place in clause.auxiliaries}
    plain = tree.words[clause.head].tag == "VBP" and not helpers
    plain = plain or (tree.words[clause.head].tag == "VB" and helpers == {"do"})
    lemma = verb_lemma(tree, clause.head)
    named = any(tree.words[s].pos == "PROPN" for s in clause.subjects)
    return plain and not named and lemma != "be" and lemma not in PERCEIVING_VERBS


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
