"""`mmem ask` with a language model: streamed, noted, switched off."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmem.schemas import Answer
from tests.endpoint import Handler, ModelServer, breaks_off, chunk, refuses, says, serving

Run = Callable[..., Any]
QUESTION = "who promised the fix?"
PROMISE = "Priya Nair promised to have the fix ready by Wednesday evening."


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModelServer], None]:
    """Point the environment at a server."""

    def point(server: ModelServer) -> None:
        named = {
            "MMEM_LLM_MODEL": "small",
            "MMEM_LLM_BASE_URL": server.base_url,
            "MMEM_LLM_API_KEY": "none",
            "MMEM_LLM_RETRIES": "0",
            "MMEM_LLM_CACHE": "off",
        }
        for name, value in named.items():
            monkeypatch.setenv(name, value)

    return point


def number_of(body: dict[str, Any], words: str) -> int:
    """Return the number of the record that holds these words."""
    before = body["messages"][1]["content"].partition(words)[0]
    return int(before.rpartition('"n": ')[2].partition(",")[0])


def promising(body: dict[str, Any]) -> str:
    """Return a reply that cites the promise, and one sentence that nothing bears out."""
    number = number_of(body, "I promise to have the fix")
    return f"{PROMISE} [{number}]\nZoe promised it too. [{number}]\nAnswer: Priya Nair"


def test_a_written_answer(memory: Path, run: Run, use: Callable[..., None]) -> None:
    """Sentences first, then the direct answer and the citations; on stderr how it came about."""
    with serving(by=lambda body: says(promising(body))) as server:
        use(server)
        done = run("ask", QUESTION, memory=memory)
    lines = done.stdout.splitlines()
    assert lines[:4] == [f"{PROMISE} [1]", "", "Priya Nair", ""]
    assert lines[4].startswith("[1] Priya Nair, 00:30, standup.vtt") and len(lines) == 5
    assert "written by small" in done.stderr and "1 sentence" in done.stderr
    assert "Zoe" in done.stderr and "Zoe" not in done.stdout


def test_quoted_asks_no_model(memory: Path, run: Run, use: Callable[..., None]) -> None:
    """--quoted prints what is printed without a model."""
    plain = run("ask", QUESTION, memory=memory)
    with serving(says("x")) as server:
        use(server)
        quoted = run("ask", QUESTION, "--quoted", memory=memory)
        assert not server.asked
    assert (quoted.stdout, quoted.stderr) == (plain.stdout, plain.stderr)


def test_a_dead_model_is_told_and_quotes_are_shown(
    memory: Path, run: Run, use: Callable[..., None]
) -> None:
    """Exit code 0, the quoted answer on stdout, one line on stderr."""
    plain = run("ask", QUESTION, memory=memory)
    with serving(refuses(500, "boom")) as server:
        use(server)
        done = run("ask", QUESTION, memory=memory)
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    (line,) = done.stderr.splitlines()
    assert line.startswith("quoted, not written: ") and "HTTP 500: boom" in line


def test_a_reply_that_breaks_off_is_followed_by_quotes(
    memory: Path, run: Run, use: Callable[..., None]
) -> None:
    """What was proven stays on the page; below a blank line the quoted answer is whole."""
    plain = run("ask", QUESTION, memory=memory)

    def act(handler: Handler, body: dict[str, Any]) -> None:
        breaks_off([f"{promising(body).splitlines()[0]}\nAnd"])(handler, body)

    with serving(act) as server:
        use(server)
        done = run("ask", QUESTION, memory=memory)
    assert done.stdout == f"{PROMISE} [1]\n\n{plain.stdout}"
    assert "broke off" in done.stderr


def test_json_is_one_record(memory: Path, run: Run, use: Callable[..., None]) -> None:
    """-o json prints the whole answer and nothing before it."""
    with serving(by=lambda body: says(promising(body))) as server:
        use(server)
        done = run("ask", QUESTION, "-o", "json", memory=memory)
    answer = Answer.model_validate_json(done.stdout)
    assert answer.written_by and answer.struck == 1 and answer.short == "Priya Nair"
    assert done.stderr == ""


def test_sentences_are_printed_while_the_model_writes(
    memory: Path, use: Callable[..., None]
) -> None:
    """A sentence is on stdout, in a process of its own, before the reply has ended."""
    seen = threading.Event()
    in_time: list[bool] = []

    def act(handler: Handler, body: dict[str, Any]) -> None:
        first, second, *_ = promising(body).splitlines()
        handler.begin_stream()
        handler.piece(chunk(f"{first}\n{second[:4]}"))
        in_time.append(seen.wait(30))
        handler.piece(chunk(second[4:], "stop"))
        handler.end_stream()

    with serving(act) as server:
        use(server)
        command = [sys.executable, "-m", "mmem", "ask", QUESTION, "--memory", str(memory)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
        ) as process:
            assert process.stdout is not None
            first = process.stdout.readline()
            seen.set()
            rest, _ = process.communicate(timeout=60)
    assert in_time == [True] and first == f"{PROMISE} [1]\n"
    assert "[1] Priya Nair" in rest and process.returncode == 0
