"""The store port: records in and out of one memory folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from mmem.errors import ConfigError
from mmem.ports import VectorSpace
from mmem.schemas import (
    Atom,
    Comparison,
    EventFrame,
    Outcome,
    Quadruple,
    Source,
    Unit,
    View,
    atom_adapter,
    unit_adapter,
)
from mmem.schemas.identity import digest_of
from mmem.stores.drafts import Drafts
from mmem.stores.images import Images
from mmem.stores.layout import (
    TABLES_FOLDER,
    check_space,
    connect,
    described,
    space_names,
    stored_space,
)
from mmem.stores.media import MediaFolder
from mmem.stores.seen import Seen
from mmem.stores.spaces import spare_tables
from mmem.stores.tables import CONTENT_SCHEMAS, RECORD_SCHEMAS, Row, Table, open_table

if TYPE_CHECKING:
    from lancedb.db import DBConnection

_VERSIONS_KEPT = 32


class Library:
    """Tables and media files of one memory. Writing needs the lease; reading writes nothing."""

    def __init__(self, folder: Path, connection: DBConnection, space: VectorSpace) -> None:
        names = [*CONTENT_SCHEMAS, *RECORD_SCHEMAS, *space_names(space)]
        self.folder = folder
        self.space = space
        self.media = MediaFolder(folder / "media")
        self.drafts = Drafts(folder / "drafts")
        self._tables: dict[str, Table] = {name: open_table(connection, name) for name in names}
        self.vectors, self.codes = (self._tables[name] for name in space_names(space))
        self.images = Images(connection, self._tables["meta"])
        self.seen = Seen(folder, connection)

    @classmethod
    def exists(cls, folder: Path) -> bool:
        """Tell whether a folder holds a memory whose creation was finished."""
        return bool(described(folder))

    @classmethod
    def open(cls, folder: Path, space: VectorSpace | None = None) -> Library:
        """Open a memory; `space` is the text encoder's, which must be the memory's own.

        Raises ConfigError when there is none, StoreDamaged when its layout can't be read, and
        ModelMismatch when its vectors are another encoder's.
        """
        found = described(folder)
        if not found:
            raise ConfigError(f"no memory at {folder}", hint="`mmem add FILE...` makes one")
        stored = stored_space(folder, found)
        if space is not None:
            check_space(folder, stored, space)
        return cls(folder, connect(folder), stored)

    def table(self, name: str) -> Table:
        """Return a table by name."""
        return self._tables[name]

    def content_tables(self) -> dict[str, Table]:
        """Return the tables whose rows are the state, by layer name."""
        names = [*CONTENT_SCHEMAS, *space_names(self.space)]
        own = {name: self._tables[name] for name in names}
        return {**own, **self.images.tables(), **self.seen.tables()}

    def versions(self) -> tuple[int, int]:
        """Return what changes whenever a stage has ended, a label changed or a source went."""
        return self.table("sources").version, self.table("ledger").version

    def sources(self) -> list[Source]:
        """Return all sources, by title, then id."""
        bodies = self.table("sources").read(["body"])["body"].to_pylist()
        found = [Source.model_validate_json(body) for body in bodies]
        return sorted(found, key=lambda source: (source.title.casefold(), source.id))

    def put_sources(self, sources: Iterable[Source]) -> None:
        """Write sources by id."""
        rows: list[Row] = [{"id": s.id, "body": s.canonical()} for s in sources]
        self.table("sources").upsert(rows)

    def atoms(self, source_id: str) -> list[Atom]:
        """Return the atoms of a source in reading order."""
        where = f"source_id = '{source_id}'"
        return _atoms(self.table("atoms").read(["body"], where=where))

    def atoms_of(self, ids: Sequence[str]) -> dict[str, Atom]:
        """Return atoms by id; unknown ids are left out."""
        return {atom.id: atom for atom in _atoms(self.table("atoms").read_ids(ids, ["body"]))}

    def put_atoms(self, atoms: Iterable[Atom]) -> None:
        """Write atoms by id."""
        rows: list[Row] = [
            {
                "id": atom.id,
                "source_id": atom.source_id,
                "kind": atom.kind,
                "ordinal": atom.ordinal,
                "body": atom.canonical(),
            }
            for atom in atoms
        ]
        self.table("atoms").upsert(rows)

    def delete_source(self, source_id: str) -> None:
        """Delete a source's rows, its own row first: what is left then belongs to nobody."""
        self.table("sources").delete_ids([source_id])
        self.delete_rows(source_id)
        self.table("ledger").delete_ids([source_id], column="source_id")

    def delete_rows(self, source_id: str) -> None:
        """Delete the content rows and drafts of a source that is not there any more."""
        for name, table in {**self.content_tables(), **spare_tables(self.folder)}.items():
            if name != "sources":
                table.delete_ids([source_id], column="source_id")
        self.drafts.delete(source_id)

    def source_ids(self) -> set[str]:
        """Return the ids of sources, live or not, that have content rows or drafts.

        Views belong to no single source: theirs is "".
        """
        every = {**self.content_tables(), **spare_tables(self.folder)}
        tables = [table for name, table in every.items() if name != "sources"]
        found = (table.read(["source_id"])["source_id"].unique() for table in tables)
        rows = {str(source_id) for ids in found for source_id in ids.to_pylist()}
        return (rows - {""}) | self.drafts.source_ids()

    def units(self, source_id: str) -> list[Unit]:
        """Return the units of a source by session and position."""
        where = f"source_id = '{source_id}'"
        return _units(self.table("units").read(["body"], where=where))

    def units_of(self, ids: Sequence[str]) -> dict[str, Unit]:
        """Return units by id; unknown ids are left out."""
        return {unit.id: unit for unit in _units(self.table("units").read_ids(ids, ["body"]))}

    def frames(self, source_id: str) -> list[EventFrame]:
        """Return the event frames of a source, by id."""
        rows = self.table("frames").read(["body"], where=f"source_id = '{source_id}'")
        return self.seen.beside(_frames(rows))

    def frames_of(self, unit_ids: Sequence[str]) -> list[EventFrame]:
        """Return the event frames of some units, by id."""
        rows = self.table("frames").read_ids(unit_ids, ["body"], column="unit_id")
        return self.seen.beside(_frames(rows))

    def facts(self, source_ids: Sequence[str]) -> list[Quadruple]:
        """Return the quadruples of some sources, by id."""
        return _facts(self.table("facts").read_ids(source_ids, ["body"], column="source_id"))

    def facts_of(self, unit_ids: Sequence[str]) -> list[Quadruple]:
        """Return the quadruples of some units, by id."""
        return _facts(self.table("facts").read_ids(unit_ids, ["body"], column="unit_id"))

    def outcomes(self) -> list[Outcome]:
        """Return the outcome of every stage of every source, by source and stage."""
        bodies = self.table("ledger").read(["body"])["body"].to_pylist()
        found = [Outcome.model_validate_json(body) for body in bodies]
        return sorted(found, key=lambda outcome: (outcome.source_id, outcome.stage))

    def comparisons_of(self, unit_ids: Sequence[str]) -> dict[str, Comparison]:
        """Return the comparisons of some units with earlier ones, by unit."""
        rows = self.table("comparisons").read_ids(unit_ids, ["body"], column="unit_id")
        found = (Comparison.model_validate_json(body) for body in rows["body"].to_pylist())
        return {each.unit_id: each for each in found}

    def views_of(self, ids: Sequence[str]) -> dict[str, View]:
        """Return context views by id; unknown ids are left out."""
        rows = self.table("views").read_ids(ids, ["body"])
        found = (View.model_validate_json(body) for body in rows["body"].to_pylist())
        return {view.id: view for view in found}

    def put_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """Write outcomes; each replaces the last one of its source and stage."""
        rows: list[Row] = [
            {
                "id": f"{outcome.source_id}/{outcome.stage}",
                "source_id": outcome.source_id,
                "stage": outcome.stage,
                "status": outcome.status,
                "reason": outcome.reason,
                "body": outcome.canonical(),
            }
            for outcome in outcomes
        ]
        self.table("ledger").upsert(rows)

    @property
    def is_forgetting(self) -> bool:
        """Tell whether a forgetting was begun and its deleted bytes may still be there."""
        return self._forgetting.exists()

    def begin_forgetting(self) -> None:
        """Note on disk, before anything is deleted, that the tables are to be written anew."""
        self._forgetting.touch()

    def rewrite(self) -> None:
        """Write the tables anew, so that what was deleted is gone; a forgetting has ended then."""
        spare = spare_tables(self.folder).values()
        for table in (*self.content_tables().values(), *spare, self.table("ledger")):
            table.rewrite()
        self._forgetting.unlink(missing_ok=True)

    @property
    def _forgetting(self) -> Path:
        return self.folder / "forgetting"

    def compact(self) -> None:
        """Merge the small files that many writes leave, in tables where there are many."""
        found = {**self._tables, **self.images.tables(), **self.seen.tables()}
        for table in found.values():
            if table.older_versions() > _VERSIONS_KEPT:
                table.compact()

    def state_digest(self) -> str:
        """Return the SHA-256 of every content row, vector, posting, media file and draft.

        Left out: the ledger, receipts, import times and the paths under which files were seen.
        """
        whole = hashlib.sha256()
        for name, table in sorted(self.content_tables().items()):
            for line in sorted(_row_digest(name, row) for row in table.read().to_pylist()):
                whole.update(f"{name}:{line}\n".encode())
        for name in self.media.names():
            whole.update(f"media:{name}:{self.media.digest(name)}\n".encode())
        for line in self.drafts.digests():
            whole.update(f"draft:{line}\n".encode())
        return whole.hexdigest()

    def sizes(self) -> dict[str, int]:
        """Return the bytes on disk by layer: one entry a table, and "media"."""
        found = {"media": self.media.size()}
        for table in sorted((self.folder / TABLES_FOLDER).glob("*.lance")):
            files = (path for path in table.rglob("*") if path.is_file())
            found[table.stem] = sum(path.stat().st_size for path in files)
        return found


