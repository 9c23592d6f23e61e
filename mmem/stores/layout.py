"""The tables of a memory: made once by the lease holder, checked whenever a memory is opened."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

from mmem.errors import ModelMismatch, StoreDamaged
from mmem.ports import VectorSpace
from mmem.schemas.identity import digest_of
from mmem.stores.tables import (
    CONTENT_SCHEMAS,
    RECORD_SCHEMAS,
    code_schema,
    create_table,
    open_table,
    vector_schema,
)

if TYPE_CHECKING:
    from lancedb.db import DBConnection

LAYOUT = 4
"""Version of the tables' layout. 1 had no frames and facts, 2 no comparisons, 3 no views, pictures'
vectors, names; the next writer adds what is missing."""

TABLES_FOLDER = "tables"
TEXT_SPACE = "text_space"


def connect(folder: Path) -> DBConnection:
    """Open the database of a memory's folder."""
    import lancedb

    return lancedb.connect(folder / TABLES_FOLDER)


def described(folder: Path) -> dict[str, str]:
    """Return what `meta` says of a memory, nothing where there is none or it was never finished."""
    if not any((folder / TABLES_FOLDER / "meta.lance" / "_versions").glob("*.manifest")):
        return {}
    rows = open_table(connect(folder), "meta").read().to_pylist()
    return {str(row["id"]): str(row["value"]) for row in rows}


def create(folder: Path, space: VectorSpace) -> None:
    """Create what is missing of a memory; again changes nothing.

    A memory of an older layout gets the tables and columns that it lacks. The rows of `meta` come
    last: a folder in which they are has all tables. Raises ModelMismatch, StoreDamaged.
    """
    found = described(folder)
    if found and layout_of(found) == LAYOUT:
        return
    if found:
        check_space(folder, stored_space(folder, found, oldest=1), space)
    connection = connect(folder)
    vectors, codes = space_names(space)
    for name, schema in CONTENT_SCHEMAS.items():
        create_table(connection, name, schema)
    create_table(connection, vectors, vector_schema(space.width))
    create_table(connection, codes, code_schema())
    create_table(connection, "ledger", RECORD_SCHEMAS["ledger"])
    meta = create_table(connection, "meta", RECORD_SCHEMAS["meta"])
    text = json.dumps(dataclasses.asdict(space), sort_keys=True)
    meta.upsert([{"id": "layout", "value": str(LAYOUT)}, {"id": TEXT_SPACE, "value": text}])


def layout_of(described: dict[str, str]) -> int:
    """Return the layout that `meta` tells, 0 where it tells none."""
    return int(described.get("layout", "0"))


def stored_space(folder: Path, found: dict[str, str], *, oldest: int = LAYOUT) -> VectorSpace:
    """Return the vector space of a memory. Raises StoreDamaged for a layout that can't be read."""
    layout = layout_of(found)
    if not oldest <= layout <= LAYOUT or TEXT_SPACE not in found:
        older = 0 < layout < LAYOUT
        raise StoreDamaged(
            f"{folder} has layout {layout}, this mmem reads layout {LAYOUT}",
            hint="`mmem retry` brings it up to date" if older else "use the mmem that wrote it",
        )
    return VectorSpace(**json.loads(found[TEXT_SPACE]))


def check_space(folder: Path, stored: VectorSpace, space: VectorSpace) -> None:
    """Raise ModelMismatch where a memory's vectors are another encoder's."""
    if not is_same_space(stored, space):
        raise ModelMismatch(
            f"{folder} holds vectors of {_named(stored)}, not of {_named(space)}",
            hint="`mmem reembed` makes them anew; MMEM_TEXT_MODEL names the model to open it with",
        )


def is_same_space(one: VectorSpace, other: VectorSpace) -> bool:
    """Tell whether vectors can be compared; a model whose bytes are known may be called anyhow."""
    if one.revision and one.revision == other.revision:
        one = dataclasses.replace(one, model=other.model)
    return one == other


def _named(space: VectorSpace) -> str:
    """Return what tells a space from another, in one line."""
    parts = (space.revision[:12], f"{space.width} numbers", space.pooling)
    return f"{space.model} ({', '.join(part for part in parts if part)})"


def space_names(space: VectorSpace) -> tuple[str, str]:
    """Return the names of a vector space's tables: vectors, token codes."""
    key = digest_of(*dataclasses.astuple(space))[:8]
    return f"vectors_{key}", f"codes_{key}"
