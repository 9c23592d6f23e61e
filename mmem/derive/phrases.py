"""Noun phrases as they stand, with "my" and its like turned into names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mmem.derive.clauses import lacks_subject
from mmem.derive.lexicon import (
    DEICTIC,
    INFINITIVE_NOUNS,
    INTERJECTIONS,
    KIN_CALLED,
    PLACE_NOUNS,
    VAGUE_NOUNS,
)
from mmem.derive.references import PRONOUNS, Cast, possessive
from mmem.derive.trees import Tree, is_temporal, quoted

_LONGEST = 12
_DROPPED = frozenset(
    {"relcl", "acl", "appos", "advcl", "conj", "cc", "preconj", "punct", "intj", "dep", "nsubj"}
    | {"aux", "cop", "mark", "ccomp", "parataxis", "neg", "xcomp"}
)
_FOCUS = frozenset({"just", "also", "even", "only", "too", "still", "ever", "especially", "like"})
_OWNED = frozenset({"mine", "yours", "his", "hers", "ours", "theirs"})
_MARKS = re.compile('["\u201c\u201d]')
_NAMING = frozenset({"NOUN", "PROPN"})
_INDEFINITE = frozenset({"a", "an", "some", "another", "two", "three", "several"})
_RIGHT = frozenset({"prep", "nummod", "punct"})
_OWN = ("det", "poss", "nummod", "amod", "compound", "quantmod", "predet")
_WHERE = frozenset({"in", "at", "on", "near", "outside", "inside", "by", "around", "under"})
_WHEN = frozenset({"since", "until", "till", "during", "before", "after", "by", "throughout"})
_EXCLAIMED = frozenset({"glad", "thanks", "sorry", "congrats"})
_UNTOLD = DEICTIC | {"each"}
_PEOPLE = frozenset({"everyone", "everybody", "someone", "somebody", "anyone", "anybody"})
_OPEN = frozenset({"no", "any", "other", "same", "either", "every", "each"})
_FINITE = ("VBZ", "VBD", "VBP", "MD")
_PLACES = frozenset({"GPE", "LOC", "FAC"})


def naming(tree: Tree, head: int, cast: Cast) -> str | None:
    """Return what a phrase names; None for pronouns not resolved and for what names nothing.

    Modifiers and complements are kept, times, places and relative clauses are not: a definite
    phrase that such a clause narrows ("the book that you gave me") names something else without
    it, so it is None.
    """
    return group_naming(tree, [head], cast)


def group_naming(tree: Tree, heads: Sequence[int], cast: Cast, onward: int = -1) -> str | None:
    """Return what phrases that are joined name together, up to the word `onward` if it is later."""
    head = heads[0]
    word = tree.words[head]
    if word.tag in ("PRP", "PRP$") or tree.lower(head) in PRONOUNS:
        return None if tree.lower(head) in _OWNED else cast.name(head)
    title = quoted(tree, head)
    if title is not None:
        return tree.text[title[0] : title[1]]
    if word.pos not in _NAMING or not any(c.isalpha() for c in word.text):
        return None
    if is_narrowed(tree, head) or _calls_someone(tree, head, cast):
        return None
    places = _stretch(tree, heads, onward)
    if places is None:
        return None
    if len(places) == 1 and tree.lower(head) in KIN_CALLED and cast.said.speaker:
        return f"{possessive(cast.said.speaker)} {tree.lower(head)}"
    if _goes_on(tree, places[-1]) or _follows_pronoun(tree, places[0], head):
        return None
    if tree.text[tree.words[places[-1]].end :][:1] in tuple("-/'\u2019"):
        return None
    return phrase(tree, places, cast)


def _stretch(tree: Tree, heads: Sequence[int], onward: int) -> list[int] | None:
    """Return the words from the first of joined phrases to the last; None where one is cut."""
    kept = _kept(tree, heads)
    if kept is None or any(_says_nothing(tree, head) for head in heads):
        return None
    whole = range(kept[0], max(kept[-1], onward) + 1)
    places = [p for p in whole if tree.lower(p) not in _FOCUS or tree.words[p].dep == "prep"]
    while len(places) > 1 and _is_called(tree, places[0]):
        places = places[1:]
    return places


def _is_called(tree: Tree, place: int) -> bool:
    """Tell whether a word before a phrase is an exclamation, no part of it."""
    word = tree.words[place]
    part = word.dep in ("amod", "compound", "nummod") and tree.lower(place) not in _EXCLAIMED
    return tree.lower(place) in INTERJECTIONS and not part


def with_conjuncts(tree: Tree, head: int) -> list[int]:
    """Return a phrase's head and those joined to it; none where "or" leaves it open."""
    found, here = [head], head
    while True:
        if any(tree.lower(c) in ("or", "nor", "but") for c in tree.children(here, "cc")):
            return []
        following = [c for c in tree.children(here, "conj") if tree.words[c].pos != "VERB"]
        title = quoted(tree, here)
        if not following or (title is not None and tree.words[following[0]].start < title[1]):
            return found
        here = following[0]
        found.append(here)
        if is_narrowed(tree, here):
            return []


