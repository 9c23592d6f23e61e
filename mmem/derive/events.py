"""Events of a line: each clause with its slots."""

from __future__ import annotations

from collections.abc import Iterator

from mmem.derive.clauses import Clause, drops_speaker, is_past, leaves_out_i
from mmem.derive.contexts import Meaning, is_invitation
from mmem.derive.lexicon import (
    CAUSES,
    FEELINGS,
    FUTURE,
    IDLE_VERBS,
    MOTION_VERBS,
    PLAN_VERBS,
    PURPOSE_VERBS,
)
from mmem.derive.phrases import group_naming, naming, phrase, share_words
from mmem.derive.references import FIRST_PLURAL, Cast, names_person
from mmem.derive.roles import companions, location, manner, recipient
from mmem.derive.summaries import action
from mmem.derive.trees import Tree
from mmem.schemas import Event, Moment

_EMPTY = IDLE_VERBS - {"feel", "hope", "wish", "concern", "agree", "worry", "let", "fail", "hear"}
_BARE = frozenset({"be", "do", "have", "get", "go", "can", "will", "could", "would"})
_FELT = frozenset({"acomp", "ROOT", "conj", "oprd", "ccomp", "advcl", "attr"})
_LONGEST_EXTRA = 200
_MOVED = FEELINGS | frozenset({"inspired", "touched", "moved", "impressed", "motivated", "struck"})


def event_of(
    tree: Tree, clause: Clause, cast: Cast, meant: Meaning, moment: Moment
) -> Event | None:
    """Return the event that a clause tells, None where it only greets, thanks or reckons."""
    if tree.words[clause.last].lemma.lower() in _EMPTY or is_invitation(tree, clause.last):
        return None
    if not any(c.isalpha() for p in clause.places for c in tree.words[p].text):
        return None
    who = tuple(dict.fromkeys(_who(tree, clause, cast)))
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
    beside = tree.words[clause.head].dep == "advcl" and tree.words[clause.head].tag == "VBG"
    if beside and " " not in done and not when_or_where:
        return True
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


def _who(tree: Tree, clause: Clause, cast: Cast) -> Iterator[str]:
    """Yield who takes part; nobody where it is not known who does it."""
    doing = list(participants(tree, clause, cast))
    yield from doing
    if doing or not clause.subjects:
        yield from companions(tree, clause, cast)


def participants(tree: Tree, clause: Clause, cast: Cast) -> Iterator[str]:
    """Yield who does it; "we" stays beside the speaker where the others are not told."""
    if not clause.subjects:
        yield from _gerunds(tree, clause, cast)
        if _leaves_out_speaker(tree, clause) and cast.said.speaker:
            yield cast.said.speaker
        return
    if share_words(tree, clause.subjects):
        together = group_naming(tree, clause.subjects, cast)
        yield from () if together is None else (together,)
        return
    for head in clause.subjects:
        named = naming(tree, head, cast)
        if named is not None:
            yield named
        elif tree.lower(head) in ("i", "we", "you"):
            yield tree.words[head].text if tree.lower(head) == "i" else tree.lower(head)
        if tree.lower(head) in FIRST_PLURAL and named is not None:
            yield from (cast.other,) if _means_both(tree, clause) and cast.other else ("we",)


def _gerunds(tree: Tree, clause: Clause, cast: Cast) -> Iterator[str]:
    """Yield the doing that is the subject ("feeding the ducks" in "feeding the ducks calms me")."""
    doing = tree.first(clause.head, "csubj")
    if doing is None or tree.words[doing].tag != "VBG":
        return
    finite = min([*tree.children(clause.head, "aux"), clause.head])
    text = phrase(tree, list(range(min(tree.below(doing)), finite)), cast)
    if text is not None:
        yield text


def _means_both(tree: Tree, clause: Clause) -> bool:
    """Tell whether "we" takes in the one spoken to: "we both", "let us"."""
    words = {tree.lower(p) for p in (*clause.places, tree.words[clause.head].head)}
    return bool(words & {"both", "you", "let"})


