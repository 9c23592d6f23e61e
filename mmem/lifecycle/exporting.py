"""A memory's recordings as files of WorldMM and EM²Mem."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import json
import os
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from mmem.errors import ConfigError
from mmem.lifecycle.arguments import Moment, as_of_us
from mmem.lifecycle.day_count import first_day
from mmem.lifecycle.export_records import (
    Days,
    Json,
    Told,
    captions,
    event_records,
    view_captions,
)
from mmem.lifecycle.knowing import Known
from mmem.lifecycle.sight import Limits, Sight
from mmem.lifecycle.understood import Understood
from mmem.schemas import Anchor, Scale, Source
from mmem.stores.library import Library

ExportFormat = Literal["worldmm", "em2mem"]
_VIEWS: tuple[Scale, ...] = ("3min", "10min", "1h")


@dataclasses.dataclass(frozen=True, slots=True)
class Exported:
    """What was written: each file with its number of entries, and what day 1 is.

    `left_out` says, in a line each, what may be seen and is not in the files.
    """

    files: tuple[tuple[Path, int], ...]
    first_day: dt.date | None
    left_out: tuple[str, ...]


class Exporting(Understood):
    """The part of `Memory` that writes its recordings for other systems."""

    folder: Path

    def export(
        self,
        folder: str | Path,
        *,
        format: ExportFormat = "worldmm",
        source: str | None = None,
        as_of: Moment = None,
        force: bool = False,
    ) -> Exported:
        """Write the recordings that this reader may see, or one `source`, into a folder.

        "worldmm" gives captions at four scales: NAME_30sec.json, of the lines of each anchor, and
        NAME_3min.json, NAME_10min.json and NAME_1h.json, of the views; "em2mem" gives
        NAME_events.json, one event record an anchor. NAME is the folder's. Times are written to a
        twentieth of a second. Files that are there are left alone without `force`; all are written
        or none. Raises ConfigError where there is nothing to write or a file in the way, UnknownId.
        """
        target = self._target(Path(folder))
        chosen = () if source is None else (self._source_called(source).id,)
        limits = Limits(labels=self.labels, as_of_us=as_of_us(as_of, self.zone), sources=chosen)
        known = Known(self._opened.library, self._opened.sight(limits))
        seen = _Seen.of(self._opened.library, known)
        lists = _LISTS[format](seen)
        files = {target / f"{target.name}_{name}.json": found for name, found in lists.items()}
        _write_all(files, force=force)
        counts = tuple((path, len(found)) for path, found in files.items())
        return Exported(counts, seen.days.first if seen.is_dated else None, seen.left_out)

    def _target(self, given: Path) -> Path:
        target = given.expanduser().resolve()
        if target == self.folder or self.folder in target.parents:
            raise ConfigError(
                f"{given} is inside the memory", hint="export into a folder of its own"
            )
        if target.exists() and not target.is_dir():
            raise ConfigError(f"{given} is a file", hint="name a folder to export into")
        return target


@dataclasses.dataclass(frozen=True)
class _Seen:
    """The anchors that are written, in order of time, and how their days are counted."""

    library: Library
    known: Known
    told: Sequence[Told]
    days: Days
    is_dated: bool
    left_out: tuple[str, ...]

    @classmethod
    def of(cls, library: Library, known: Known) -> _Seen:
        """Gather what may be seen. Raises ConfigError where it is no recording."""
        sight = known.sight
        units = {**library.units_of(list(sight.place)), **sight.cut_units}
        anchors = [a for i in sight.place if isinstance(a := units[i], Anchor)]
        sources = {a.source_id: sight.snapshot.sources[a.source_id] for a in anchors}
        placed, is_dated, left_out = _placed(sources)
        talk = {u.source_id for i in sight.place if not isinstance(u := units[i], Anchor)}
        if not placed:
            _refuse(sources, talk)
        if talk:
            left_out = (*left_out, f"{_counted(len(talk))} without anchors (conversations)")
        named = {source.id for source in placed}
        kept = [anchor for anchor in anchors if anchor.source_id in named]
        days = _days(placed, kept)
        return cls(library, known, _told(library, known, kept), days, is_dated, left_out)

    def captions(self) -> dict[str, list[Json]]:
        """Return WorldMM's captions by scale."""
        held = {one.anchor.id for one in self.told}
        viewed = self.known.viewed()
        found: dict[str, list[Json]] = {"30sec": captions(self.told, self.days)}
        for scale in _VIEWS:
            views = [v for v in viewed.views(scale) if held.intersection(v.unit_ids)]
            found[scale] = view_captions(views, self.days)
        return found

    def records(self) -> dict[str, list[Json]]:
        """Return EM²Mem's event records."""
        files = {k.file for one in self.told for k in one.keyframes}
        paths = {file: str(self.library.media.path(file)) for file in files}
        return {"events": event_records(self.told, self.days, paths)}


