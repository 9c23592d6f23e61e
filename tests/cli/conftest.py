"""A small chat in a memory of its own, and the command line as a process."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mmem.cli import app


@dataclasses.dataclass(frozen=True)
class Done:
    """How a command ended and what it printed."""

    returncode: int
    stdout: str
    stderr: str


CHAT = """\
17/11/2025, 08:44 - Maya Okafor: Morning all! The demo is on Friday in the Lighthouse
17/11/2025, 08:52 - Elena Rossi: Two boats arrived for berth B17 on Saturday
17/11/2025, 08:53 - Priya Nair: [bold red]not markup[/bold red] & <b>no tag</b>
18/11/2025, 09:10 - Tomas Lindqvist: the red \x1b[31malarm\x1b[0m sounded \u202eback
18/11/2025, 09:12 - Priya Nair: I promise to have the fix ready by Wednesday evening
18/11/2025, 09:13 - Tomas Lindqvist: two things:
- coffee
- cake
20/11/2025, 16:42 - Priya Nair: The fix for 482 is live!
"""

Run = Callable[..., Done]


@pytest.fixture(scope="session")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "harbor chat.txt"
    path.write_text(CHAT, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secret") / "board.txt"
    path.write_text(
        "19/11/2025, 12:00 - Maya Okafor: The salary budget is 90,000 euros\n"
        "19/11/2025, 12:01 - Ben Carter: That stays between us\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="session")
def transcript() -> Path:
    return Path(__file__).parents[2] / "samples" / "standup.vtt"


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a command in this process, without a terminal: fast."""

    def call(*words: str, memory: Path | None = None) -> Done:
        environment = {"MMEM_MEMORY": None if memory is None else str(memory)}
        done = CliRunner().invoke(app, words, env=environment, prog_name="mmem")
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Done(done.exit_code, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def spawn() -> Run:
    """Run a command in a process of its own, as a script would: for what a process alone shows."""

    def call(*words: str, memory: Path | None = None, **more: str) -> Done:
        environment = {**os.environ, **more}
        environment.pop("MMEM_MEMORY", None)
        if memory is not None:
            environment["MMEM_MEMORY"] = str(memory)
        done = subprocess.run(
            [sys.executable, "-m", "mmem", *words],
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=120,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def memory(
    chat: Path, secret: Path, transcript: Path, run: Run, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A memory that tests read and do not change."""
    folder = tmp_path_factory.mktemp("read-only") / "memory"
    added = run("add", str(chat), str(transcript), memory=folder)
    assert added.returncode == 0, added.stderr
    added = run("add", str(secret), "--label", "board", memory=folder)
    assert added.returncode == 0, added.stderr
    return folder