def _leaves_out_speaker(tree: Tree, clause: Clause) -> bool:
    going_on = (
        tree.words[clause.head].tag in ("VBG", "VBN") and tree.words[clause.head].dep == "ROOT"
    )
    if leaves_out_i(tree, clause):
        return True
    return drops_speaker(tree, clause) or (going_on and tree.first(clause.head, "csubj") is None)


def cause(tree: Tree, clause: Clause) -> str:
    """Return why, as it is said: a reason, what it followed from, or a purpose; "" if untold."""
    for verb in clause.chain:
        for child in tree.children(verb, "advcl", "prep", "xcomp"):
            if child not in clause.chain and _gives_cause(tree, child):
                return _cut(tree.slice(tree.below(child)))
    return _cut(
        _purpose_of_object(tree, clause) or _moving(tree, clause) or _before_so(tree, clause)
    )


def _gives_cause(tree: Tree, child: int) -> bool:
    word = tree.words[child]
    inner = {tree.lower(c) for c in tree.children(child)}
    if word.dep == "prep":
        whole = {tree.lower(child), *inner}
        return bool(whole & {"because", "due"}) or {"thanks", "to"} <= whole
    to = word.tag == "VB" and any(tree.lower(c) == "to" for c in tree.children(child, "aux"))
    if word.dep == "xcomp":
        return to and tree.first(word.head, "dobj") is not None and _takes_purpose(tree, word.head)
    marks = {tree.lower(c) for c in tree.children(child, "mark")}
    if marks & CAUSES - {"since", "as"}:
        return True
    if "since" in marks:
        return word.tag in ("VBZ", "VBP")
    return to or ("so" in inner and bool(inner & {"that", "can", "could"}))


def _takes_purpose(tree: Tree, verb: int) -> bool:
    return tree.words[verb].lemma.lower() in PURPOSE_VERBS | MOTION_VERBS


def _purpose_of_object(tree: Tree, clause: Clause) -> str:
    """Return the purpose that hangs on a noun of the clause ("went to a shop to buy figs")."""
    if not _takes_purpose(tree, clause.last):
        return ""
    heads = tree.children(clause.last, "dobj")
    heads += [h for p in tree.children(clause.last, "prep") for h in tree.children(p, "pobj")]
    for head in heads:
        for child in tree.children(head, "acl", "relcl"):
            if tree.words[child].tag == "VB" and tree.first(child, "nsubj") is None:
                return tree.slice(tree.below(child))
    return ""


def _moving(tree: Tree, clause: Clause) -> str:
    """Return what moves somebody: "by the view" in "I was touched by the view"."""
    for verb in (clause.last, *tree.children(clause.last, "acomp")):
        word = tree.words[verb]
        if not {word.lemma.lower(), word.text.lower()} & _MOVED:
            continue
        for prep in tree.children(verb, "agent", "prep"):
            inner = tree.first(prep, "pobj", "pcomp")
            if inner is not None and tree.lower(prep) == "by" and not names_person(tree, inner):
                return tree.slice(tree.below(prep, frozenset({"advcl"})))
    return ""


def _before_so(tree: Tree, clause: Clause) -> str:
    """Return the clause before "so", which this one follows from ("it rained, so we left")."""
    if not clause.subjects or clause.inherited:
        return ""
    start, _ = tree.sentence(clause.head)
    so = clause.subjects[0] - 1
    while so > 0 and tree.words[so].pos in ("DET", "PRON", "ADJ") and tree.lower(so) != "so":
        so -= 1
    if so < 2 or tree.lower(so) != "so" or tree.words[so - 1].start <= start:
        return ""
    before = [p for p in range(so) if tree.words[p].start >= start]
    parts = [n for n, p in enumerate(before) if _parts_clauses(tree, p) and p < so - 1]
    words = before[parts[-1] + 1 :] if parts else before
    while words and tree.words[words[-1]].pos in ("PUNCT", "CCONJ"):
        words = words[:-1]
    return tree.slice(words) if any(tree.words[p].pos in ("VERB", "AUX") for p in words) else ""


def _parts_clauses(tree: Tree, place: int) -> bool:
    return tree.words[place].text in ("-", "\u2013", "\u2014", "--", ";", ":")


def _cut(text: str) -> str:
    return text if len(text) <= 200 else text[:199].rsplit(" ", 1)[0] + "\u2026"


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
