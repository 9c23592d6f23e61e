"""LanceDB tables: their columns, and the few ways in which mmem touches them."""

from __future__ import annotations

import datetime as dt
import random
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.table import Table as LanceTable

T = TypeVar("T")
Row = dict[str, object]

_ATTEMPTS = 12
_FIRST_PAUSE_S = 0.05
_IDS_IN_A_FILTER = 500
_FILTERS = 4
_PRIMARY_KEY = {b"lance-schema:unenforced-primary-key": b"true"}


def _schema(*fields: pa.Field) -> pa.Schema:
    """Return a schema whose `id` is non-null and LanceDB's primary key.

    Without the key's metadata, concurrent `merge_insert` makes duplicates (DESIGN, section 7).
    """
    return pa.schema([pa.field("id", pa.string(), nullable=False, metadata=_PRIMARY_KEY), *fields])


def _text(name: str) -> pa.Field:
    return pa.field(name, pa.string())


CONTENT_SCHEMAS: dict[str, pa.Schema] = {
    "sources": _schema(_text("body")),
    "atoms": _schema(
        _text("source_id"), _text("kind"), pa.field("ordinal", pa.int32()), _text("body")
    ),
    "units": _schema(
        *map(_text, ("source_id", "kind", "session")),
        pa.field("position", pa.int32()),
        _text("clock"),
        pa.field("start_us", pa.int64()),
        pa.field("end_us", pa.int64()),
        _text("speaker"),
        pa.field("speakers", pa.list_(pa.string())),
        pa.field("question", pa.bool_()),
        pa.field("actors", pa.list_(pa.string())),
        pa.field("subjects", pa.list_(pa.string())),
        pa.field("objects", pa.list_(pa.string())),
        pa.field("pictured", pa.list_(pa.string())),
        _text("body"),
    ),
    "postings": _schema(
        _text("source_id"),
        pa.field("terms", pa.list_(pa.string())),
        pa.field("counts", pa.list_(pa.int32())),
    ),
    "frames": _schema(
        *map(_text, ("source_id", "unit_id", "made_of", "extractor")),
        pa.field("skipped", pa.bool_()),
        _text("body"),
    ),
    "facts": _schema(_text("source_id"), _text("unit_id"), _text("body")),
    "comparisons": _schema(
        *map(_text, ("source_id", "unit_id", "judge", "vector_of", "made_of")),
        pa.field("candidates", pa.list_(pa.string())),
        pa.field("cosines", pa.list_(pa.float32())),
        pa.field("same", pa.list_(pa.string())),
        pa.field("apart", pa.list_(pa.string())),
        _text("body"),
    ),
    "names": _schema(
        *map(_text, ("source_id", "name", "space")),
        # LanceDB makes a list called "vector" one of fixed length and 32 bits when it is rewritten.
        pa.field("encoded", pa.list_(pa.float16())),
        pa.field("near", pa.list_(pa.string())),
        pa.field("cosines", pa.list_(pa.float32())),
    ),
    "views": _schema(
        _text("source_id"),
        _text("scale"),
        pa.field("unit_ids", pa.list_(pa.string())),
        _text("made_of"),
        _text("body"),
    ),
}
"""Tables whose rows are the state of a memory (with the vector and code tables)."""

RECORD_SCHEMAS: dict[str, pa.Schema] = {
    "ledger": _schema(
        _text("source_id"), _text("stage"), _text("status"), _text("reason"), _text("body")
    ),
    "meta": _schema(_text("value")),
}
"""Tables about the memory itself; not part of the state digest."""


def vector_schema(width: int) -> pa.Schema:
    """Return the schema of a vector space: one row a line or chunk of a unit."""
    return _schema(
        *map(_text, ("unit_id", "source_id", "view", "made_of")),
        pa.field("vector", pa.list_(pa.float16(), width)),
    )


def code_schema() -> pa.Schema:
    """Return the schema of token sign codes, width/8 bytes a token; ids are those of vectors."""
    return _schema(
        *map(_text, ("unit_id", "source_id", "made_of")),
        pa.field("codes", pa.large_binary()),
    )


def seen_schema() -> pa.Schema:
    """Return the schema of what captioners saw: one row a unit whose pictures they described."""
    return _schema(
        *map(_text, ("source_id", "unit_id", "made_of", "captioner")),
        pa.field("atom_ids", pa.list_(pa.string())),
        _text("body"),
    )


def image_schema(width: int) -> pa.Schema:
    """Return the schema of an image space: one row a picture of an atom."""
    return _schema(
        *map(_text, ("source_id", "atom_id", "file", "made_of")),
        pa.field("end_us", pa.int64()),
        pa.field("vector", pa.list_(pa.float16(), width)),
    )


def quoted(value: str) -> str:
    """Return a value as an SQL string literal of a filter.

    >>> quoted("O'Neil")
    "'O''Neil'"
    """
    return "'" + value.replace("'", "''") + "'"


def any_of(column: str, values: Sequence[str]) -> str:
    """Return the filter "column is one of these values"."""
    return f"{column} IN ({', '.join(quoted(value) for value in values)})"


