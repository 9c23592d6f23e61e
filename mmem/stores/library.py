"""The store port: records in and out of one memory folder."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from mmem.errors import ConfigError, ModelMismatch, StoreDamaged
from mmem.ports import VectorSpace
from mmem.schemas import Atom, Outcome, Source, Unit, atom_adapter, unit_adapter
from mmem.schemas.identity import digest_of
from mmem.stores.media import MediaFolder
from mmem.stores.tables import (
    CONTENT_SCHEMAS,
    RECORD_SCHEMAS,
    Row,
    Table,
    code_schema,
    create_table,
    open_table,
    vector_schema,
)

if TYPE_CHECKING:
    from lancedb.db import DBConnection

LAYOUT = 1
"""Version of the tables' layout; a memory with a higher one was written by a newer mmem."""

_VERSIONS_KEPT = 32
_TABLES_FOLDER = "tables"
_SPACE = "text_space"


class Library:
    """Tables and media files of one memory. Writing needs the lease; reading writes nothing."""

    def __init__(self, folder: Path, connection: DBConnection, space: VectorSpace) -> None:
        names = [*CONTENT_SCHEMAS, *RECORD_SCHEMAS, *_space_names(space)]
        self.folder = folder
        self.space = space
        self.media = MediaFolder(folder / "media")
        self._tables: dict[str, Table] = {name: open_table(connection, name) for name in names}
        self.vectors, self.codes = (self._tables[name] for name in _space_names(space))

    @classmethod
    def exists(cls, folder: Path) -> bool:
        """Tell whether a folder holds a memory whose creation was finished."""
        return bool(_described(folder))

    @classmethod
    def create(cls, folder: Path, space: VectorSpace) -> None:
        """Create what is missing of a memory, once, by the lease holder; again changes nothing.

        The rows of `meta` come last: a folder in which they are has all tables.
        """
        if cls.exists(folder):
            return
        connection = _connect(folder)
        vectors, codes = _space_names(space)
        for name, schema in CONTENT_SCHEMAS.items():
            create_table(connection, name, schema)
        create_table(connection, vectors, vector_schema(space.width))
        create_table(connection, codes, code_schema())
        create_table(connection, "ledger", RECORD_SCHEMAS["ledger"])
        meta = create_table(connection, "meta", RECORD_SCHEMAS["meta"])
        described = json.dumps(dataclasses.asdict(space), sort_keys=True)
        meta.upsert([{"id": "layout", "value": str(LAYOUT)}, {"id": _SPACE, "value": described}])

    @classmethod
    def open(cls, folder: Path, space: VectorSpace | None = None) -> Library:
        """Open a memory; `space` is the text encoder's, which must be the memory's own.

        Raises ConfigError when there is none, StoreDamaged when its layout can't be read, and
        ModelMismatch when its vectors are another encoder's.
        """
        meta = _described(folder)
        if not meta:
            raise ConfigError(f"no memory at {folder}", hint="`mmem add FILE...` makes one")
        connection = _connect(folder)
        stored = _stored_space(folder, meta)
        if space is not None and space != stored:
            raise ModelMismatch(
                f"{folder} holds vectors of {stored.model} ({stored.revision[:12]}), "
                f"not of {space.model} ({space.revision[:12]})",
                hint="open it with that model, or add the sources to a new memory",
            )
        return cls(folder, connection, stored)

    def table(self, name: str) -> Table:
        """Return a table by name."""
        return self._tables[name]

    def content_tables(self) -> dict[str, Table]:
        """Return the tables whose rows are the state, by layer name."""
        names = [*CONTENT_SCHEMAS, *_space_names(self.space)]
        return {name: self._tables[name] for name in names}

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
        """Delete the content rows of a source that is not there any more."""
        for name, table in self.content_tables().items():
            if name != "sources":
                table.delete_ids([source_id], column="source_id")

    def source_ids(self) -> set[str]:
        """Return the ids of sources, live or not, that have content rows."""
        tables = [table for name, table in self.content_tables().items() if name != "sources"]
        found = (table.read(["source_id"])["source_id"].unique() for table in tables)
        return {str(source_id) for ids in found for source_id in ids.to_pylist()}

    def units(self, source_id: str) -> list[Unit]:
        """Return the units of a source by session and position."""
        where = f"source_id = '{source_id}'"
        return _units(self.table("units").read(["body"], where=where))

    def units_of(self, ids: Sequence[str]) -> dict[str, Unit]:
        """Return units by id; unknown ids are left out."""
        return {unit.id: unit for unit in _units(self.table("units").read_ids(ids, ["body"]))}

    def outcomes(self) -> list[Outcome]:
        """Return the outcome of every stage of every source, by source and stage."""
        bodies = self.table("ledger").read(["body"])["body"].to_pylist()
        found = [Outcome.model_validate_json(body) for body in bodies]
        return sorted(found, key=lambda outcome: (outcome.source_id, outcome.stage))

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

    def compact(self) -> None:
        """Merge the small files that many writes leave, in tables where there are many."""
        for table in self._tables.values():
            if table.older_versions() > _VERSIONS_KEPT:
                table.compact()

    def state_digest(self) -> str:
        """Return the SHA-256 of every content row, vector, posting and media file.

        Left out: the ledger, receipts, import times and the paths under which files were seen.
        """
        whole = hashlib.sha256()
        for name, table in sorted(self.content_tables().items()):
            for line in sorted(_row_digest(name, row) for row in table.read().to_pylist()):
                whole.update(f"{name}:{line}\n".encode())
        for name in self.media.names():
            whole.update(f"media:{name}:{self.media.digest(name)}\n".encode())
        return whole.hexdigest()

    def sizes(self) -> dict[str, int]:
        """Return the bytes on disk by layer: one entry a table, and "media"."""
        found = {"media": self.media.size()}
        for table in sorted((self.folder / _TABLES_FOLDER).glob("*.lance")):
            files = (path for path in table.rglob("*") if path.is_file())
            found[table.stem] = sum(path.stat().st_size for path in files)
        return found


