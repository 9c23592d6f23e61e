"""Who is meant: "I", "you", "my sister", "she", within a line and the lines before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mmem.derive.lexicon import (
    EITHER,
    FEMALE,
    FEMALE_NAMES,
    MALE,
    MALE_NAMES,
    MUTUAL_NOUNS,
    PERSON_NOUNS,
)
from mmem.derive.told import Said
from mmem.derive.trees import Tree

Gender = Literal["female", "male", ""]
FIRST = frozenset({"i", "me", "my", "mine", "myself"})
FIRST_PLURAL = frozenset({"we", "us", "our", "ours", "ourselves", "'s", "let's"})
SECOND = frozenset({"you", "your", "yours", "yourself", "u", "ya", "ur"})
_SHE = frozenset({"she", "her", "hers", "herself"})
_HE = frozenset({"he", "him", "his", "himself"})
PRONOUNS = FIRST | FIRST_PLURAL | SECOND | _SHE | _HE


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is mentioned: how to call them, where, and the gender where it is known.

    The name is "" of somebody without one ("a girl"), whom a pronoun may mean as well.
    """

    name: str
    place: int
    gender: Gender


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its tree."""

    said: Said
    tree: Tree


class Cast:
    """Who the pronouns of a line mean; `earlier` are the lines before it, nearest first."""

    def __init__(self, line: Line, earlier: Sequence[Line] = ()) -> None:
        self.said = line.said
        self._tree = line.tree
        self._earlier = earlier
        self._mentioned: tuple[Person, ...] | None = None

    @property
    def other(self) -> str | None:
        """The only one spoken to, None where there are several or none is known."""
        return self.said.others[0] if len(self.said.others) == 1 else None

    def name(self, place: int) -> str | None:
        """Return who a personal or possessive pronoun means, None where that is not sure."""
        word = self._tree.lower(place)
        if word in FIRST_PLURAL and self._is_shared(place):
            return None
        if word in FIRST or word in FIRST_PLURAL:
            return self.said.speaker
        if word in SECOND:
            return self.other
        if word in _SHE or word in _HE:
            gender: Gender = "female" if word in _SHE else "male"
            owner = self._owner(place)
            if owner is not None and self._tree.words[owner].tag == "NN":
                return None  # "the duck flaps his wings", which are the duck's
            return self._subject(owner, gender) or self._third(place, gender)
        return None

    def _is_shared(self, place: int) -> bool:
        """Tell whether "our" is not one person's ("our friendship", "our future")."""
        word = self._tree.words[place]
        owned = self._tree.words[word.head].lemma.lower()
        return word.tag == "PRP$" and owned in MUTUAL_NOUNS

    def _owner(self, place: int) -> int | None:
        """Return the subject of the clause in which "his" or "her" stands as a possessive."""
        tree = self._tree
        if tree.words[place].tag != "PRP$":
            return None
        verb = tree.words[place].head
        while tree.words[verb].pos not in ("VERB", "AUX") and tree.words[verb].head != verb:
            verb = tree.words[verb].head
        subject = tree.first(verb, "nsubj")
        return subject if subject is not None and subject < place else None

    def _subject(self, owner: int | None, gender: Gender) -> str | None:
        """Return the name of a subject that "his" or "her" may mean."""
        if owner is None or self._tree.words[owner].pos != "PROPN":
            return None
        name = self._tree.words[owner].text
        return name if gender_of(name) in (gender, "") else None

    def _third(self, place: int, gender: Gender) -> str | None:
        """Return the only person of this gender in the nearest line that names any."""
        if self._mentioned is None:
            self._mentioned = tuple(_persons(self._tree, self.said))
        own = [person for person in self._mentioned if person.place < place]
        found = self._fitting(own, gender)
        for line in () if found else self._earlier:
            found = self._fitting(_persons(line.tree, line.said), gender)
            if found:
                break
        return found.pop() or None if len(found) == 1 else None

    def _fitting(self, people: Sequence[Person] | Iterator[Person], gender: Gender) -> set[str]:
        present = {self.said.speaker, self.other}
        return {
            person.name if person.gender or "'s " in person.name else ""
            for person in people
            if person.gender in (gender, "")
            and not any(person.name and _same(person.name, p) for p in present)
        }


