"""Units as a reader of grammar wants them: whole sentences of one voice, and what came before."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mmem.derive.captions import colours_of, things_of
from mmem.derive.told import LineKind, Said, Shown, Told
from mmem.schemas import (
    Atom,
    CaptionLine,
    Keyframe,
    Passage,
    ScreenText,
    Source,
    Turn,
    Unit,
    Utterance,
)
from mmem.schemas.clock import MICROSECONDS, local_datetime

_BEFORE = 3
_WORN = ("egolife", "worldmm", "em2mem")
"""Formats whose captions are told by the wearer of the camera, the first participant."""
_ENDS = (".", "!", "?", "…", ".”", '."', "!”", '!"', "?”", '?"', ".)", "。", "！", "？")


def told_of(source: Source, units: Sequence[Unit], atoms: Mapping[str, Atom]) -> list[Told]:
    """Return what each unit tells; `units` are a source's in the order in which they were said.

    A line depends on itself and on what was said before it, who spoke up to then included: what
    was said by some moment is read as a memory of that moment reads it.
    """
    heard: dict[str, None] = {}
    lines = [tuple(_with_others(_lines(source, unit, atoms), heard)) for unit in units]
    return [
        Told(
            unit_id=unit.id,
            source_id=source.id,
            lines=lines[place],
            before=tuple(lines[n] for n in _earlier(units, place)),
            known_at_us=_known_at(source, unit, atoms),
            shown=shown_in([atoms[atom_id] for atom_id in unit.atom_ids]),
        )
        for place, unit in enumerate(units)
    ]


def shown_in(atoms: Sequence[Atom]) -> Shown:
    """Return what the pictures among a unit's atoms show."""
    pictures = [atom for atom in atoms if isinstance(atom, Keyframe)]
    return Shown(
        screens=tuple(atom.text for atom in atoms if isinstance(atom, ScreenText) and atom.text),
        things=tuple(things_of(pictures)),
        colours=tuple(colours_of(pictures)),
    )


def _with_others(lines: Iterable[Said], heard: dict[str, None]) -> Iterator[Said]:
    """Yield lines with the people who have spoken by then; `heard` is brought up to date."""
    for said in lines:
        if said.speaker:
            heard[said.speaker] = None
        others = tuple(name for name in heard if name != said.speaker)
        yield dataclasses.replace(said, others=others)


def _earlier(units: Sequence[Unit], place: int) -> range:
    first = place
    while first and place - first < _BEFORE and units[first - 1].session == units[place].session:
        first -= 1
    return range(first, place)


def _known_at(source: Source, unit: Unit, atoms: Mapping[str, Atom]) -> int | None:
    if isinstance(unit, Passage) and unit.wall is not None:
        return unit.wall.end_us
    if source.clock.at_us is None or unit.span is None:
        return None
    return source.clock.at_us + max(_end(atoms[atom_id]) for atom_id in unit.atom_ids)


def _end(atom: Atom) -> int:
    return 0 if isinstance(atom, Turn) else atom.span.end_us


def _lines(source: Source, unit: Unit, atoms: Mapping[str, Atom]) -> Iterator[Said]:
    own = [atoms[atom_id] for atom_id in unit.atom_ids]
    if isinstance(unit, Passage) and isinstance(own[0], Turn):
        if own[0].text:  # a picture alone tells nothing in words
            yield _turn(source, unit, own[0])
        return
    yield from (_caption(source, a) for a in own if isinstance(a, CaptionLine) and a.text)
    spoken = [a for a in own if isinstance(a, Utterance) and a.text]
    yield from _sentences(source, sorted(spoken, key=lambda a: (a.span.start_us, a.ordinal)))


def _turn(source: Source, unit: Passage, turn: Turn) -> Said:
    start, end = unit.chars or (0, len(turn.text))
    return Said(
        atom_ids=(turn.id,),
        text=turn.text[start:end],
        speaker=turn.speaker,
        at_us=turn.wall_us,
        zone_us=_zone(source, turn.wall_us),
        start=start,
    )


def _caption(source: Source, line: CaptionLine) -> Said:
    return _said(source, [line], _wearer(source), "caption")


def _wearer(source: Source) -> str | None:
    """Return who "I" is in the captions of a recording: whoever wears the camera, if it is told."""
    worn = source.format in _WORN and source.participants
    return source.participants[0] if worn else None


def _sentences(source: Source, lines: Sequence[Utterance]) -> Iterator[Said]:
    """Yield runs of one voice's lines that end where a sentence ends.

    A run that the unit leaves unfinished tells nothing: its end is not there yet, or is another
    unit's.
    """
    held: list[Utterance] = []
    for line in lines:
        if held and held[-1].speaker != line.speaker:
            held = []
        held.append(line)
        if line.text.rstrip().endswith(_ENDS):
            yield _said(source, held, line.speaker, "utterance")
            held = []


def _said(
    source: Source,
    lines: Sequence[CaptionLine | Utterance],
    speaker: str | None,
    kind: LineKind,
) -> Said:
    at_us = None if source.clock.at_us is None else source.clock.at_us + lines[-1].span.end_us
    return Said(
        atom_ids=tuple(line.id for line in lines),
        text=" ".join(line.text for line in lines),
        speaker=speaker,
        at_us=at_us,
        zone_us=_zone(source, at_us),
        kind=kind,
    )


def _zone(source: Source, at_us: int | None) -> int:
    if at_us is None or source.clock.zone is None:
        return 0
    away = local_datetime(at_us, source.clock.zone).utcoffset()
    return 0 if away is None else round(away.total_seconds()) * MICROSECONDS
