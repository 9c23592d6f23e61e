"""Vectors made anew: all or nothing, beside what is read, nothing left of what is forgotten."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from mmem import Memory
from mmem.errors import ConfigError, ModelMismatch, ReplyUnusable
from mmem.lifecycle.progress import Progress
from mmem.ports import Encoded, QueryVectors, VectorSpace
from mmem.recipes import FUSING
from mmem.stores import spaces
from mmem.stores.library import Library
from mmem.stores.spaces import other_space, spare_tables
from mmem.stores.tables import Table
from tests.bodies import HashedWords, quick
from tests.ingestors.film import even, film
from tests.lifecycle.conftest import Said, transcript_text
from tests.lifecycle.test_fusion import Changing, settled
from tests.models.embedding import embeds
from tests.models.embedding import encoder as served_encoder

HALF = 32
KILLS = 5


class Halved(HashedWords):
    """Another space: half the numbers, and sentences as chunks."""

    def __init__(self, *, name: str = "halved words", dies_after: int | None = None) -> None:
        self.name = name
        self.texts: list[str] = []
        self.dies_after = dies_after

    @property
    def identity(self) -> VectorSpace:
        return VectorSpace("test", self.name, "1", HALF, "mean", "lower case")

    def encode(self, texts: Sequence[str]) -> Encoded:
        if self.dies_after is not None and len(self.texts) + len(texts) > self.dies_after:
            raise ReplyUnusable("the server is gone")
        self.texts += texts
        found = super().encode(texts)
        halves = found.pooled[:, HALF:]
        lengths = np.linalg.norm(halves, axis=1, keepdims=True)
        return Encoded(halves / lengths, [codes[:, HALF // 8 :] for codes in found.codes])

    def encode_query(self, text: str) -> QueryVectors:
        found = super().encode_query(text)
        half = found.pooled[HALF:]
        return QueryVectors(half / np.linalg.norm(half), found.tokens[:, HALF:], found.spans)

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        starts = [0, *(n + 1 for n, letter in enumerate(text) if letter in ".\n"), len(text)]
        pairs = itertools.pairwise(starts)
        return [(a, b) for a, b in pairs if text[a:b].strip()]


TALK: list[Said] = [
    (0, "Kit", "Kit repaired boiler."),
    (3, "Lou", "Thanks a lot, the harbour was cold."),
    (900, "Lou", "Lou painted fence."),
]
OFFICE: list[Said] = [
    (20, "Ada", "Kit repaired boiler."),
    (21, "Ada", "Ada sold kayak."),
    (3000, "Kit", "Kit repaired boiler."),
]


@pytest.fixture
def files(chat: Callable[..., Path], tmp_path: Path) -> list[Path]:
    """Two chats that tell of one occurrence, a recording with pictures, and its transcript."""
    video = film(tmp_path / "talk.mp4", even(["red"] * 4 + ["blue"] * 4, fps=2))
    talk = tmp_path / "talk.vtt"
    cues = [(0.5, 2.0, "Ada", "Kit unfolded mirror. It is big."), (2.5, 3.5, "Kit", "Yes.")]
    talk.write_text(transcript_text(cues))
    return [chat("Harbour", TALK), chat("Office", OFFICE), talk, video]


@pytest.fixture
def memory(fresh: Callable[..., Memory], files: list[Path]) -> Memory:
    made = fresh()
    assert not any(report.failed for report in made.add(*files))
    return made


def fresh_digest(fresh: Callable[..., Memory], files: Sequence[Path]) -> str:
    """Return the state of a memory that never had another encoder."""
    made = fresh(encoder=Halved())
    assert not any(report.failed for report in made.add(*files))
    return made.state_digest()


def test_the_state_is_that_of_a_new_memory(
    memory: Memory, files: list[Path], fresh: Callable[..., Memory]
) -> None:
    """Vectors, codes, comparisons, vectors of pictures: nothing tells which encoder came first."""
    before = memory.text_space()
    told: list[Progress] = []
    made = memory.reembed(encoder=Halved(), listener=told.append)
    assert made.changed and (made.before, made.after) == (before, Halved().identity)
    assert memory.state_digest() == fresh_digest(fresh, files)
    assert {o.status for o in memory.outcomes()} <= {"ok", "empty", "skipped"}
    counted = [p for p in told if p.stage == "vectors"]
    assert [p.done for p in counted] == sorted(p.done for p in counted)
    assert counted[-1].done == counted[-1].total == made.units
    names = set(memory.sizes())
    assert not {name for name in names if name.startswith(("vectors_", "codes_"))} - set(
        Library.open(memory.folder).content_tables()
    )
    assert memory.search("who repaired the boiler?").hits


def test_a_second_run_changes_nothing(memory: Memory) -> None:
    """And no text is encoded for it."""
    encoder = Halved()
    memory.reembed(encoder=encoder)
    state, asked = memory.state_digest(), len(encoder.texts)
    assert not memory.reembed(encoder=encoder).changed
    assert memory.state_digest() == state and len(encoder.texts) == asked


def test_another_encoder_is_refused_with_the_command(memory: Memory) -> None:
    """A memory names the space that it holds and what to do; after the swap the old one is it."""
    other = Memory(memory.folder, **quick(Halved()))
    with pytest.raises(ModelMismatch, match=r"hashed words.*halved words") as caught:
        other.sources()
    assert "mmem reembed" in caught.value.hint and "MMEM_TEXT_MODEL" in caught.value.hint
    memory.reembed(encoder=Halved())
    assert other.sources()
    with pytest.raises(ModelMismatch):
        Memory(memory.folder, **quick()).sources()


def test_readers_go_on_until_the_swap(memory: Memory) -> None:
    """While vectors are made the memory answers as before; who still reads afterwards is told."""
    reader = Memory(memory.folder, **quick())
    asked = "who repaired the boiler?"
    usual = [hit.unit_id for hit in reader.search(asked).hits]
    seen: list[list[str]] = []

    def look(progress: Progress) -> None:
        if progress.stage == "vectors":
            with Memory(memory.folder, **quick()) as other:
                seen.append([hit.unit_id for hit in other.search(asked).hits])

    memory.reembed(encoder=Halved(), listener=look)
    assert len(seen) > 3 and all(found == usual for found in seen)
    with pytest.raises(ModelMismatch, match="mmem reembed"):
        reader.search(asked)


def test_a_dead_encoder_leaves_the_memory_as_it_was(
    memory: Memory, files: list[Path], fresh: Callable[..., Memory]
) -> None:
    """The error says so; the next run encodes only what is missing."""
    state, ledger = memory.state_digest(), memory.outcomes()
    with pytest.raises(ReplyUnusable) as caught:
        memory.reembed(encoder=(dying := Halved(dies_after=8)))
    assert "the memory is as it was" in caught.value.hint and "mmem reembed" in caught.value.hint
    assert "Lou: Lou painted fence." in dying.texts
    assert memory.state_digest() == state and memory.outcomes() == ledger
    assert memory.search("boiler").hits and memory.space_being_made() == Halved().identity
    again, before_swap = Halved(), [0]

    def count(progress: Progress) -> None:
        if progress.stage == "vectors":
            before_swap.append(len(again.texts))

    memory.reembed(encoder=again, listener=count)
    made = again.texts[: before_swap[-1]]
    assert made and "Lou: Lou painted fence." not in made
    assert memory.state_digest() == fresh_digest(fresh, files)
    assert memory.space_being_made() is None


class Dead(BaseException):
    """The process is gone: from here on nothing is written."""


@contextmanager
def dying(writes: int) -> Iterator[list[int]]:
    """Let so many writes through and none after them, as a kill does."""
    count = [0]

    def counted(act: Callable[..., object]) -> Callable[..., object]:
        def counting(*args: object, **more: object) -> object:
            count[0] += 1
            if count[0] > writes:
                raise Dead
            return act(*args, **more)

        return counting

    with pytest.MonkeyPatch.context() as patched:
        for name in ("upsert", "delete_ids", "compact", "rewrite"):
            patched.setattr(Table, name, counted(getattr(Table, name)))
        patched.setattr(spaces, "create_table", counted(spaces.create_table))
        connection = type(spaces.connect(Path("/nonexistent")))
        patched.setattr(connection, "drop_table", counted(connection.drop_table))
        yield count


def test_a_kill_at_any_write_is_completed_by_the_next_run(
    files: list[Path], fresh: Callable[..., Memory], tmp_path: Path
) -> None:
    """The memory opens with one encoder or the other, and ends as if nothing had happened."""
    chats = files[:2]
    goal = fresh_digest(fresh, chats)
    memory = fresh()
    memory.add(*chats)
    state = memory.state_digest()
    whole = tmp_path / "whole"
    shutil.copytree(memory.folder, whole)
    with dying(1_000) as writes, Memory(whole, **quick(Halved())) as unbroken:
        unbroken.reembed()
    places = sorted({round(n * (writes[0] - 1) / (KILLS - 1)) for n in range(KILLS)})
    met: set[str] = set()
    for place in places:
        folder = tmp_path / f"killed{place}"
        shutil.copytree(memory.folder, folder)
        with pytest.raises(Dead), dying(place), Memory(folder, **quick(Halved())) as killed:
            killed.reembed()
        old = Library.open(folder).space == HashedWords().identity
        met.add("before" if old else "after")
        with Memory(folder, **quick(HashedWords() if old else Halved())) as opened:
            assert opened.search("boiler").hits
            assert not old or opened.state_digest() == state or _marked(opened)
        with Memory(folder, **quick(Halved())) as again:
            again.reembed()
            assert again.state_digest() == goal, place
        assert other_space(folder) is None
        shutil.rmtree(folder)
    assert met == {"before", "after"}


def _marked(memory: Memory) -> bool:
    """Tell whether comparisons wait to be made anew: the one thing that changes before the swap."""
    return Library.open(memory.folder).table("comparisons").count("vector_of = ''") > 0


def test_a_kill_before_the_swap_is_healed_by_the_next_add(
    files: list[Path], fresh: Callable[..., Memory], chat: Callable[..., Path]
) -> None:
    """Comparisons that were marked are made again by whoever writes next, with the old vectors."""
    more = chat("Pier", [(5000, "Lou", "Lou closed gate.")])
    goal = fresh()
    goal.add(*files[:2])
    goal.add(more)
    memory = fresh()
    memory.add(*files[:2])
    with pytest.MonkeyPatch.context() as patched, pytest.raises(Dead):
        patched.setattr("mmem.lifecycle.reembed.swap_spaces", _dead)
        patched.setattr("mmem.lifecycle.reembed._write", _write_once())
        memory.reembed(encoder=Halved())
    assert _marked(memory)
    memory.add(more)
    assert memory.state_digest() == goal.state_digest()


def _dead(*_: object) -> None:
    raise Dead


def _write_once() -> Callable[..., None]:
    left = [1]

    def write(table: Table, rows: Sequence[dict[str, object]]) -> None:
        if left.pop():
            table.upsert(rows)
        left.append(0)

    return write


def stop_before_the_swap(progress: Progress) -> None:
    if progress.stage == "vectors" and progress.done == progress.total:
        raise ReplyUnusable("the server is gone")


@pytest.mark.parametrize("gone", ["Harbour", "talk.vtt"])
def test_forgetting_leaves_nothing_in_half_made_vectors(
    gone: str, memory: Memory, files: list[Path], fresh: Callable[..., Memory]
) -> None:
    """Law 5, for a source that was encoded already and for lines shown in another's units."""
    with pytest.raises(ReplyUnusable):
        memory.reembed(encoder=Halved(), listener=stop_before_the_swap)
    chosen = memory.source(gone)
    assert sum(table.count() for table in spare_tables(memory.folder).values()) > 0
    receipt = memory.forget(source=chosen.id)
    assert [line for line in receipt.lines if line.verdict == "residue"] == []
    for table in spare_tables(memory.folder).values():
        owners = set(table.read(["source_id"])["source_id"].to_pylist())
        assert not owners & {chosen.id, chosen.about}
        assert table.older_versions() == 0
    memory.reembed(encoder=Halved())
    if gone == "Harbour":
        rest = [f for f in files if "Harbour" not in f.name]
        assert memory.state_digest() == fresh_digest(fresh, rest)