def share_words(tree: Tree, heads: Sequence[int]) -> bool:
    """Tell whether joined phrases may share a modifier ("my time and money", "pens and a pad").

    What stands before the first may belong to all, what stands after the last too; only phrases
    that all have words of their own, or all none, are taken apart.
    """
    if len(heads) < 2:
        return False
    own = {tree.first(h, *_OWN) is not None for h in heads if tree.words[h].pos == "NOUN"}
    last = heads[-1]
    set_off = tree.first(last, "det", "poss", "nummod") is not None
    onward = any(c > last and _belongs(tree, h, c) for h in heads for c in tree.children(h, "prep"))
    return len(own) > 1 or (onward and not set_off)


def phrase(tree: Tree, places: list[int], cast: Cast) -> str | None:
    """Return words with their pronouns named; None where one cannot be, or it is too long."""
    parts: list[str] = []
    for number, place in enumerate(places):
        text = _worded(tree, place, cast, leads=number == 0)
        if text is None:
            return None
        if number and tree.words[places[number - 1]].end != tree.words[place].start:
            parts.append(" ")
        parts.append(text)
    if any(tree.lower(p) in _UNTOLD and tree.words[p].dep != "mark" for p in places):
        return None
    whole = "".join(parts).strip(" -\u2013\u2014,;:.\"'")
    if len(_MARKS.findall(whole)) % 2:
        whole = _MARKS.sub("", whole)
    return whole if whole and len(whole.split()) <= _LONGEST else None


def _worded(tree: Tree, place: int, cast: Cast, *, leads: bool) -> str | None:
    """Return a word of a phrase, a name in place of a pronoun; None where nobody is sure."""
    word = tree.words[place]
    if word.tag == "PRP$":
        owner = cast.name(place)
        return None if owner is None else possessive(owner)
    if word.tag == "PRP" and tree.lower(place) not in _OWNED:
        return cast.name(place)
    plain = leads and word.pos in ("DET", "ADJ") and not word.entity
    return word.text.lower() if plain else word.text


def _says_nothing(tree: Tree, head: int) -> bool:
    word = tree.words[head]
    if tree.lower(head) in INTERJECTIONS:
        return True
    determiner = [tree.lower(c) for c in tree.children(head, "det", "predet", "amod")]
    if any(d in DEICTIC or d in _OPEN for d in determiner):
        return True
    if word.lemma.lower() not in VAGUE_NOUNS and word.text.lower() not in VAGUE_NOUNS:
        return False
    return not any(_is_of(tree, prep) for prep in tree.children(head, "prep"))


def _is_of(tree: Tree, prep: int) -> bool:
    """Tell whether a preposition is "of" with a noun of its own after it."""
    inner = tree.first(prep, "pobj")
    return (
        tree.lower(prep) == "of"
        and inner is not None
        and tree.words[inner].pos in _NAMING
        and tree.words[inner].lemma.lower() not in VAGUE_NOUNS
    )


def is_narrowed(tree: Tree, head: int) -> bool:
    """Tell whether a clause says which one is meant, so that without it another one is."""
    clause = tree.first(head, "relcl", "acl")
    if clause is None:
        return False
    if tree.words[head].lemma.lower() in INFINITIVE_NOUNS and tree.words[clause].tag == "VB":
        return True
    words = {tree.lower(c) for c in tree.children(head, "det", "nummod")}
    comma = "," in tree.text[tree.words[head].end :][:1]
    return not comma and not words & _INDEFINITE


