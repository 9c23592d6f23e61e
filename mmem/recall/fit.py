"""How well a unit bears out what exactly a question asks, by its family (EM²Mem, the selector).

Explicit evidence counts whole, weak evidence little: who is merely there did not do it, what is
merely talked about is not planned, where a thing is now is not where it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from mmem.ports import Account, Family
from mmem.recall.family_words import MOVING, NOBODY, STATING
from mmem.schemas import CriticalKind, Event, Modality
from mmem.words import fold, terms

_WEAK = 0.3
"""What is said without being so: presence, talk, a plan where a deed is asked for."""
_MOVED = frozenset(term for word in MOVING for term in terms(word))
_STATED = frozenset(term for word in STATING for term in terms(word))
_MEANT: frozenset[Modality] = frozenset({"planned", "wished", "ordered"})


@dataclass(frozen=True)
class Fit:
    """How well a unit fits, from 0 to 1, and what makes it fit; "" where only its words do."""

    share: float = 0.0
    what: str = ""


@dataclass(frozen=True)
class Sought:
    """What is looked for: the question's terms, each with what it weighs."""

    weights: Mapping[str, float]

    def share(self, texts: Iterable[str]) -> float:
        """Return the share of the weight of the terms that some texts hold."""
        total = sum(self.weights.values())
        held = {term for text in texts for term in terms(text)}
        return sum(w for term, w in self.weights.items() if term in held) / total if total else 0.0


def fit_of(family: Family, account: Account, sought: Sought) -> Fit:
    """Return how well a unit bears out what a question of this family asks."""
    words = Fit(_WEAK * sought.share(line.text for line in account.lines))
    return max([words, *_FITS[family](account, sought)], key=lambda fit: fit.share)


def _deeds(account: Account, sought: Sought) -> Iterator[Fit]:
    """Yield what named people do; what is denied, planned or only told of is weak."""
    for event in _events(account):
        if who := _named(event):
            sure = event.modality == "asserted" and event.polarity == "positive"
            yield Fit((1.0 if sure else _WEAK) * _share(event, sought), _told(who, event))


def _gatherings(account: Account, sought: Sought) -> Iterator[Fit]:
    """Yield what several people do together, and talk among several; one alone is weak."""
    for event in _events(account):
        if who := _named(event):
            together = len(who) > 1 and event.modality == "asserted"
            yield Fit((1.0 if together else 2 * _WEAK) * _share(event, sought), _told(who, event))
    voices = sorted({line.speaker for line in account.lines if line.speaker})
    if len(voices) > 1:
        share = sought.share(line.text for line in account.lines)
        yield Fit(2 * _WEAK * share, f"{', '.join(voices)} speak")


def _ways(account: Account, sought: Sought) -> Iterator[Fit]:
    """Yield lines that hand over or put somewhere, and deeds that move something."""
    yield from _critical(account, sought, {"transfer", "placement"})
    for event in _events(account):
        if _MOVED & set(terms(event.action)) and event.polarity == "positive":
            yield Fit(_share(event, sought), _told(_named(event), event))


def _intentions(account: Account, sought: Sought) -> Iterator[Fit]:
    """Yield promises and proposals, and what is planned, wished or ordered."""
    yield from _critical(account, sought, {"commitment", "proposal"})
    for event in _events(account):
        if event.modality in _MEANT:
            yield Fit(_share(event, sought), _told(_named(event), event))


def _happenings(account: Account, sought: Sought) -> Iterator[Fit]:
    """Yield what happens, whoever does it."""
    for event in _events(account):
        sure = event.modality == "asserted" and event.polarity == "positive"
        yield Fit((1.0 if sure else _WEAK) * _share(event, sought), _told(_named(event), event))


def _customs(account: Account, sought: Sought) -> Iterator[Fit]:
    """Yield what is borne out again and again; a single deed is weak."""
    share = sought.share(_all_words(account))
    if account.lasting:
        repeated = min(account.lasting, 5) / 5
        yield Fit(share * max(repeated, 2 * _WEAK), f"borne out {account.lasting} times")
    for fact in account.facts:
        if fact.kind == "semantic":
            told = f"{fact.subject} {fact.relation} {fact.object}"
            yield Fit(sought.share([told]), told)
    for event in _events(account):
        yield Fit(2 * _WEAK * _share(event, sought), _told(_named(event), event))


def _attributes(account: Account, sought: Sought) -> Iterator[Fit]:
    """Yield lines that say who or what it is, and facts that state what something is or has."""
    yield from _critical(account, sought, {"identity"})
    for fact in account.facts:
        told = f"{fact.subject} {fact.relation} {fact.object}"
        states = bool(_STATED & set(terms(fact.relation))) or fact.kind == "semantic"
        yield Fit((1.0 if states else 2 * _WEAK) * sought.share([told]), told)


_FITS: Mapping[Family, Callable[[Account, Sought], Iterator[Fit]]] = {
    "action-owner": _deeds,
    "source-trace": _ways,
    "participant-membership": _gatherings,
    "plan-intention-decision": _intentions,
    "temporal-recall": _happenings,
    "habit-preference": _customs,
    "attribute-content-purpose": _attributes,
}


def _critical(account: Account, sought: Sought, kinds: Set[CriticalKind]) -> Iterator[Fit]:
    frame = account.frame
    for line in frame.critical_lines if frame else ():
        if line.kind in kinds:
            said = f"{line.speaker}: {line.text}" if line.speaker else line.text
            yield Fit(sought.share([said]), f"a {line.kind}, {said}")


def _events(account: Account) -> Iterable[Event]:
    return account.frame.events if account.frame else ()


def _named(event: Event) -> list[str]:
    return [name for name in event.participants if fold(name) not in NOBODY]


def _share(event: Event, sought: Sought) -> float:
    return sought.share([*event.participants, event.action, event.location, *event.extra.values()])


def _told(who: list[str], event: Event) -> str:
    how = "" if event.polarity == "positive" else "not "
    meant = "" if event.modality == "asserted" else f" ({event.modality})"
    return f"{', '.join(who) or 'somebody'}: {how}{event.action}{meant}"


def _all_words(account: Account) -> Iterator[str]:
    yield from (line.text for line in account.lines)
    yield from (f"{fact.subject} {fact.relation} {fact.object}" for fact in account.facts)
