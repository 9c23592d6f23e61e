"""Who and what has a name: computed when it is read, from what the reader may see."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mmem.schemas.record import Record


class Alias(Record):
    """Another name of an entity: why it is held to be one, how surely, and the atoms that show it.

    `atom_ids` are at most nine.
    """

    name: str
    basis: str
    confidence: float = Field(ge=0.0, le=1.0)
    atom_ids: tuple[str, ...]


class Entity(Record):
    """A person or a thing that has a name (HippoRAG 2 phrase nodes, GSW actors).

    `kind` is "person" for one who speaks somewhere, else "unknown". `unit_ids` are where a name of
    it stands or it speaks; `first_us` and `last_us` are when (wall, UTC microseconds), None when
    no time is known.
    """

    id: str
    name: str
    kind: Literal["person", "unknown"]
    aliases: tuple[Alias, ...] = ()
    unit_ids: tuple[str, ...] = Field(min_length=1)
    first_us: int | None = None
    last_us: int | None = None