def _goes_on(tree: Tree, last: int) -> bool:
    """Tell whether a noun or adjective follows that a parser left out ("a career | fair")."""
    if last + 1 >= len(tree.words):
        return False
    word = tree.words[last + 1]
    if word.tag in _FINITE and lacks_subject(tree, last + 1):
        return True  # the subject of the next clause ("for the team and our match is today")
    if tree.lower(last).endswith("ing") and word.tag in ("VBN", "JJ"):
        return True  # "with staying | awake"
    if word.text == ":" or (word.dep == "acl" and word.lemma.lower() == tree.lower(last + 1)):
        return (
            tree.words[last].pos == "PROPN" or word.text != ":"
        )  # a title, a noun ("charity run")
    timed = word.entity in ("DATE", "TIME") or "npadvmod" in (word.dep, tree.words[word.head].dep)
    return word.pos in ("NOUN", "ADJ") and not timed and word.dep not in ("nsubj", "oprd", "ccomp")


def _follows_pronoun(tree: Tree, first: int, head: int) -> bool:
    """Tell whether a phrase is cut from a pronoun before it ("of you | two dancing")."""
    before = tree.words[first - 1] if first else None
    return before is not None and before.tag == "PRP" and before.dep in ("pobj", "poss", "det")


def _calls_someone(tree: Tree, head: int, cast: Cast) -> bool:
    """Tell whether a name that is called out was taken for the object ("love the idea Nate")."""
    called = cast.other is not None and cast.other.split()[0] == tree.words[head].text
    if not called and tree.words[head].entity != "PERSON":
        return False
    before = tree.children(head, "compound", "det", "amod")
    return any(tree.words[c].pos in ("NOUN", "DET", "VERB") for c in before)


def _kept(tree: Tree, heads: Sequence[int]) -> list[int] | None:
    """Return the places of phrases that stand together around the first; None where one is cut."""
    kept = sorted({place for head in heads for place in (head, *_modifiers(tree, head))})
    middle = kept.index(heads[0])
    first, last = middle, middle
    while first and _touches(tree, kept[first - 1], kept[first]):
        first -= 1
    while last + 1 < len(kept) and _touches(tree, kept[last], kept[last + 1]):
        last += 1
    if last + 1 < len(kept) or any(_is_someone(tree, p) for p in kept[first:middle]):
        return None
    if any(tree.words[p].pos == "ADJ" and tree.words[p].dep == "pobj" for p in kept):
        return None
    return list(range(kept[first], kept[last] + 1))


def _is_someone(tree: Tree, place: int) -> bool:
    """Tell whether a word stands for a person, so that it is no modifier of a noun."""
    return tree.words[place].tag == "PRP" or tree.lower(place) in _PEOPLE


def _touches(tree: Tree, one: int, other: int) -> bool:
    return all(
        tree.words[p].pos in ("PUNCT", "CCONJ") or tree.lower(p) in _FOCUS
        for p in range(one + 1, other)
    )


def _modifiers(tree: Tree, head: int) -> Iterator[int]:
    for child in tree.children(head):
        dep = tree.words[child].dep
        if dep == "prep":
            if child > head and _belongs(tree, head, child):
                yield from complement_words(tree, child)
        elif dep == "punct":
            if tree.words[child].text in ("-", "\u2013", "&", "/"):
                yield child
        elif dep not in _DROPPED and (child < head or dep in _RIGHT):
            yield from tree.below(child, frozenset({"relcl", "acl", "advcl"}))


def complement_words(tree: Tree, prep: int) -> list[int]:
    """Return the words of a prepositional phrase without the times and clauses in it."""
    leave_out = frozenset({"relcl", "acl", "advcl"})
    found = tree.below(prep, leave_out)
    dated = {
        p
        for c in found
        if tree.words[c].dep == "npadvmod" and is_temporal(tree, c)
        for p in tree.below(c)
    }
    return [p for p in found if p not in dated and (tree.words[p].pos != "PUNCT" or p < found[-1])]


def _belongs(tree: Tree, head: int, prep: int) -> bool:
    """Tell whether a noun's prepositional phrase says which it is, and not only when or where."""
    inner = tree.first(prep, "pobj", "pcomp")
    if inner is None or tree.lower(prep) in _WHEN:
        return False
    if tree.words[inner].dep == "pcomp":
        return tree.words[inner].tag == "VBG"
    if tree.lower(prep) in ("of", "about"):
        return True
    if is_temporal(tree, inner):
        return False
    the = any(tree.lower(c) == "the" for c in tree.children(head, "det"))
    return the or not tells_where(tree, prep, inner)


def tells_where(tree: Tree, prep: int, inner: int) -> bool:
    """Tell whether a preposition with the noun after it names a place."""
    word = tree.words[inner]
    place = word.entity in _PLACES or word.lemma.lower() in PLACE_NOUNS
    place = place or (word.pos == "PROPN" and tree.lower(prep) in ("in", "at", "near"))
    return tree.lower(prep) in _WHERE and place
