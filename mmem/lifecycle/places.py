"""From a citation back to the file: where it is and from which second."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from mmem.errors import ConfigError, UnknownId
from mmem.ingestors.cutting import cut_out
from mmem.schemas import Anchor, Atom, Keyframe, Passage, Source, Turn
from mmem.schemas.clock import MICROSECONDS, microseconds
from mmem.schemas.identity import file_digest

Record = Source | Passage | Anchor | Atom


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """A file and a stretch of its media clock; both seconds are None where there is no clock."""

    path: Path
    start_s: float | None
    end_s: float | None


def place_of(record: Record, visible: Iterable[Source]) -> Place:
    """Return where a record can be met: a transcript's line in its recording, if that is visible.

    Raises UnknownId when none of the source's files is where it was seen, as it was.
    """
    sources = {source.id: source for source in visible}
    source = record if isinstance(record, Source) else sources[record.source_id]
    shown = sources.get(source.about or "", source)
    places = [(Path(p), r.digest) for r in reversed(shown.revisions) for p in r.locations]
    for path, digest in places:
        if path.is_file() and file_digest(path) == digest:
            return Place(path, *_stretch(record))
    named = ", ".join(str(path) for path, _ in places)
    raise UnknownId(
        f"{shown.title}: its file, as it was, is no longer at {named}",
        hint="`mmem add` it from where it is now",
    )


def clip(place: Place, target: Path | None, *, before_s: float, after_s: float) -> Path:
    """Cut a stretch, and a little around it, into a file of its own; return it."""
    if place.start_s is None or place.end_s is None:
        raise ConfigError(
            f"{place.path.name} has no media clock to cut on", hint="`mmem open` shows the file"
        )
    start_us = max(microseconds(place.start_s - before_s), 0)
    end_us = microseconds(place.end_s + after_s)
    stamp = f"{start_us // MICROSECONDS}-{-(-end_us // MICROSECONDS)}"
    out = target or Path(f"{place.path.stem}-{stamp}{place.path.suffix}")
    cut_out(place.path, out, start_us=start_us, end_us=end_us)
    return out


def _stretch(record: Record) -> tuple[float | None, float | None]:
    if isinstance(record, Source | Turn):
        return None, None
    if isinstance(record, Keyframe):
        return record.time_us / MICROSECONDS, record.shown.end_s
    span = record.span
    return (span.start_s, span.end_s) if span else (None, None)
