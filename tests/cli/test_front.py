"""The front door: what is loaded, what help says, which code comes back."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
COMMANDS = ["add", "ask", "search", "show", "open", "clip", "sources", "status"]
COMMANDS += [
    "facts",
    "entity",
    "frames",
    "unfuse",
    "views",
    "graph",
    "export",
    "retry",
    "reembed",
    "forget",
    "formats",
    "explain",
    "demo",
]
HEAVY = ("pydantic", "rich", "lancedb", "pyarrow", "numpy", "onnxruntime", "av", "mmem.schemas")


@pytest.mark.parametrize("module", ["mmem", "mmem.cli"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    """`import mmem` and the command line load no records, no rich, no store, no model."""
    code = f"import sys, {module}; print(' '.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not [name for name in HEAVY if name in loaded]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example(command: str, run: Run) -> None:
    """Each command's help shows at least one call of it, on a line of its own."""
    shown = run(command, "--help")
    assert shown.returncode == 0
    assert re.search(rf"^ +mmem {command}\b", shown.stdout, re.MULTILINE)


def test_help_lists_every_command_in_order(run: Run) -> None:
    """`mmem --help` lists all commands in the order in which they are met, and the exit codes."""
    shown = run("--help").stdout
    listed = re.findall(r"^  ([a-z]+)  ", shown.split("Commands:")[1], re.MULTILINE)
    assert listed == COMMANDS
    assert "3 finished with failed" in " ".join(shown.split())


@pytest.mark.parametrize(
    "words",
    [
        ("ask",),
        ("ask", "who?", "--since", "yesterdayish"),
        ("add", "x.txt", "--format", "nonsense"),
        ("add", "x.txt", "--tz", "Mars/Olympus"),
        ("search", "who?", "-k", "0"),
        ("show", "x", "-o", "yaml"),
        ("nonsense",),
    ],
)
def test_what_is_typed_wrong_is_usage(words: tuple[str, ...], run: Run) -> None:
    """A missing word, a bad time, format, zone, number or choice is exit code 2, said on stderr."""
    done = run(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr and "Usage:" in done.stderr


def test_an_expected_error_is_one_clear_line(tmp_path: Path, spawn: Run) -> None:
    """MmemError is exit code 1: what, then the next step; no traceback, nothing on stdout."""
    done = spawn("ask", "who?", memory=tmp_path / "none")
    assert done.returncode == 1
    assert done.stdout == ""
    first, second = done.stderr.splitlines()
    assert first.startswith("mmem: no memory at") and "mmem add" in second


def test_verbose_shows_where_an_error_came_from(tmp_path: Path, run: Run) -> None:
    """-v adds the traceback, before or after the command."""
    for words in (("-v", "sources"), ("sources", "-v")):
        assert "Traceback" in run(*words, memory=tmp_path / "none").stderr


def test_the_memory_is_the_option_else_the_environment(
    memory: Path, tmp_path: Path, run: Run
) -> None:
    """--memory wins over MMEM_MEMORY, and stands before or after the command."""
    for words in (("--memory", str(memory), "sources"), ("sources", "--memory", str(memory))):
        done = run(*words, memory=tmp_path / "none")
        assert done.returncode == 0 and "harbor chat" in done.stdout


def test_version(run: Run) -> None:
    """`mmem --version` says name and version."""
    assert re.fullmatch(r"mmem \d+\.\d+\.\d+\n", run("--version").stdout)


def test_a_demo_without_samples_says_where_they_are(tmp_path: Path, run: Run) -> None:
    """Installed without the source, `demo` says what is missing and what to do."""
    done = run("demo", "--samples", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "no samples in" in done.stderr and "--samples" in done.stderr
