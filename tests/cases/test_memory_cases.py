"""Field cases that need a whole memory: exports read again, an ingest that is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mmem import Memory
from mmem.schemas import Atom, Turn
from mmem.schemas.clock import iso

KILLED_HALF_WAY = """
import os, signal, sys
from mmem import Memory

def half(progress):
    if progress.stage == sys.argv[3] and progress.done * 2 >= progress.total > 0:
        os.kill(os.getpid(), signal.SIGKILL)

Memory(sys.argv[1]).add(sys.argv[2], listener=half)
"""


def turns(memory: Memory) -> list[Turn]:
    found: list[Atom] = [a for s in memory.sources() for a in memory.atoms(s.id)]
    return [atom for atom in found if isinstance(atom, Turn) and atom.role == "message"]


def expected(case: Path) -> dict[str, object]:
    answer: dict[str, object] = json.loads((case / "expected.json").read_text())["expect"]
    return answer


def check_export_again(case: Path, memory: Memory, steps: list[dict[str, object]]) -> None:
    for step in steps:
        reports = memory.add(case / str(step["ingest"]))
        assert not any(report.failed for report in reports)
        assert len(turns(memory)) == step["messages_total"], step


def test_o14_exported_again(shared: Path, tmp_path: Path) -> None:
    """Totals go 6, 9, 9, 9; the honest double stays; the newest code is cited once."""
    case = shared / "cases" / "o14-exported-again"
    want = expected(case)
    with Memory(tmp_path / "m") as memory:
        check_export_again(case, memory, want["steps"])  # type: ignore[arg-type]
        found = turns(memory)
        assert (
            sum(
                t.speaker == "Kit" and t.text == "ok" and _at(t) == "2024-02-25T08:01"
                for t in found
            )
            == 2
        )
        assert sum(t.text == "morning" and _at(t) == "2024-02-25T08:00" for t in found) == 2
        assert sum(t.text == "the boiler code is 8-1-3" for t in found) == 1
        answer = memory.ask("What is the boiler code now?")
        assert "2-2-7" in f"{answer.short} {answer.text}"
        cited = [c for c in answer.citations if "2-2-7" in c.quote]
        assert len(cited) == 1


def test_exported_again_on_another_phone(tmp_path: Path) -> None:
    """A variant: the second export is an iPhone's, with seconds left out and a contact renamed."""
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir(), second.mkdir()
    (first / "WhatsApp Chat with Boat Club.txt").write_text(
        "12/05/2024, 09:00 - Noor: the gate code is 4410\n"
        "12/05/2024, 09:01 - Ben: ok\n12/05/2024, 09:01 - Ben: ok\n"
        "13/05/2024, 18:30 - Noor: see you at six\n"
    )
    (second / "WhatsApp Chat with Boat Club (1).txt").write_text(
        "[12/05/2024, 09:00] Noor Vos: the gate code is 4410\n"
        "[12/05/2024, 09:01] Ben: ok\n[12/05/2024, 09:01] Ben: ok\n"
        "[13/05/2024, 18:30] Noor Vos: see you at six\n"
        "[20/05/2024, 08:00] Noor Vos: new gate code: 9927\n"
    )
    with Memory(tmp_path / "m") as memory:
        steps: list[dict[str, object]] = [
            {"ingest": "a", "messages_total": 4},
            {"ingest": "b", "messages_total": 5},
            {"ingest": "a", "messages_total": 5},
        ]
        check_export_again(tmp_path, memory, steps)
        assert len(memory.sources()) == 1
        assert "9927" in str(memory.ask("What is the gate code now?").short)


def check_killed(memory_folder: Path, chat: Path, stage: str, count: int) -> Memory:
    """Kill an ingest half-way through a stage; return the memory after the second run."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED_HALF_WAY, str(memory_folder), str(chat), stage],
        capture_output=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    memory = Memory(memory_folder)
    assert len(turns(memory)) <= count
    (report,) = memory.add(chat)
    assert not report.failed
    texts = Counter(turn.id for turn in turns(memory))
    assert (len(texts), max(texts.values())) == (count, 1)
    return memory


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_os5_killed_ingest(shared: Path, tmp_path: Path) -> None:
    """After the kill the store opens, the second run completes it: 3000 messages, no doubles."""
    case = shared / "cases" / "os5-killed-ingest"
    chat = case / "WhatsApp Chat with Scale.txt"
    with check_killed(tmp_path / "m", chat, "vectors", 3000) as memory:
        for item in ("0001", "1500", "3000"):
            answer = memory.ask(f"How much does item {item} weigh?")
            assert any(f"item {item}" in citation.quote for citation in answer.citations)


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_killed_while_the_raw_is_written(tmp_path: Path) -> None:
    """A variant: the kill comes while the messages themselves are written."""
    chat = tmp_path / "Harbour log.txt"
    lines = [
        f"[2024-01-{1 + n // 400:02d} {n // 60 % 24:02d}:{n % 60:02d}] Ola: boat {n:04d} passed\n"
        for n in range(2100)
    ]
    chat.write_text("".join(lines))
    with check_killed(tmp_path / "m", chat, "write", 2100) as memory:
        answer = memory.ask("Which boat is 2043?")
        assert any("2043" in re.sub(r"\W", "", citation.quote) for citation in answer.citations)


def _at(turn: Turn) -> str:
    assert turn.wall_us is not None
    return iso(turn.wall_us)[:16]
