"""Everything that a question reads, in memory, as it was at one moment."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mmem.ports import UNKNOWN_TIME, ByteArray, Columns, IntArray, LongArray
from mmem.schemas import Source
from mmem.stores.graph import CloseNames
from mmem.stores.index import ArrayIndex, Facts, Segment
from mmem.stores.library import Library
from mmem.stores.postings import Postings
from mmem.stores.shown import Shown
from mmem.stores.vectors import Vectors

HEADER = (
    "id",
    "source_id",
    "kind",
    "session",
    "position",
    "clock",
    "start_us",
    "end_us",
    "speaker",
    "speakers",
    "question",
    "actors",
    "subjects",
    "objects",
    "pictured",
)


COMPARED = ("unit_id", "candidates", "same", "apart")


@dataclasses.dataclass(frozen=True)
class Names:
    """The strings behind the numbers of the columns, each sorted."""

    sources: Sequence[str]
    sessions: Sequence[str]
    speakers: Sequence[str]


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """The rows of a memory in canonical order, with their sources.

    `voices[i]` are the speakers of row i; `versions` tell
    whether it is still the newest. `header` are the columns of the units' rows.
    """

    index: ArrayIndex
    sources: Mapping[str, Source]
    names: Names
    voices: Sequence[Sequence[str]]
    width: int
    versions: tuple[int, int]
    header: pa.Table


@dataclasses.dataclass(frozen=True)
class UnitTables:
    """Arrow rows about some units: their headers, postings, vectors, codes and comparisons.

    `images` are vectors of pictures, `names` rows of names, of these units or of others as well.
    """

    units: pa.Table
    postings: pa.Table
    vectors: pa.Table
    codes: pa.Table
    comparisons: pa.Table
    images: pa.Table
    names: pa.Table


def load(library: Library) -> Snapshot:
    """Read a snapshot of the newest state."""
    versions = library.versions()
    sources = {source.id: source for source in library.sources()}
    units = library.table("units").read(HEADER)
    tables = UnitTables(
        units=units.filter(pc.is_in(units["source_id"], pa.array(list(sources), pa.string()))),
        postings=library.table("postings").read(["id", "terms", "counts"]),
        vectors=library.vectors.read(["id", "unit_id", "view", "vector"]),
        codes=library.codes.read(["unit_id", "codes"]),
        comparisons=library.table("comparisons").read(COMPARED),
        images=library.images.rows(),
        names=library.table("names").read(["name", "near", "cosines"]),
    )
    speakers = {name for name in pc.unique(tables.units["speaker"]).to_pylist() if name}
    names = Names(
        sources=sorted(sources),
        sessions=sorted(set(tables.units["session"].to_pylist())),
        speakers=sorted(speakers),
    )
    segment, order = segment_of(tables, sources, names, library.space.width)
    voices = tables.units["speakers"].to_pylist()
    return Snapshot(
        index=ArrayIndex([segment]),
        sources=sources,
        names=names,
        voices=[voices[place] or () for place in order],
        width=library.space.width,
        versions=versions,
        header=tables.units,
    )


def segment_of(
    tables: UnitTables, sources: Mapping[str, Source], names: Names, width: int
) -> tuple[Segment, LongArray]:
    """Return rows as index arrays in canonical order, and that order as places in the table."""
    columns, order = columns_of(tables.units, sources, names)
    row_of = {unit_id: row for row, unit_id in enumerate(columns.ids)}
    codes, offsets = _codes(tables.codes, row_of, width // 8)
    segment = Segment(
        columns=columns,
        postings=_postings(tables.postings, row_of),
        lines=_vectors(tables.vectors, "line", row_of, width),
        chunks=_vectors(tables.vectors, "chunk", row_of, width),
        facts=_facts(tables, row_of, order, width),
        images=_shown(tables, sources, order),
        codes=codes,
        code_offsets=offsets,
        compared=_compared(tables.comparisons, row_of),
        apart=_apart(tables.comparisons, row_of),
        close=_close(tables.names),
    )
    return segment, order


def columns_of(
    header: pa.Table, sources: Mapping[str, Source], names: Names
) -> tuple[Columns, LongArray]:
    """Return the columns of units in canonical order, and that order as places in the table."""
    source = _numbered(header["source_id"], names.sources)
    started = np.array([_offset(sources[i]) for i in names.sources], np.int64)
    start, end = (_wall(header, name, started, source) for name in ("start_us", "end_us"))
    ids = np.array(header["id"].to_pylist(), str)
    order = np.lexsort((ids, start, end))
    columns = Columns(
        ids=ids[order].tolist(),
        anchor=pc.equal(header["kind"], "anchor").to_numpy().astype(bool)[order],
        source=source[order],
        session=_numbered(header["session"], names.sessions)[order],
        position=header["position"].to_numpy().astype(np.int32)[order],
        start_us=start[order],
        end_us=end[order],
        speaker=_numbered(header["speaker"], names.speakers)[order],
        speakers=names.speakers,
        question=header["question"].to_numpy().astype(bool)[order],
    )
    return columns, order


def _offset(source: Source) -> int:
    return UNKNOWN_TIME if source.clock.at_us is None else source.clock.at_us


def _wall(header: pa.Table, name: str, started: LongArray, source: IntArray) -> LongArray:
    """Return wall times int64[n]: turns carry their own, media offsets count from the start."""
    given = header[name].fill_null(UNKNOWN_TIME).to_numpy().astype(np.int64)
    media = np.array(pc.equal(header["clock"], "media").to_numpy(), bool)
    base = started[source] if len(started) else np.zeros(len(given), np.int64)
    unknown = (given == UNKNOWN_TIME) | (media & (base == UNKNOWN_TIME))
    shifted = np.where(media & ~unknown, base, 0) + np.where(unknown, 0, given)
    return np.where(unknown, UNKNOWN_TIME, shifted)


def _numbered(values: pa.ChunkedArray, names: Sequence[str]) -> IntArray:
    """Return the place of each value among sorted names, -1 where it is not one of them."""
    found = pc.index_in(values, value_set=pa.array(names, pa.string()))
    numbers: IntArray = found.fill_null(-1).to_numpy().astype(np.int32)
    return numbers


def _postings(table: pa.Table, row_of: Mapping[str, int]) -> Postings:
    """Return the inverted index of rows that the header knows, terms in sorted order."""
    rows = np.array([row_of.get(unit_id, -1) for unit_id in table["id"].to_pylist()], np.int32)
    sizes = pc.list_value_length(table["terms"]).to_numpy().astype(np.int64)
    owner = np.repeat(rows, sizes)
    counts = pc.list_flatten(table["counts"]).to_numpy().astype(np.int32)
    encoded = pc.list_flatten(table["terms"]).combine_chunks().dictionary_encode()
    vocabulary = encoded.dictionary.to_pylist()
    number = encoded.indices.to_numpy().astype(np.int64)
    kept = owner >= 0
    owner, counts, number = owner[kept], counts[kept], number[kept]
    order = np.lexsort((owner, number))
    lengths = np.bincount(owner, weights=counts, minlength=len(row_of)).astype(np.int32)
    return Postings(
        vocabulary={term: place for place, term in enumerate(vocabulary)},
        bounds=np.searchsorted(number[order], np.arange(len(vocabulary) + 1)).astype(np.int64),
        ordinals=owner[order],
        counts=counts[order],
        lengths=lengths,
    )


def _vectors(table: pa.Table, view: str, row_of: Mapping[str, int], width: int) -> Vectors:
    chosen = table.filter(pc.equal(table["view"], view))
    rows = np.array([row_of.get(i, -1) for i in chosen["unit_id"].to_pylist()], np.int32)
    flat = pc.list_flatten(chosen["vector"]).to_numpy()
    values = flat.reshape(-1, width).astype(np.float32)
    order = np.argsort(rows, kind="stable")
    order = order[rows[order] >= 0]
    return Vectors(np.ascontiguousarray(values[order]), rows[order])


def _facts(tables: UnitTables, row_of: Mapping[str, int], order: LongArray, width: int) -> Facts:
    """Return the facts of all rows whose vectors are there, in the order of row and number."""
    ends = {name: tables.units[name].to_pylist() for name in ("subjects", "objects")}
    chosen = tables.vectors.filter(pc.equal(tables.vectors["view"], "fact"))
    rows = np.array([row_of.get(i, -1) for i in chosen["unit_id"].to_pylist()], np.int32)
    numbers = np.array([int(i.rsplit("/", 1)[1]) for i in chosen["id"].to_pylist()], np.int32)
    kept = np.lexsort((numbers, rows))
    kept = kept[rows[kept] >= 0]
    values = pc.list_flatten(chosen["vector"]).to_numpy().reshape(-1, width).astype(np.float32)
    places = [(order[rows[k]], numbers[k]) for k in kept.tolist()]
    return Facts.of(
        Vectors(np.ascontiguousarray(values[kept]), rows[kept]),
        [ends["subjects"][place][number] for place, number in places],
        [ends["objects"][place][number] for place, number in places],
    )


def _shown(tables: UnitTables, sources: Mapping[str, Source], order: LongArray) -> Shown:
    pictured = tables.units["pictured"].take(order).to_pylist()
    owners = tables.units["source_id"].take(order).to_pylist()
    started = np.array([_offset(sources[owner]) for owner in owners], np.int64)
    return Shown.of(tables.images, pictured, started)


def _close(table: pa.Table) -> CloseNames:
    """Return the pairs of close names, each once though several sources may have both."""
    columns = (table[name].to_pylist() for name in ("name", "near", "cosines"))
    pairs = {
        (name, other): cosine
        for name, near, cosines in zip(*columns, strict=True)
        for other, cosine in zip(near, cosines, strict=True)
    }
    ones, others = ([pair[side] for pair in pairs] for side in (0, 1))
    return CloseNames(ones, others, np.array(list(pairs.values()), np.float32))


def _compared(table: pa.Table, row_of: Mapping[str, int]) -> IntArray:
    """Return rows, what each was compared with in order, and whether it is the same."""
    columns = (table[name].to_pylist() for name in ("unit_id", "candidates", "same"))
    found = {
        row_of[later]: [(row_of[i], int(i in same)) for i in candidates if i in row_of]
        for later, candidates, same in zip(*columns, strict=True)
        if later in row_of
    }
    rows = [(row, *one) for row in sorted(found) for one in found[row]]
    return np.array(rows, np.int32).reshape(-1, 3)


def _apart(table: pa.Table, row_of: Mapping[str, int]) -> IntArray:
    """Return the pairs int32[p, 2] of rows that somebody has kept apart, in order."""
    listed = zip(table["unit_id"].to_pylist(), table["apart"].to_pylist(), strict=True)
    pairs = [
        (row_of[later], row_of[earlier])
        for later, found in listed
        for earlier in found or ()
        if later in row_of and earlier in row_of
    ]
    return np.array(sorted(pairs), np.int32).reshape(-1, 2)


def _codes(table: pa.Table, row_of: Mapping[str, int], width: int) -> tuple[ByteArray, LongArray]:
    """Return the token codes u8[tokens, width] of all rows, joined, and offsets int64[n + 1]."""
    rows = np.array([row_of.get(i, -1) for i in table["unit_id"].to_pylist()], np.int64)
    order = np.argsort(rows, kind="stable")
    order = order[rows[order] >= 0]
    pieces = table["codes"].take(order).to_pylist()
    tokens = np.array([len(piece) // width for piece in pieces], np.int64)
    held = np.zeros(len(row_of), np.int64)
    np.add.at(held, rows[order], tokens)
    joined = np.frombuffer(b"".join(pieces), np.uint8).reshape(-1, width)
    return joined, np.concatenate([[0], np.cumsum(held)]).astype(np.int64)
