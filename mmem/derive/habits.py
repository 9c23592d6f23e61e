"""Habits: what the same person did on several days, as EgoLife's HabitInsight asks about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mmem.derive.acts import BODY, Act, act_of
from mmem.derive.claims import (
    Claim,
    Lasting,
    confidence_of,
    evidence_of,
    first_us,
    last_us,
    texts_of_claims,
)
from mmem.derive.records import MICRO_ACTIONS
from mmem.derive.relations import verb_key
from mmem.schemas import Moment, SemanticFact
from mmem.schemas.identity import digest_of
from mmem.words import terms

HABIT_DAYS = 3
"""Different days, or sessions where no day is known, that make a habit; our own."""
_GOING = frozenset({"go", "travel", "drive", "ride"})
_SMALL = MICRO_ACTIONS - _GOING
_Key = tuple[str, str, tuple[str, ...]]


def habits_of(claims: Iterable[Claim]) -> Iterator[Lasting]:
    """Yield the acts that one person is told to have done on enough days; in order of claims."""
    groups: dict[_Key, list[tuple[Claim, Act]]] = {}
    for claim in claims:
        act = act_of(f"{claim.told.relation} {claim.told.object}")
        if claim.told.polarity == "positive" and claim.by_person and _counts(act):
            groups.setdefault(_key(claim, act), []).append((claim, act))
    for key, done in groups.items():
        if len({claim.day for claim, _ in done}) >= HABIT_DAYS:
            yield _habit(key, [claim for claim, _ in done], [act for _, act in done])


def _counts(act: Act) -> bool:
    """Tell whether an act is worth being called a habit: not the smallest movements and states."""
    verb = act.verb.split()[0].casefold() if act.verb else ""
    if verb in _GOING and not act.what:
        return any(preposition == "to" for preposition, _ in act.beside)
    if verb in _SMALL or not (act.what or act.beside):
        return False
    return verb == "wash" or _object(act)[1].split()[-1].casefold() not in BODY


def _key(claim: Claim, act: Act) -> _Key:
    preposition, thing = _object(act)
    return claim.subject, f"{verb_key(act.verb)} {preposition}", tuple(terms(thing))


def _object(act: Act) -> tuple[str, str]:
    """Return what an act is done to, with the preposition before it, "" for none."""
    return ("", act.what) if act.what else act.beside[0]


def _habit(key: _Key, claims: Sequence[Claim], acts: Sequence[Act]) -> Lasting:
    days = list(dict.fromkeys(claim.day for claim in claims))
    seen_by = next(claim for claim in claims if claim.day == days[HABIT_DAYS - 1])
    verbs = Counter(f"{act.verb} {_object(act)[0]}".strip() for act in acts)
    things = Counter(_object(act)[1] for act in acts)
    fact = SemanticFact(
        id=f"sf-{digest_of('usually', *key)}",
        subject=claims[-1].told.subject,
        relation=f"usually {verbs.most_common(1)[0][0]}",
        object=things.most_common(1)[0][0],
        valid=Moment(start_us=seen_by.known_us),
        basis="done",
        support=len(days),
        days=len(days),
        first_us=first_us(claims),
        last_us=last_us(claims),
        confidence=confidence_of(len(days)),
        **evidence_of(claims),
    )
    return Lasting(fact, texts_of_claims(claims))
