"""What recall may ask of longer stretches of time."""

from __future__ import annotations

from collections.abc import Set
from typing import Protocol

from mmem.ports.arrays import FloatArray, IntArray, LongArray


class Scales(Protocol):
    """The context views of what a reader may see, as rows of v views, and what units share.

    What is shared with a set of terms is told by four shares, each from 0 to 1: how many of the
    terms are among the words of the text, the graph (acts and things), the metadata (voices and
    topics) and the facts.
    """

    @property
    def level(self) -> IntArray:
        """int32[v]: 0 for views of minutes and exchanges, 1 for longer ones, 2 for the longest."""
        ...

    @property
    def vectors(self) -> FloatArray:
        """f32[v, d]: what each view tells, of length 1."""
        ...

    def members(self, view: int) -> LongArray:
        """int64[u]: the rows of the index that a view holds."""
        ...

    def shared(self, view: int, terms: Set[str]) -> FloatArray:
        """f32[4]: what a view shares with some terms."""
        ...

    def shared_by(self, rows: LongArray, terms: Set[str]) -> FloatArray:
        """f32[r, 4]: what some rows of the index share with the terms."""
        ...
