"""The semantic memory that a reader may see (EM²Mem G_S); nothing of it is stored.

Units follow each other in canonical order within their source, ten of them are a group. What was
said in a group is known from the group's end on.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import pyarrow.compute as pc

from mmem.derive.claims import Claim, Lasting
from mmem.derive.lasting import lasting_of
from mmem.derive.lasting_model import GROUP, ModelLasting
from mmem.derive.telling import told_of
from mmem.derive.timeline import Placed
from mmem.derive.told import Told
from mmem.lifecycle.sight import Sight
from mmem.ports import FloatArray, TextEncoder
from mmem.recall.facts import ONE_AT_A_TIME
from mmem.recall.semantic import SemanticFacts
from mmem.schemas import Entity, Quadruple, SemanticFact
from mmem.schemas.clock import local_datetime
from mmem.schemas.identity import digest_of
from mmem.stores.library import Library
from mmem.words import name_key


@dataclasses.dataclass(frozen=True)
class HeldFacts:
    """Facts that still hold, and the same ones as arrays for recall."""

    facts: Sequence[SemanticFact]
    arrays: SemanticFacts


@dataclasses.dataclass(frozen=True)
class Remembered:
    """What lasts in one sight, by the assertions and the entities that may be seen."""

    library: Library
    sight: Sight
    assertions: Sequence[Quadruple]
    entities: Sequence[Entity]

    def stated(self) -> list[Lasting]:
        """Return what lasts by the stored assertions; no model is asked."""
        return self._consolidated(self.assertions)

    def written(self, reader: ModelLasting, encoder: TextEncoder) -> list[Lasting]:
        """Return what lasts by a language model's word, one call a group of ten units.

        Habits are found as without one. Only units that may be seen are in the requests. Raises as
        `ModelLasting.read`.
        """
        told = reader.read(self._told_groups())
        kept = [one for one in self.assertions if one.kind == "episodic"]
        texts = sorted({f"{one.subject} {one.relation} {one.object}" for one in told})
        lacking = [text for text in texts if self._vector_of(text) is None]
        made = dict(zip(lacking, encoder.encode(lacking).pooled, strict=True)) if lacking else {}
        self._made.update(made)
        return self._consolidated([*kept, *told])

    def held(self, found: Sequence[Lasting]) -> HeldFacts:
        """Return facts that still hold, in their order, with their arrays."""
        return HeldFacts([one.fact for one in found if one.fact.current], self.arrays(found))

    def arrays(self, found: Sequence[Lasting]) -> SemanticFacts:
        """Return facts that still hold as arrays for recall; rows are those of the sight's index.

        The vector of a fact is the mean of those of its words.
        """
        held = [one for one in found if one.fact.current]
        number: dict[str, int] = {}
        ends = [
            [
                number.setdefault(self._key(name, one.fact.unit_ids[-1]), len(number))
                for name in (one.fact.subject, one.fact.object)
            ]
            for one in held
        ]
        rows = [[self.sight.place[unit_id] for unit_id in one.fact.unit_ids] for one in held]
        sizes = [0, *(len(each) for each in rows)]
        both = np.array(ends, np.int32).reshape(-1, 2)
        return SemanticFacts(
            vectors=np.array([self._mean(one.texts) for one in held], np.float32).reshape(
                -1, self.library.space.width
            ),
            subjects=both[:, 0],
            objects=both[:, 1],
            support=np.array([one.fact.support for one in held], np.int64),
            confidence=np.array([one.fact.confidence for one in held], np.float64),
            rows=np.array([row for each in rows for row in each], np.int32),
            offsets=np.cumsum(sizes).astype(np.int64),
        )

    def _consolidated(self, assertions: Sequence[Quadruple]) -> list[Lasting]:
        ordered = sorted(
            assertions, key=lambda one: (self._placed[one.unit_id].order, one.chars, one.id)
        )
        claims = map(self._claim, ordered)
        return lasting_of(claims, self._vector_of, one_at_a_time=ONE_AT_A_TIME)

    def _claim(self, told: Quadruple) -> Claim:
        unit = self._placed[told.unit_id]
        subject = self._key(told.subject, told.unit_id)
        return Claim(
            told=told,
            subject=subject,
            value=self._key(told.object, told.unit_id),
            said_us=unit.wall.end_us if unit.wall else None,
            known_us=self._ends[told.unit_id],
            day=_day(unit),
            by_person=subject in self._people,
        )

    @property
    def _placed(self) -> Mapping[str, Placed]:
        return self.sight.plan.placed

    @cached_property
    def _groups(self) -> list[list[str]]:
        """The visible units of each source, ten by ten."""
        by_source: dict[str, list[str]] = defaultdict(list)
        for unit_id, unit in self._placed.items():
            by_source[unit.source_id].append(unit_id)
        return [
            units[start : start + GROUP]
            for units in by_source.values()
            for start in range(0, len(units), GROUP)
        ]

    @cached_property
    def _ends(self) -> dict[str, int | None]:
        """For each unit when the last of its group ended; None where no time is known."""
        found: dict[str, int | None] = {}
        for group in self._groups:
            walls = [wall for unit_id in group if (wall := self._placed[unit_id].wall)]
            end = max((wall.end_us for wall in walls), default=None)
            found |= dict.fromkeys(group, end)
        return found

    def _told_groups(self) -> Iterator[list[Told]]:
        """Yield what the units of each group tell; parts stand for units that are cut short."""
        told: dict[str, Told] = {}
        for source_id in {unit.source_id: None for unit in self._placed.values()}:
            source = self.sight.snapshot.sources[source_id]
            units = self.sight.shown(self.library.units(source_id))
            units.sort(key=lambda unit: self._placed[unit.id].order)
            atoms = self.library.atoms_of([a for unit in units for a in unit.atom_ids])
            told |= {each.unit_id: each for each in told_of(source, units, atoms)}
        for group in self._groups:
            yield [told[unit_id] for unit_id in group]

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[Entity, frozenset[str]]]]:
        found: dict[str, list[tuple[Entity, frozenset[str]]]] = defaultdict(list)
        for entity in self.entities:
            units = frozenset(entity.unit_ids)
            for name in {name_key(n) for n in (entity.name, *(a.name for a in entity.aliases))}:
                found[name].append((entity, units))
        return found

    @cached_property
    def _people(self) -> frozenset[str]:
        return frozenset(one.id for one in self.entities if one.kind == "person")

    def _key(self, name: str, unit_id: str) -> str:
        """Return the entity that a name means in a unit, else the name's own key."""
        key = name_key(name)
        found = self._by_name.get(key, ())
        here = (entity.id for entity, units in found if len(found) == 1 or unit_id in units)
        return next(here, key)

    def _vector_of(self, text: str) -> FloatArray | None:
        if text in self._made:
            return self._made[text]
        row = self._stored[1].get(digest_of(text))
        return None if row is None else self._stored[0][row]

    def _mean(self, texts: Sequence[str]) -> FloatArray:
        known = [vector for text in texts if (vector := self._vector_of(text)) is not None]
        mean = np.sum(known, axis=0) if known else np.zeros(self.library.space.width, np.float32)
        unit: FloatArray = (mean / (float(np.linalg.norm(mean)) or 1.0)).astype(np.float32)
        return unit

    @cached_property
    def _made(self) -> dict[str, FloatArray]:
        """Vectors of texts that are not in the store."""
        return {}

    @cached_property
    def _stored(self) -> tuple[FloatArray, dict[str, int]]:
        """The store's vectors of facts, and the row of each text's digest."""
        table = self.library.vectors.read(["made_of", "vector"], where="view = 'fact'")
        flat = pc.list_flatten(table["vector"]).to_numpy().astype(np.float32)
        digests = table["made_of"].to_pylist()
        rows = {digest: row for row, digest in enumerate(digests)}
        return flat.reshape(-1, self.library.space.width), rows


def _day(unit: Placed) -> str:
    """Return the local day of a unit, or its session where that is not known."""
    if unit.wall is None:
        return f"{unit.source_id}/{unit.session}"
    return local_datetime(unit.wall.start_us, unit.zone).date().isoformat()
