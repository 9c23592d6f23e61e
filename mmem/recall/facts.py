"""Facts: assertions of one triple put together, and which of them still hold.

Nothing of this is stored: it is a function of the assertions that a reader may see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from mmem.schemas import Entity, Fact, Quadruple
from mmem.schemas.identity import digest_of
from mmem.words import name_key

ONE_AT_A_TIME = frozenset({"live in", "live at", "work at", "work for", "work in", "study at"})
"""Relations of which a person has one value at a time: the value said last is the current one."""

_Key = tuple[str, str, str, str, str]
_NEVER = -math.inf


def facts_of(assertions: Iterable[Quadruple], said_us: Mapping[str, int | None]) -> list[Fact]:
    """Return the facts that these assertions make, the best supported first.

    `said_us` tells when a unit was said, in wall microseconds. Only what is asserted can be
    superseded, and only by what is known to have been said later.
    """
    groups: dict[_Key, list[Quadruple]] = {}
    for assertion in assertions:
        groups.setdefault(_key(assertion), []).append(assertion)
    found = [_fact(key, members, said_us) for key, members in sorted(groups.items())]
    replaced = _superseded([fact for fact in found if fact.modality == "asserted"])
    facts = [
        fact.model_copy(update={"current": False, "superseded_by": replaced[fact.id]})
        if fact.id in replaced
        else fact
        for fact in found
    ]
    return sorted(facts, key=lambda fact: (-fact.support, _time(fact), fact.id))


def about(facts: Iterable[Fact], name: str) -> list[Fact]:
    """Return the facts whose subject or object is a name, or ends or begins with it.

    "Caroline" finds "Caroline", "Caroline's sister" is another; "harbour" finds "harbour team".
    """
    key = name_key(name)
    return [fact for fact in facts if any(_names(key, end) for end in (fact.subject, fact.object))]


def facts_about(entity: Entity, facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts about any name of an entity, from units in which it is met."""
    names = {name_key(one) for one in (entity.name, *(alias.name for alias in entity.aliases))}
    units = set(entity.unit_ids)
    return [
        fact
        for fact in facts
        if names & {name_key(fact.subject), name_key(fact.object)} and units & set(fact.unit_ids)
    ]


def _names(key: str, name: str) -> bool:
    words = name_key(name).split()
    asked = key.split()
    places = range(len(words) - len(asked) + 1)
    return bool(asked) and any(words[n : n + len(asked)] == asked for n in places)


def _key(one: Quadruple) -> _Key:
    ends = (name_key(one.subject), one.relation.casefold(), name_key(one.object))
    return (*ends, one.polarity, one.modality)


def _fact(key: _Key, members: Sequence[Quadruple], said_us: Mapping[str, int | None]) -> Fact:
    def said(one: Quadruple) -> tuple[float, str]:
        at = said_us.get(one.unit_id)
        return (_NEVER if at is None else at, one.id)

    ordered = sorted(members, key=said)
    newest = ordered[-1]
    times = [at for one in members if (at := said_us.get(one.unit_id)) is not None]
    return Fact(
        id=f"f-{digest_of('fact', *key)}",
        subject=newest.subject,
        relation=newest.relation,
        object=newest.object,
        valid=newest.valid,
        polarity=newest.polarity,
        modality=newest.modality,
        kind=newest.kind,
        support=len({one.unit_id for one in members}),
        first_us=min(times, default=None),
        last_us=max(times, default=None),
        confidence=round(1 - math.prod(1 - one.confidence for one in members), 4),
        unit_ids=tuple(dict.fromkeys(one.unit_id for one in ordered)),
        atom_ids=tuple(dict.fromkeys(atom for one in ordered for atom in one.atom_ids)),
    )


def _superseded(facts: Sequence[Fact]) -> dict[str, str]:
    """Return, for each fact that no longer holds, the fact that took its place."""
    found: dict[str, str] = {}
    for rivals in (*_by_triple(facts), *_by_value(facts)):
        newest = max(rivals, key=_time)
        for fact in rivals:
            if fact.last_us is not None and _time(fact) < _time(newest):
                found.setdefault(fact.id, newest.id)
    return found


def _by_triple(facts: Sequence[Fact]) -> Iterable[list[Fact]]:
    """Yield facts of one triple; more than one where polarities differ."""
    groups: dict[tuple[str, ...], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((*_ends(fact), name_key(fact.object)), []).append(fact)
    return groups.values()


def _by_value(facts: Sequence[Fact]) -> Iterable[list[Fact]]:
    """Yield the values of one person in one relation that has one at a time."""
    groups: dict[tuple[str, ...], list[Fact]] = {}
    for fact in facts:
        if fact.polarity == "positive" and fact.relation.casefold() in ONE_AT_A_TIME:
            groups.setdefault(_ends(fact), []).append(fact)
    return groups.values()


def _ends(fact: Fact) -> tuple[str, str]:
    return name_key(fact.subject), fact.relation.casefold()


def _time(fact: Fact) -> float:
    return _NEVER if fact.last_us is None else fact.last_us
