"""Small chats and transcripts, written as files."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mmem import Memory
from tests.bodies import quick

START = dt.datetime(2024, 3, 14, 9, 0)
Said = tuple[int, str, str]
"""Minutes after START, speaker, text."""


def chat_text(messages: Sequence[Said]) -> str:
    """Return messages as a WhatsApp export."""
    lines = []
    for minutes, speaker, text in messages:
        moment = START + dt.timedelta(minutes=minutes)
        lines.append(f"{moment:%d/%m/%Y, %H:%M} - {speaker}: {text}\n")
    return "".join(lines)


def transcript_text(cues: Sequence[tuple[float, float, str, str]]) -> str:
    """Return cues (start, end, speaker, text) as WebVTT."""

    def stamp(seconds: float) -> str:
        whole, part = divmod(round(seconds * 1000), 1000)
        return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}.{part:03d}"

    blocks = [f"{stamp(a)} --> {stamp(b)}\n<v {who}>{text}</v>\n" for a, b, who, text in cues]
    return "\n".join(["WEBVTT\n", *blocks])


@pytest.fixture
def chat(tmp_path: Path) -> Callable[..., Path]:
    """Write a chat; `part` keeps several exports of one chat apart."""
    numbers = itertools.count()

    def write(title: str, messages: Sequence[Said]) -> Path:
        folder = tmp_path / f"export{next(numbers)}"
        folder.mkdir()
        path = folder / f"WhatsApp Chat with {title}.txt"
        path.write_text(chat_text(messages))
        return path

    return write


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[..., Memory]:
    """Open a new memory whose text vectors are quick to make."""
    numbers = itertools.count()

    def make(**settings: object) -> Memory:
        folder = tmp_path / f"memory{next(numbers)}"
        return Memory(folder, **{**quick(), **settings})

    return make
