"""Adding files: raw first, then what follows from it, every stage with its outcome."""

from __future__ import annotations

import dataclasses
import functools
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from mmem.errors import DamagedFile, MmemError
from mmem.ingestors.reading import ReadContext, Reader, Reading
from mmem.lifecycle.comparing import STAGE
from mmem.lifecycle.complete import Completer
from mmem.lifecycle.files import Found, found_files
from mmem.lifecycle.merge import Merged, Merging
from mmem.lifecycle.options import AddOptions
from mmem.lifecycle.progress import FileReport, FileStatus, Listener, Progress
from mmem.lifecycle.relate import related
from mmem.lifecycle.runs import Act, run
from mmem.lifecycle.sweep import sweep
from mmem.schemas import Outcome, Source
from mmem.schemas.clock import microseconds
from mmem.schemas.identity import file_digest
from mmem.stores.library import Library
from mmem.stores.tables import any_of

_log = logging.getLogger("mmem")
_ATOMS_A_WRITE = 2_000


@dataclasses.dataclass(frozen=True)
class Adder:
    """One run of adding, under the lease."""

    library: Library
    completer: Completer
    options: AddOptions
    listener: Listener
    check_lease: Callable[[], None]

    def add(self, paths: Sequence[str | Path]) -> Iterator[FileReport]:
        """Yield one report a file, as each is done; a failing file never ends the batch.

        Frames are compared when all files are read, before the report of the last one.
        """
        sweep(self.library, self.completer)
        return run(self, self.acts(paths))

    def acts(self, paths: Sequence[str | Path]) -> Iterator[Act]:
        """Yield what adds each file."""
        for found in found_files(paths, format_name=self.options.format_name):
            yield functools.partial(self._recorded, found)

    def complete(self, source: Source) -> FileReport:
        """Finish the open stages of a source that is read already."""
        self._finish([source])
        places = [place for revision in source.revisions for place in revision.locations]
        return self._report_of(Path(places[-1]), [source], "completed", 0)

    def _recorded(self, found: Found) -> FileReport:
        """Add one file; whatever goes wrong in it becomes its report and its outcome."""
        try:
            if found.reader is None:
                raise found.error or DamagedFile(f"{found.path}: cannot be read")
            report = self._added(found.path, found.reader, beside=found.beside)
            self._clear_failure(found.path)
            return report
        except MmemError as error:
            skipped = not found.named and found.reader is None
            return self._failure(found.path, error.message, error.hint, skipped=skipped)
        except Exception as error:
            _log.debug("while adding %s", found.path, exc_info=True)
            reason = f"{found.path.name}: {type(error).__name__}: {error}"
            return self._failure(found.path, reason, "report this with the file, if you may")

    def _failure(self, path: Path, reason: str, hint: str, *, skipped: bool = False) -> FileReport:
        if not path.exists():
            self._clear_failure(path)
            self._clear_announced(path)
            return FileReport(str(path), "failed", reason=reason, hint=hint)
        outcome = Outcome(
            source_id=f"file:{path}",
            stage="read",
            status="skipped" if skipped else "failed",
            reason=reason,
            location=str(path),
            options=self.options.text(),
        )
        self.library.put_outcomes([outcome])
        status: FileStatus = "skipped" if skipped else "failed"
        return FileReport(str(path), status, reason=reason, hint=hint, outcomes=(outcome,))

    def _clear_failure(self, path: Path) -> None:
        ledger = self.library.table("ledger")
        if ledger.count(any_of("source_id", [f"file:{path}"])):
            ledger.delete_ids([f"file:{path}"], column="source_id")

    def _clear_announced(self, path: Path) -> None:
        """Let go of what was announced of a file that is gone before it was read."""
        live = {source.id for source in self.library.sources()}
        gone = {o.source_id for o in self.library.outcomes() if o.location == str(path)} - live
        self.library.table("ledger").delete_ids(gone, column="source_id")

    def _added(self, path: Path, reader: Reader, *, beside: bool) -> FileReport:
        self.check_lease()
        digest = file_digest(path)
        known = [s for s in self.library.sources() if digest in {r.digest for r in s.revisions}]
        if known and not any(self._unread(source) for source in known):
            labels = () if beside else self.options.labels
            return self._seen_again(path, digest, known, labels)
        merging = Merging(self.library, by_overlap=self.options.title is None)
        merged = [merging.merged(r) for r in self._read(path, reader, digest)]
        before = self._counts(m.source.id for m in merged)
        self._announce(merged, path)
        sources = [self._write_raw(m) for m in merged]
        self._finish([*sources, *self._relate(sources)])
        report = self._report(path, sources, before)
        return dataclasses.replace(report, note="; ".join(m.note for m in merged if m.note))

    def _unread(self, source: Source) -> bool:
        return self.completer.status_of(source, "read") != "ok"

    def _counts(self, source_ids: Iterable[str]) -> dict[str, int]:
        table = self.library.table("atoms")
        return {i: table.count(f"source_id = '{i}'") for i in source_ids}

    def _report(self, path: Path, sources: Sequence[Source], before: dict[str, int]) -> FileReport:
        after = self._counts(before)
        new_atoms = sum(after[i] - before[i] for i in after)
        extended = any(len(source.revisions) > 1 for source in sources)
        status: FileStatus = "extended" if extended else "added"
        return self._report_of(path, sources, status, new_atoms)

    def _report_of(
        self, path: Path, sources: Sequence[Source], status: FileStatus, new_atoms: int
    ) -> FileReport:
        ids, touched = {source.id for source in sources}, self.completer.touched
        outcomes = tuple(
            o
            for o in self.library.outcomes()
            if o.source_id in ids and not (o.stage == STAGE and o.source_id in touched)
        )
        live = tuple(source for source in self.library.sources() if source.id in ids)
        return FileReport(str(path), status, live, new_atoms, outcomes)

    def _announce(self, merged: Sequence[Merged], path: Path) -> None:
        """Write, before anything else, that these sources are being read: one atomic write.

        A run that dies after this is seen by the next one, whichever rows it had written.
        """
        self.library.put_outcomes(
            Outcome(
                source_id=each.source.id,
                stage="read",
                status="pending",
                reason="reading was interrupted",
                location=str(path),
                options=self.options.text(),
            )
            for each in merged
        )

    def _seen_again(
        self, path: Path, digest: str, known: Sequence[Source], labels: Sequence[str]
    ) -> FileReport:
        """Note where known bytes were seen, and finish whatever an earlier run left open."""
        fresh = [_with_location(source, digest, str(path), labels) for source in known]
        open_before = any(self._is_open(source) for source in known)
        pairs = list(zip(fresh, known, strict=True))
        relabelled = [n for n, o in pairs if n.labels != o.labels]
        self.completer.reopen(relabelled)
        self.library.put_sources(n for n, o in pairs if n != o)
        touched = self._relate(fresh)
        if open_before or touched:
            self._finish([*fresh, *touched])
        status: FileStatus = "relabelled" if relabelled else "unchanged"
        status = "completed" if open_before else status
        report = self._report_of(path, fresh, status, 0)
        return dataclasses.replace(report, note=self.options.unapplied())

    def _is_open(self, source: Source) -> bool:
        """Tell whether a stage of a source has not ended well; failed stages are tried again."""
        compared_later = source.id in self.completer.touched
        outcomes = (
            o
            for o in self.library.outcomes()
            if o.source_id == source.id and not (compared_later and o.stage == STAGE)
        )
        return any(map(self.completer.is_open, outcomes)) or self.completer.lacks(source)

    def _read(self, path: Path, reader: Reader, digest: str) -> list[Reading]:
        options = self.options
        context = ReadContext(
            digest=digest,
            title=options.title,
            zone=options.zone,
            recorded_us=options.recorded_us,
            day_first=options.day_first,
        )
        self.listener(Progress(path.name, "read", 0, 1))
        readings = list(reader.read(path, context))
        self.listener(Progress(path.name, "read", 1, 1))
        if not readings:
            raise DamagedFile(f"{path.name}: nothing in it could be read as {reader.name}")
        return [dataclasses.replace(r, source=self._located(r.source, path)) for r in readings]

    def _located(self, source: Source, path: Path) -> Source:
        now = time.time_ns() // 1_000
        revisions = tuple(
            revision.model_copy(update={"locations": (str(path),), "imported_us": now})
            for revision in source.revisions
        )
        labels = tuple(sorted(set(self.options.labels)))
        found: dict[str, object] = {"revisions": revisions, "labels": labels}
        if self.options.anchor_s is not None:
            found["anchor_us"] = microseconds(self.options.anchor_s)
        return source.model_copy(update=found)

    def _write_raw(self, merged: Merged) -> Source:
        """Write the atoms, then the source with its new revision, then that it is read.

        A run that dies on the way leaves a revision that the source does not list, so that the
        file is read again by the next one.
        """
        source, atoms = merged.source, merged.atoms
        for start in range(0, len(atoms), _ATOMS_A_WRITE):
            self.library.put_atoms(atoms[start : start + _ATOMS_A_WRITE])
            done = min(start + _ATOMS_A_WRITE, len(atoms))
            self.listener(Progress(source.title, "write", done, len(atoms)))
        self.library.table("atoms").delete_ids(merged.stale)
        self.library.put_sources([source])
        for absorbed in merged.absorbed:
            self.library.delete_source(absorbed.id)
        outcome = Outcome(source_id=source.id, stage="read", status="ok", count=len(atoms))
        self.library.put_outcomes([outcome, *self.completer.due(source)])
        return source

    def _relate(self, sources: Sequence[Source]) -> list[Source]:
        """Write which transcript is about which recording; return other sources that it touches."""
        changed = related(self.library.sources())
        self.library.put_sources(changed)
        live = {source.id: source for source in self.library.sources()}
        touched = {source.id for source in changed}
        touched |= {s.about for s in live.values() if s.id in touched and s.about}
        touched |= {s.about for s in live.values() if s.about and s.id in {x.id for x in sources}}
        return [live[i] for i in sorted(touched - {source.id for source in sources}) if i in live]

    def _finish(self, sources: Iterable[Source]) -> None:
        """Bring every stage of these sources up to date."""
        live = {source.id: source for source in self.library.sources()}
        due = [live[source_id] for source_id in dict.fromkeys(source.id for source in sources)]
        self.library.put_outcomes(o for source in due for o in self.completer.due(source))
        for source in due:
            self.check_lease()
            self.completer.complete(source)


def _with_location(source: Source, digest: str, location: str, labels: Sequence[str]) -> Source:
    revisions = tuple(
        revision.model_copy(update={"locations": tuple(sorted({*revision.locations, location}))})
        if revision.digest == digest
        else revision
        for revision in source.revisions
    )
    united = tuple(sorted({*source.labels, *labels}))
    return source.model_copy(update={"revisions": revisions, "labels": united})
