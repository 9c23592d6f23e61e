"""Adding, retrying, forgetting through the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
LISTENING = """
import signal
from mmem.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""mmem in a process that hears Ctrl-C, even if these tests run where it is ignored."""


def test_one_line_a_file_on_stdout_and_progress_on_stderr(
    chat: Path, transcript: Path, tmp_path: Path, run: Run
) -> None:
    """`add` prints what became of each file; without a terminal progress is a line a stage."""
    done = run("add", str(chat), str(transcript), memory=tmp_path / "m")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "added harbor chat.txt  conversation, 7 messages, 4 people",
        "added standup.vtt  transcript, 117.8 s, 27 lines, 3 people",
    ]
    told = done.stderr.splitlines()
    assert len(told) == len(set(told)) and "harbor chat.txt: read" in told


def test_the_same_file_again_is_unchanged_and_quiet_tells_nothing(
    chat: Path, tmp_path: Path, run: Run
) -> None:
    """A second `add` changes nothing and says so; -q leaves stderr empty."""
    run("add", str(chat), memory=tmp_path / "m")
    done = run("add", str(chat), "-q", memory=tmp_path / "m")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("unchanged harbor chat.txt")


def test_a_failing_file_is_exit_code_3_and_the_others_go_on(
    chat: Path, tmp_path: Path, run: Run
) -> None:
    """What failed is said on stderr with its reason; the rest is added; `status` agrees."""
    empty = tmp_path / "empty.txt"
    empty.touch()
    memory = tmp_path / "m"
    done = run("add", str(empty), str(chat), memory=memory)
    assert done.returncode == 3
    assert done.stdout.startswith("added harbor chat.txt")
    assert "failed empty.txt: the file is empty" in done.stderr
    assert "mmem retry" in done.stderr
    status = run("status", memory=memory)
    assert status.returncode == 3
    assert status.stdout.splitlines()[1].startswith("failed  ")
    assert run("retry", memory=memory).returncode == 3
    chat_again = chat.read_text(encoding="utf-8").replace("482", "483")
    empty.write_text(chat_again, encoding="utf-8")
    assert run("retry", memory=memory).returncode == 0
    assert run("status", memory=memory).returncode == 0


def test_reports_as_json(chat: Path, tmp_path: Path, run: Run) -> None:
    """-o json prints a list with one report a file, -o jsonl one a line."""
    memory = tmp_path / "m"
    (added,) = json.loads(run("add", str(chat), "-o", "json", memory=memory).stdout)
    assert added["status"] == "added" and added["new_atoms"] == 7
    (line,) = run("add", str(chat), "-o", "jsonl", memory=memory).stdout.splitlines()
    assert json.loads(line)["status"] == "unchanged"


def test_retry_with_nothing_to_do(memory: Path, run: Run) -> None:
    """`retry` of a whole memory does nothing, says so, and is a success."""
    done = run("retry", memory=memory)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "nothing to retry\n")


def test_forget_prints_a_receipt(chat: Path, secret: Path, tmp_path: Path, run: Run) -> None:
    """`forget` names each layer with its verdict; afterwards the source is gone."""
    memory = tmp_path / "m"
    run("add", str(chat), str(secret), memory=memory)
    done = run("forget", "--source", "board.txt", "--yes", memory=memory)
    assert done.returncode == 0
    assert done.stdout.startswith("forgotten: board (s-")
    assert any(
        line.split()[:4] == ["atoms", "2", "0", "erased"] for line in done.stdout.splitlines()
    )
    assert "board" not in run("sources", memory=memory).stdout
    again = run("forget", "--source", "board.txt", "--yes", memory=memory)
    assert again.returncode == 1 and "no source is called 'board.txt'" in again.stderr


def test_a_receipt_as_json(chat: Path, tmp_path: Path, run: Run) -> None:
    """-o json prints the receipt as its schema says."""
    run("add", str(chat), memory=tmp_path / "m")
    done = run("forget", "--source", "harbor chat", "-y", "-o", "json", memory=tmp_path / "m")
    verdicts = {line["layer"]: line["verdict"] for line in json.loads(done.stdout)["lines"]}
    assert verdicts.pop("replies of a language model to other users") == "not_checked"
    assert set(verdicts.values()) == {"erased", "nothing_there"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_forget_asks_on_a_terminal(chat: Path, tmp_path: Path, run: Run) -> None:
    """On a terminal `forget` asks first; anything but yes leaves all as it was."""
    import pty

    memory = tmp_path / "m"
    run("add", str(chat), memory=memory)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mmem", "forget", "--source", "harbor chat"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MMEM_MEMORY": str(memory)},
    ) as process:
        os.write(ours, b"n\n")
        out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert (process.returncode, out) == (1, "")
    assert "Forget conversation 'harbor chat'" in err and "nothing was forgotten" in err
    assert "harbor chat" in run("sources", memory=memory).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to a process there")
def test_ctrl_c_says_what_is_done_and_the_next_add_goes_on(tmp_path: Path, run: Run) -> None:
    """Ctrl-C ends `add` with exit code 130 and one line; the same `add` then completes."""
    long = tmp_path / "long.txt"
    lines = (
        f"17/11/2025, {8 + n // 60:02d}:{n % 60:02d} - Maya: berth {n} is free until {n + 3}"
        for n in range(300)
    )
    long.write_text("\n".join(lines) + "\n", encoding="utf-8")
    memory = tmp_path / "m"
    with subprocess.Popen(
        [sys.executable, "-c", LISTENING, "add", str(long)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MMEM_MEMORY": str(memory)},
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "vectors" in line:
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "cancelled with 0 files done; the same `mmem add` goes on" in rest
    assert "Traceback" not in rest
    done = run("add", str(long), memory=memory)
    assert done.returncode == 0
    assert "300 messages" in done.stdout