def _connect(folder: Path) -> DBConnection:
    import lancedb

    return lancedb.connect(folder / _TABLES_FOLDER)


def _described(folder: Path) -> dict[str, str]:
    """Return what `meta` says of a memory, nothing where there is none or it was never finished."""
    if not any((folder / _TABLES_FOLDER / "meta.lance" / "_versions").glob("*.manifest")):
        return {}
    rows = open_table(_connect(folder), "meta").read().to_pylist()
    return {str(row["id"]): str(row["value"]) for row in rows}


def _space_names(space: VectorSpace) -> tuple[str, str]:
    key = digest_of(*dataclasses.astuple(space))[:8]
    return f"vectors_{key}", f"codes_{key}"


def _stored_space(folder: Path, meta: dict[str, str]) -> VectorSpace:
    layout = int(meta.get("layout", "0"))
    if layout != LAYOUT or _SPACE not in meta:
        raise StoreDamaged(
            f"{folder} has layout {layout}, this mmem reads layout {LAYOUT}",
            hint="use the mmem version that wrote it",
        )
    return VectorSpace(**json.loads(meta[_SPACE]))


def _atoms(rows: pa.Table) -> list[Atom]:
    found = [atom_adapter.validate_json(body) for body in rows["body"].to_pylist()]
    return sorted(found, key=lambda atom: (atom.source_id, atom.ordinal, atom.id))


def _units(rows: pa.Table) -> list[Unit]:
    found = [unit_adapter.validate_json(body) for body in rows["body"].to_pylist()]
    return sorted(found, key=lambda unit: (unit.source_id, unit.session, unit.position, unit.id))


def _row_digest(table: str, row: Row) -> str:
    if table == "sources":
        source = json.loads(str(row["body"]))
        for revision in source["revisions"]:
            del revision["locations"], revision["imported_us"]
        row = {**row, "body": json.dumps(source, sort_keys=True)}
    return digest_of(*(f"{key}={_plain(row[key])}" for key in sorted(row)))


def _plain(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
