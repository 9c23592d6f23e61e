"""The pictures that rows show, in memory: their vectors, and until when each was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mmem.ports import UNKNOWN_TIME, BoolArray, FloatArray, IntArray, LongArray

ALWAYS = np.iinfo(np.int64).min
"""The end of a picture that was there as soon as its row was: one that a message carries."""


@dataclass(frozen=True)
class Shown:
    """Vectors f32[m, d] of length 1, the row int32[m], ascending, of each, and its end int64[m].

    Ends are wall time (UTC microseconds): a picture may go on after its row has ended, and is not
    known before it has ended itself.
    """

    values: FloatArray
    rows: IntArray
    ends_us: LongArray

    @classmethod
    def nothing(cls) -> Shown:
        """Return no pictures."""
        return cls(np.zeros((0, 1), np.float32), np.zeros(0, np.int32), np.zeros(0, np.int64))

    @classmethod
    def of(
        cls, images: pa.Table, pictured: Sequence[Sequence[str] | None], started: LongArray
    ) -> Shown:
        """Return the pictures of rows: `pictured` are their atoms, `started` when media began.

        A picture that several rows show comes for each of them.
        """
        places_of: dict[str, list[int]] = {}
        for place, atom_id in enumerate(images["atom_id"].to_pylist()):
            places_of.setdefault(atom_id, []).append(place)
        pairs = [
            (row, place)
            for row, atom_ids in enumerate(pictured)
            for atom_id in atom_ids or ()
            for place in places_of.get(atom_id, ())
        ]
        rows, places = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
        vectors = images["vector"].take(places)
        flat = pc.list_flatten(vectors).to_numpy().reshape(-1, vectors.type.list_size)
        media = images["end_us"].fill_null(ALWAYS).to_numpy().astype(np.int64)[places]
        begun = started[rows]
        wall = np.where(begun == UNKNOWN_TIME, UNKNOWN_TIME, begun + np.where(media < 0, 0, media))
        ends = np.where(media == ALWAYS, ALWAYS, wall)
        values = np.ascontiguousarray(flat.astype(np.float32))
        return cls(values, rows.astype(np.int32), ends)

    def ended_by(self, moment_us: int) -> Shown:
        """Return those that had ended by a moment."""
        kept = self.ends_us <= moment_us
        return Shown(self.values[kept], self.rows[kept], self.ends_us[kept])

    def best(self, query: FloatArray, visible: BoolArray) -> FloatArray:
        """Return f32[n], the best cosine of each visible row's pictures; -inf where it has none.

        One dot product a vector, so that its bits do not depend on the others.
        """
        found = np.full(len(visible), -np.inf, np.float32)
        kept = visible[self.rows]
        if kept.any():
            values, rows = (
                (self.values, self.rows) if kept.all() else (self.values[kept], self.rows[kept])
            )
            starts = np.flatnonzero(np.diff(rows, prepend=-1))
            scores = np.vecdot(values, query)
            found[rows[starts]] = np.maximum.reduceat(scores, starts)
        return found
