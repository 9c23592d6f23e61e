"""The memory's own picture files, named by what they show."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable
from pathlib import Path

from mmem.errors import ConfigError
from mmem.schemas.identity import file_digest


class MediaFolder:
    """Files beside the tables; a name is written once and never changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """Return where a file lies. Raises ConfigError for a name that would leave the folder."""
        if not name or Path(name).name != name:
            raise ConfigError(f"not a media file name: {name!r}")
        return self._folder / name

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole or not at all."""
        target = self.path(name)
        self._folder.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)

    def names(self) -> list[str]:
        """Return the names of all whole files, sorted."""
        if not self._folder.is_dir():
            return []
        return sorted(p.name for p in self._folder.iterdir() if not p.name.startswith("."))

    def delete(self, names: Iterable[str]) -> None:
        """Delete files; those that are not there are passed over."""
        for name in names:
            self.path(name).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Delete parts that a killed writer left. Only the lease holder may call this."""
        if self._folder.is_dir():
            for part in self._folder.glob(".*"):
                part.unlink(missing_ok=True)

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a file's bytes."""
        return file_digest(self.path(name))

    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(self.path(name).stat().st_size for name in self.names())