def test_what_fails_after_the_swap_is_settled_by_the_next_run(
    memory: Memory, files: list[Path], fresh: Callable[..., Memory]
) -> None:
    """The new vectors are read at once; the error says that, and the same command ends it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("mmem.lifecycle.complete.compare", _gone)
        with pytest.raises(ReplyUnusable) as caught:
            memory.reembed(encoder=Halved())
    assert "read already" in caught.value.hint
    assert memory.search("boiler").hits and memory.space_being_made() is not None
    assert memory.reembed().changed
    assert memory.state_digest() == fresh_digest(fresh, files)
    assert memory.space_being_made() is None


def _gone(*_: object, **__: object) -> None:
    raise ReplyUnusable("the server is gone")


def test_who_opened_it_before_the_swap_writes_nothing_after_it(memory: Memory) -> None:
    """A writer that still has the old tables open is refused before it deletes or adds a row."""
    late = Memory(memory.folder, **quick())
    assert late.sources()
    memory.reembed(encoder=Halved())
    state = memory.state_digest()
    with pytest.raises(ModelMismatch):
        late.forget(source="Office")
    with pytest.raises(ModelMismatch):
        late.retry()
    assert memory.state_digest() == state


def test_forgetting_after_the_swap_leaves_nothing(
    memory: Memory, files: list[Path], fresh: Callable[..., Memory]
) -> None:
    """Law 5 holds in the new space."""
    memory.reembed(encoder=Halved())
    assert memory.forget(source="Office").complete
    memory.retry()
    assert memory.state_digest() == fresh_digest(
        fresh, [f for f in files if "Office" not in f.name]
    )


def test_on_the_way_to_another_space_the_half_made_one_is_dropped(memory: Memory) -> None:
    """Of two broken off runs to different models one leaves nothing."""
    with pytest.raises(ReplyUnusable):
        memory.reembed(encoder=Halved(dies_after=8))
    memory.reembed(encoder=Halved(name="third"))
    tables = {n for n in memory.sizes() if n.startswith(("vectors_", "codes_"))}
    assert tables == {n for n in Library.open(memory.folder).content_tables() if n in tables}
    assert len(tables) == 2 and memory.space_being_made() is None


def test_to_stay_lets_go_of_what_was_half_made(memory: Memory) -> None:
    """`reembed` with the memory's own encoder ends a broken off one."""
    state = memory.state_digest()
    with pytest.raises(ReplyUnusable):
        memory.reembed(encoder=Halved(dies_after=8))
    assert not memory.reembed().changed
    assert memory.space_being_made() is None and memory.state_digest() == state
    assert spare_tables(memory.folder) == {}


