"""Events and frames in few words: what is done, and the sentences that tell the most."""

from __future__ import annotations

from collections.abc import Sequence

from mmem.derive.clauses import Clause
from mmem.derive.lexicon import INTRANSITIVE_VERBS, PLACE_ADVERBS, SAYING_VERBS
from mmem.derive.phrases import (
    group_naming,
    naming,
    phrase,
    share_words,
    with_conjuncts,
)
from mmem.derive.references import Cast
from mmem.derive.roles import base_form, is_means, is_place, prepositional
from mmem.derive.told import Said
from mmem.derive.trees import Tree, is_temporal
from mmem.schemas import Event
from mmem.words import sentence_spans

LONGEST_SUMMARY = 300
_ORDER = ("asserted", "planned", "wished", "reported", "supposed", "ordered", "asked")
_SENTENCES = 3
_LONGEST_CLAUSE = 12
_COMPLEMENTS = ("dobj", "attr", "oprd", "acomp", "xcomp", "prep", "agent")
_ONWARD = frozenset({"back", "away", "forward", "apart", "ahead"})


def summary_of(told: Sequence[tuple[Said, Sequence[Event]]]) -> str:
    """Return up to three sentences, verbatim, that tell the most, each with its speaker's name.

    A further sentence is quoted only where the whole of it has room.
    Facts go before plans, plans before what is only asked; in the order in which they were said.
    """
    ranked = sorted(
        (_ORDER.index(event.modality), place, _sentence(said, event))
        for place, (said, events) in enumerate(told)
        for event in events
    )
    chosen: list[tuple[int, tuple[int, int]]] = []
    for _, place, span in ranked:
        if (place, span) in chosen or len(chosen) == _SENTENCES:
            continue
        longer = " ".join(_written(told, sorted([*chosen, (place, span)])))
        if not chosen or len(longer) <= LONGEST_SUMMARY:
            chosen.append((place, span))
    return _cut(" ".join(_written(told, sorted(chosen))))


def _sentence(said: Said, event: Event) -> tuple[int, int]:
    for start, end in sentence_spans(said.text):
        if event.chars[0] < end:
            return start, end
    return 0, len(said.text)


def _written(
    told: Sequence[tuple[Said, Sequence[Event]]], chosen: list[tuple[int, tuple[int, int]]]
) -> list[str]:
    parts: list[str] = []
    last: str | None = None
    for place, (start, end) in chosen:
        said = told[place][0]
        words = " ".join(said.text[start:end].split())
        parts.append(f"{said.speaker}: {words}" if said.speaker not in (None, last) else words)
        last = said.speaker
    return parts


def _cut(text: str) -> str:
    if len(text) <= LONGEST_SUMMARY:
        return text
    return text[: LONGEST_SUMMARY - 1].rsplit(" ", 1)[0] + "…"


def action(tree: Tree, clause: Clause, cast: Cast) -> str:
    """Return the predicate in its base form with its object, without time and place."""
    parts = [base_form(tree, clause)]
    last = clause.last
    if tree.first(last, "expl") is not None:
        parts[0] = f"there {parts[0]}"
    parts += [_complement(tree, clause, c, cast) for c in tree.children(last)]
    if not any(parts[1:]) and (shared := _shared_object(tree, last)) is not None:
        parts.append(_named(tree, shared, cast))
    return " ".join(part for part in parts if part)


def _complement(tree: Tree, clause: Clause, child: int, cast: Cast) -> str:
    """Return the words of what hangs on a verb where they belong to its action, else ""."""
    word, last = tree.words[child], clause.last
    if word.dep in _COMPLEMENTS:
        return _action_words(tree, clause, child, cast)
    if word.dep == "advmod" and tree.lower(child) in _ONWARD:
        return tree.lower(child)
    telling = tree.first(last, "dobj") is None or tree.words[last].lemma.lower() in SAYING_VERBS
    told = word.dep == "ccomp" and child > last and (telling or word.tag == "VBN")
    return _worded(tree, child, cast) if told else ""


def _worded(tree: Tree, verb: int, cast: Cast) -> str:
    """Return a complement that is a clause, names in place of its pronouns where it is short."""
    words = [
        p for p in _short(tree, verb) if tree.lower(p) != "that" or tree.words[p].dep != "mark"
    ]
    return phrase(tree, words, cast) or tree.slice(words[:_LONGEST_CLAUSE])


def _shared_object(tree: Tree, verb: int) -> int | None:
    """Return the object that a verb shares with the next ("washed and dried the cups")."""
    if tree.words[verb].lemma.lower() in INTRANSITIVE_VERBS:
        return None
    after = next((c for c in tree.children(verb, "conj") if c == verb + 2), None)
    return None if after is None else tree.first(after, "dobj")


def _action_words(tree: Tree, clause: Clause, child: int, cast: Cast) -> str:
    word = tree.words[child]
    if child in clause.chain or word.tag in ("WDT", "WP", "WRB"):
        return ""
    if is_temporal(tree, child) and (word.dep != "dobj" or word.entity == "DATE"):
        return ""
    if word.dep in ("prep", "agent"):
        return "" if child < clause.last else _prepositional_words(tree, clause, child, cast)
    if word.dep != "dobj":
        return _named(tree, child, cast)
    if tree.lower(child) in PLACE_ADVERBS and not tree.children(child):
        return ""
    several = with_conjuncts(tree, child)
    if len(several) > 1 and share_words(tree, several):
        return group_naming(tree, several, cast) or _named(tree, child, cast)
    if len(several) < 2:
        return _named(tree, child, cast)
    return " and ".join(name for one in several if (name := naming(tree, one, cast)))


def _prepositional_words(tree: Tree, clause: Clause, prep: int, cast: Cast) -> str:
    """Return a prepositional phrase that is no place, time or means, else ""."""
    for item in prepositional(tree, clause):
        if prep not in (item.preposition, tree.words[item.preposition].head):
            continue
        means = is_means(tree, clause, tree.lower(prep)) and tree.words[prep].dep != "agent"
        return (
            "" if is_place(tree, item) or means else f"{item.words} {_named(tree, item.head, cast)}"
        )
    return ""


def _named(tree: Tree, head: int, cast: Cast) -> str:
    words = _short(tree, head)
    return naming(tree, head, cast) or phrase(tree, words, cast) or tree.slice(words)


def _short(tree: Tree, head: int) -> list[int]:
    """Return the words of a phrase without the clauses in it."""
    leave_out = frozenset({"relcl", "advcl", "ccomp", "punct", "parataxis", "conj", "cc"})
    found = tree.below(head, leave_out)
    hyphens = {p for p in range(found[0], found[-1]) if tree.words[p].text == "-"}
    found = sorted({*found, *hyphens})
    middle = found.index(head)
    last = middle
    while last + 1 < len(found) and found[last + 1] == found[last] + 1:
        last += 1
    first = middle
    while first and found[first - 1] == found[first] - 1:
        first -= 1
    return found[first : last + 1]
