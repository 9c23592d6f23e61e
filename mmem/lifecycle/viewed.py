"""The context views that a reader may see; of a view that is partly hidden, what is left of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from mmem.derive.views import view_of
from mmem.lifecycle.sight import Sight
from mmem.schemas import SCALES, EventFrame, Scale, View
from mmem.schemas.identity import view_id
from mmem.stores.library import Library

Stretch = tuple[Scale, str]


@dataclasses.dataclass(frozen=True)
class Viewed:
    """The views in one sight; `frames_of` gives what may be seen of the frames of some units."""

    library: Library
    sight: Sight
    frames_of: Callable[[Sequence[str]], list[EventFrame]]

    def views(self, scale: Scale | None = None) -> list[View]:
        """Return the views of one scale, or of all, by scale and in order of time."""
        wanted = SCALES if scale is None else (scale,)
        stretches = self.sight.plan.stretches
        return self.found([(one, place) for one in wanted for place in stretches[one]])

    def finest(self, unit_ids: Iterable[str]) -> list[View]:
        """Return the finest view around each of some units, once, in the order of the units."""
        holders = self.sight.plan.holders
        found = [holders[unit_id][0] for unit_id in unit_ids if unit_id in holders]
        return self.found(list(dict.fromkeys(found)))

    def found(self, wanted: Sequence[Stretch]) -> list[View]:
        """Return the views of some stretches, in their order."""
        ids = {stretch: view_id(*stretch) for stretch in wanted}
        stored = self.library.views_of(list(ids.values()))
        whole = {
            stretch: stored[one]
            for stretch, one in ids.items()
            if one in stored and self.is_whole(stretch, stored[one])
        }
        return [whole.get(stretch) or self._made(stretch) for stretch in wanted]

    def is_whole(self, stretch: Stretch, view: View) -> bool:
        """Tell whether a stored view is of exactly what may be seen of its stretch."""
        scale, place = stretch
        unit_ids = self.sight.plan.stretches[scale][place]
        return list(view.unit_ids) == unit_ids and not self.sight.cut_units.keys() & set(unit_ids)

    def _made(self, stretch: Stretch) -> View:
        scale, place = stretch
        plan = self.sight.plan
        frames = {f.unit_ids[0]: f for f in self.frames_of(plan.stretches[scale][place])}
        return view_of(scale, place, plan.units_of(scale, place), frames, plan.children(scale))
