"""Searching by a picture from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mmem.schemas import Evidence
from tests.models.tiny_clip import tiny_clip

Run = Callable[..., Any]


def test_search_by_a_picture(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """`search --image` prints the message whose picture is nearest; a bad file is one line."""
    pytest.importorskip("open_clip", reason="the extra `vision`", exc_type=ImportError)
    folder = tmp_path / "export"
    folder.mkdir()
    for name, colour in (("IMG-1.jpg", "red"), ("IMG-2.jpg", "blue")):
        Image.new("RGB", (90, 60), colour).save(folder / name)
    (folder / "WhatsApp Chat with Lou.txt").write_text(
        "14/03/2024, 09:00 - Lou: IMG-1.jpg (file attached)\n"
        "14/03/2024, 09:01 - Lou: IMG-2.jpg (file attached)\n"
    )
    memory, query = tmp_path / "m", folder / "IMG-2.jpg"
    monkeypatch.setenv("MMEM_IMAGE_MODEL", f"local-dir:{tiny_clip(tmp_path / 'clip')}")
    assert run("add", str(folder / "WhatsApp Chat with Lou.txt"), memory=memory).returncode == 0
    found = run("search", "--image", str(query), "-o", "json", memory=memory)
    hits = Evidence.model_validate_json(found.stdout).hits
    assert [hit.lines[0].citation.locator for hit in hits] == ["line 2", "line 1"]
    shown = run("search", "--image", str(query), "-k", "1", memory=memory).stdout
    assert "line 2" in shown and "-> " in shown and ".jpg" in shown
    (tmp_path / "text.jpg").write_text("no picture")
    bad = run("search", "--image", str(tmp_path / "text.jpg"), memory=memory)
    assert bad.returncode == 1 and bad.stdout == ""
    assert bad.stderr.splitlines()[0] == "mmem: text.jpg is no picture that can be read"
