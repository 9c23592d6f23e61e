"""`open` and `clip`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mmem import Memory
from mmem.cli import playing
from mmem.cli.door import Session
from tests.bodies import quick
from tests.ingestors.film import even, film


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    film(tmp_path / "it's red.mp4", even(["red"] * 20, fps=2), gop=4)
    with Memory(tmp_path / "m", **quick()) as opened:
        opened.add(tmp_path / "it's red.mp4")
        (picture, *_) = opened.atoms("it's red")
        (tmp_path / "id").write_text(picture.id)
    return tmp_path


def test_open_hands_the_second_to_a_player(
    memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Law: a player that can start at a second is told it; else the browser gets the address."""
    started: list[list[str]] = []
    monkeypatch.setattr(playing.subprocess, "Popen", started.append)
    monkeypatch.setattr(playing.shutil, "which", lambda name: name == "vlc")
    monkeypatch.setattr(playing.webbrowser, "open", lambda address: started.append([address]))
    session = Opened(str(memory / "m"))
    playing.open_(session, (memory / "id").read_text())
    monkeypatch.setattr(playing.shutil, "which", lambda name: None)
    playing.open_(session, (memory / "id").read_text())
    assert started[0] == ["vlc", "--start-time=0.000", str(memory / "it's red.mp4")]
    assert started[1] == [(memory / "it's red.mp4").as_uri() + "#t=0.000"]
    assert "it's red.mp4 at 0.0 s" in capsys.readouterr().out


class Opened(Session):
    """A session whose memory has the quick encoder that it was made with."""

    def opened(self):  # type: ignore[no-untyped-def]  # the same as the session's
        return Memory(self.memory, **quick())


def test_clip_is_a_command(tmp_path: Path) -> None:
    """Law: an unknown citation is one clear line and exit code 1."""
    command = [sys.executable, "-m", "mmem", "--memory", str(tmp_path / "none"), "clip", "u-1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "no memory at" in done.stderr
