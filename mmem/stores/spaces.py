"""The text space of a memory, and another one beside it while vectors are being made anew.

`meta` has one row for the space that is read and one for the other: a space that is being made, or,
after the swap, the one that was left and is to be dropped. Both change in one write.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from mmem.ports import VectorSpace
from mmem.stores.layout import TEXT_SPACE, connect, described, space_names
from mmem.stores.tables import (
    CONTENT_SCHEMAS,
    Row,
    Table,
    code_schema,
    create_table,
    open_table,
    vector_schema,
)

_OTHER = "other_text_space"


@dataclasses.dataclass(frozen=True)
class Other:
    """A space that has tables beside the memory's own; `left` after the swap."""

    space: VectorSpace
    left: bool


def other_space(folder: Path) -> Other | None:
    """Return the space whose tables stand beside the memory's own, None for none."""
    text = described(folder).get(_OTHER)
    if not text:
        return None
    told = json.loads(text)
    return Other(VectorSpace(**told["space"]), told["left"])


def spare_tables(folder: Path) -> dict[str, Table]:
    """Return the tables of the other space, by name.

    Nobody reads them, and they are no state; but they hold what sources said.
    """
    other = other_space(folder)
    if other is None:
        return {}
    connection = connect(folder)
    there = set(connection.list_tables().tables)
    names = [name for name in space_names(other.space) if name in there]
    return {name: open_table(connection, name) for name in names}


def begin_space(folder: Path, space: VectorSpace) -> None:
    """Make the tables of another space, noted before they are there; again changes nothing."""
    connection = connect(folder)
    open_table(connection, "meta").upsert([_row(Other(space, left=False))])
    vectors, codes = space_names(space)
    create_table(connection, vectors, vector_schema(space.width))
    create_table(connection, codes, code_schema())


def swap_spaces(folder: Path, space: VectorSpace, left: VectorSpace) -> None:
    """Let the memory be read in a space that is whole, by one write; `left` is then the other."""
    text = json.dumps(dataclasses.asdict(space), sort_keys=True)
    rows: list[Row] = [{"id": TEXT_SPACE, "value": text}, _row(Other(left, left=True))]
    open_table(connect(folder), "meta").upsert(rows)


def empty_names(folder: Path) -> None:
    """Begin the table of names anew, for vectors of any width.

    LanceDB makes a column that is called `vector` one of fixed width when a table is written anew.
    """
    schema = CONTENT_SCHEMAS["names"]
    connect(folder).create_table("names", schema=schema, mode="overwrite")


def drop_other_space(folder: Path) -> None:
    """Drop the tables beside the memory's own, then the note of them."""
    found = other_space(folder)
    if found is None:
        return
    connection = connect(folder)
    for name in spare_tables(folder):
        connection.drop_table(name)
    open_table(connection, "meta").delete_ids([_OTHER])


def _row(other: Other) -> Row:
    return {"id": _OTHER, "value": json.dumps(dataclasses.asdict(other), sort_keys=True)}
