"""Replies remembered by content in the user's cache folder, never in a memory.

An entry holds a reply and the ids of the atoms whose words were asked about, not the words. It is a
JSON file named by its key and is only ever parsed: a damaged or foreign one counts as not there.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mmem.reply import LONGEST
from mmem.schemas.record import canonical_json

_log = logging.getLogger("mmem")
_LARGEST = 8 * LONGEST


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: Literal[1] = 1
    key: str
    atoms: list[str]
    text: str


def key_of(parts: object) -> str:
    """Return the SHA-256, in hex, of what a reply depends on; `parts` is made of JSON values."""
    return hashlib.sha256(canonical_json(parts).encode("utf-8", "surrogatepass")).hexdigest()


class ReplyCache:
    """Replies under a folder of this user (mode 0700), one file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_user(cls) -> ReplyCache:
        """Return the cache in this user's cache folder."""
        from platformdirs import user_cache_path

        return cls(user_cache_path("mmem", appauthor=False) / "replies")

    def get(self, key: str) -> str | None:
        """Return the reply of that key, None where there is none that is sound."""
        entry = _read(self._file(key))
        return entry.text if entry is not None and entry.key == key else None

    def put(self, key: str, text: str, atom_ids: Collection[str]) -> None:
        """Keep a reply; where the folder cannot be written to, that is logged and nothing kept."""
        entry = _Entry(key=key, atoms=sorted(set(atom_ids)), text=text)
        file = self._file(key)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.parent.mkdir(mode=0o700, exist_ok=True)
            _write(file, entry.model_dump_json().encode())
        except (OSError, ValueError) as error:
            _log.warning("a reply was not remembered in %s: %s", self._folder, error)

    def forget_atoms(self, ids: Collection[str]) -> int:
        """Delete every reply about one of these atoms, and return how many went.

        What cannot be read goes too: it may hold one.
        """
        doomed, gone = set(ids), 0
        for file in list(self._files()) if doomed else []:
            entry = _read(file)
            if entry is None or doomed & set(entry.atoms):
                file.unlink(missing_ok=True)
                gone += 1
        return gone

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _files(self) -> Iterator[Path]:
        """Yield entries, and what a broken write left behind."""
        for pattern in ("*/*.json", "*/*.part"):
            yield from self._folder.glob(pattern)


def _read(file: Path) -> _Entry | None:
    try:
        if file.stat().st_size > _LARGEST:
            return None
        return _Entry.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all; mkstemp makes it readable for this user only."""
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as part:
            part.write(content)
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
