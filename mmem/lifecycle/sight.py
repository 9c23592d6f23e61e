"""What one reader may see at one moment: labels, as-of and the caller's filters as one mask.

A unit of which only a part may be seen is replaced by that part, cut anew from its visible atoms.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from mmem.lifecycle.placing import placed_rows, placed_unit
from mmem.lifecycle.planned import ViewPlan
from mmem.lifecycle.relate import shown_beside
from mmem.schemas import Atom, Source, Turn, Unit
from mmem.schemas.identity import normalised_title
from mmem.stores.index import ArrayIndex
from mmem.stores.snapshot import Snapshot


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """What the caller excludes. `labels` None means the owner, who sees everything.

    Times are wall microseconds; `since` and `until` bound a half-open stretch; `as_of` hides all
    that had not ended by then. `sources` are ids, titles or file names; `people` are names.
    """

    labels: frozenset[str] | None = None
    since_us: int | None = None
    until_us: int | None = None
    as_of_us: int | None = None
    sources: tuple[str, ...] = ()
    people: tuple[str, ...] = ()

    @property
    def timed(self) -> bool:
        """Tell whether a time is asked for, so that rows of unknown time are left out."""
        return not self.since_us is self.until_us is self.as_of_us is None


@dataclasses.dataclass(frozen=True)
class Sight:
    """The index of what may be seen, the units that were cut for it, and what was left out.

    `undated` counts rows that were left out only because their time is not known.
    """

    index: ArrayIndex
    cut_units: Mapping[str, Unit]
    undated: int
    limits: Limits
    snapshot: Snapshot

    def allows(self, atom: Atom) -> bool:
        """Tell whether an atom may be seen."""
        source = self.snapshot.sources.get(atom.source_id)
        return source is not None and may_see(source, self.limits) and self._ended(atom, source)

    def allows_source(self, source_id: str) -> bool:
        """Tell whether a source's labels are all the reader's."""
        source = self.snapshot.sources.get(source_id)
        return source is not None and may_see(source, self.limits)

    def shown(self, units: Sequence[Unit]) -> list[Unit]:
        """Return the visible ones of some units, those cut short in place of the whole ones."""
        return [self.cut_units.get(unit.id, unit) for unit in units if self.shows(unit.id)]

    def wholly_visible(self) -> frozenset[str]:
        """Return the visible sources that show no words of a hidden transcript."""
        sources = self.snapshot.sources
        shown = shown_beside(sources.values())
        hidden = {r for r, found in shown.items() if not all(map(self.allows_source, found))}
        return frozenset(i for i in sources if self.allows_source(i) and i not in hidden)

    def shows(self, unit_id: str) -> bool:
        """Tell whether a unit is among the visible rows."""
        return unit_id in self.place

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The visible units and their rows, in canonical order."""
        ids = self.index.columns.ids
        return {ids[row]: row for row in np.flatnonzero(self.index.visible).tolist()}

    @cached_property
    def occurrences(self) -> Mapping[str, Sequence[str]]:
        """For each visible unit those that tell of the same occurrence, itself included."""
        numbers = self.index.occurrences()
        groups: dict[int, list[str]] = {}
        for unit_id, row in self.place.items():
            groups.setdefault(int(numbers[row]), []).append(unit_id)
        return {unit_id: group for group in groups.values() for unit_id in group}

    @cached_property
    def plan(self) -> ViewPlan:
        """The context views that the visible units make."""
        rows = placed_rows(self.snapshot.header, self.snapshot.sources)
        whole = (p for p in rows if self.shows(p.unit_id) and p.unit_id not in self.cut_units)
        sources = self.snapshot.sources
        cut = (placed_unit(unit, sources[unit.source_id]) for unit in self.cut_units.values())
        return ViewPlan.of(itertools.chain(whole, cut))

    @cached_property
    def compared(self) -> Mapping[str, frozenset[str]]:
        """For each visible unit the visible ones that it is compared with for this reader."""
        ids, found = self.index.columns.ids, dict[str, set[str]]()
        for later, earlier in self.index.compared()[:, :2].tolist():
            found.setdefault(ids[later], set()).add(ids[earlier])
        return {unit_id: frozenset(near) for unit_id, near in found.items()}

    def _ended(self, atom: Atom, source: Source) -> bool:
        if self.limits.as_of_us is None:
            return True
        end = atom_end_us(atom, source)
        return end is not None and end <= self.limits.as_of_us


def atom_end_us(atom: Atom, source: Source) -> int | None:
    """Return the wall instant at which an atom ends, None when it is not known."""
    if isinstance(atom, Turn):
        return atom.wall_us
    return None if source.clock.at_us is None else source.clock.at_us + atom.span.end_us


def may_see(source: Source, limits: Limits) -> bool:
    """Tell whether a source's labels are all the reader's."""
    return limits.labels is None or set(source.labels) <= limits.labels


def is_called(source: Source, name: str) -> bool:
    """Tell whether a name means a source: its id (or the start of it), title or file name."""
    places = [place for revision in source.revisions for place in revision.locations]
    files = {place.replace("\\", "/").rsplit("/", 1)[-1] for place in places}
    if source.id == name or (len(name) >= 6 and source.id.startswith(name)):
        return True
    same_title = normalised_title(source.title) == normalised_title(name)
    return same_title or name in files or name in places
