"""What a reader may know: frames, facts and their graph, from units that he may see."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mmem.derive.fusing import fused
from mmem.derive.records import records_of
from mmem.derive.telling import told_of
from mmem.errors import UnknownId
from mmem.lifecycle.captioning import pictures_of
from mmem.lifecycle.episodic import Episodic, EventScale
from mmem.lifecycle.fusing import set_apart
from mmem.lifecycle.remembered import Remembered
from mmem.lifecycle.sight import Sight
from mmem.lifecycle.viewed import Viewed
from mmem.ports import UNKNOWN_TIME
from mmem.recall.entities import Mention, entities_of
from mmem.recall.facts import about, facts_of
from mmem.schemas import Atom, Comparison, Entity, EventFrame, Fact, Quadruple, Unit
from mmem.stores.library import Library
from mmem.stores.seen import without_seen
from mmem.words import name_key

if TYPE_CHECKING:
    from networkx import MultiDiGraph


@dataclasses.dataclass(frozen=True)
class Known:
    """The readings of the units in one sight; of a unit that is cut short, what it still tells."""

    library: Library
    sight: Sight

    def frames(self, source_id: str | None = None) -> list[EventFrame]:
        """Return event frames in canonical order, of one source or of all; fused ones are one."""
        own = list(self._frames(source_id))
        units = {frame.unit_ids[0] for frame in own}
        others = {kin for unit_id in units for kin in self.occurrence(unit_id)} - units
        stored = self.library.frames_of(sorted(others)) if others else []
        found = self._fused([*own, *filter(None, map(self._visible, stored))])
        return [frame for frame in found if units & set(frame.unit_ids)]

    def assertions(self) -> list[Quadruple]:
        """Return the visible quadruples, each with all its evidence visible."""
        stored = self.library.facts([s for s in self.sight.snapshot.sources if self._allows(s)])
        return [one for one in stored if self._shows(one.unit_id, one.atom_ids)]

    def facts(self, name: str | None = None) -> list[Fact]:
        """Return the facts about a name, or all of them, the best supported first."""
        found = facts_of(self.assertions(), self._said_us)
        return found if name is None else about(found, name)

    def entities(self) -> list[Entity]:
        """Return everybody and everything that has a name, the oftenest met first."""
        return entities_of(self.assertions(), list(self._speakers()), self._said_us)

    def readings(self, unit_ids: Sequence[str]) -> tuple[list[EventFrame], list[Quadruple]]:
        """Return the visible frames and quadruples of some units, in the order of the units.

        A frame that was fused comes whole, with the units that are not among these.
        """
        place = {unit_id: number for number, unit_id in enumerate(unit_ids)}
        with_kin = [kin for unit_id in unit_ids for kin in self.occurrence(unit_id)]
        stored = self.library.frames_of(list(dict.fromkeys(with_kin)))
        frames = self._fused(list(filter(None, map(self._visible, stored))), with_related=False)
        facts = self.assertions_of(unit_ids)
        return (
            sorted(frames, key=lambda f: min(place[i] for i in f.unit_ids if i in place)),
            sorted(facts, key=lambda fact: (place[fact.unit_id], fact.chars, fact.id)),
        )

    def viewed(self) -> Viewed:
        """Return the context views of what may be seen."""
        return Viewed(self.library, self.sight, self.frames_of)

    def episodes(self, scale: EventScale) -> MultiDiGraph:
        """Return the episodic graph whose events are units, or the views of a scale."""
        found = Episodic(self.library, self.sight, list(self._frames(None)), self.assertions())
        return found.of_units() if scale == "unit" else found.of_views(self.viewed().views(scale))

    def remembered(self) -> Remembered:
        """Return the semantic memory of what may be seen."""
        return Remembered(self.library, self.sight, self.assertions(), self.entities())

    def assertions_of(self, unit_ids: Sequence[str]) -> list[Quadruple]:
        """Return the visible quadruples of some units."""
        found = self.library.facts_of(list(unit_ids))
        return [one for one in found if self._shows(one.unit_id, one.atom_ids)]

    def frames_of(self, unit_ids: Sequence[str]) -> list[EventFrame]:
        """Return what may be seen of the frames of some units, none of them fused."""
        stored = self.library.frames_of(list(unit_ids))
        return list(filter(None, map(self._visible, stored)))

    def occurrence(self, unit_id: str) -> list[str]:
        """Return the visible units that tell of the same occurrence, itself included, in order."""
        return list(self.sight.occurrences.get(unit_id, ()))

    def unfused(self, frame_id: str) -> list[EventFrame]:
        """Keep the members of a fused frame apart for good; return them. Raises UnknownId."""
        frame = next((f for f in self.frames() if f.id == frame_id and f.members), None)
        if frame is None:
            raise UnknownId(
                f"no fused frame has the id {frame_id!r}", hint="`mmem frames` lists them"
            )
        told = self.library.comparisons_of(frame.unit_ids)
        pairs = [(later, one) for later, each in told.items() for one in each.same]
        set_apart(self.library, [pair for pair in pairs if pair[1] in frame.unit_ids])
        stored = {f.unit_ids[0]: f for f in self.library.frames_of(frame.unit_ids)}
        return [stored[unit_id] for unit_id in frame.unit_ids]

    def _fused(
        self, frames: Sequence[EventFrame], *, with_related: bool = True
    ) -> list[EventFrame]:
        """Return frames in canonical order, those of one occurrence as one."""
        by_unit = {frame.unit_ids[0]: frame for frame in frames}
        several = [unit_id for unit_id in by_unit if len(self.occurrence(unit_id)) > 1]
        asked = list(by_unit) if with_related else several
        told = self.library.comparisons_of(asked) if asked else {}
        found = []
        for unit_id in sorted(by_unit, key=self.sight.place.__getitem__):
            kin = [one for one in self.occurrence(unit_id) if one in by_unit]
            if kin[0] == unit_id:
                found.append(self._one(kin, by_unit, told))
        return found

    def _one(
        self,
        kin: Sequence[str],
        frames: Mapping[str, EventFrame],
        told: Mapping[str, Comparison],
    ) -> EventFrame:
        """Return the frame of one occurrence, with the summary that was written of all of it."""
        known = [told[unit_id] for unit_id in kin if unit_id in told]
        near = {one for each in known for one in self._near(each.unit_id) & {*each.related}}
        retold = [one for each in known for one in each.retold]
        whole = max((one.text for one in retold if {*one.unit_ids} == {*kin}), default="")
        frame = fused([frames[unit_id] for unit_id in kin], whole)
        related = tuple(sorted(near - set(kin), key=self.sight.place.__getitem__))
        return frame.model_copy(update={"related": related}) if related else frame

    def _near(self, unit_id: str) -> frozenset[str]:
        """Return the earlier units that a unit is compared with, as this reader sees it."""
        return self.sight.compared.get(unit_id, frozenset())

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

    def _speakers(self) -> Iterator[Mention]:
        """Yield who speaks in which visible unit."""
        for source_id in self.sight.snapshot.sources:
            if not self._allows(source_id):
                continue
            for frame in filter(None, map(self._visible, self.library.frames(source_id))):
                atoms = tuple(dict.fromkeys(a for e in frame.events for a in e.atom_ids))
                for name in frame.speakers:
                    yield Mention(name, source_id, frame.unit_ids[0], atoms, person=True)

    def _frames(self, source_id: str | None) -> Iterator[EventFrame]:
        wanted = [source_id] if source_id else list(self.sight.snapshot.sources)
        for one in wanted:
            if self._allows(one):
                yield from filter(None, map(self._visible, self.library.frames(one)))

    def _visible(self, frame: EventFrame) -> EventFrame | None:
        """Return what of a frame may be seen; its summary only if all of it may.

        The records of a unit that is cut short are made anew of what is left, by rule; what was
        seen on its pictures stays if they are all left.
        """
        (unit_id,) = frame.unit_ids
        if not self.sight.shows(unit_id):
            return None
        unit = self.sight.cut_units.get(unit_id)
        if unit is None:
            return frame
        events = tuple(e for e in frame.events if self._shows(unit_id, e.atom_ids))
        summary = frame.summary if events == frame.events else ""
        atoms = self.library.atoms_of(list(unit.atom_ids))
        (told,) = told_of(self.sight.snapshot.sources[unit.source_id], [unit], atoms)
        left = {"events": events, "summary": summary, **records_of(events, told)}
        if self._shows_described(unit, atoms):
            return frame.model_copy(update={**left, "visual_record": frame.visual_record})
        return frame.model_copy(update={**left, "extractor": without_seen(frame.extractor)})

    def _shows_described(self, unit: Unit, atoms: Mapping[str, Atom]) -> bool:
        """Tell whether what is left of a unit shows the pictures that a captioner described."""
        described = self.library.seen.described(unit.id)
        return bool(described) and described == tuple(one.id for one in pictures_of(unit, atoms))

    def _shows(self, unit_id: str, atom_ids: Sequence[str]) -> bool:
        if not self.sight.shows(unit_id):
            return False
        cut = self.sight.cut_units.get(unit_id)
        return cut is None or set(atom_ids) <= set(cut.atom_ids)

    def _allows(self, source_id: str) -> bool:
        return self.sight.allows_source(source_id)

    @cached_property
    def _said_us(self) -> dict[str, int | None]:
        ends = self.sight.index.columns.end_us
        found = ((unit_id, int(ends[row])) for unit_id, row in self.sight.place.items())
        return {unit_id: None if at == UNKNOWN_TIME else at for unit_id, at in found}


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
