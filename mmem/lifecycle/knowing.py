"""What a reader may know: frames, facts and their graph, from units that he may see."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mmem.lifecycle.sight import Sight
from mmem.ports import UNKNOWN_TIME
from mmem.recall.facts import about, facts_of
from mmem.schemas import EventFrame, Fact, Quadruple
from mmem.stores.library import Library
from mmem.words import name_key

if TYPE_CHECKING:
    from networkx import MultiDiGraph


@dataclasses.dataclass(frozen=True)
class Known:
    """The readings of the units in one sight; of a unit that is cut short, what it still tells."""

    library: Library
    sight: Sight

    def frames(self, source_id: str | None = None) -> list[EventFrame]:
        """Return event frames in canonical order, of one source or of all."""
        return sorted(self._frames(source_id), key=lambda f: self._place[f.unit_ids[0]])

    def assertions(self) -> list[Quadruple]:
        """Return the visible quadruples, each with all its evidence visible."""
        stored = self.library.facts([s for s in self.sight.snapshot.sources if self._allows(s)])
        return [one for one in stored if self._shows(one.unit_id, one.atom_ids)]

    def facts(self, name: str | None = None) -> list[Fact]:
        """Return the facts about a name, or all of them, the best supported first."""
        found = facts_of(self.assertions(), self._said_us)
        return found if name is None else about(found, name)

    def readings(self, unit_ids: Sequence[str]) -> tuple[list[EventFrame], list[Quadruple]]:
        """Return the visible frames and quadruples of some units, in the order of the units."""
        place = {unit_id: number for number, unit_id in enumerate(unit_ids)}
        frames = filter(None, map(self._visible, self.library.frames_of(unit_ids)))
        facts = [q for q in self.library.facts_of(unit_ids) if self._shows(q.unit_id, q.atom_ids)]
        return (
            sorted(frames, key=lambda frame: place[frame.unit_ids[0]]),
            sorted(facts, key=lambda fact: (place[fact.unit_id], fact.chars, fact.id)),
        )

    def graph(self) -> MultiDiGraph:
        """Return the facts as a graph: a node a name, an edge a fact, with its attributes."""
        import networkx as nx

        graph = nx.MultiDiGraph()
        for fact in self.facts():
            ends = (name_key(fact.subject), name_key(fact.object))
            for key, written in zip(ends, (fact.subject, fact.object), strict=True):
                graph.add_node(key, name=written)
            graph.add_edge(*ends, key=fact.id, **_attributes(fact))
        return graph

    def _frames(self, source_id: str | None) -> Iterator[EventFrame]:
        wanted = [source_id] if source_id else list(self.sight.snapshot.sources)
        for one in wanted:
            if self._allows(one):
                yield from filter(None, map(self._visible, self.library.frames(one)))

    def _visible(self, frame: EventFrame) -> EventFrame | None:
        """Return what of a frame may be seen; its summary only if all of it may."""
        (unit_id,) = frame.unit_ids
        if not self.sight.shows(unit_id):
            return None
        if unit_id not in self.sight.cut_units:
            return frame
        events = tuple(e for e in frame.events if self._shows(unit_id, e.atom_ids))
        if events == frame.events:
            return frame
        return frame.model_copy(update={"events": events, "summary": ""})

    def _shows(self, unit_id: str, atom_ids: Sequence[str]) -> bool:
        if not self.sight.shows(unit_id):
            return False
        cut = self.sight.cut_units.get(unit_id)
        return cut is None or set(atom_ids) <= set(cut.atom_ids)

    def _allows(self, source_id: str) -> bool:
        return self.sight.allows_source(source_id)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {unit_id: row for unit_id, row, _ in self._rows()}

    @cached_property
    def _said_us(self) -> dict[str, int | None]:
        return {unit_id: at for unit_id, _, at in self._rows()}

    def _rows(self) -> Iterator[tuple[str, int, int | None]]:
        columns = self.sight.index.columns
        for row in np.flatnonzero(self.sight.index.visible).tolist():
            at = int(columns.end_us[row])
            yield columns.ids[row], row, None if at == UNKNOWN_TIME else at


def _attributes(fact: Fact) -> dict[str, str | int | float | bool]:
    """Return what GraphML can hold of a fact."""
    plain: dict[str, str | int | float | bool] = {
        "relation": fact.relation,
        "polarity": fact.polarity,
        "modality": fact.modality,
        "kind": fact.kind,
        "support": fact.support,
        "current": fact.current,
        "confidence": fact.confidence,
        "when": fact.valid.said,
        "evidence": " ".join(fact.atom_ids),
    }
    times = {"first_us": fact.first_us, "last_us": fact.last_us}
    return {**plain, **{name: at for name, at in times.items() if at is not None}}
