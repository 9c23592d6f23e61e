"""Whether two frames tell of one occurrence, by what their events say; and what they say together.

The question is SEEM's (section 3.2): the same occurrence, judged so that a wrong fusion is rarer
than a missed one. A plan and its execution are two events that belong together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mmem.derive.lexicon import STATIVE_VERBS
from mmem.schemas import Event, EventFrame, Verdict
from mmem.schemas.identity import digest_of, is_anchor_id
from mmem.words import name_key, terms

_HOUR_US = 3_600_000_000
_ONE_SITTING_US = 3 * _HOUR_US
_SOON_US = 24 * _HOUR_US
_CLOCK_CHANGE_US = _HOUR_US
"""By how much a day may be misplaced that is told on the other side of a change of the clocks."""
_LEAST_ALIKE = 0.5
_STATES = STATIVE_VERBS | frozenset(
    "be feel seem look stay keep thank wanna motivate inspire bring fill".split()
)
"""Verbs that tell what holds, or how somebody feels: telling it again is no sign of one act."""
_VAGUE_ACTS = frozenset("do get go make take see give put".split())
"""Verbs that say too little to know an act again by."""
_ONE_MORE = frozenset(terms("another other new next different second again"))
_AHEAD = ("planned", "wished")


def compared(frame: EventFrame, earlier: EventFrame) -> tuple[Verdict, str]:
    """Return what a frame is beside an earlier one, and why: by their most alike events."""
    found: tuple[Verdict, str] = ("different", "")
    at_hand = _are_of_one_recording(frame, earlier)
    for event in frame.events:
        for other in earlier.events:
            said_us = (None, None) if at_hand else (frame.known_at_us, earlier.known_at_us)
            verdict, reason = _judged(event, other, *said_us)
            if verdict == "same":
                return verdict, reason
            if verdict == "related":
                found = verdict, reason
    return found


def _are_of_one_recording(frame: EventFrame, earlier: EventFrame) -> bool:
    """Tell whether two stretches of one recording are meant.

    What is done in a later stretch is done again, or goes on: only dates can say that it is told.
    """
    anchors = all(map(is_anchor_id, (*frame.unit_ids, *earlier.unit_ids)))
    return anchors and frame.source_id == earlier.source_id


def _judged(
    event: Event, other: Event, said_us: int | None, other_said_us: int | None
) -> tuple[Verdict, str]:
    if event.polarity != other.polarity or not _is_like(event, other):
        return "different", ""
    act = f"“{event.action}”"
    if event.modality == "asserted" and other.modality in _AHEAD:
        return "related", f"{act} was planned and is done"
    if {event.modality, other.modality} != {"asserted"}:
        return "different", ""
    if _at_one_time(event, other, said_us, other_said_us):
        return "same", f"{act} at one time"
    return "related", f"{act} at another time"


def _is_like(event: Event, other: Event) -> bool:
    """Tell whether two events are one kind of act by one person on one thing.

    The verb may be another where two words or more of the things are the same ("get a rejection
    letter", "send a generic rejection letter").
    """
    people = {name_key(name) for name in event.participants}
    if not people & {name_key(name) for name in other.participants}:
        return False
    verb, things = _act(event)
    other_verb, other_things = _act(other)
    shared = things & other_things
    one_more = (things & _ONE_MORE) ^ (other_things & _ONE_MORE)
    if not shared or one_more or {verb, other_verb} & _STATES:
        return False
    told_alike = verb == other_verb and verb not in _VAGUE_ACTS
    least = min(len(things), len(other_things))
    return (told_alike or len(shared) > 1) and len(shared) / least > _LEAST_ALIKE


def _act(event: Event) -> tuple[str, set[str]]:
    verb, _, rest = event.action.casefold().partition(" ")
    people = {term for name in event.participants for term in terms(name)}
    return verb, set(terms(rest)) - people


def _at_one_time(
    event: Event, other: Event, said_us: int | None, other_said_us: int | None
) -> bool:
    dated, other_dated = _stretch(event), _stretch(other)
    if dated and other_dated:
        shared_us = min(dated[1], other_dated[1]) - max(dated[0], other_dated[0])
        return shared_us > _CLOCK_CHANGE_US
    if said_us is None or other_said_us is None:
        return False
    if dated or other_dated:
        start_us, end_us = dated or other_dated or (0, 0)
        told_us = other_said_us if dated else said_us
        return start_us <= told_us < end_us + _SOON_US
    return abs(said_us - other_said_us) <= _ONE_SITTING_US


def _stretch(event: Event) -> tuple[int, int] | None:
    start_us, end_us = event.time.start_us, event.time.end_us
    return None if start_us is None or end_us is None else (start_us, end_us)


def fused(members: Sequence[EventFrame], summary: str = "") -> EventFrame:
    """Return what frames of one occurrence tell together; `members` are in order of time.

    The events stay as they are, each with its own evidence; one that repeats an earlier one and
    adds nothing is left out. Without a `summary` it is the members' own, one after the other.
    """
    if len(members) == 1:
        return members[0]
    known = [member.known_at_us for member in members]
    return EventFrame(
        id=f"e-{digest_of('fused', *(member.id for member in members))}",
        source_id=members[0].source_id,
        unit_ids=tuple(unit_id for member in members for unit_id in member.unit_ids),
        summary=summary or " ".join(dict.fromkeys(m.summary for m in members if m.summary)),
        events=tuple(_told_once(event for member in members for event in member.events)),
        speakers=tuple(dict.fromkeys(name for member in members for name in member.speakers)),
        members=tuple(member.id for member in members),
        known_at_us=None if None in known else max(at for at in known if at is not None),
        extractor=", ".join(dict.fromkeys(member.extractor for member in members)),
    )


def _told_once(events: Iterator[Event]) -> Iterator[Event]:
    kept: list[Event] = []
    for event in events:
        if not any(_adds_nothing(event, other) for other in kept):
            kept.append(event)
            yield event


def _adds_nothing(event: Event, other: Event) -> bool:
    """Tell whether everything that an event says is said by an earlier one."""
    slots = ((event.location, other.location), (event.cause, other.cause))
    return (
        event.action.casefold() == other.action.casefold()
        and set(event.participants) <= set(other.participants)
        and (event.polarity, event.modality) == (other.polarity, other.modality)
        and all(not own or own == known for own, known in (*slots, (event.manner, other.manner)))
        and (not event.time.said or event.time == other.time)
        and event.extra.items() <= other.extra.items()
    )
