"""What lasts: facts that many units bear out, each version with its dates (EM²Mem G_S)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mmem.schemas.events import Fact, FactKind

Basis = Literal["said", "done"]
"""Whether it was said to be so, or somebody did the same on several days."""


class SemanticFact(Fact):
    """A version of something that holds over time; computed when it is read.

    It is written in its commonest words, the newest of these.
    `support` counts the units that bear it out; of a habit (`basis` "done", relation "usually …")
    the different days. `days` are these days in either case; sessions stand for them where no time
    is known. `valid` is when the memory held it so: from the end of the group of ten units in which
    it was first told, to that of the one in which another version took its place; the words of it
    are always "". A fact that is said again after that is a new version. `confidence` is
    min(0.95, 0.45 + 0.04 · min(support, 8)) (EM²Mem, semantic facts).
    """

    kind: FactKind = "semantic"
    basis: Basis = "said"
    days: int = Field(ge=1)
