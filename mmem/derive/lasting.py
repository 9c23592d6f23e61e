"""Semantic memory: assertions of what lasts, put together in order of time (EM²Mem G_S).

Nothing of this is stored: it is a function of the assertions that a reader may see, in their order.
What was held at a moment depends on what had been said by then alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mmem.derive.claims import (
    Claim,
    Lasting,
    confidence_of,
    evidence_of,
    first_us,
    last_us,
    texts_of_claims,
)
from mmem.derive.habits import habits_of
from mmem.ports import FloatArray
from mmem.schemas import Moment, Polarity, SemanticFact
from mmem.schemas.identity import digest_of
from mmem.words import terms

CONSOLIDATION_TOP = 20
"""EM²Mem: existing facts that a new one is compared with."""
CONSOLIDATION_COSINE = 0.6
"""EM²Mem: least cosine of two facts that may be one, of its own encoder. Nothing maps it to
another's yet (DESIGN, section 5: by the quantile of pair similarities)."""

VectorOf = Callable[[str], FloatArray | None]

SYNONYMS: Mapping[str, tuple[str, int]] = {
    predicate: (name, sign)
    for name, sign, predicates in (
        ("like", 1, "like, love, enjoy, adore, be fond of, be into, be a fan of, be keen on"),
        ("like", -1, "dislike, hate, detest, loathe"),
        ("have", 1, "have, own, possess"),
        ("have", -1, "lack"),
        ("fear", 1, "fear, be afraid of, be scared of, be terrified of"),
        ("live in", 1, "live in, reside in"),
        ("work at", 1, "work at, work for, be employed by, be employed at"),
        ("study at", 1, "study at, go to school at"),
    )
    for predicate in predicates.split(", ")
}
"""Relations that say the same of somebody, and whether they affirm it or deny it."""


def relation_class(relation: str) -> tuple[str, int]:
    """Return the name that relations of one meaning share, and 1, or -1 where they deny it.

    >>> relation_class("love"), relation_class("Hate"), relation_class("sing in")
    (('like', 1), ('like', -1), ('sing in', 1))
    """
    plain = " ".join(relation.casefold().split())
    return SYNONYMS.get(plain, (plain, 1))


def lasting_of(
    claims: Iterable[Claim], vector_of: VectorOf, *, one_at_a_time: Collection[str]
) -> list[Lasting]:
    """Return what lasts by these claims, all versions of it, the best supported first.

    `claims` come in canonical order. `vector_of` gives a text's vector of length 1, None where
    there is none: then only claims of the same names make one fact. `one_at_a_time` are relations
    of which somebody has one value at a time.
    """
    store = _Store(vector_of, frozenset(relation_class(one)[0] for one in one_at_a_time))
    acts: list[Claim] = []
    for claim in claims:
        if claim.told.modality == "asserted" and claim.is_act:
            acts.append(claim)
        elif claim.told.modality == "asserted":
            store.take(claim)
    return sorted([*map(_lasting, store.versions), *habits_of(acts)], key=_rank)


def _rank(one: Lasting) -> tuple[int, int, str]:
    return -one.fact.support, -(one.fact.last_us or 0), one.fact.id


@dataclass
class _Version:
    """A fact while it is put together; `sign` is -1 where it is denied."""

    first: Claim
    kind: str
    sign: int
    claims: list[Claim] = field(default_factory=list)
    until_us: int | None = None
    replaced_by: str | None = None

    @property
    def id(self) -> str:
        return f"sf-{digest_of('lasting', self.first.subject, self.kind, self.first.told.id)}"