def test_what_a_model_said_of_a_pair_stays(
    fresh: Callable[..., Memory], chat: Callable[..., Path]
) -> None:
    """Where a unit has the candidates that it had, nobody is asked again, whoever judged."""
    memory = fresh()
    memory.add(chat("Harbour", TALK), chat("Office", OFFICE))
    judge = Changing()
    settled(memory, judge)
    table = Library.open(memory.folder).table("comparisons")
    before = {row["unit_id"]: row for row in table.read().to_pylist()}
    memory.reembed(encoder=Halved())
    after = {row["unit_id"]: row for row in table.read().to_pylist()}
    same = [i for i in after if after[i]["candidates"] == before[i]["candidates"]]
    assert [i for i in same if after[i]["candidates"]]
    assert {after[i]["judge"] for i in same} == {judge.identity}
    assert all(len(row["candidates"]) <= FUSING.most for row in after.values())


def test_no_memory_is_made(fresh: Callable[..., Memory]) -> None:
    """Where there is none, the command to make one is named."""
    memory = fresh()
    with pytest.raises(ConfigError, match="no memory at"):
        memory.reembed(encoder=Halved())
    assert not memory.folder.exists()


def test_an_endpoint_makes_the_vectors_of_a_whole_memory(
    memory: Memory, files: list[Path], fresh: Callable[..., Memory]
) -> None:
    """Calls and tokens are counted; without token vectors, late interaction is said to be off."""
    from tests.endpoint import serving

    with serving(embeds()) as server, served_encoder(server) as served:
        made = memory.reembed(encoder=served)
        assert made.cost.calls == len(server.asked) > 0 and made.cost.tokens > 0
        new = fresh(encoder=served)
        new.add(*files)
        assert memory.state_digest() == new.state_digest()
        found = memory.search("Kit repaired boiler", explain=True)
        (step,) = [step for step in found.trace.steps if step.name == "late"]
        assert found.hits and not step.fired and "no token vectors" in step.note
        assert memory.forget(source="Harbour").complete
