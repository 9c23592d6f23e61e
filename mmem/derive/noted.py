"""From a model's reply about one unit to its event frame and quadruples: what the unit supports.

A model's word is not taken for it: an entry must name lines that exist, and its content words must
occur in them, in the people's names, or (for what a pronoun stands for) in the lines before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mmem.derive.frames import Reading
from mmem.derive.moments import timings
from mmem.derive.prompts import EventReply, FactReply, FrameReply
from mmem.derive.records import LONGEST_CAPTION, MOST_ACTIONS, MOST_OBJECTS, MOST_TOPICS
from mmem.derive.told import Said, Told
from mmem.schemas import Event, EventFrame, Moment, Quadruple, TextRecord
from mmem.schemas.identity import frame_id, quadruple_id
from mmem.words import fold, sentence_spans, terms

_LONGEST_SLOT = 200
_LONGEST_SUMMARY = 400
_LONG_LABEL = 80
"""Characters that no name of a thing has, and no short verb phrase."""
_CONFIDENCE = {"stated": 0.9, "implied": 0.6}
"""SEEM's code gives 0.9 to facts that rules take from events; what is concluded weighs less."""
_STATEMENTS = frozenset({"asserted", "planned", "wished", "supposed", "reported"})
_STEM = 4
"""Letters in which two forms of one word agree, in languages that inflect."""


def reading_of(told: Told, reply: FrameReply, extractor: str) -> Reading:
    """Return what the unit tells by a model's reply; entries that it does not support are left out.

    The text record is empty where the reply has none, or none that the unit supports. Time words
    are dated by code against the time of their line, as the grammar's are.
    """
    unit = _Unit(told)
    frame = EventFrame(
        id=frame_id(told.unit_id),
        source_id=told.source_id,
        unit_ids=(told.unit_id,),
        summary=unit.summary(reply.summary),
        events=tuple(_events(unit, reply.events)),
        text_record=_text_record(unit, reply),
        speakers=tuple(dict.fromkeys(line.speaker for line in told.lines if line.speaker)),
        known_at_us=told.known_at_us,
        extractor=extractor,
    )
    found = {quad.id: quad for quad in reversed(list(_quadruples(unit, reply.facts, extractor)))}
    return Reading(frame, tuple(reversed(found.values())))


@dataclass(frozen=True)
class _Cited:
    """Lines that an entry names: their atoms, their texts joined by blanks, and its terms."""

    lines: tuple[Said, ...]
    atom_ids: tuple[str, ...]
    text: str
    known: frozenset[str]


class _Unit:
    def __init__(self, told: Told) -> None:
        self.told = told
        every = [said for unit in (*told.before, told.lines) for said in unit]
        names = {name for said in every for name in (said.speaker, *said.others) if name}
        self._known = _forms([*(said.text for said in every), *names])

    def cited(self, numbers: Sequence[int]) -> _Cited | None:
        """Return the lines of these numbers, None where none of them exists."""
        lines = tuple(s for n, s in enumerate(self.told.lines, 1) if n in numbers)
        if not lines:
            return None
        atoms = tuple(dict.fromkeys(a for line in lines for a in line.atom_ids))
        texts = [line.text for line in lines]
        return _Cited(lines, atoms, " ".join(texts), _forms(texts))

    def slot(self, words: str | None) -> str:
        """Return a slot's words, "" where the unit does not hold all of their content words."""
        plain = " ".join((words or "").split())
        found = terms(plain)
        if not found or len(plain) > _LONGEST_SLOT:
            return ""
        held = [_holds(self._known, term) for term in found]
        sure = all(ok or _is_article_like(t, plain) for ok, t in zip(held, found, strict=True))
        return plain if any(held) and sure else ""

    def summary(self, words: str, *, longest: int = _LONGEST_SUMMARY) -> str:
        """Return a summary, "" where most of its content words are not the unit's."""
        plain = " ".join(words.split())[:longest]
        found = terms(plain)
        own = sum(_holds(self._known, term) for term in found)
        return plain if found and 2 * own > len(found) else ""

    def labels(self, phrases: Sequence[str], lines: Sequence[Said], most: int) -> tuple[str, ...]:
        """Return the phrases that the unit supports and that share a word with these lines."""
        own = _forms([line.text for line in lines])
        kept: dict[str, str] = {}
        for label in (self.slot(phrase) for phrase in phrases if len(phrase) < _LONG_LABEL):
            if any(_holds(own, term) for term in terms(label)):
                kept.setdefault(fold(label), label)
        return tuple(kept.values())[:most]


