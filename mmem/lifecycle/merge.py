"""A reading united with what is stored of its source."""

from __future__ import annotations

import dataclasses
import functools

from mmem.derive.conversation import (
    common_turns,
    finished,
    merged_source,
    merged_turns,
    ranked,
    rekeyed,
    same_bytes,
    with_files,
)
from mmem.ingestors.reading import Reading
from mmem.schemas import Atom, Source, Turn
from mmem.stores.library import Library

SAME_CONVERSATION = 20
"""Turns in common that make two titles one conversation (DESIGN, section 3)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Merged:
    """A source and its atoms as they will be stored.

    `stale` are stored atoms that no finished reading holds: an interrupted one left them.
    `absorbed` are stored sources that turned out to be the same conversation; `note` says so.
    """

    source: Source
    atoms: tuple[Atom, ...]
    stale: tuple[str, ...] = ()
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
            return Merged(self._with_stored(reading.source), reading.atoms)
        turns = [atom for atom in reading.atoms if isinstance(atom, Turn)]
        named = self._same_name(reading.source)
        kin = named + self._overlapping(reading.source, turns, named)
        source = functools.reduce(merged_source, kin, reading.source)
        union = rekeyed(ranked(turns), source)
        stale: list[str] = []
        for other in kin:
            stored = self._turns(other)
            whole = finished(stored, other.revisions)
            kept = {turn.stamp for turn in whole}
            stale += [turn.id for turn in stored if turn.stamp not in kept]
            known = rekeyed(whole, source)
            union = with_files(merged_turns(known, union, source.revisions), known)
        if not kin:
            union = merged_turns([], union, source.revisions)
        return Merged(
            source=source,
            atoms=tuple(union),
            stale=tuple(set(stale) - {turn.id for turn in union}),
            absorbed=tuple(other for other in kin if other.id != source.id),
            note=_note(kin[len(named) :]),
        )

    def _with_stored(self, source: Source) -> Source:
        """Return a recording or transcript with the labels, places and stated start it had."""
        for old in self.library.sources():
            if old.id == source.id:
                return same_bytes(old, source)
        return source

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
