"""One vector a unit: what units are compared by."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mmem.ports import FloatArray
from mmem.stores.library import Library
from mmem.stores.snapshot import HEADER, Names, columns_of


@dataclasses.dataclass(frozen=True)
class UnitVectors:
    """One vector a unit, f32[n, d] of length 1, in canonical order.

    It is that of the unit's first chunk, else of its first line; `made_of` is the digest of the
    text and when it ended. Units without a vector, or in which nobody acts, are left out.
    """

    ids: Sequence[str]
    sources: Sequence[str]
    made_of: Sequence[str]
    values: FloatArray

    def of(self, unit_ids: Collection[str], source_ids: Collection[str]) -> UnitVectors:
        """Return those of some units of some sources, in the same order."""
        pairs = zip(self.ids, self.sources, strict=True)
        wanted, allowed = set(unit_ids), set(source_ids)
        kept = [place for place, (i, s) in enumerate(pairs) if i in wanted and s in allowed]
        ids, sources, made_of = (
            [side[place] for place in kept] for side in (self.ids, self.sources, self.made_of)
        )
        return UnitVectors(ids, sources, made_of, self.values[kept])


def unit_vectors(library: Library) -> UnitVectors:
    """Read one vector a unit of the newest state."""
    sources = {source.id: source for source in library.sources()}
    header = library.table("units").read(HEADER)
    header = header.filter(pc.is_in(header["source_id"], pa.array(list(sources), pa.string())))
    columns, order = columns_of(header, sources, Names(sorted(sources), (), ()))
    acts = pc.greater(pc.list_value_length(header["actors"]), 0).fill_null(False).to_pylist()
    table = library.vectors.read(
        ["id", "unit_id", "view", "made_of", "vector"], where="view IN ('chunk', 'line')"
    )
    first: dict[str, int] = {}
    keys = zip(table["view"].to_pylist(), table["id"].to_pylist(), strict=True)
    ranks = [(view != "chunk", len(key), key) for view, key in keys]
    owners = table["unit_id"].to_pylist()
    for place in sorted(range(len(owners)), key=ranks.__getitem__):
        first.setdefault(owners[place], place)
    kept = [
        (unit_id, place, first[unit_id])
        for unit_id, place in zip(columns.ids, order.tolist(), strict=True)
        if acts[place] and unit_id in first
    ]
    ends = dict(zip(columns.ids, columns.end_us.tolist(), strict=True))
    homes, texts = header["source_id"].to_pylist(), table["made_of"].to_pylist()
    flat = pc.list_flatten(table["vector"]).to_numpy().reshape(-1, library.space.width)
    return UnitVectors(
        ids=[unit_id for unit_id, _, _ in kept],
        sources=[homes[place] for _, place, _ in kept],
        made_of=[f"{texts[row]} {ends[unit_id]}" for unit_id, _, row in kept],
        values=flat[[row for _, _, row in kept]].astype(np.float32),
    )
