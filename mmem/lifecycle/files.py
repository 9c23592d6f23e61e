"""From what the user named to the files that will be read, in a good order."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mmem.errors import MmemError, UnsupportedFormat
from mmem.ingestors.narration import NARRATION
from mmem.ingestors.reading import Reader, RecordingReader
from mmem.ingestors.registry import reader_for, reader_named
from mmem.lifecycle.relate import stem_key

_TRANSCRIPTS = (".vtt", ".srt")
_TABLES = (".csv", ".tsv")


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """A file and its reader, or the error that says why there is none.

    `named` tells whether the user named the file itself (else it lies in a folder that was named,
    or `beside` a recording as its transcript).
    """

    path: Path
    named: bool
    beside: bool = False
    reader: Reader | None = None
    error: MmemError | None = None


def found_files(paths: Sequence[str | Path], *, format_name: str | None = None) -> list[Found]:
    """Return the files behind some paths: folders walked, and what lies beside recordings.

    That is transcripts and narrations of their names; they come before recordings, as chats do,
    so that no speech is recognised in vain.
    """
    forced = reader_named(format_name) if format_name else None
    found: dict[Path, Found] = {}
    for path, named in _walked(paths):
        found.setdefault(path, _with_reader(path, named, forced))
    for recording in [f for f in found.values() if isinstance(f.reader, RecordingReader)]:
        for beside in _lines_beside(recording.path):
            taken = dataclasses.replace(_with_reader(beside, False, None), beside=True)
            if beside.suffix.lower() not in _TABLES or _is_narration(taken):
                found.setdefault(beside, taken)
    ordered = sorted(found.values(), key=lambda f: isinstance(f.reader, RecordingReader))
    return ordered


def _walked(paths: Iterable[str | Path]) -> Iterator[tuple[Path, bool]]:
    for given in paths:
        path = Path(given).expanduser()
        if not path.is_dir():
            yield path.resolve(), True
            continue
        for inside in sorted(path.resolve().rglob("*")):
            hidden = any(part.startswith(".") for part in inside.relative_to(path.resolve()).parts)
            if inside.is_file() and not hidden and not _is_memory(inside):
                yield inside, False


def _is_memory(path: Path) -> bool:
    """Tell whether a file is part of a memory's own folder."""
    return any((parent / "tables" / "meta.lance").is_dir() for parent in path.parents)


def _with_reader(path: Path, named: bool, forced: Reader | None) -> Found:
    try:
        if not path.exists():
            raise UnsupportedFormat(f"{path}: there is no such file", hint="check the path")
        return Found(path, named, reader=forced or reader_for(path))
    except MmemError as error:
        return Found(path, named, error=error)
    except OSError as error:
        reason = f"{path}: cannot be opened: {error.strerror or error}"
        return Found(path, named, error=UnsupportedFormat(reason))


def _is_narration(found: Found) -> bool:
    return found.reader is not None and found.reader.name == NARRATION


def _lines_beside(recording: Path) -> list[Path]:
    key = stem_key(str(recording))
    return [
        path
        for path in sorted(recording.parent.iterdir())
        if path.suffix.lower() in (*_TRANSCRIPTS, *_TABLES) and stem_key(str(path)) == key
    ]