def _forms(texts: Sequence[str]) -> frozenset[str]:
    """Return the terms of texts, and the beginnings that they share with other forms."""
    found = {term for text in texts for term in terms(text)}
    return frozenset(found | {f"{term[:_STEM]}…" for term in found if len(term) >= _STEM})


def _holds(known: frozenset[str], term: str) -> bool:
    return term in known or (len(term) >= _STEM and f"{term[:_STEM]}…" in known)


def _text_record(unit: _Unit, reply: FrameReply) -> TextRecord:
    """Return EM²Mem's text record as a model tells it; topics are those of what is said alone."""
    lines = unit.told.lines
    spoken = [line for line in lines if line.kind != "caption"]
    return TextRecord(
        fine_caption=unit.summary(reply.fine_caption, longest=LONGEST_CAPTION),
        salient_objects=unit.labels(reply.salient_objects, lines, MOST_OBJECTS),
        actions=unit.labels(reply.actions, lines, MOST_ACTIONS),
        conversation_focus=unit.labels(reply.conversation_focus, spoken, MOST_TOPICS),
    )


def _is_article_like(term: str, words: str) -> bool:
    """Tell whether a term may be grammar of another language than English ("die" for "den")."""
    return len(term) < _STEM and term.isalpha() and f" {term} " in f" {words} "


def _events(unit: _Unit, replies: Sequence[EventReply]) -> Iterator[Event]:
    for reply in replies:
        cited = unit.cited(reply.lines)
        action = " ".join(reply.action.split())
        if cited is None or not 0 < len(action) <= _LONGEST_SLOT or not _touches(cited, action):
            continue
        yield Event(
            participants=tuple(
                dict.fromkeys(named for name in reply.participants if (named := unit.slot(name)))
            ),
            action=action,
            time=_moment(cited, reply.time),
            location=unit.slot(reply.location),
            cause=unit.slot(reply.cause),
            manner=unit.slot(reply.manner),
            polarity=reply.polarity,
            modality=reply.modality,
            atom_ids=cited.atom_ids,
            chars=_chars(cited, f"{action} {reply.location or ''}"),
        )


def _quadruples(unit: _Unit, replies: Sequence[FactReply], extractor: str) -> Iterator[Quadruple]:
    for reply in replies:
        cited = unit.cited(reply.lines)
        subject, value = unit.slot(reply.subject), unit.slot(reply.object)
        relation = " ".join(reply.relation.split())
        told = f"{relation} {value} {subject}"
        if cited is None or not (subject and value) or not 0 < len(relation) <= _LONGEST_SLOT:
            continue
        if fold(subject) == fold(value) or reply.modality not in _STATEMENTS:
            continue
        if not _touches(cited, told):
            continue
        moment = _moment(cited, reply.time)
        said = f"{reply.modality} {reply.polarity} {moment.said}".strip()
        yield Quadruple(
            id=quadruple_id(unit.told.unit_id, subject, relation, value, said),
            source_id=unit.told.source_id,
            unit_id=unit.told.unit_id,
            subject=subject,
            relation=relation,
            object=value,
            valid=moment,
            polarity=reply.polarity,
            modality=reply.modality,
            kind=reply.kind,
            atom_ids=cited.atom_ids,
            chars=_chars(cited, told),
            confidence=_CONFIDENCE[reply.certainty],
            extractor=extractor,
        )


def _touches(cited: _Cited, words: str) -> bool:
    """Tell whether a content word is in the lines that are named; of grammar words, any word."""
    found = terms(words)
    if found:
        return any(_holds(cited.known, term) for term in found)
    return fold(words) in fold(cited.text)


def _moment(cited: _Cited, words: str | None) -> Moment:
    """Return when, by the first line that holds these words; nothing where none does."""
    plain = " ".join((words or "").split())
    for line in cited.lines if plain else ():
        found = re.search(re.escape(plain), line.text, re.IGNORECASE)
        if found is None:
            continue
        start, end = found.span()
        for timing in timings(line):
            if timing.chars[0] < end and start < timing.chars[1]:
                return timing.moment
        return Moment(said=line.text[start:end])
    return Moment()


def _chars(cited: _Cited, words: str) -> tuple[int, int]:
    """Return the range of the sentences that hold a content word of these, else of all."""
    wanted = _forms([words])
    holding = [
        (start, end)
        for start, end in sentence_spans(cited.text)
        if any(_holds(wanted, term) for term in terms(cited.text[start:end]))
    ]
    return (holding[0][0], holding[-1][1]) if holding else (0, len(cited.text))
