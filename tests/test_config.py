"""Settings from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmem import Memory, MmemError
from mmem.config import settings


def test_the_environment_names_the_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Law: an argument wins over MMEM_MEMORY, which wins over ./mmem-memory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MMEM_MEMORY", raising=False)
    assert Memory().folder == tmp_path / "mmem-memory"
    monkeypatch.setenv("MMEM_MEMORY", str(tmp_path / "elsewhere"))
    assert Memory().folder == tmp_path / "elsewhere"
    assert Memory(tmp_path / "given").folder == tmp_path / "given"


def test_a_bad_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law: one clear line says which variable cannot be right."""
    monkeypatch.setenv("MMEM_WAIT_S", "soon")
    with pytest.raises(MmemError, match="MMEM_WAIT_S='soon'"):
        settings()
