"""Which views some units make, before any of them is built."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from mmem.derive.timeline import Placed, Stretches, children_of, stretches_of
from mmem.lifecycle.placing import in_order
from mmem.schemas import SCALES, Scale
from mmem.schemas.identity import view_id


@dataclasses.dataclass(frozen=True)
class ViewPlan:
    """The stretches that some units lie in, and where each unit lies."""

    placed: Mapping[str, Placed]
    stretches: Stretches

    @classmethod
    def of(cls, units: Iterable[Placed]) -> ViewPlan:
        """Lay units on the timeline."""
        ordered = in_order(units)
        return cls({unit.unit_id: unit for unit in ordered}, stretches_of(ordered))

    def children(self, scale: Scale) -> dict[str, tuple[str, ...]]:
        """Return, for each unit, the ids of the finer views that hold it; none at the finest."""
        return {
            unit_id: tuple(view_id(finer, place) for finer, place in found)
            for unit_id, found in children_of(self.stretches, scale).items()
        }

    @cached_property
    def holders(self) -> Mapping[str, Sequence[tuple[Scale, str]]]:
        """For each unit the stretches that hold it, the finest scale of each kind first."""
        found: dict[str, list[tuple[Scale, str]]] = {}
        for scale in SCALES:
            for place, unit_ids in self.stretches[scale].items():
                for unit_id in unit_ids:
                    found.setdefault(unit_id, []).append((scale, place))
        return found

    def units_of(self, scale: Scale, place: str) -> list[Placed]:
        """Return the units of one stretch, in order."""
        return [self.placed[unit_id] for unit_id in self.stretches[scale][place]]