def _atoms(rows: pa.Table) -> list[Atom]:
    found = [atom_adapter.validate_json(body) for body in rows["body"].to_pylist()]
    return sorted(found, key=lambda atom: (atom.source_id, atom.ordinal, atom.id))


def _units(rows: pa.Table) -> list[Unit]:
    found = [unit_adapter.validate_json(body) for body in rows["body"].to_pylist()]
    return sorted(found, key=lambda unit: (unit.source_id, unit.session, unit.position, unit.id))


def _frames(rows: pa.Table) -> list[EventFrame]:
    found = [EventFrame.model_validate_json(body) for body in rows["body"].to_pylist()]
    return sorted(found, key=lambda frame: frame.id)


def _facts(rows: pa.Table) -> list[Quadruple]:
    found = [Quadruple.model_validate_json(body) for body in rows["body"].to_pylist()]
    return sorted(found, key=lambda fact: fact.id)


def _row_digest(table: str, row: Row) -> str:
    if table == "sources":
        source = json.loads(str(row["body"]))
        for revision in source["revisions"]:
            del revision["locations"], revision["imported_us"]
        row = {**row, "body": json.dumps(source, sort_keys=True)}
    return digest_of(*(f"{key}={_plain(row[key])}" for key in sorted(row)))


def _plain(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
