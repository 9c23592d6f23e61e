"""Assertions as semantic memory takes them: of what lasts, or of something that was done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mmem.derive.frames import GRAMMAR
from mmem.schemas import Quadruple, SemanticFact

_LASTS_IN_CAPTIONS = frozenset("be love like enjoy hate prefer know live work own belong".split())
_GRAMMAR = GRAMMAR.split()[0]


@dataclass(frozen=True, slots=True)
class Claim:
    """An assertion and what semantic memory has to know of it.

    `subject` and `value` are keys of whom and what it is about: an entity's, else the name's;
    `by_person` tells that the subject is somebody who speaks. `said_us` is when it was said,
    `known_us` when its group of ten units had ended (wall, None where not known); `day` is its
    day, or its session where that is not known.
    """

    told: Quadruple
    subject: str
    value: str
    said_us: int | None
    known_us: int | None
    day: str
    by_person: bool = False

    @property
    def text(self) -> str:
        """The fact in words; its vector is the one of these."""
        return f"{self.told.subject} {self.told.relation} {self.told.object}"

    @property
    def is_act(self) -> bool:
        """Tell whether something was done once, where others tell what holds over time.

        Captions tell in the present tense what happens just then ("I open the box"), which grammar
        alone takes for a habit.
        """
        told = self.told
        if told.kind == "episodic":
            return True
        captioned = all(atom_id.startswith("c-") for atom_id in told.atom_ids)
        verb = told.relation.split(maxsplit=1)[0].casefold()
        by_grammar = told.extractor.startswith(_GRAMMAR)
        return captioned and by_grammar and verb not in _LASTS_IN_CAPTIONS


@dataclass(frozen=True, slots=True)
class Lasting:
    """A semantic fact, and the different words in which it was told."""

    fact: SemanticFact
    texts: tuple[str, ...]


def confidence_of(support: int) -> float:
    """Return the confidence of a fact with this support (EM²Mem's default).

    >>> confidence_of(1), confidence_of(20)
    (0.49, 0.77)
    """
    return round(min(0.95, 0.45 + 0.04 * min(support, 8)), 4)


def first_us(claims: Iterable[Claim]) -> int | None:
    """Return when the first of some claims was said, None where no time is known."""
    return min((c.said_us for c in claims if c.said_us is not None), default=None)


def last_us(claims: Iterable[Claim]) -> int | None:
    """Return when the last of some claims was said, None where no time is known."""
    return max((c.said_us for c in claims if c.said_us is not None), default=None)


def evidence_of(claims: Sequence[Claim]) -> dict[str, tuple[str, ...]]:
    """Return the units and atoms that bear claims out, in order, as the fields of a fact."""
    return {
        "unit_ids": tuple(dict.fromkeys(claim.told.unit_id for claim in claims)),
        "atom_ids": tuple(dict.fromkeys(atom for c in claims for atom in c.told.atom_ids)),
    }


def texts_of_claims(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return the different words of claims, in order."""
    return tuple(dict.fromkeys(claim.text for claim in claims))
