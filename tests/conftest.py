"""Fixtures that several rooms' tests need."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mmem.ingestors.reading import Head, ReadContext, Reader, Reading
from mmem.schemas import Turn
from mmem.schemas.clock import iso


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases and data beside the checkout, or MMEM_SHARED."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("MMEM_SHARED", beside))
    if not (folder / "cases").is_dir():
        pytest.skip(f"no cases at {folder}: set MMEM_SHARED to the folder that holds them")
    return folder


@pytest.fixture(autouse=True, scope="session")
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the language model and the remembered replies of who runs them."""
    with pytest.MonkeyPatch.context() as patched:
        for name in (
            *("MMEM_LLM_MODEL", "MMEM_LLM_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
            *("MMEM_TEXT_MODEL", "MMEM_EMBED_BASE_URL", "MMEM_EMBED_API_KEY"),
            *("MMEM_VISION_MODEL", "MMEM_VISION_BASE_URL", "MMEM_VISION_API_KEY"),
        ):
            patched.delenv(name, raising=False)
        patched.setenv("MMEM_LLM_CACHE", str(tmp_path_factory.getbasetemp() / "replies"))
        yield


class Desk:
    """Where reader tests write small files and read them; every file gets a folder of its own."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._numbers = itertools.count()

    def write(self, name: str, content: str | bytes) -> Path:
        path = self._root / str(next(self._numbers)) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    @staticmethod
    def head(content: str | bytes, name: str = "file.txt") -> Head:
        data = content.encode() if isinstance(content, str) else content
        return Head(path=Path(name), data=data, size=len(data))

    @staticmethod
    def many(
        reader: Reader,
        path: Path,
        *,
        title: str | None = None,
        zone: str | None = None,
        recorded_us: int | None = None,
        day_first: bool | None = None,
    ) -> list[Reading]:
        context = ReadContext(
            digest=hashlib.sha256(path.read_bytes()).hexdigest(),
            title=title,
            zone=zone,
            recorded_us=recorded_us,
            day_first=day_first,
        )
        return list(reader.read(path, context))

    def one(
        self,
        reader: Reader,
        path: Path,
        *,
        title: str | None = None,
        zone: str | None = None,
        recorded_us: int | None = None,
        day_first: bool | None = None,
    ) -> Reading:
        (reading,) = self.many(
            reader, path, title=title, zone=zone, recorded_us=recorded_us, day_first=day_first
        )
        return reading

    @staticmethod
    def rows(reading: Reading) -> list[tuple[str | None, str | None, str]]:
        """Local time, speaker and text of every turn."""
        zone = reading.source.clock.zone
        return [
            (None if turn.wall_us is None else iso(turn.wall_us, zone), turn.speaker, turn.text)
            for turn in reading.atoms
            if isinstance(turn, Turn)
        ]

    @staticmethod
    def turns(reading: Reading) -> list[Turn]:
        """The turns, for those who look at more than text."""
        return [turn for turn in reading.atoms if isinstance(turn, Turn)]

    @staticmethod
    def lines(reading: Reading) -> list[tuple[float, float, str | None, str]]:
        """Start, end, speaker and text of every timed atom."""
        return [
            (atom.span.start_s, atom.span.end_s, atom.speaker, atom.text)
            for atom in reading.atoms
            if not isinstance(atom, Turn)
        ]


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))
