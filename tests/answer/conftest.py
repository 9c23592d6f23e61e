"""A small chat in a memory that is asked with a model at a server of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from mmem.schemas import Answer, Sentence
from tests.bodies import quick
from tests.endpoint import ModelServer, only_this_machine

CHAT = """\
14/03/2024, 09:00 - Ana: I adopted a dog last Friday
14/03/2024, 09:01 - Bob: What's its name?
14/03/2024, 09:02 - Ana: Biscuit
14/03/2024, 09:03 - Bob: The vet costs 85 euros
14/03/2024, 09:04 - Ana: Bob feeds Biscuit
"""
QUESTION = "Who adopted a dog?"


@pytest.fixture
def called() -> Iterator[list[str]]:
    """Law: whatever a model does, nothing talks to another machine."""
    with only_this_machine() as hosts:
        yield hosts


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that no model has read, shared: asking does not change it."""
    root = tmp_path_factory.mktemp("asked")
    path = root / "WhatsApp Chat with Ana.txt"
    path.write_text(CHAT)
    with Memory(root / "memory", **quick()) as memory:
        assert not memory.add(path)[0].failed
    return root / "memory"


@pytest.fixture
def ask(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[Answer, list[Sentence]]]:
    """Ask the shared memory with a model at a server; return the answer and what was streamed."""

    def asked(
        server: ModelServer,
        question: str = QUESTION,
        env: dict[str, str] | None = None,
        **given: Any,
    ) -> tuple[Answer, list[Sentence]]:
        named = {
            "MMEM_LLM_MODEL": "small",
            "MMEM_LLM_BASE_URL": server.base_url,
            "MMEM_LLM_API_KEY": "none",
            "MMEM_LLM_RETRIES": "0",
            "MMEM_LLM_CACHE": str(tmp_path / "replies"),
        }
        for name, value in {**named, **(env or {})}.items():
            monkeypatch.setenv(name, value)
        heard: list[Sentence] = []
        with Memory(folder, **quick()) as memory:
            answer = memory.ask(question, listener=heard.append, **given)
        return answer, heard

    return asked
