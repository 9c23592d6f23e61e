"""What of a unit is searched: its terms, its lines and its chunks."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from mmem.derive.units import turn_text
from mmem.schemas import (
    Anchor,
    Atom,
    CaptionLine,
    EventFrame,
    Keyframe,
    Passage,
    Quadruple,
    ScreenText,
    Turn,
    Unit,
    Utterance,
    VisualRecord,
)
from mmem.schemas.clock import local_datetime
from mmem.words import is_question, name_key, terms


class Chunker(Protocol):
    """Cuts a text into stretches that the text encoder reads whole."""

    def chunk_spans(self, text: str) -> list[tuple[int, int]]:
        """Return character spans."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class Tells:
    """What was understood of a unit.

    `actors` take part in asserted events; `facts` are facts as texts, with the keys of the two
    `ends` of each. `seen` is what a captioner saw on the unit's pictures.
    """

    actors: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    ends: tuple[tuple[str, str], ...] = ()
    seen: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class UnitTexts:
    """The searched texts of one unit.

    `lines`, `chunks` and the facts of `tells` get a vector each; the token codes are the chunks'
    (the lines' where there is no chunk). `speakers` are all voices; `question` says that the unit
    only asks; `pictured` are the ids of its atoms that are pictures.
    """

    counts: Mapping[str, int]
    lines: tuple[str, ...]
    chunks: tuple[str, ...]
    speakers: tuple[str, ...]
    question: bool
    tells: Tells
    pictured: tuple[str, ...] = ()

    @property
    def speaker(self) -> str:
        """The only voice, or "" for none or several."""
        return self.speakers[0] if len(self.speakers) == 1 else ""

    @property
    def coded(self) -> str:
        """The view whose token codes are kept."""
        return "chunk" if self.chunks else "line"

    def views(self) -> Iterator[tuple[str, str]]:
        """Yield ("view/number", text) of every text that gets a vector."""
        for view, texts in (
            ("line", self.lines),
            ("chunk", self.chunks),
            ("fact", self.tells.facts),
        ):
            for number, text in enumerate(texts):
                yield f"{view}/{number}", text


def tells_of(
    frames: Iterable[EventFrame],
    quadruples: Iterable[Quadruple],
    atom_ids: Container[str] | None = None,
) -> dict[str, Tells]:
    """Return what units tell, by unit id; with `atom_ids`, what these alone tell of them."""

    def holds(evidence: Sequence[str]) -> bool:
        return atom_ids is None or all(atom_id in atom_ids for atom_id in evidence)

    actors: dict[str, list[str]] = {}
    for frame in frames:
        asserted = [e for e in frame.events if e.modality == "asserted" and holds(e.atom_ids)]
        names = dict.fromkeys(name for event in asserted for name in event.participants)
        actors[frame.unit_ids[0]] = list(names)
    facts: dict[str, list[Quadruple]] = {}
    for fact in quadruples:
        if holds(fact.atom_ids):
            facts.setdefault(fact.unit_id, []).append(fact)
    return {
        unit_id: _tells(actors.get(unit_id, ()), facts.get(unit_id, ()))
        for unit_id in actors.keys() | facts.keys()
    }


def _tells(actors: Sequence[str], facts: Sequence[Quadruple]) -> Tells:
    ordered = sorted(facts, key=lambda fact: (fact.chars, fact.id))
    ends = {
        f"{fact.subject} {fact.relation} {fact.object}": (
            name_key(fact.subject),
            name_key(fact.object),
        )
        for fact in ordered
    }
    return Tells(tuple(actors), tuple(ends), tuple(ends.values()))


def seen_text(record: VisualRecord) -> str:
    """Return what a captioner saw as one text; "" where it saw nothing.

    >>> seen_text(VisualRecord(scene="kitchen", keyframe_caption="A kettle.", visible_objects=()))
    'A kettle. Scene: kitchen.'
    """
    things = ", ".join(record.visible_objects)
    parts = (
        record.keyframe_caption,
        f"{things}." if things else "",
        f"Scene: {record.scene}." if record.scene else "",
    )
    return " ".join(filter(None, parts))


def with_seen(tells: Tells | None, record: VisualRecord) -> Tells:
    """Return what was understood of a unit, with what was seen on its pictures."""
    return dataclasses.replace(tells or Tells(), seen=seen_text(record))


def texts_of(unit: Unit, atoms: Mapping[str, Atom], chunker: Chunker, tells: Tells) -> UnitTexts:
    """Return the searched texts of a unit; `atoms` holds at least its own, by id."""
    own = [atoms[atom_id] for atom_id in unit.atom_ids]
    if isinstance(unit, Passage):
        return _passage_texts(unit, own, tells)
    return _anchor_texts(unit, own, chunker, tells)


def _passage_texts(unit: Passage, atoms: Sequence[Atom], tells: Tells) -> UnitTexts:
    words = " ".join(filter(None, (_words(unit, atom) for atom in atoms)))
    line = f"{unit.speaker}: {words}" if unit.speaker and words else words
    dated = f"{_day(unit)} {line}"
    return UnitTexts(
        counts=Counter(terms(dated)),
        lines=(line,) if line else (),
        chunks=(),
        speakers=(unit.speaker,) if unit.speaker else (),
        question=is_question(words),
        tells=tells,
        pictured=_pictured(unit, atoms),
    )


def _pictured(unit: Passage, atoms: Sequence[Atom]) -> tuple[str, ...]:
    """Return the messages that carry a picture; of a message in parts the first part shows it."""
    if unit.chars is not None and unit.chars[0] > 0:
        return ()
    return tuple(atom.id for atom in atoms if isinstance(atom, Turn) and atom.files)


def _words(unit: Passage, atom: Atom) -> str:
    if not isinstance(atom, Turn):
        return atom.text
    if unit.chars is None:
        return turn_text(atom)
    start, end = unit.chars
    shared = turn_text(atom)[len(atom.text) :] if end >= len(atom.text) else ""
    return atom.text[start:end] + shared


def _day(unit: Passage) -> str:
    if unit.wall is None:
        return ""
    day = local_datetime(unit.wall.start_us)
    return f"{day.day} {day:%B %Y}"


def _anchor_texts(unit: Anchor, atoms: Sequence[Atom], chunker: Chunker, tells: Tells) -> UnitTexts:
    captions = [a.text for a in atoms if isinstance(a, CaptionLine) and a.text]
    spoken = [_spoken(a) for a in atoms if isinstance(a, Utterance) and a.text]
    screens = [a.text for a in atoms if isinstance(a, ScreenText)]
    views = [" ".join(captions), "\n".join(spoken), *screens, tells.seen]
    chunks = [view[start:end] for view in views for start, end in chunker.chunk_spans(view)]
    lines = [*captions, *spoken, *(" ".join(screen.split()) for screen in screens), tells.seen]
    return UnitTexts(
        counts=Counter(terms("\n".join([*captions, *spoken, *screens, tells.seen]))),
        lines=tuple(dict.fromkeys(filter(None, lines))),
        chunks=tuple(chunks),
        speakers=unit.speakers,
        question=False,
        tells=tells,
        pictured=tuple(atom.id for atom in atoms if isinstance(atom, Keyframe)),
    )


def _spoken(line: Utterance) -> str:
    return f"{line.speaker}: {line.text}" if line.speaker else line.text
