"""Events of a line: each clause with its slots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mmem.derive.clauses import Clause, drops_speaker
from mmem.derive.contexts import Meaning, is_invitation
from mmem.derive.lexicon import DATED_ADVERBS, FEELINGS, FUTURE, IDLE_VERBS, PLAN_VERBS
from mmem.derive.modality import is_past
from mmem.derive.moments import Timing
from mmem.derive.phrases import is_temporal, naming
from mmem.derive.references import FIRST_PLURAL, Cast
from mmem.derive.roles import action, cause, companions, location, manner, recipient
from mmem.derive.trees import Tree
from mmem.schemas import Event, Moment

_EMPTY = IDLE_VERBS - {"feel", "hope", "wish", "concern", "agree", "worry", "let", "fail", "hear"}
_BARE = frozenset({"be", "do", "have", "get", "go", "can", "will", "be here", "be there"})
_FELT = frozenset({"acomp", "ROOT", "conj", "oprd", "ccomp", "advcl", "attr"})
_LONGEST_EXTRA = 200


def event_of(
    tree: Tree, clause: Clause, cast: Cast, meant: Meaning, moment: Moment
) -> Event | None:
    """Return the event that a clause tells, None where it only greets, thanks or reckons."""
    if tree.words[clause.last].lemma.lower() in _EMPTY or is_invitation(tree, clause.last):
        return None
    if not any(c.isalpha() for p in clause.places for c in tree.words[p].text):
        return None
    who = tuple(dict.fromkeys((*participants(tree, clause, cast), *companions(tree, clause, cast))))
    done = action(tree, clause, cast)
    where = location(tree, clause, cast)
    if _tells_nothing(tree, clause, done, who=bool(who), when_or_where=bool(where or moment.said)):
        return None
    return Event(
        participants=who,
        action=done,
        time=moment,
        location=where,
        cause=cause(tree, clause),
        manner=manner(tree, clause, cast),
        polarity="negative" if clause.negative else "positive",
        modality=meant.modality,
        atom_ids=cast.said.atom_ids,
        chars=tree.chars(list(clause.places)),
        extra=_extra(tree, clause, cast, meant, moment),
    )


def _tells_nothing(
    tree: Tree, clause: Clause, done: str, *, who: bool, when_or_where: bool
) -> bool:
    """Tell whether a clause leaves open both who and what ("it's great", "here it is")."""
    if tree.first(clause.last, "expl") is not None:
        return False
    if done in _BARE and not (who and when_or_where):
        return True
    if who:
        return False
    if tree.words[clause.last].lemma == "be":
        return True
    if not clause.subjects:
        return not _is_bidding(tree, clause)
    return " " not in done and not when_or_where


def _is_bidding(tree: Tree, clause: Clause) -> bool:
    return tree.words[clause.head].tag in ("VB", "VBP") and len(clause.places) > 1


def participants(tree: Tree, clause: Clause, cast: Cast) -> Iterator[str]:
    """Yield who does it; "we" stays beside the speaker where the others are not told."""
    if not clause.subjects:
        if _leaves_out_speaker(tree, clause) and cast.said.speaker:
            yield cast.said.speaker
        return
    for head in clause.subjects:
        named = naming(tree, head, cast)
        if named is not None:
            yield named
        elif tree.lower(head) in ("i", "we", "you"):
            yield tree.words[head].text if tree.lower(head) == "i" else tree.lower(head)
        if tree.lower(head) in FIRST_PLURAL and named is not None:
            yield from (cast.other,) if _means_both(tree, clause) and cast.other else ("we",)


def _means_both(tree: Tree, clause: Clause) -> bool:
    """Tell whether "we" takes in the one spoken to: "we both", "let us"."""
    words = {tree.lower(p) for p in (*clause.places, tree.words[clause.head].head)}
    return bool(words & {"both", "you", "let", "each"})


def _leaves_out_speaker(tree: Tree, clause: Clause) -> bool:
    going_on = (
        tree.words[clause.head].tag in ("VBG", "VBN") and tree.words[clause.head].dep == "ROOT"
    )
    return drops_speaker(tree, clause) or (going_on and tree.first(clause.head, "csubj") is None)


def moment_of(tree: Tree, clause: Clause, dated: Sequence[Timing]) -> Moment:
    """Return when a clause happens: its dated words, else other words of time, undated."""
    own = {(tree.words[p].start, tree.words[p].end): p for p in clause.places}
    for timing in dated:
        inside = [p for (start, end), p in own.items() if timing.chars[0] < end <= timing.chars[1]]
        if inside and not any(
            _modifies_noun(tree, p) or _dates_noun(tree, p, clause.head) for p in inside
        ):
            return timing.moment
    return Moment(said=_undated(tree, clause))


def _modifies_noun(tree: Tree, place: int) -> bool:
    word = tree.words[place]
    head = tree.words[word.head]
    return word.dep in ("compound", "poss", "nmod") and not head.entity and head.pos != "NUM"


def _dates_noun(tree: Tree, place: int, verb: int) -> bool:
    """Tell whether a date is that of a phrase before the verb ("for the demo on Friday I …")."""
    prep = tree.words[tree.words[place].head]
    noun = tree.words[prep.head]
    return prep.dep == "prep" and noun.dep == "pobj" and noun.start < tree.words[verb].start


def _undated(tree: Tree, clause: Clause) -> str:
    for verb in clause.chain:
        for child in tree.children(verb):
            word = tree.words[child]
            if word.dep == "npadvmod" and is_temporal(tree, child):
                return tree.slice(tree.below(child, frozenset({"relcl", "acl", "advcl"})))
            head = tree.first(child, "pobj") if word.dep == "prep" else None
            if head is not None and is_temporal(tree, head):
                return tree.slice(tree.below(child, frozenset({"relcl", "acl"})))
            if word.dep == "advmod" and tree.lower(child) in DATED_ADVERBS:
                return tree.lower(child)
    return ""


def _extra(
    tree: Tree, clause: Clause, cast: Cast, meant: Meaning, moment: Moment
) -> dict[str, str]:
    found = {
        "affect": _affect(tree, clause),
        "commitment": _commitment(tree, clause, cast, meant, moment),
        "hypothesis": _hypothesis(tree, clause),
        "recipient": recipient(tree, clause, cast),
        "said by": _teller(tree, clause, cast) if meant.modality == "reported" else "",
    }
    return {name: text[:_LONGEST_EXTRA] for name, text in found.items() if text}


def _affect(tree: Tree, clause: Clause) -> str:
    for place in clause.places:
        word = tree.words[place]
        felt = word.pos in ("ADJ", "VERB") and word.dep in _FELT
        if felt and {word.lemma.lower(), word.text.lower()} & FEELINGS:
            return word.text.lower()
    return ""


def _commitment(tree: Tree, clause: Clause, cast: Cast, meant: Meaning, moment: Moment) -> str:
    """Return what the speaker takes upon himself, and by when."""
    if meant.modality != "planned" or clause.negative or is_past(tree, clause):
        return ""
    if not any(tree.lower(s) in ("i", "we") for s in clause.subjects):
        return ""
    will = any(tree.lower(a) in FUTURE for a in clause.auxiliaries)
    if not (will or any(tree.words[v].lemma in PLAN_VERBS for v in clause.chain[:-1])):
        return ""
    due = f" ({moment.said})" if moment.said else ""
    return f"{action(tree, clause, cast)}{due}"


def _teller(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return who is said to have said it."""
    teller = tree.first(tree.words[clause.head].head, "nsubj")
    return "" if teller is None else naming(tree, teller, cast) or ""


def _hypothesis(tree: Tree, clause: Clause) -> str:
    for child in tree.children(clause.head, "advcl"):
        if any(tree.lower(c) in ("if", "unless") for c in tree.children(child, "mark")):
            return tree.slice(tree.below(child))
    return ""
