"""The readers that there are, and which of them reads a file."""

from __future__ import annotations

import importlib
from pathlib import Path

from mmem.errors import ConfigError, DamagedFile, UnsupportedFormat
from mmem.ingestors.reading import ChoosyReader, Head, Reader

# A reader's module exports READER. Order is the order of `mmem formats` and breaks ties.
_MODULES = (
    "whatsapp",
    "webvtt",
    "subrip",
    "locomo",
    "egolife",
    "em2mem",
    "worldmm",
    "role_messages",
    "narration",
    "table",
    "plain_chat",
    "video",
    "audio",
)
_ENOUGH = 0.5


def readers() -> list[Reader]:
    """Return every reader, in order."""
    found = [importlib.import_module(f"mmem.ingestors.{name}").READER for name in _MODULES]
    return [reader for reader in found if isinstance(reader, Reader)]


def reader_named(name: str) -> Reader:
    """Return the reader of a format name. Raises ConfigError when there is none."""
    for reader in readers():
        if reader.name == name:
            return reader
    known = ", ".join(reader.name for reader in readers())
    raise ConfigError(f"no format is called {name!r}", hint=f"one of: {known}")


def reader_for(path: Path) -> Reader:
    """Return the reader that is surest of the file, by content. Raises UnsupportedFormat.

    Raises DamagedFile for an empty file.
    """
    head = Head.of(path)
    if not head.data:
        raise DamagedFile(f"{path.name}: the file is empty", hint="check where it came from")
    ranked = [(reader.sniff(head), -place, reader) for place, reader in enumerate(readers())]
    confidence, _, reader = max(ranked, key=lambda row: row[:2])
    if confidence < _ENOUGH:
        raise UnsupportedFormat(
            f"{path.name}: no reader recognises this file",
            hint="`mmem formats` lists what can be read; `--format NAME` forces one",
        )
    if isinstance(reader, ChoosyReader):
        reader.refuse(head)
    return reader
