"""Readers of units: one Protocol, a body by grammar and one that asks a language model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mmem.derive.frames import GRAMMAR, Reading, read_frames
from mmem.derive.noted import reading_of
from mmem.derive.prompts import frame_request
from mmem.derive.records import RECORDS, with_other_records, with_records
from mmem.derive.told import Told
from mmem.ports import LanguageModel, Parser, Spent
from mmem.schemas import EventFrame, TextRecord
from mmem.schemas.identity import frame_id

_NOTES = "notes 2"
"""The version of what a language model is asked and of what is made of its replies."""
_BY_RULE = "text record by rule"
"""Is told of a frame whose reply had no text record."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A unit that could not be read, and why."""

    unit_id: str
    reason: str


class UnitReader(Protocol):
    """Turns what units tell into frames and quadruples."""

    @property
    def extractor(self) -> str:
        """What a reading depends on beside the unit; a frame may say more of who wrote what."""
        ...

    @property
    def spent(self) -> Spent:
        """What a language model has used up for it so far."""
        ...

    def read(self, told: Iterable[Told]) -> Iterator[Reading | Unread]:
        """Yield a reading for each unit, in their order, or why there is none."""
        ...


@dataclass(frozen=True)
class GrammarReader:
    """Reads by the grammar of one language, without a key."""

    parser: Parser

    @property
    def extractor(self) -> str:
        """Version of the rules, and the parser."""
        return f"{GRAMMAR}, {self.parser.identity}, {RECORDS}"

    @property
    def spent(self) -> Spent:
        """Nothing: no language model is asked."""
        return Spent()

    def read(self, told: Iterable[Told]) -> Iterator[Reading | Unread]:
        """Yield a reading for each unit."""
        units = list(told)
        for unit, reading in zip(units, read_frames(units, self.parser), strict=True):
            yield _placed(unit, _recorded(unit, reading))


@dataclass(frozen=True)
class ModelReader:
    """Asks a language model, one call a unit with words (SEEM, section 3.1).

    EM²Mem's text record comes with the same reply; where the reply has none it is made by rule.
    """

    model: LanguageModel

    @property
    def extractor(self) -> str:
        """Version of the request, and the model."""
        return f"{self._asked}, {RECORDS}"

    @property
    def spent(self) -> Spent:
        """What the model has used up."""
        return self.model.spent

    def read(self, told: Iterable[Told]) -> Iterator[Reading | Unread]:
        """Yield a reading for each unit; one whose reply could not be read is unread.

        Raises ConfigError and BudgetExceeded as the model does.
        """
        units: Sequence[Told] = list(told)
        replies = self.model.ask_all(frame_request(unit) for unit in units if unit.lines)
        for unit in units:
            if not unit.lines:
                yield self._empty(unit)
                continue
            reply = next(replies)
            if reply.value is None:
                yield Unread(unit.unit_id, reply.partial)
            else:
                found = reading_of(unit, reply.value, self._asked)
                yield replace(_placed(unit, _completed(unit, found)), partial=reply.partial)

    @property
    def _asked(self) -> str:
        return f"{_NOTES}, {self.model.identity}"

    def _empty(self, unit: Told) -> Reading:
        frame = EventFrame(
            id=frame_id(unit.unit_id),
            source_id=unit.source_id,
            unit_ids=(unit.unit_id,),
            known_at_us=unit.known_at_us,
            extractor=self._asked,
        )
        return _recorded(unit, Reading(frame, ()))


def _recorded(unit: Told, reading: Reading) -> Reading:
    """Return a reading with EM²Mem's records, all of them by rule."""
    return replace(reading, frame=with_records(reading.frame, unit))


def _completed(unit: Told, reading: Reading) -> Reading:
    """Return a model's reading with the records that it lacks; a text record by rule is told."""
    frame = reading.frame
    if frame.text_record != TextRecord():
        return replace(reading, frame=with_other_records(frame, unit))
    named = frame.model_copy(update={"extractor": f"{frame.extractor}, {_BY_RULE}"})
    return replace(reading, frame=with_records(named, unit))


def _placed(unit: Told, reading: Reading) -> Reading:
    """Return a reading whose characters are counted in the whole atom, not in the unit's part."""
    start = unit.lines[0].start if unit.lines else 0
    if not start:
        return reading
    events = tuple(
        e.model_copy(update={"chars": _later(e.chars, start)}) for e in reading.frame.events
    )
    return Reading(
        frame=reading.frame.model_copy(update={"events": events}),
        quadruples=tuple(
            q.model_copy(update={"chars": _later(q.chars, start)}) for q in reading.quadruples
        ),
    )


def _later(chars: tuple[int, int], by: int) -> tuple[int, int]:
    return chars[0] + by, chars[1] + by
