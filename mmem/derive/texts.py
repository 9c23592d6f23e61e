"""What of a unit is searched: its terms, its lines and its chunks."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from mmem.derive.units import turn_text
from mmem.schemas import Anchor, Atom, CaptionLine, Passage, ScreenText, Turn, Unit, Utterance
from mmem.schemas.clock import local_datetime
from mmem.words import is_question, terms


class Chunker(Protocol):
    """Cuts a text into stretches that the text encoder reads whole."""

    def chunk_spans(self, text: str) -> list[tuple[int, int]]:
        """Return character spans."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class UnitTexts:
    """The searched texts of one unit.

    `lines` get a vector each; `chunks` too, and the token codes are the chunks' (the lines' where
    there is no chunk). `speakers` are all voices; `question` says that the unit only asks.
    """

    counts: Mapping[str, int]
    lines: tuple[str, ...]
    chunks: tuple[str, ...]
    speakers: tuple[str, ...]
    question: bool

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
        for view, texts in (("line", self.lines), ("chunk", self.chunks)):
            for number, text in enumerate(texts):
                yield f"{view}/{number}", text


def texts_of(unit: Unit, atoms: Mapping[str, Atom], chunker: Chunker) -> UnitTexts:
    """Return the searched texts of a unit; `atoms` holds at least its own, by id."""
    own = [atoms[atom_id] for atom_id in unit.atom_ids]
    if isinstance(unit, Passage):
        return _passage_texts(unit, own)
    return _anchor_texts(unit, own, chunker)


def _passage_texts(unit: Passage, atoms: Sequence[Atom]) -> UnitTexts:
    words = " ".join(filter(None, (_words(unit, atom) for atom in atoms)))
    line = f"{unit.speaker}: {words}" if unit.speaker else words
    dated = f"{_day(unit)} {line}"
    return UnitTexts(
        counts=Counter(terms(dated)),
        lines=(line,),
        chunks=(),
        speakers=(unit.speaker,) if unit.speaker else (),
        question=is_question(words),
    )


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


def _anchor_texts(unit: Anchor, atoms: Sequence[Atom], chunker: Chunker) -> UnitTexts:
    captions = [a.text for a in atoms if isinstance(a, CaptionLine) and a.text]
    spoken = [_spoken(a) for a in atoms if isinstance(a, Utterance) and a.text]
    screens = [a.text for a in atoms if isinstance(a, ScreenText)]
    views = [" ".join(captions), "\n".join(spoken), *screens]
    chunks = [view[start:end] for view in views for start, end in chunker.chunk_spans(view)]
    lines = [*captions, *spoken, *(" ".join(screen.split()) for screen in screens)]
    return UnitTexts(
        counts=Counter(terms("\n".join([*captions, *spoken, *screens]))),
        lines=tuple(dict.fromkeys(lines)),
        chunks=tuple(chunks),
        speakers=unit.speakers,
        question=False,
    )


def _spoken(line: Utterance) -> str:
    return f"{line.speaker}: {line.text}" if line.speaker else line.text
