"""A process that dies at a write of any kind leaves a memory that opens; the next add ends it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mmem import Memory
from mmem.errors import ConfigError
from tests.bodies import quick
from tests.ingestors.film import even, film
from tests.lifecycle.conftest import chat_text, transcript_text

ROOT = Path(__file__).parents[2]

WRITER = """
import json, os, signal, sys
from mmem import Memory
from mmem.stores import media, tables
from tests.bodies import quick

folder, last, *paths = sys.argv[1:]
writes = []

def counted(act):
    def counting(self, *args, **more):
        writes.append(getattr(self, "name", "media").split("_")[0])
        if len(writes) == int(last):
            os.kill(os.getpid(), signal.SIGKILL)
        return act(self, *args, **more)
    return counting

tables.Table.upsert = counted(tables.Table.upsert)
tables.Table.delete_ids = counted(tables.Table.delete_ids)
media.MediaFolder.write = counted(media.MediaFolder.write)
Memory(folder, **quick()).add(*paths)
print(json.dumps(writes))
"""


def written(folder: Path, last: int, paths: list[Path]) -> subprocess.CompletedProcess[str]:
    """Add files in a process of its own, killed right before its write number `last`."""
    return subprocess.run(
        [sys.executable, "-c", WRITER, str(folder), str(last), *map(str, paths)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )


def open_stages(folder: Path) -> set[str]:
    """Return the stages that a killed run left unfinished or had not begun."""
    try:
        outcomes = Memory(folder, **quick()).outcomes()
    except ConfigError:
        return {"init"}
    ended = Counter(o.stage for o in outcomes if o.status in ("ok", "empty", "skipped"))
    stages = ("read", "pictures", "screen", "labels", "speech", "units", "vectors")
    return {stage for stage in stages if ended[stage] < WHOLE[stage]}


STRUCK = ("meta", "atoms", "postings", "codes", "media", "comparisons")
"""The process dies right before its first write to each: no stage ends before it begins."""
WHOLE = {
    "read": 3,
    "pictures": 1,
    "screen": 1,
    "labels": 1,
    "speech": 1,
    "units": 3,
    "vectors": 3,
}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A chat of 700 messages, a recording and its transcript."""
    chat = tmp_path / "WhatsApp Chat with Scale.txt"
    chat.write_text(chat_text([(n, "Kit", f"item {n} weighs {n * 7 % 90} g") for n in range(700)]))
    video = film(tmp_path / "harbour.mp4", even(["red"] * 40 + ["blue"] * 40, fps=2))
    talk = tmp_path / "harbour.vtt"
    talk.write_text(
        transcript_text([(1.0, 4.0, "Ada", "The mirror is unfolded."), (5.0, 9.0, "Kit", "Yes.")])
    )
    return [chat, talk, video]


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_kill_at_every_kind_of_write_is_completed_by_the_next_add(
    files: list[Path], tmp_path: Path
) -> None:
    """Law: state after kill and second add equals that of an unbroken run, at every stage."""
    whole = written(tmp_path / "whole", -1, files)
    assert whole.returncode == 0, whole.stderr
    unbroken = Memory(tmp_path / "whole", **quick()).state_digest()
    writes = json.loads(whole.stdout)
    places = [1 + writes.index(name) for name in STRUCK]
    struck: set[str] = set()
    for place in places:
        folder = tmp_path / f"killed{place}"
        assert written(folder, place, files).returncode == -signal.SIGKILL
        struck |= open_stages(folder)
        with Memory(folder, **quick()) as memory:
            reports = memory.add(*files)
            assert not any(report.failed for report in reports), place
            assert memory.state_digest() == unbroken, place
            assert [r.status for r in memory.add(*files)] == ["unchanged"] * 3
        shutil.rmtree(folder)
    assert struck >= {"init", *WHOLE}
