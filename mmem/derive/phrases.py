"""Noun phrases as they stand, with "my" and its like turned into names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mmem.derive.lexicon import COMPLEMENT_NOUNS, DEICTIC, INTERJECTIONS, TIME_NOUNS, VAGUE_NOUNS
from mmem.derive.references import PRONOUNS, Cast, possessive
from mmem.derive.trees import Tree

_LONGEST = 12
_DROPPED = frozenset(
    {"relcl", "acl", "appos", "advcl", "conj", "cc", "preconj", "punct", "intj", "dep", "nsubj"}
    | {"aux", "cop", "mark", "ccomp", "parataxis", "neg", "xcomp"}
)
_FOCUS = frozenset({"just", "also", "even", "only", "too", "still", "ever", "especially", "like"})
_OWNED = frozenset({"mine", "yours", "his", "hers", "ours", "theirs"})
_TITLE = re.compile('["\u201c](?P<title>[A-Z0-9][^"\u201c\u201d.?!]{1,60})["\u201d]')
_MARKS = re.compile('["\u201c\u201d]')
_NAMING = frozenset({"NOUN", "PROPN"})
_INDEFINITE = frozenset({"a", "an", "some", "another", "two", "three", "several"})
_RIGHT = frozenset({"prep", "nummod", "punct"})


def naming(tree: Tree, head: int, cast: Cast) -> str | None:
    """Return what a phrase names; None for pronouns not resolved and for what names nothing.

    Modifiers and "of" phrases are kept, relative clauses are not: a definite phrase that such a
    clause narrows ("the book that you gave me") names something else without it, so it is None.
    """
    word = tree.words[head]
    if word.tag in ("PRP", "PRP$") or tree.lower(head) in PRONOUNS:
        return None if tree.lower(head) in _OWNED else cast.name(head)
    title = quoted(tree, head)
    if title is not None:
        return tree.text[title[0] : title[1]]
    if word.pos not in _NAMING or not any(c.isalpha() for c in word.text):
        return None
    if _says_nothing(tree, head) or is_narrowed(tree, head) or _calls_someone(tree, head, cast):
        return None
    places = _kept(tree, head)
    while len(places) > 1 and tree.lower(places[0]) in INTERJECTIONS:
        places = places[1:]
    if _goes_on(tree, places[-1]) or tree.text[tree.words[places[-1]].end :][:1] in (
        "-",
        "/",
        "'",
        "\u2019",
    ):
        return None
    return phrase(tree, places, cast)


def quoted(tree: Tree, head: int) -> tuple[int, int] | None:
    """Return the character range of the title in quotation marks that a word stands in."""
    at = tree.words[head].start
    for match in _TITLE.finditer(tree.text):
        if match.start("title") <= at < match.end("title"):
            return match.span("title")
    return None


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


def is_temporal(tree: Tree, head: int) -> bool:
    """Tell whether a phrase is a time by its noun or its entity."""
    word = tree.words[head]
    return word.entity in ("DATE", "TIME") or word.lemma.lower() in TIME_NOUNS


def _says_nothing(tree: Tree, head: int) -> bool:
    word = tree.words[head]
    if tree.lower(head) in INTERJECTIONS:
        return True
    determiner = [tree.lower(c) for c in tree.children(head, "det", "predet", "amod")]
    if any(d in DEICTIC or d in ("no", "any", "other", "same", "either") for d in determiner):
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
    words = {tree.lower(c) for c in tree.children(head, "det", "nummod")}
    comma = "," in tree.text[tree.words[head].end :][:1]
    return not comma and not words & _INDEFINITE


def _goes_on(tree: Tree, last: int) -> bool:
    """Tell whether a noun or adjective follows that a parser left out ("a career | fair")."""
    if last + 1 >= len(tree.words):
        return False
    word = tree.words[last + 1]
    timed = word.entity in ("DATE", "TIME") or "npadvmod" in (word.dep, tree.words[word.head].dep)
    return word.pos in ("NOUN", "ADJ") and not timed and word.dep not in ("nsubj", "oprd", "ccomp")


def _calls_someone(tree: Tree, head: int, cast: Cast) -> bool:
    """Tell whether a name that is called out was taken for the object ("love the idea Nate")."""
    called = cast.other is not None and cast.other.split()[0] == tree.words[head].text
    if not called and tree.words[head].entity != "PERSON":
        return False
    before = tree.children(head, "compound", "det", "amod")
    return any(tree.words[c].pos in ("NOUN", "DET", "VERB") for c in before)


def _kept(tree: Tree, head: int) -> list[int]:
    """Return the places of a phrase that stand together around its head."""
    kept = sorted({head, *_modifiers(tree, head)})
    middle = kept.index(head)
    first, last = middle, middle
    while first and _touches(tree, kept[first - 1], kept[first]):
        first -= 1
    while last + 1 < len(kept) and _touches(tree, kept[last], kept[last + 1]):
        last += 1
    whole = range(kept[first], kept[last] + 1)
    return [place for place in whole if tree.lower(place) not in _FOCUS]


def _touches(tree: Tree, one: int, other: int) -> bool:
    return all(
        tree.words[p].pos == "PUNCT" or tree.lower(p) in _FOCUS for p in range(one + 1, other)
    )


def _modifiers(tree: Tree, head: int) -> Iterator[int]:
    for child in tree.children(head):
        dep = tree.words[child].dep
        if dep == "prep":
            if child > head and _belongs(tree, head, child):
                yield from tree.below(child, frozenset({"relcl", "acl", "advcl", "punct"}))
        elif dep == "punct":
            if tree.words[child].text in ("-", "\u2013", "&", "/"):
                yield child
        elif dep not in _DROPPED and (child < head or dep in _RIGHT):
            yield from tree.below(child, frozenset({"relcl", "acl", "advcl"}))


def _belongs(tree: Tree, head: int, prep: int) -> bool:
    inner = tree.first(prep, "pobj", "pcomp")
    if inner is None or (tree.words[inner].dep == "pobj" and is_temporal(tree, inner)):
        return False
    if tree.lower(prep) in ("of", "about"):
        return True
    return tree.words[head].lemma.lower() in COMPLEMENT_NOUNS
