"""Evidence as numbered records: what a language model is handed, and the atoms behind each."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mmem.answer.moments import Moment, anchors_of, moments_of
from mmem.answer.passages import Passage, newest_last, passages_of, told_at
from mmem.dates import find_dates, write_date
from mmem.schemas import Citation, Event, EventFrame, Evidence, Hit, Line, Quadruple
from mmem.schemas.clock import microseconds, offset

Value = str | int | list[int] | dict[str, str] | list[dict[str, str]]
_KINDS = {
    "turn": "message",
    "utterance": "speech",
    "caption": "caption",
    "screen": "words on the screen",
}
_LONGEST = 2_000
"""Characters of one record that a model is shown; quotes are looked up in all of it."""
_ALL_WORDS = 24_000
"""Characters of all lines and pictures together, the best hits first."""
_ALL_READINGS = 8_000
"""Characters of all frames and facts together."""
_PICTURES = 3


@dataclass(frozen=True)
class Given:
    """One numbered record: as a model is told it, and the lines and pictures that it stands for.

    `caption` is what is known of its pictures.
    """

    number: int
    told: dict[str, Value]
    lines: tuple[Passage, ...] = ()
    pictures: tuple[Citation, ...] = ()
    caption: str = ""

    @property
    def atom_ids(self) -> list[str]:
        """The atoms whose words it holds."""
        cited = [*(passage.line.citation for passage in self.lines), *self.pictures]
        return [citation.atom_id for citation in cited]


@dataclass(frozen=True)
class Records:
    """All numbered records of a question; `left_out` counts lines that did not fit.

    `moments` are hints about the recordings that records are of, made of the atoms `behind` too.
    They have no number: nothing can cite them.
    """

    given: tuple[Given, ...]
    left_out: int = 0
    moments: tuple[Moment, ...] = ()
    behind: tuple[str, ...] = ()

    @property
    def atom_ids(self) -> tuple[str, ...]:
        """Every atom whose words are in one of them, or in a moment."""
        own = (a for given in self.given for a in given.atom_ids)
        return tuple(dict.fromkeys([*own, *self.behind]))

    def numbered(self, numbers: Iterable[int]) -> list[Given]:
        """Return the records of these numbers in order; a number that none has is left out."""
        return [self.given[n - 1] for n in dict.fromkeys(numbers) if 0 < n <= len(self.given)]


def records_of(evidence: Evidence) -> Records:
    """Return the lines of the evidence in the order of time, then pictures, frames and facts.

    The facts of a stretch of a recording stand in its moment.
    """
    passages = passages_of(evidence)
    shown = _fitting(passages)
    given: list[Given] = []
    for passage in newest_last(shown):
        number = len(given) + 1
        given.append(Given(number, {"n": number} | _line(passage), (passage,)))
    for hit in (*evidence.hits, *evidence.context):
        if hit.caption and hit.keyframes:
            number = len(given) + 1
            told = {"n": number} | _picture(hit)
            given.append(Given(number, told, (), hit.keyframes[:_PICTURES], hit.caption))
    numbers = {atom: one.number for one in reversed(given) for atom in one.atom_ids}
    moments = moments_of(evidence, numbers)
    given += _readings(evidence, given)
    behind = _behind(evidence) if moments else ()
    return Records(tuple(given), len(passages) - len(shown), moments, behind)


def _behind(evidence: Evidence) -> tuple[str, ...]:
    """Return the atoms that moments are made of, beside those of the records."""
    of_facts = [a for fact in evidence.facts for a in fact.atom_ids]
    of_facts += [a for fact in evidence.lasting for a in fact.atom_ids]
    of_frames = (a for f in evidence.frames for event in f.events for a in event.atom_ids)
    of_lines = (a for hit in anchors_of(evidence) for x in hit.lines for a in [x.citation.atom_id])
    return tuple(dict.fromkeys([*evidence.around, *of_facts, *of_frames, *of_lines]))


def when(line: Line) -> str:
    """Return the wall time of a line in words, "" when it isn't known."""
    said = told_at(line)
    if said is None:
        return ""
    assumed = " (assumed)" if line.citation.at_confidence == "assumed" else ""
    return f"{said:%A}, {write_date(said.date(), 'day')}, {said:%H:%M}{assumed}"


