"""Long fault and fuzz runs, outside the suite: `make soak`."""

from __future__ import annotations

import random
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mmem import Memory, MmemError
from mmem.ingestors.reading import ReadContext
from mmem.ingestors.registry import reader_for
from mmem.schemas.identity import file_digest
from tests.bodies import quick
from tests.lifecycle.conftest import Said, chat_text, transcript_text
from tests.lifecycle.test_kill import open_stages, written

ROOT = Path(__file__).parents[2]
MUTATIONS = 4_000


def test_a_kill_at_every_single_write(tmp_path: Path) -> None:
    """Law: whichever write was the last, the next add gives the state of an unbroken run."""
    chat = tmp_path / "WhatsApp Chat with Scale.txt"
    chat.write_text(chat_text([(n, "Kit", f"item {n} weighs {n * 7 % 90} g") for n in range(300)]))
    files = [
        chat,
        *(ROOT / "samples" / name for name in ("nasa-webb-telescope.mp4", "standup.vtt")),
    ]
    whole = written(tmp_path / "whole", -1, files)
    unbroken = Memory(tmp_path / "whole", **quick()).state_digest()
    for place in range(1, int(whole.stdout) + 1):
        folder = tmp_path / "killed"
        assert written(folder, place, files).returncode == -signal.SIGKILL
        assert open_stages(folder), place
        with Memory(folder, **quick()) as memory:
            memory.add(*files)
            assert memory.state_digest() == unbroken, place
        shutil.rmtree(folder)


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Return bytes with a few stretches flipped, dropped, doubled or replaced."""
    changed = bytearray(data[: draw.choice((len(data), draw.randrange(1, len(data) + 1)))])
    for _ in range(draw.randrange(1, 8)):
        at = draw.randrange(len(changed) or 1)
        size = draw.choice((1, 1, 2, 8, 64))
        act = draw.randrange(4)
        if act == 0:
            changed[at : at + size] = bytes(draw.randrange(256) for _ in range(size))
        elif act == 1:
            del changed[at : at + size]
        elif act == 2:
            changed[at:at] = changed[at : at + size]
        else:
            changed[at:at] = draw.choice(
                (b"\x00", b"\xff\xfe", b"\xe2\x80\xaf", b'"', b"\n\n", b"-->")
            )
    return bytes(changed)


@pytest.mark.parametrize("name", ["team-chat.txt", "standup.vtt", "standup.mp4", "questions.json"])
def test_damaged_files_give_one_clear_line(name: str, tmp_path: Path) -> None:
    """Law: whatever the bytes, a reader reads them or says in one line what is wrong."""
    draw = random.Random(name)
    data = (ROOT / "samples" / name).read_bytes()
    path = tmp_path / name
    for number in range(MUTATIONS if len(data) < 100_000 else 100):
        path.write_bytes(mutated(data, draw))
        try:
            reader = reader_for(path)
            found = list(reader.read(path, ReadContext(digest=file_digest(path))))
            assert all(reading.source.revisions for reading in found)
        except MmemError as error:
            assert name in error.message, number
            assert "\n" not in error.message, number


class AnyActs(RuleBasedStateMachine):
    """Adding, extending and forgetting in any order, against a memory made at once."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.memory = Memory(self.root / "memory", **quick())
        self.live: dict[str, list[Path]] = {}
        self.made = 0

    def write(self, name: str, text: str) -> Path:
        self.made += 1
        folder = self.root / str(self.made)
        folder.mkdir()
        (folder / name).write_text(text)
        return folder / name

    @rule(
        title=st.sampled_from(["Ada", "Lou"]),
        said=st.lists(
            st.tuples(
                st.integers(0, 60),
                st.sampled_from(["Kit", "Lou"]),
                st.sampled_from(["ok", "the code is 8", "where is pier seven?", "late again"]),
            ),
            min_size=1,
            max_size=6,
        ),
    )
    def add_export(self, title: str, said: list[Said]) -> None:
        path = self.write(f"WhatsApp Chat with {title}.txt", chat_text(sorted(said)))
        self.memory.add(path)
        self.live.setdefault(title, []).append(path)

    @rule(word=st.sampled_from(["valve", "gauge", "pier"]))
    def add_talk(self, word: str) -> None:
        path = self.write(f"{word}.vtt", transcript_text([(1, 3, "Ada", f"The {word} is red.")]))
        self.memory.add(path)
        self.live.setdefault(word, []).append(path)

    @precondition(lambda self: self.live)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.live)))
        assert self.memory.forget(source=name).complete
        del self.live[name]

    @precondition(lambda self: self.live)
    @rule(data=st.data())
    def add_again(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.live)))
        (report,) = self.memory.add(self.live[name][0])
        assert report.status == "unchanged"

    @invariant()
    def state_is_that_of_one_add(self) -> None:
        if not self.made:
            return
        with Memory(self.root / f"at once {self.made}", **quick()) as fresh:
            fresh.add(*(path for paths in self.live.values() for path in paths))
            assert self.memory.state_digest() == fresh.state_digest()
        shutil.rmtree(fresh.folder)

    def teardown(self) -> None:
        shutil.rmtree(self.root)


TestAnyActs = AnyActs.TestCase
TestAnyActs.settings = settings(
    max_examples=20,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
