"""`mmem export`, as a script uses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def days(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of two captions of two days."""
    folder = tmp_path_factory.mktemp("days")
    captions = [
        {"start_time": "11000000", "end_time": "11003000", "text": "Jake holds phone.",
         "date": f"DAY{day}", "video_path": ""} for day in (1, 11)
    ]  # fmt: skip
    (folder / "A1_JAKE_30sec.json").write_text(json.dumps(captions))
    done = run("add", str(folder / "A1_JAKE_30sec.json"), memory=folder / "memory")
    assert done.returncode == 0, done.stderr
    return folder / "memory"


def test_files_are_listed_with_their_entries(days: Path, run: Run, tmp_path: Path) -> None:
    """And a second run overwrites nothing: exit code 1, one line and what to do."""
    out = tmp_path / "JAKE"
    done = run("export", str(out), "--format", "worldmm", memory=days)
    assert done.returncode == 0, done.stderr
    assert "JAKE_30sec.json: 2 entries" in done.stdout and "DAY1 is 2024-01-01" in done.stdout
    assert [one["date"] for one in json.loads((out / "JAKE_30sec.json").read_text())] == [
        "DAY1", "DAY11",
    ]  # fmt: skip
    again = run("export", str(out), memory=days)
    assert again.returncode == 1 and "would be overwritten" in again.stderr
    assert "--force" in again.stderr
    assert run("export", str(out), "--force", memory=days).returncode == 0


def test_what_was_written_is_told_as_json(days: Path, run: Run, tmp_path: Path) -> None:
    """For programs: files, entries, the date of day 1, what was left out."""
    done = run("export", str(tmp_path / "r"), "--format", "em2mem", "-o", "json", memory=days)
    told = json.loads(done.stdout)
    assert told["files"] == [{"file": str(tmp_path / "r" / "r_events.json"), "entries": 2}]
    assert (told["day_1"], told["left_out"]) == ("2024-01-01", [])
    assert run("export", str(tmp_path), "--format", "avi", memory=days).returncode == 2
