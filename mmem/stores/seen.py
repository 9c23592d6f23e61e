"""What captioners saw on the pictures of units, beside their frames: one row a unit.

A frame is read anew when its lines change, its pictures are described anew when they change;
neither touches the other. They are put together when frames are read. The table is made with its
first row: a memory that no captioner has looked at has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmem.schemas import EventFrame, VisualRecord
from mmem.stores.layout import TABLES_FOLDER
from mmem.stores.tables import Row, Table, create_table, open_table, seen_schema

if TYPE_CHECKING:
    from lancedb.db import DBConnection

NAME = "seen"
_PICTURES_BY = ", pictures by "


class Seen:
    """The visual records of one memory that captioners wrote."""

    def __init__(self, folder: Path, connection: DBConnection) -> None:
        self._versions = folder / TABLES_FOLDER / f"{NAME}.lance" / "_versions"
        self._connection = connection
        self._open: Table | None = None

    def table(self) -> Table | None:
        """Return the table, None where there is none yet."""
        if self._open is None and any(self._versions.glob("*.manifest")):
            self._open = open_table(self._connection, NAME)
        return self._open

    def made(self) -> Table:
        """Return the table, made if it is not there. Only the lease holder may call this."""
        self._open = self.table() or create_table(self._connection, NAME, seen_schema())
        return self._open

    def tables(self) -> dict[str, Table]:
        """Return the table by its name; nothing where there is none."""
        table = self.table()
        return {} if table is None else {NAME: table}

    def marks(self) -> dict[str, str]:
        """Return, for each unit whose pictures were described, which they are, and by whom."""
        return {
            str(row["unit_id"]): f"{row['made_of']} {row['captioner']}"
            for row in self._rows(None, ["unit_id", "made_of", "captioner"])
        }

    def described(self, unit_id: str) -> tuple[str, ...]:
        """Return the atoms whose pictures were described for a unit, none where none were."""
        return tuple(i for row in self._rows([unit_id], ["atom_ids"]) for i in row["atom_ids"])

    def records(self, unit_ids: Sequence[str]) -> dict[str, tuple[tuple[str, ...], VisualRecord]]:
        """Return what was seen on the pictures of some units: of which atoms, and the record."""
        return {
            str(row["unit_id"]): (
                tuple(row["atom_ids"]),
                VisualRecord.model_validate_json(row["body"]),
            )
            for row in self._rows(unit_ids, ["unit_id", "atom_ids", "body"])
        }

    def beside(self, frames: Sequence[EventFrame]) -> list[EventFrame]:
        """Return frames with what was seen on the pictures of their units, in their order."""
        if self.table() is None:
            return list(frames)
        rows = self._rows([f.unit_ids[0] for f in frames], ["unit_id", "captioner", "body"])
        known = {row["unit_id"]: row for row in rows}
        return [_with(frame, known.get(frame.unit_ids[0])) for frame in frames]

    def _rows(self, unit_ids: Sequence[str] | None, columns: list[str]) -> list[dict[str, Any]]:
        table = self.table()
        if table is None:
            return []
        found: list[dict[str, Any]]
        if unit_ids is None:
            found = table.read(columns).to_pylist()
        else:
            found = table.read_ids(unit_ids, columns, column="unit_id").to_pylist()
        return found


def seen_row(
    source_id: str,
    unit_id: str,
    record: VisualRecord,
    *,
    atom_ids: Sequence[str],
    made_of: str,
    captioner: str,
) -> Row:
    """Return the row of a unit: what was seen, on which atoms' pictures, and by whom."""
    return {
        "id": unit_id,
        "source_id": source_id,
        "unit_id": unit_id,
        "atom_ids": list(atom_ids),
        "made_of": made_of,
        "captioner": captioner,
        "body": record.canonical(),
    }


def without_seen(extractor: str) -> str:
    """Return a frame's extractor without the captioner of its pictures."""
    return extractor.partition(_PICTURES_BY)[0]


def _with(frame: EventFrame, row: dict[str, Any] | None) -> EventFrame:
    if row is None:
        return frame
    record = VisualRecord.model_validate_json(row["body"])
    extractor = f"{frame.extractor}{_PICTURES_BY}{row['captioner']}"
    return frame.model_copy(update={"visual_record": record, "extractor": extractor})
