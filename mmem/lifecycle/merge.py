"""A reading united with what is stored of its source."""

from __future__ import annotations

import dataclasses
import functools

from mmem.derive.conversation import common_turns, merged_source, merged_turns, ranked, rekeyed
from mmem.ingestors.reading import Reading
from mmem.schemas import Atom, Source, Turn
from mmem.stores.library import Library

SAME_CONVERSATION = 20
"""Turns in common that make two titles one conversation (DESIGN, section 3)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Merged:
    """A source and its atoms as they will be stored.

    `absorbed` are stored sources that turned out to be the same conversation; `note` says so.
    """

    source: Source
    atoms: tuple[Atom, ...]
    absorbed: tuple[Source, ...] = ()
    note: str = ""


@dataclasses.dataclass(frozen=True)
class Merging:
    """Unites readings with a library; `by_overlap` also with conversations of another title."""

    library: Library
    by_overlap: bool

    def merged(self, reading: Reading) -> Merged:
        """Return a reading as it will be stored: united with what is there of its source."""
        if reading.source.kind != "conversation":
            return Merged(reading.source, reading.atoms)
        turns = [atom for atom in reading.atoms if isinstance(atom, Turn)]
        named = self._same_name(reading.source)
        kin = named + self._overlapping(reading.source, turns, named)
        source = functools.reduce(merged_source, kin, reading.source)
        union = rekeyed(ranked(turns), source)
        for other in kin:
            stored = rekeyed(self._turns(other), source)
            union = merged_turns(stored, union, source.revisions)
        if not kin:
            union = merged_turns([], union, source.revisions)
        return Merged(
            source=source,
            atoms=tuple(union),
            absorbed=tuple(other for other in kin if other.id != source.id),
            note=_note(kin[len(named) :]),
        )

    def _same_name(self, source: Source) -> list[Source]:
        return [
            other
            for other in self.library.sources()
            if other.id == source.id
            or (other.kind == "conversation" and source.key in other.aliases)
        ]

    def _overlapping(self, source: Source, turns: list[Turn], named: list[Source]) -> list[Source]:
        """Return other conversations, known by title, that share enough turns with this one."""
        if not self.by_overlap or source.keyed_by != "title":
            return []
        known = {other.id for other in named}
        return [
            other
            for other in self.library.sources()
            if other.keyed_by == "title"
            and other.id not in known
            and common_turns(turns, self._turns(other)) >= SAME_CONVERSATION
        ]

    def _turns(self, source: Source) -> list[Turn]:
        return [atom for atom in self.library.atoms(source.id) if isinstance(atom, Turn)]


def _note(kin: list[Source]) -> str:
    if not kin:
        return ""
    titles = ", ".join(f"“{source.title}”" for source in kin)
    common = f"{SAME_CONVERSATION} or more messages in common"
    return f"taken as another export of {titles}: they have {common}"