@dataclass
class _Store:
    """The facts that hold, by what they say of whom; `versions` are all that ever did."""

    vector_of: VectorOf
    one_at_a_time: frozenset[str]
    versions: list[_Version] = field(default_factory=list)
    _held: dict[tuple[str, ...], list[_Version]] = field(default_factory=dict)

    def take(self, claim: Claim) -> None:
        """Let a claim bear out a fact that there is, or be a new one; end what it contradicts."""
        kind, sign = relation_class(claim.told.relation)
        sign = sign if claim.told.polarity == "positive" else -sign
        near = self._near(claim, kind)
        same = next((one for one in near if one.sign == sign), None)
        rivals = [one for one in near if one.sign != sign]
        if sign > 0 and kind in self.one_at_a_time:
            others = self._held.get((claim.subject, kind), ())
            rivals += [one for one in others if one.sign > 0 and one not in near]
        if same is None:
            same = _Version(claim, kind, sign)
            self.versions.append(same)
            for key in _keys(claim, kind):
                self._held.setdefault(key, []).append(same)
        same.claims.append(claim)
        for rival in rivals:
            self._end(rival, same, claim)

    def _near(self, claim: Claim, kind: str) -> list[_Version]:
        """Return the facts that may be of the same thing, the nearest first."""
        _, by_value, by_head = _keys(claim, kind)
        exact = self._held.get(by_value, [])
        others = (one for one in self._held.get(by_head, ()) if one not in exact)
        scored = [(self._cosine(claim, o), o) for o in others if _is_narrower(claim, o.first)]
        alike = [pair for pair in scored if pair[0] >= CONSOLIDATION_COSINE]
        alike.sort(key=lambda pair: -pair[0])
        return [*exact, *(one for _, one in alike[:CONSOLIDATION_TOP])]

    def _cosine(self, claim: Claim, version: _Version) -> float:
        """Return the cosine of a claim with the newest words of a fact, -1 where it is unknown."""
        own, other = self.vector_of(claim.text), self.vector_of(version.claims[-1].text)
        return -1.0 if own is None or other is None else float(np.vecdot(own, other))

    def _end(self, rival: _Version, by: _Version, claim: Claim) -> None:
        """End a fact, if it is known that what contradicts it was said later."""
        last = last_us(rival.claims)
        if last is None or claim.said_us is None or claim.said_us <= last:
            return
        rival.replaced_by = by.id
        begun, ended = rival.first.known_us, claim.known_us
        rival.until_us = ended if begun is None or ended is None else max(begun, ended)
        for key in _keys(rival.first, rival.kind):
            self._held[key].remove(rival)


def _keys(claim: Claim, kind: str) -> Iterator[tuple[str, ...]]:
    """Yield where a fact is looked up: of whom, and with that by what, and by its last word."""
    found = terms(claim.told.object)
    yield claim.subject, kind
    yield claim.subject, kind, "value", claim.value
    yield claim.subject, kind, "head", found[-1] if found else claim.value


def _is_narrower(one: Claim, other: Claim) -> bool:
    """Tell whether one of two objects has all the content words of the other."""
    ours, theirs = set(terms(one.told.object)), set(terms(other.told.object))
    return bool(ours and theirs) and (ours <= theirs or theirs <= ours)


def _wording(claims: Sequence[Claim]) -> Claim:
    """Return the newest claim in the words that are the commonest."""
    counts = Counter(claim.text.casefold() for claim in claims)
    return max(reversed(claims), key=lambda claim: counts[claim.text.casefold()])


def _lasting(version: _Version) -> Lasting:
    claims = version.claims
    told = _wording(claims).told
    evidence = evidence_of(claims)
    denied = relation_class(told.relation)[1] != version.sign
    polarity: Polarity = "negative" if denied else "positive"
    fact = SemanticFact(
        id=version.id,
        subject=told.subject,
        relation=told.relation,
        object=told.object,
        valid=Moment(start_us=version.first.known_us, end_us=version.until_us),
        polarity=polarity,
        support=len(evidence["unit_ids"]),
        days=len({claim.day for claim in claims}),
        first_us=first_us(claims),
        last_us=last_us(claims),
        current=version.replaced_by is None,
        superseded_by=version.replaced_by,
        confidence=confidence_of(len(evidence["unit_ids"])),
        **evidence,
    )
    return Lasting(fact, texts_of_claims(claims))