class Table:
    """One LanceDB table, written by computed ids."""

    def __init__(self, table: LanceTable) -> None:
        self._table = table

    @property
    def name(self) -> str:
        """The table's name."""
        return self._table.name

    @property
    def schema(self) -> pa.Schema:
        """The table's columns."""
        return self._table.schema

    @property
    def version(self) -> int:
        """The table's newest version; changes with every write of any process."""
        self._renew()
        return int(self._table.version)

    def upsert(self, rows: Sequence[Row]) -> None:
        """Write rows by id: new ones are added, known ones replaced. Conflicts are retried."""
        if rows:
            data = pa.Table.from_pylist(list(rows), schema=self.schema)
            _with_retries(
                lambda: (
                    self._table.merge_insert("id")
                    .when_matched_update_all()
                    .when_not_matched_insert_all()
                    .execute(data)
                )
            )

    def read(self, columns: Sequence[str] | None = None, *, where: str = "") -> pa.Table:
        """Return rows of the newest version as an Arrow table, in storage order."""

        def rows() -> pa.Table:
            self._renew()
            query = self._table.search()
            if where:
                query = query.where(where)
            if columns:
                query = query.select(list(columns))
            return query.to_arrow()

        return _with_retries(rows)

    def read_ids(
        self, ids: Sequence[str], columns: Sequence[str] | None = None, *, column: str = "id"
    ) -> pa.Table:
        """Return the rows whose `column` is one of these values.

        Many values are looked up by one pass over the table, few by filters.
        """
        if len(ids) > _FILTERS * _IDS_IN_A_FILTER:
            wanted = list(dict.fromkeys([column, *(columns or self.schema.names)]))
            rows = self.read(wanted)
            return rows.filter(pc.is_in(rows[column], pa.array(ids, pa.string())))
        parts = [
            self.read(columns, where=any_of(column, ids[start : start + _IDS_IN_A_FILTER]))
            for start in range(0, len(ids), _IDS_IN_A_FILTER)
        ]
        return pa.concat_tables(parts) if parts else self.read(columns, where="false")

    def delete_ids(self, ids: Iterable[str], *, column: str = "id") -> None:
        """Delete the rows whose `column` is one of these values."""
        values = list(ids)
        for start in range(0, len(values), _IDS_IN_A_FILTER):
            self._delete(any_of(column, values[start : start + _IDS_IN_A_FILTER]))

    def _delete(self, where: str) -> None:
        _with_retries(lambda: self._table.delete(where))

    def _renew(self) -> None:
        """Let the handle see what any process has written."""
        self._table.checkout_latest()  # type: ignore[no-untyped-call]  # LanceDB has no type here

    def count(self, where: str = "") -> int:
        """Count rows of the newest version."""
        self._renew()
        return int(self._table.count_rows(where or None))

    def older_versions(self) -> int:
        """Count the versions that are kept beside the newest one."""
        return len(self._table.list_versions()) - 1

    def compact(self) -> None:
        """Merge small files; readers of a version older than five minutes open the newest one."""
        _with_retries(lambda: self._table.optimize(cleanup_older_than=dt.timedelta(minutes=5)))

    def widen(self, schema: pa.Schema) -> None:
        """Add the columns of a schema that the table lacks, empty in the rows that are there."""
        missing = [field for field in schema if field.name not in self.schema.names]
        if missing:
            self._table.add_columns(missing)

    def rewrite(self) -> None:
        """Write the live rows anew and drop every older version, so that deleted bytes are gone.

        `optimize` alone keeps deleted rows inside files of which little was deleted; of files of
        which all was deleted it keeps nothing, and a table without rows is not written anew. A
        reader that still holds an old version opens the newest one at its next read.
        """
        rows = self.read()
        if rows.num_rows:
            reader = pa.RecordBatchReader.from_batches(self.schema, rows.to_batches())
            self._table.add(reader, mode="overwrite")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            self._table.optimize(cleanup_older_than=dt.timedelta(0), delete_unverified=True)


def open_table(connection: DBConnection, name: str) -> Table:
    """Return an existing table."""
    return Table(connection.open_table(name))


def create_table(connection: DBConnection, name: str, schema: pa.Schema) -> Table:
    """Return a table, created if it is not there, with the columns that it lacks added."""
    if name in connection.list_tables().tables:
        found = open_table(connection, name)
        found.widen(schema)
        return found
    return Table(connection.create_table(name, schema=schema, exist_ok=True))


def _with_retries(act: Callable[[], T]) -> T:
    """Do a LanceDB call again, with growing pauses, when a concurrent commit came first.

    LanceDB raises RuntimeError for a commit conflict and for files of a version that was cleaned
    away while it was read; both pass on a second look. The last error is raised.
    """
    pause = _FIRST_PAUSE_S
    for attempt in range(_ATTEMPTS):
        try:
            return act()
        except (RuntimeError, OSError) as error:
            passing = any(word in str(error) for word in ("onflict", "Not found", "retry"))
            if attempt == _ATTEMPTS - 1 or not passing:
                raise
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause = min(2 * pause, 2.0)
    raise AssertionError("unreachable: the last attempt returns or raises")
