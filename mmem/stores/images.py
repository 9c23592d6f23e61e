"""The vectors of pictures: one table a space, and the one space that a memory's pictures are in."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from mmem.errors import ModelMismatch
from mmem.ports import FloatArray, VectorSpace
from mmem.schemas.identity import digest_of
from mmem.stores.tables import Row, Table, create_table, image_schema, open_table

if TYPE_CHECKING:
    from lancedb.db import DBConnection

_SPACE, _MODEL = "image_space", "image_model"


@dataclasses.dataclass(frozen=True, slots=True)
class Picture:
    """A picture of an atom: its file in the media folder, and the media offset at which it ends.

    `end_us` is None for what a message carries.
    """

    atom_id: str
    file: str
    end_us: int | None = None

    @property
    def id(self) -> str:
        """The id of its row."""
        return f"{self.atom_id}/{self.file}"


class Images:
    """Picture vectors of one memory; `meta` names their space and what was set to make them."""

    def __init__(self, connection: DBConnection, meta: Table) -> None:
        self._connection = connection
        self._meta = meta
        self._open: tuple[VectorSpace, Table] | None = None

    def table(self) -> Table | None:
        """Return the table of the memory's image space, None where it has no such space yet."""
        found = self._told().get(_SPACE)
        if found is None:
            return None
        space = VectorSpace(**json.loads(found))
        if self._open is None or self._open[0] != space:
            self._open = (space, open_table(self._connection, table_name(space)))
        return self._open[1]

    @property
    def space(self) -> VectorSpace | None:
        """The space of the memory's picture vectors, None where it has none yet."""
        return None if self.table() is None or self._open is None else self._open[0]

    @property
    def model(self) -> str | None:
        """What MMEM_IMAGE_MODEL was when the space was chosen, None where there is no space."""
        return self._told().get(_MODEL)

    def claim(self, space: VectorSpace, model: str) -> Table:
        """Return the table of a space, made if it is the memory's first or the other is empty.

        Only the lease holder may call this. Raises ModelMismatch where there are pictures of
        another space.
        """
        stored, table = self.space, self.table()
        if stored is not None and stored != space and table is not None and table.count():
            check_image_space(stored, space)
        if stored != space:
            create_table(self._connection, table_name(space), image_schema(space.width))
            text = json.dumps(dataclasses.asdict(space), sort_keys=True)
            rows: list[Row] = [{"id": _MODEL, "value": model}, {"id": _SPACE, "value": text}]
            self._meta.upsert(rows)
        found = self.table()
        assert found is not None
        return found

    def tables(self) -> dict[str, Table]:
        """Return the table by its name; nothing where there is none."""
        table = self.table()
        return {} if table is None else {table.name: table}

    def rows(self, atom_ids: Sequence[str] | None = None) -> pa.Table:
        """Return atom_id, file, end_us and vector of some atoms' pictures, or of all."""
        columns = ["id", "atom_id", "file", "end_us", "vector"]
        table = self.table()
        if table is None:
            return image_schema(1).empty_table().select(columns)
        if atom_ids is None:
            return table.read(columns)
        return table.read_ids(atom_ids, columns, column="atom_id")

    def _told(self) -> dict[str, str]:
        rows = self._meta.read_ids([_SPACE, _MODEL]).to_pylist()
        return {str(row["id"]): str(row["value"]) for row in rows}


def table_name(space: VectorSpace) -> str:
    """Return the name of an image space's table."""
    return f"images_{digest_of(*dataclasses.astuple(space))[:8]}"


def image_rows(
    source_id: str, pictures: Iterable[Picture], digests: Iterable[str], vectors: FloatArray
) -> list[Row]:
    """Return rows of pictures, the digests of their files' bytes, and their vectors f32[n, d]."""
    return [
        {
            "id": picture.id,
            "source_id": source_id,
            "atom_id": picture.atom_id,
            "file": picture.file,
            "made_of": digest,
            "end_us": picture.end_us,
            "vector": vector.astype(np.float16),
        }
        for picture, digest, vector in zip(pictures, digests, vectors, strict=True)
    ]


def check_image_space(stored: VectorSpace, space: VectorSpace) -> None:
    """Raise ModelMismatch where a memory's picture vectors are of another space; say what differs.

    The remedy keeps what is stored: the memory is read with the model that it was made with.
    """
    if stored == space:
        return
    if (stored.provider, stored.model, stored.revision) == (
        space.provider,
        space.model,
        space.revision,
    ):
        what = f"pictures made ready as {stored.preprocessing}, not as {space.preprocessing}"
    else:
        what = (
            f"picture vectors of {stored.model} ({stored.revision[:12]}), "
            f"not of {space.model} ({space.revision[:12]})"
        )
    raise ModelMismatch(
        f"this memory holds {what}",
        hint="unset MMEM_IMAGE_MODEL, or set it to what the memory was made with",
    )
