"""Another text model through the command line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.endpoint import serving
from tests.models.embedding import WIDTH, embeds

Run = Callable[..., Any]


@pytest.fixture
def own(memory: Path, tmp_path: Path) -> Path:
    """A copy of the memory that a test may change."""
    return Path(shutil.copytree(memory, tmp_path / "memory"))


def test_reembed_swaps_says_what_to_set_and_reads_on(
    own: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next command is refused until the model is named, then answers, and back again."""
    with serving(embeds()) as server:
        monkeypatch.setenv("MMEM_EMBED_BASE_URL", server.base_url)
        done = run("reembed", "--model", "endpoint:small", memory=own)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert lines[0].endswith("→ small") and lines[-1].endswith("MMEM_TEXT_MODEL=endpoint:small")
        assert "late interaction is off" in done.stdout and "calls" in lines[1]
        refused = run("ask", "When is the demo?", memory=own)
        assert refused.returncode == 1 and "mmem reembed" in refused.stderr
        monkeypatch.setenv("MMEM_TEXT_MODEL", "endpoint:small")
        assert "Lighthouse" in run("search", "demo in the Lighthouse", memory=own).stdout
        asked = len(server.asked)
        status = run("status", memory=own)
        assert "no token vectors, so late interaction is off" in status.stdout
        assert len(server.asked) == asked
        told = json.loads(run("status", "-o", "json", memory=own).stdout)["text_vectors"]
        assert (told["model"], told["width"], told["late_interaction"]) == ("small", WIDTH, False)
        assert "no token vectors" in run("explain", "When is the demo?", memory=own).stdout
        back = run("reembed", "--model", "embedded", "-o", "json", memory=own)
        assert json.loads(back.stdout)["changed"]
        monkeypatch.delenv("MMEM_TEXT_MODEL")
        again = run("reembed", memory=own)
        assert again.returncode == 0 and again.stdout.startswith("nothing to do")


def test_a_dead_server_leaves_the_memory_and_says_so(
    own: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line with the reason, one with what to do; the memory answers as before."""
    monkeypatch.setenv("MMEM_EMBED_BASE_URL", "http://127.0.0.1:9/v1")
    done = run("reembed", "--model", "endpoint:small", memory=own)
    assert done.returncode == 1 and done.stdout == ""
    assert "127.0.0.1:9" in done.stderr and "the memory is as it was" in done.stderr
    assert run("status", memory=own).returncode == 0
