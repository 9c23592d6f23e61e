"""Names that are close: for each name of a fact a vector, and the names that it is close to.

Each pair is kept once, in the row of the name that comes later in the alphabet, so that the rows
follow from the set of names and not from the order in which they came (SEEM and HippoRAG 2 link
new names to old ones instead). All close pairs are kept: which few of them count depends on what a
reader may see.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mmem.ports import FloatArray, TextEncoder
from mmem.recipes import Synonymy
from mmem.schemas.identity import digest_of
from mmem.stores.library import Library
from mmem.stores.tables import Row

_NAMES_A_BLOCK = 512
_SLACK = 0.01
"""Products of matrices differ in their last bits; what is about as near is looked at exactly."""
_Place = tuple[str, str]
_Near = dict[str, float]


@dataclasses.dataclass(frozen=True)
class _Name:
    """A name's vector f32[d], rounded as it is stored, and the earlier names that are close."""

    vector: FloatArray
    near: _Near


def lacks_names(library: Library) -> bool:
    """Tell whether an mmem without names wrote the facts that are there."""
    return library.table("names").count() == 0 and library.table("facts").count() > 0


def settle_names(library: Library, encoder: TextEncoder | None, settings: Synonymy) -> None:
    """Bring the names to those of the facts.

    Only names that are new are encoded and compared. They wait without an encoder, and until the
    texts of their source have vectors. Settling twice changes nothing.
    """
    table, space = library.table("names"), digest_of(*dataclasses.astuple(library.space))
    wanted = _wanted(library, settings)
    stored = {(str(r["source_id"]), str(r["name"])): r for r in table.read().to_pylist()}
    kept = {p: row for p, row in stored.items() if p in wanted and row["space"] == space}
    table.delete_ids([str(row["id"]) for place, row in stored.items() if place not in kept])
    names = _known(kept)
    ready = _encoded(library)
    fresh = sorted({name for source_id, name in wanted if source_id in ready} - names.keys())
    if encoder is not None and fresh:
        vectors = encoder.encode(fresh).pooled.astype(np.float16).astype(np.float32)
        _compare(names, fresh, vectors, floor=settings.floor)
    rows = [_row(place, names[place[1]], space) for place in sorted(wanted) if place[1] in names]
    table.upsert([row for row in rows if not _same(kept.get(_place(row)), row)])


def _wanted(library: Library, settings: Synonymy) -> set[_Place]:
    """Return the source and the key of every name at an end of a fact."""
    live = {source.id for source in library.sources()}
    columns = ("source_id", "subjects", "objects")
    rows = library.table("units").read(columns).to_pylist()
    return {
        (row["source_id"], name)
        for row in rows
        if row["source_id"] in live
        for name in (*(row["subjects"] or ()), *(row["objects"] or ()))
        if sum(map(str.isalnum, name)) >= settings.letters
    }


def _encoded(library: Library) -> set[str]:
    """Return the sources whose texts all have vectors."""
    found = library.outcomes()
    return {o.source_id for o in found if o.stage == "vectors" and o.status in ("ok", "empty")}


def _known(rows: Mapping[_Place, Row]) -> dict[str, _Name]:
    """Return the names that are stored, without those close ones that are gone."""
    live = {name for _, name in rows}
    found = {}
    for (_, name), row in rows.items():
        near, cosines, vector = row["near"], row["cosines"], row["encoded"]
        assert isinstance(near, list) and isinstance(cosines, list)
        pairs = zip(near, cosines, strict=True)
        found[name] = _Name(
            np.array(vector, np.float32), {other: c for other, c in pairs if other in live}
        )
    return found


def _compare(
    names: dict[str, _Name], fresh: Sequence[str], vectors: FloatArray, *, floor: float
) -> None:
    """Add new names with what they are close to, among themselves and to the known ones."""
    for name, vector in zip(fresh, vectors, strict=True):
        names[name] = _Name(vector, {})
    keys = sorted(names)
    every = np.array([names[key].vector for key in keys], np.float32)
    for one, other, cosine in _close(vectors, every, floor):
        early, late = sorted((fresh[one], keys[other]))
        if early != late:
            names[late].near[early] = cosine


def _close(
    vectors: FloatArray, every: FloatArray, floor: float
) -> Iterator[tuple[int, int, float]]:
    for start in range(0, len(vectors), _NAMES_A_BLOCK):
        block = vectors[start : start + _NAMES_A_BLOCK]
        ones, others = np.nonzero(block @ every.T >= floor - _SLACK)
        cosines = np.vecdot(block[ones], every[others])
        for one, other, cosine in zip(ones.tolist(), others.tolist(), cosines, strict=True):
            if cosine >= floor:
                yield start + one, other, float(cosine)


def _row(place: _Place, name: _Name, space: str) -> Row:
    source_id, key = place
    near = sorted(name.near)
    return {
        "id": f"{source_id}/{digest_of(key)}",
        "source_id": source_id,
        "name": key,
        "space": space,
        "encoded": name.vector.astype(np.float16),
        "near": near,
        "cosines": [name.near[other] for other in near],
    }


def _place(row: Row) -> _Place:
    return str(row["source_id"]), str(row["name"])


def _same(stored: Row | None, row: Row) -> bool:
    return stored is not None and all(stored[k] == row[k] for k in ("near", "cosines"))
