"""What one reader may see at one moment: labels, as-of and the caller's filters as one mask.

A unit of which only a part may be seen is replaced by that part, cut anew from its visible atoms.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from mmem.derive.texts import Chunker, Tells, tells_of, texts_of
from mmem.derive.units import cut
from mmem.errors import UnknownId
from mmem.lifecycle.relate import shown_beside
from mmem.lifecycle.settle import Encoding, Wanted, posting_row, unit_row, vector_rows
from mmem.lifecycle.voices import speaks, spoken_by
from mmem.ports import UNKNOWN_TIME, BoolArray, TextEncoder
from mmem.schemas import Atom, Source, Turn, Unit
from mmem.schemas.identity import digest_of, normalised_title
from mmem.stores.index import ArrayIndex
from mmem.stores.library import Library
from mmem.stores.snapshot import HEADER, Snapshot, UnitTables, segment_of
from mmem.stores.tables import Row


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
        return source is not None and _may_see(source, self.limits) and self._ended(atom, source)

    def allows_source(self, source_id: str) -> bool:
        """Tell whether a source's labels are all the reader's."""
        source = self.snapshot.sources.get(source_id)
        return source is not None and _may_see(source, self.limits)

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
        return unit_id in self._shown

    @cached_property
    def _shown(self) -> frozenset[str]:
        ids = self.index.columns.ids
        return frozenset(ids[row] for row in np.flatnonzero(self.index.visible).tolist())

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
    partial = inside & (_straddling(snapshot, limits) | _robbed(snapshot, limits))
    sight = Sight(
        snapshot.index.restricted(inside & ended & ~partial), {}, undated, limits, snapshot
    )
    rows = [columns.ids[row] for row in np.flatnonzero(partial).tolist()]
    return _with_cut_units(sight, library, rows, chunker, encoder) if rows else sight


def _may_see(source: Source, limits: Limits) -> bool:
    return limits.labels is None or set(source.labels) <= limits.labels


def _allowed_sources(snapshot: Snapshot, limits: Limits) -> BoolArray:
    """Return bool[sources]: visible and asked for; a transcript shown by its recording is not."""
    asked = _asked_for(snapshot, limits)
    passed = {s.id for s in snapshot.sources.values() if _may_see(s, limits) and s.id in asked}
    beside = shown_beside(snapshot.sources.values()).items()
    shown = {i for recording, found in beside if recording in passed for i in found}
    return np.array([i in passed and i not in shown for i in snapshot.names.sources], bool)


def _asked_for(snapshot: Snapshot, limits: Limits) -> set[str]:
    if not limits.sources:
        return set(snapshot.sources)
    found: set[str] = set()
    for name in limits.sources:
        matching = {s.id for s in snapshot.sources.values() if is_called(s, name)}
        visible = {i for i in matching if _may_see(snapshot.sources[i], limits)}
        if not visible:
            raise UnknownId(f"no source is called {name!r}", hint="`mmem sources` lists them")
        found |= visible
    return found


def is_called(source: Source, name: str) -> bool:
    """Tell whether a name means a source: its id (or the start of it), title or file name."""
    places = [place for revision in source.revisions for place in revision.locations]
    files = {place.replace("\\", "/").rsplit("/", 1)[-1] for place in places}
    if source.id == name or (len(name) >= 6 and source.id.startswith(name)):
        return True
    same_title = normalised_title(source.title) == normalised_title(name)
    return same_title or name in files or name in places


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
    hidden = {i for i, source in snapshot.sources.items() if not _may_see(source, limits)}
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
    for unit in whole.values():
        source = sight.snapshot.sources[unit.source_id]
        own = [atoms[i] for i in unit.atom_ids if i in atoms]
        kept = [u for u in cut(source, own) if u.id == unit.id]
        placed = [
            u.model_copy(update={"session": unit.session, "position": unit.position}) for u in kept
        ]
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
    )


def _arrow(rows: list[Row], library: Library, name: str) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=library.table(name).schema)