_LISTS: Mapping[str, Callable[[_Seen], dict[str, list[Json]]]] = {
    "worldmm": _Seen.captions,
    "em2mem": _Seen.records,
}


def _placed(sources: Mapping[str, Source]) -> tuple[list[Source], bool, tuple[str, ...]]:
    """Return the recordings that share a timeline, whether it is the wall's, what is left out.

    One recording without a wall time is a timeline by itself; several are not.
    """
    dated = [source for source in sources.values() if source.clock.at_us is not None]
    if dated or len(sources) != 1:
        undated = len(sources) - len(dated)
        said = f"{_counted(undated)} without a wall time: export each by itself, with --source"
        return dated, True, (said,) if undated and dated else ()
    return list(sources.values()), False, ()


def _refuse(sources: Mapping[str, Source], talk: set[str]) -> None:
    if sources:
        raise ConfigError(
            f"{len(sources)} recordings without a wall time have no common days",
            hint="export each by itself: --source NAME (`mmem sources` lists them)",
        )
    there = "conversations and transcripts alone" if talk else "nothing"
    raise ConfigError(
        f"no recording to export: what may be seen is {there}",
        hint="`mmem sources` lists what is there; --labels and --as-of narrow it",
    )


def _counted(sources: int) -> str:
    return "1 source" if sources == 1 else f"{sources} sources"


def _days(placed: Sequence[Source], anchors: Sequence[Anchor]) -> Days:
    """Return how days are counted: as the files of the recordings do, else from the first one."""
    started = {source.id: source.clock.at_us or 0 for source in placed}
    begin = min(anchors, key=lambda a: (started[a.source_id] + a.span.start_us, a.id))
    began = next(source for source in placed if source.id == begin.source_id)
    first, zone = first_day(placed, started[began.id] + begin.span.start_us, began)
    return Days(first, zone, started)


def _told(library: Library, known: Known, anchors: Sequence[Anchor]) -> list[Told]:
    """Return the anchors with what of them may be seen, in order of time."""
    sight: Sight = known.sight
    ids = [atom_id for anchor in anchors for atom_id in anchor.atom_ids]
    atoms = {
        i: atom
        for i, atom in library.atoms_of(list(dict.fromkeys(ids))).items()
        if sight.allows(atom)
    }
    frames = known.viewed().frames_of([anchor.id for anchor in anchors])
    by_unit = {frame.unit_ids[0]: frame for frame in frames}
    found = [
        Told.of(a, sight.snapshot.sources[a.source_id], atoms, by_unit.get(a.id)) for a in anchors
    ]
    return sorted(
        found, key=lambda one: ((one.source.clock.at_us or 0) + one.span.start_us, one.anchor.id)
    )


def _write_all(files: Mapping[Path, Sequence[Json]], *, force: bool) -> None:
    """Write all files or none; each appears whole. Raises ConfigError for one that is there."""
    there = [path for path in files if path.exists()]
    if there and not force:
        named = ", ".join(path.name for path in there)
        raise ConfigError(
            f"{there[0].parent}: {named} would be overwritten",
            hint="--force overwrites; or name another folder",
        )
    for folder in {path.parent for path in files}:
        folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as parts:
        written = [(parts.enter_context(_part(path, found)), path) for path, found in files.items()]
        for part, path in written:
            part.replace(path)


@contextlib.contextmanager
def _part(path: Path, entries: Sequence[Json]) -> Iterator[Path]:
    """Write a list beside its file, under a name that is gone afterwards."""
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with part.open("w", encoding="utf-8") as file:
            json.dump(entries, file, ensure_ascii=False, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        yield part
    finally:
        part.unlink(missing_ok=True)
