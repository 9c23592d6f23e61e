"""Drafts: what a long stage has made so far, so that one that was broken off goes on from there.

A draft is a file of JSON lines beside the tables. Its first line says what the rest depends on;
each further line is a part that is finished. It is gone as soon as the stage has ended.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

from mmem.schemas.identity import file_digest


@dataclasses.dataclass(frozen=True, slots=True)
class Draft:
    """One stage's draft; `made_by` names the model and the version whose parts these are."""

    path: Path
    made_by: str

    def parts(self) -> list[str]:
        """Return the finished parts in order; none where another model made them.

        A last line that a killed writer left incomplete is no part.
        """
        if not self.path.is_file():
            return []
        first, *parts = self.path.read_bytes().split(b"\n")
        return [part.decode() for part in parts[:-1]] if first.decode() == self.made_by else []

    def begin(self) -> list[str]:
        """Return the finished parts, with the file made ready for further ones."""
        parts = self.parts()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}")
        part.write_text("".join(f"{line}\n" for line in (self.made_by, *parts)))
        part.replace(self.path)
        return parts

    def append(self, part: str) -> None:
        """Add a finished part, a text of one line, on disk when this returns."""
        with self.path.open("ab") as file:
            file.write(f"{part}\n".encode())
            file.flush()
            os.fsync(file.fileno())


class Drafts:
    """The drafts of one memory, named by source and stage. Writing needs the lease."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def draft(self, source_id: str, stage: str, *, made_by: str) -> Draft:
        """Return the draft of a stage, which need not be there."""
        return Draft(self._folder / f"{source_id}.{stage}.jsonl", made_by)

    def source_ids(self) -> set[str]:
        """Return the ids of sources that have a draft."""
        return {path.name.lstrip(".").split(".")[0] for path in self._files()}

    def delete(self, source_id: str) -> None:
        """Delete the drafts of a source."""
        for path in self._files():
            if path.name.lstrip(".").startswith(f"{source_id}."):
                path.unlink(missing_ok=True)

    def digests(self) -> list[str]:
        """Return "name:SHA-256" of every draft, sorted."""
        return sorted(f"{path.name}:{file_digest(path)}" for path in self._files())

    def _files(self) -> list[Path]:
        return list(self._folder.iterdir()) if self._folder.is_dir() else []