def _same(name: str, other: str | None) -> bool:
    """Tell whether a name is somebody's, or a short form of it ("Mel" for "Melanie")."""
    if other is None:
        return False
    first, whole = name.lower().split()[0], other.lower()
    return name.lower() == whole or (
        len(name.split()) == 1 and len(first) > 2 and whole.split()[0].startswith(first)
    )


def _persons(tree: Tree, said: Said) -> Iterator[Person]:
    known = {name.split()[0].lower() for name in (*said.others, said.speaker or "") if name}
    for place, word in enumerate(tree.words):
        if word.pos == "PROPN" and _is_name(tree, place, known):
            yield Person(_whole_name(tree, place), place, gender_of(word.text))
        elif word.pos == "NOUN" and word.lemma.lower() in (FEMALE | MALE | EITHER):
            relative = _relative(tree, place, said)
            if relative is not None or _is_mentioned(tree, place):
                yield Person(relative or "", place, gender_of(word.lemma))


def _is_name(tree: Tree, place: int, known: set[str]) -> bool:
    word = tree.words[place]
    named = word.text.lower() in known or gender_of(word.text) != ""
    person = named or word.entity == "PERSON" or _joins_person(tree, place)
    first = not (place and tree.words[place - 1].pos == "PROPN" and word.dep != "conj")
    head = word.dep != "compound" or tree.words[word.head].pos == "PROPN"
    return person and head and (first or word.begins_entity)


def _joins_person(tree: Tree, place: int) -> bool:
    """Tell whether a name stands beside a person's: "Rosa and Nina"."""
    word = tree.words[place]
    return word.dep == "conj" and tree.words[word.head].entity == "PERSON"


def _whole_name(tree: Tree, place: int) -> str:
    """Return the name that begins here, later parts of its entity included."""
    parts = [tree.words[place].text]
    for word in tree.words[place + 1 :]:
        if word.pos != "PROPN" or word.begins_entity or word.entity != "PERSON":
            break
        parts.append(word.text)
    return " ".join(parts)


def _is_mentioned(tree: Tree, place: int) -> bool:
    """Tell whether a noun stands for one person, not for what somebody is."""
    word = tree.words[place]
    one = word.tag == "NN" and word.dep in ("nsubj", "nsubjpass", "dobj", "pobj", "dative")
    return one and tree.first(place, "det") is not None


def _relative(tree: Tree, place: int, said: Said) -> str | None:
    """Return "Melanie's sister" for "my sister"; None for one whose owner is another."""
    owner = tree.first(place, "poss")
    if owner is None or tree.words[place].tag == "NNS":
        return None
    word = tree.lower(owner)
    if word in FIRST or word == "our":
        name = said.speaker
    elif word in SECOND and len(said.others) == 1:
        name = said.others[0]
    else:
        return None
    return f"{possessive(name)} {tree.words[place].text}" if name else None


def possessive(name: str) -> str:
    """Return the name with its ending.

    >>> possessive("Ann"), possessive("James")
    ("Ann's", "James's")
    """
    return f"{name}'s"


def gender_of(word: str) -> Gender:
    """Return the gender that a noun or a first name tells, "" where it tells none.

    >>> gender_of("sister"), gender_of("Tom"), gender_of("Kim")
    ('female', 'male', '')
    """
    low = word.lower()
    if low in FEMALE or low in FEMALE_NAMES:
        return "female"
    return "male" if low in MALE or low in MALE_NAMES else ""


def names_person(tree: Tree, head: int) -> bool:
    """Tell whether a phrase is a person or people, by entity, pronoun or noun."""
    word = tree.words[head]
    personal = tree.lower(head) in PRONOUNS and tree.lower(head) not in (
        "it",
        "itself",
        "they",
        "them",
    )
    named = word.pos == "PROPN" and gender_of(word.text) != ""
    return personal or named or word.entity == "PERSON" or word.lemma.lower() in PERSON_NOUNS
