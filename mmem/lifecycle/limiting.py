"""What limits leave of a snapshot, as one mask; units of which a part is left are cut anew."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from mmem.derive.texts import Chunker, Tells, tells_of, texts_of, with_seen
from mmem.derive.units import cut
from mmem.errors import UnknownId
from mmem.lifecycle.captioning import pictures_of
from mmem.lifecycle.relate import shown_beside
from mmem.lifecycle.settle import Encoding, Wanted, posting_row, unit_row, vector_rows
from mmem.lifecycle.sight import Limits, Sight, is_called, may_see
from mmem.lifecycle.voices import speaks, spoken_by
from mmem.ports import UNKNOWN_TIME, BoolArray, TextEncoder
from mmem.schemas.identity import digest_of
from mmem.stores.library import Library
from mmem.stores.snapshot import HEADER, Snapshot, UnitTables, segment_of
from mmem.stores.tables import Row


def sight_of(
    library: Library, snapshot: Snapshot, limits: Limits, chunker: Chunker, encoder: TextEncoder
) -> Sight:
    """Return what these limits leave of a snapshot.

    Raises UnknownId for an unknown source, or a person whose words the reader can't know of.
    """
    columns = snapshot.index.columns
    allowed = _allowed_sources(snapshot, limits)
    everywhere = _allowed_sources(snapshot, dataclasses.replace(limits, sources=()))
    known = columns.end_us != UNKNOWN_TIME
    heard = everywhere[columns.source] & _begun(snapshot, limits)
    heard = heard & known if limits.as_of_us is not None else heard
    base = allowed[columns.source] & spoken_by(snapshot.voices, limits.people, heard)
    timed = base & known if limits.timed else base
    undated = int((base & ~known).sum()) if limits.timed else 0
    inside = timed & _inside(snapshot, limits)
    ended = _ended(snapshot, limits)
    cut_short = _straddling(snapshot, limits) | _robbed(snapshot, limits)
    whole, partial = ended & ~cut_short, inside & cut_short
    at_all = snapshot.index
    if limits.as_of_us is not None:
        at_all = at_all.shown_by(limits.as_of_us)
    index = at_all.restricted(inside & whole, known=everywhere[columns.source] & whole)
    sight = Sight(index, {}, undated, limits, snapshot)
    rows = [columns.ids[row] for row in np.flatnonzero(partial).tolist()]
    return _with_cut_units(sight, library, rows, chunker, encoder) if rows else sight


def _allowed_sources(snapshot: Snapshot, limits: Limits) -> BoolArray:
    """Return bool[sources]: visible and asked for; a transcript shown by its recording is not."""
    asked = _asked_for(snapshot, limits)
    passed = {s.id for s in snapshot.sources.values() if may_see(s, limits) and s.id in asked}
    beside = shown_beside(snapshot.sources.values()).items()
    shown = {i for recording, found in beside if recording in passed for i in found}
    return np.array([i in passed and i not in shown for i in snapshot.names.sources], bool)


def _asked_for(snapshot: Snapshot, limits: Limits) -> set[str]:
    if not limits.sources:
        return set(snapshot.sources)
    found: set[str] = set()
    for name in limits.sources:
        matching = {s.id for s in snapshot.sources.values() if is_called(s, name)}
        visible = {i for i in matching if may_see(snapshot.sources[i], limits)}
        if not visible:
            raise UnknownId(f"no source is called {name!r}", hint="`mmem sources` lists them")
        found |= visible
    return found


def _inside(snapshot: Snapshot, limits: Limits) -> BoolArray:
    columns = snapshot.index.columns
    inside = np.ones(len(columns), bool)
    if limits.since_us is not None:
        inside &= np.maximum(columns.end_us, columns.start_us + 1) > limits.since_us
    if limits.until_us is not None:
        inside &= columns.start_us < limits.until_us
    return inside


def _ended(snapshot: Snapshot, limits: Limits) -> BoolArray:
    columns = snapshot.index.columns
    if limits.as_of_us is None:
        return np.ones(len(columns), bool)
    return columns.end_us <= limits.as_of_us


def _straddling(snapshot: Snapshot, limits: Limits) -> BoolArray:
    """Return bool[n]: rows that had begun but not ended at the as-of moment."""
    columns = snapshot.index.columns
    if limits.as_of_us is None:
        return np.zeros(len(columns), bool)
    return _begun(snapshot, limits) & (columns.end_us > limits.as_of_us)


def _robbed(snapshot: Snapshot, limits: Limits) -> BoolArray:
    """Return bool[n]: anchors that hold lines of a transcript that this reader may not see."""
    shown = shown_beside(snapshot.sources.values())
    hidden = {i for i, source in snapshot.sources.items() if not may_see(source, limits)}
    robbed = {recording for recording, found in shown.items() if hidden.intersection(found)}
    marks = np.array([i in robbed for i in snapshot.names.sources], bool)
    columns = snapshot.index.columns
    return marks[columns.source] & _begun(snapshot, limits)


def _begun(snapshot: Snapshot, limits: Limits) -> BoolArray:
    columns = snapshot.index.columns
    if limits.as_of_us is None:
        return np.ones(len(columns), bool)
    return columns.start_us <= limits.as_of_us


def _with_cut_units(
    sight: Sight,
    library: Library,
    unit_ids: Sequence[str],
    chunker: Chunker,
    encoder: TextEncoder,
) -> Sight:
    """Add the visible parts of some units to a sight.

    Vectors are taken from the store where a text stayed whole. Texts cut short by as-of are encoded
    now; none is when a label hides the rest (DESIGN, invariant 7: no model runs for it).
    """
    wanted = _cut_anew(sight, library, unit_ids, chunker)
    if not any(w.units for w in wanted):
        return sight
    stored = _stored_encodings(library, unit_ids)
    if sight.limits.as_of_us is not None:
        missing = [t for w in wanted for x in w.texts.values() for _, t in x.views()]
        missing = sorted({text for text in missing if digest_of(text) not in stored})
        made = encoder.encode(missing) if missing else None
        for number, text in enumerate(missing):
            assert made is not None
            stored[digest_of(text)] = (made.pooled[number], made.codes[number])
    tables = _tables(wanted, stored, library)
    snapshot = sight.snapshot
    extra, _ = segment_of(tables, snapshot.sources, snapshot.names, snapshot.width)
    units = {unit.id: unit for w in wanted for unit in w.units}
    return dataclasses.replace(sight, index=sight.index.overlaid(extra), cut_units=units)


def _cut_anew(
    sight: Sight, library: Library, unit_ids: Sequence[str], chunker: Chunker
) -> list[Wanted]:
    found: dict[str, Wanted] = {}
    whole = library.units_of(unit_ids)
    needed = sorted({atom_id for unit in whole.values() for atom_id in unit.atom_ids})
    atoms = {a.id: a for a in library.atoms_of(needed).values() if sight.allows(a)}
    tells = tells_of(library.frames_of(unit_ids), library.facts_of(unit_ids), atoms)
    seen = library.seen.records(unit_ids)
    for unit in whole.values():
        source = sight.snapshot.sources[unit.source_id]
        own = [atoms[i] for i in unit.atom_ids if i in atoms]
        kept = [u for u in cut(source, own) if u.id == unit.id]
        placed = [
            u.model_copy(update={"session": unit.session, "position": unit.position}) for u in kept
        ]
        if (shown := seen.get(unit.id)) and shown[0] == tuple(
            p.id for p in pictures_of(unit, atoms)
        ):
            tells[unit.id] = with_seen(tells.get(unit.id), shown[1])
        known = found.get(source.id, Wanted(source, (), {}))
        texts = {u.id: texts_of(u, atoms, chunker, tells.get(u.id, Tells())) for u in placed}
        spoken = tuple(u for u in placed if speaks(texts[u.id].speakers, sight.limits.people))
        found[source.id] = Wanted(source, (*known.units, *spoken), {**known.texts, **texts})
    return [found[source_id] for source_id in sorted(found)]


def _stored_encodings(library: Library, unit_ids: Sequence[str]) -> dict[str, Encoding]:
    """Return text digest -> stored (vector, codes) of the texts of some units."""
    vectors = library.vectors.read_ids(unit_ids, ["id", "made_of", "vector"], column="unit_id")
    coded = library.codes.read_ids(unit_ids, ["id", "codes"], column="unit_id")
    codes = dict(zip(coded["id"].to_pylist(), coded["codes"].to_pylist(), strict=True))
    width = library.space.width // 8
    found = {}
    for row in vectors.to_pylist():
        signs = np.frombuffer(codes.get(row["id"], b""), np.uint8).reshape(-1, width)
        found[str(row["made_of"])] = (np.array(row["vector"], np.float32), signs)
    return found


def _tables(
    wanted: Sequence[Wanted], stored: Mapping[str, Encoding], library: Library
) -> UnitTables:
    pairs = [(unit, w) for w in wanted for unit in w.units]
    rows: list[tuple[Row, Row | None]] = []
    for unit, w in pairs:
        known = {
            t: stored[digest_of(t)] for _, t in w.texts[unit.id].views() if digest_of(t) in stored
        }
        rows.extend(vector_rows(unit.id, w, known))
    return UnitTables(
        units=_arrow([unit_row(u, w.texts[u.id]) for u, w in pairs], library, "units").select(
            HEADER
        ),
        postings=_arrow([posting_row(u, w.texts[u.id]) for u, w in pairs], library, "postings"),
        vectors=pa.Table.from_pylist([v for v, _ in rows], schema=library.vectors.schema),
        codes=pa.Table.from_pylist([c for _, c in rows if c], schema=library.codes.schema),
        comparisons=_arrow([], library, "comparisons"),
        names=_arrow([], library, "names"),
        images=library.images.rows(
            [atom_id for u, w in pairs for atom_id in w.texts[u.id].pictured]
        ),
    )


def _arrow(rows: list[Row], library: Library, name: str) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=library.table(name).schema)
