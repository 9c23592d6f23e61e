"""Units: deterministic groupings of atoms that are searched and understood."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, model_validator

from mmem.schemas.clock import Span
from mmem.schemas.record import Record


class _Unit(Record):
    """What all units share: `session` is a stretch of a source, `position` the order within it."""

    id: str
    source_id: str
    atom_ids: tuple[str, ...] = Field(min_length=1)
    session: str
    position: int = Field(ge=0)


class Passage(_Unit):
    """One speaker's turn (SEEM p_t): adjacent cues joined, a long one split at sentence ends.

    `chars` is the half-open character range of the single atom's text when a long turn was split.
    `wall` is the wall stretch of turns that carry their own time; `span` the media stretch of
    utterances.
    """

    kind: Literal["passage"] = "passage"
    speaker: str | None
    chars: tuple[int, int] | None = None
    span: Span | None = None
    wall: Span | None = None

    @model_validator(mode="after")
    def _part_of_one(self) -> Self:
        if self.chars is not None and len(self.atom_ids) != 1:
            raise ValueError("only a passage of one atom can be a part of it")
        return self


class Anchor(_Unit):
    """A fixed stretch of a recording (EM²Mem e_i: 30 s); `caption` is the plain keyless one."""

    kind: Literal["anchor"] = "anchor"
    span: Span
    width_us: int = Field(gt=0)
    caption: str = ""
    speakers: tuple[str, ...] = ()


Unit = Annotated[Passage | Anchor, Field(discriminator="kind")]
unit_adapter: TypeAdapter[Unit] = TypeAdapter(Unit)