def place_in(citation: Citation) -> str:
    """Return the media offset of a citation, "" for messages."""
    return "" if citation.start_s is None else offset(microseconds(max(0.0, citation.start_s)))


def dates_meant(text: str, said: dt.datetime | None) -> dict[str, str]:
    """Return the relative dates of a text and the days that they mean, in words.

    >>> dates_meant("sold it yesterday", dt.datetime(2023, 5, 24))
    {'yesterday': '23 May 2023'}
    """
    found = {}
    for dated in find_dates(text, said):
        if dated.relative and dated.day is not None:
            meant = write_date(dated.day, dated.precision)
            other = f" or {write_date(dated.other, dated.precision)}" if dated.other else ""
            found[dated.words] = meant + other
    return found


def _fitting(passages: Sequence[Passage]) -> list[Passage]:
    left = _ALL_WORDS
    kept: list[Passage] = []
    for passage in passages:
        left -= len(_text(passage))
        if left < 0 and kept:
            break
        kept.append(passage)
    return kept


def _text(passage: Passage) -> str:
    text = passage.line.text
    first, last = passage.line.citation.chars or (0, len(text))
    part = text[first:last]
    return part if len(part) <= _LONGEST else part[: _LONGEST - 1] + "…"


def _line(passage: Passage) -> dict[str, Value]:
    cited = passage.line.citation
    text = _text(passage)
    told: dict[str, Value] = {
        "kind": _KINDS.get(cited.kind, cited.kind),
        "speaker": passage.speaker,
        "when": when(passage.line),
        "at": place_in(cited),
        "source": cited.source_title,
        "text": text,
        "dates": dates_meant(text, told_at(passage.line)),
    }
    return _filled(told)


def _picture(hit: Hit) -> dict[str, Value]:
    return _filled(
        {
            "kind": "picture",
            "at": place_in(hit.keyframes[0]),
            "source": hit.source_title,
            "text": hit.caption[:_LONGEST],
        }
    )


def _readings(evidence: Evidence, given: Sequence[Given]) -> Iterator[Given]:
    """Yield frames and facts whose lines are all given, as long as they fit."""
    behind = {g.lines[0].line.citation.atom_id: g for g in given if g.lines}
    told = [_frame(frame) for frame in evidence.frames if frame.events]
    in_moments = {hit.unit_id for hit in anchors_of(evidence)}
    told += [_fact(fact) for fact in evidence.facts if fact.unit_id not in in_moments]
    left, number = _ALL_READINGS, len(given)
    for atoms, words in told:
        from_ = [behind[atom] for atom in atoms if atom in behind]
        left -= len(json.dumps(words, ensure_ascii=False))
        if left < 0:
            return
        if from_ and len(from_) == len(atoms):
            number += 1
            place: dict[str, Value] = {"n": number, "from": [g.number for g in from_]}
            yield Given(number, place | words, tuple(line for g in from_ for line in g.lines))


def _frame(frame: EventFrame) -> tuple[list[str], dict[str, Value]]:
    atoms = list(dict.fromkeys(a for event in frame.events for a in event.atom_ids))
    events = [_event(event) for event in frame.events]
    return atoms, _filled({"kind": "frame", "summary": frame.summary, "events": events})


def _event(event: Event) -> dict[str, str]:
    told = {
        "who": ", ".join(event.participants),
        "action": event.action,
        "time": event.time.said,
        "where": event.location,
        "why": event.cause,
        "how": event.manner,
        "polarity": event.polarity,
        "modality": event.modality,
    }
    return {name: value for name, value in told.items() if value}


def _fact(fact: Quadruple) -> tuple[list[str], dict[str, Value]]:
    told: dict[str, Value] = {
        "kind": "fact",
        "subject": fact.subject,
        "relation": fact.relation,
        "object": fact.object,
        "time": fact.valid.said,
        "polarity": fact.polarity,
        "modality": fact.modality,
    }
    return list(fact.atom_ids), _filled(told)


def _filled(told: dict[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in told.items() if value}
