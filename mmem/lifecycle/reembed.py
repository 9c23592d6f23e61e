"""Making all text vectors anew with another encoder: beside the old ones, swapped when whole.

Until the swap, which is one write, the memory stays as it was and can be read; a run that was
broken off is gone on with. After the swap what follows from the vectors is settled anew: which
frames are compared, and the vectors of pictures whose names are in the space of texts.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mmem.errors import MmemError, StoreDamaged
from mmem.lifecycle.complete import Completer
from mmem.lifecycle.progress import Listener, Progress
from mmem.lifecycle.recording import outcome
from mmem.lifecycle.seeing import encode_pictures
from mmem.lifecycle.settle import made_of, settle_vectors, wanted_of
from mmem.lifecycle.spending import cost_between, spent_of
from mmem.models.image_choice import LABELS
from mmem.ports import TextEncoder, VectorSpace
from mmem.schemas import Cost, Outcome, Source
from mmem.schemas.clock import MICROSECONDS
from mmem.stores.layout import connect, create, described, is_same_space, stored_space
from mmem.stores.library import Library
from mmem.stores.spaces import (
    begin_space,
    drop_other_space,
    empty_names,
    other_space,
    swap_spaces,
)
from mmem.stores.tables import Row, Table

TITLE = "all texts"
_ROWS_A_WRITE = 2_000
_GOES_ON = "the memory is as it was; the same `mmem reembed` goes on from there"
_ENDS = "the new vectors are read already; the same `mmem reembed` settles the rest"


@dataclasses.dataclass(frozen=True, slots=True)
class Reembedded:
    """What became of it: the space that was left and the one that is read now.

    They are the same where there was nothing to do. `units` and `vectors` are what the memory has.
    """

    before: VectorSpace
    after: VectorSpace
    units: int
    vectors: int
    cost: Cost

    @property
    def changed(self) -> bool:
        """Tell whether vectors were made anew."""
        return self.before != self.after


@dataclasses.dataclass(frozen=True)
class Reembedding:
    """One run, under the lease. `completer` makes what settles the memory after the swap."""

    folder: Path
    encoder: TextEncoder
    completer: Callable[[], Completer]
    listener: Listener
    check_lease: Callable[[], None]

    def run(self) -> Reembedded:
        """Bring the memory into the encoder's space. Raises what the encoder does, StoreLocked.

        After an error the memory is as it was, and the error says so.
        """
        stored = stored_space(self.folder, described(self.folder), oldest=1)
        create(self.folder, stored)
        before, spent = Library.open(self.folder).space, spent_of(self.encoder)
        other = other_space(self.folder)
        if other is not None and other.left and is_same_space(before, self._told_space()):
            before = other.space
        elif not is_same_space(before, self._told_space()):
            with _telling(_GOES_ON):
                self._swap(before)
        with _telling(_ENDS):
            self._finish()
        now = Library.open(self.folder)
        return Reembedded(
            before=before,
            after=now.space,
            units=now.table("units").count(),
            vectors=now.vectors.count(),
            cost=cost_between(spent, spent_of(self.encoder)),
        )

    def is_read(self) -> bool:
        """Tell whether the memory is read in the encoder's space.

        An encoder that can't tell its space has made no vectors: the error that said so stands.
        """
        other = other_space(self.folder)
        if other is not None:
            return other.left
        stored = stored_space(self.folder, described(self.folder), oldest=1)
        try:
            return is_same_space(stored, self.encoder.identity)
        except MmemError:
            return False

    def _told_space(self) -> VectorSpace:
        with _telling(_GOES_ON):
            return self.encoder.identity

    def _swap(self, before: VectorSpace) -> None:
        library, other = Library.open(self.folder), other_space(self.folder)
        space = self.encoder.identity
        if other is not None and (other.left or not is_same_space(other.space, space)):
            drop_other_space(self.folder)
            other = None
        space = other.space if other else space
        begin_space(self.folder, space)
        made = Library(self.folder, connect(self.folder), space)
        outcomes = self._fill(made)
        for table in (made.vectors, made.codes):
            table.compact()
        with _marked(library):
            swap_spaces(self.folder, space, before)
        made.put_outcomes(outcomes)

    def _fill(self, made: Library) -> list[Outcome]:
        """Encode what the new space lacks; return how it ended for each source.

        Raises StoreDamaged when the rows are not exactly those that there should be.
        """
        total, done = made.table("units").count(), 0
        outcomes, rows, codes = [], 0, 0
        live = made.sources()
        self._drop_dead(made, {source.id for source in live})
        for source in live:
            self.check_lease()
            wanted = wanted_of(made, source, self.encoder)
            size, begun = len(wanted.units), done

            def counted(now: int, missing: int, begun: int = begun, size: int = size) -> None:
                at = min(begun + size - missing + now, total)
                self.listener(Progress(TITLE, "vectors", at, total))

            outcomes.append(settle_vectors(made, wanted, self.encoder, counted=counted))
            rows += len(made_of(wanted, coded_only=False))
            codes += len(made_of(wanted, coded_only=True))
            done += size
        if (made.vectors.count(), made.codes.count()) != (rows, codes):
            raise StoreDamaged(
                f"{self.folder} has {made.vectors.count()} new vectors where {rows} should be"
            )
        return outcomes

    def _drop_dead(self, made: Library, live: set[str]) -> None:
        """Delete rows of sources that went since an earlier run was broken off."""
        for table in (made.vectors, made.codes):
            found = table.read(["source_id"])["source_id"].unique().to_pylist()
            table.delete_ids(set(found) - live, column="source_id")

    def _finish(self) -> None:
        """Settle what follows from the vectors, then let go of the other space."""
        other = other_space(self.folder)
        if other is not None and other.left:
            empty_names(self.folder)
            completer = self.completer()
            self._look_again(completer)
            completer.compare(TITLE)
        drop_other_space(self.folder)

    def _look_again(self, completer: Completer) -> None:
        """Make the vectors of pictures anew whose names lie in the space of texts."""
        library = completer.library
        images = library.images
        if images.space is None or images.space.provider != LABELS:
            return
        for table in images.tables().values():
            table.delete_ids(table.read(["id"])["id"].to_pylist())
            table.rewrite()
        before = {o.source_id: o for o in library.outcomes() if o.stage == "images"}
        for source in library.sources():
            if source.id in before:
                self.check_lease()
                library.put_outcomes([_looked_at(completer, source, before[source.id])])


def _looked_at(completer: Completer, source: Source, before: Outcome) -> Outcome:
    """Encode a source's pictures; return how that ended, as before where it ended well."""

    def told(done_us: int) -> None:
        total = (source.duration_us or done_us) / MICROSECONDS
        done = min(done_us / MICROSECONDS, total)
        completer.listener(Progress(source.title, "images", done, total, unit="s"))

    try:
        ended = encode_pictures(completer.library, source, completer.eyes, told)
    except MmemError as error:
        return outcome(source, "images", "failed", str(error))
    return before if (ended.status, ended.count) == ("ok", before.count) else ended


@contextlib.contextmanager
def _telling(how_it_stands: str) -> Iterator[None]:
    """Add to an error how the memory stands then."""
    try:
        yield
    except MmemError as error:
        error.hint = "; ".join(filter(None, (error.hint, how_it_stands)))
        raise


@contextlib.contextmanager
def _marked(library: Library) -> Iterator[None]:
    """Mark what is compared as to be compared anew, and take that back if the swap fails.

    The mark is written before the swap, so that no comparison by old vectors outlives them.
    """
    table = library.table("comparisons")
    rows = table.read(where="vector_of != ''").to_pylist()
    try:
        _write(table, [{**row, "vector_of": ""} for row in rows])
        yield
    except BaseException:
        _write(table, rows)
        raise


def _write(table: Table, rows: Sequence[Row]) -> None:
    for start in range(0, len(rows), _ROWS_A_WRITE):
        table.upsert(rows[start : start + _ROWS_A_WRITE])
