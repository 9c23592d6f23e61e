"""Faults that a reader of the whole found: what a broken run leaves, and whose file it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mmem import Memory
from mmem.lifecycle import recording
from mmem.lifecycle.complete import Completer
from mmem.stores.layout import connect
from mmem.stores.library import Library
from mmem.stores.tables import open_table
from tests.bodies import quick
from tests.ingestors.film import Tone, even, film
from tests.lifecycle.test_interrupted import EARLY, LATE, breaking


@pytest.fixture
def red(tmp_path: Path) -> Path:
    return film(tmp_path / "red.mp4", even(["red"] * 8 + ["blue"] * 8, fps=2), [Tone(0, 8)])


def test_pictures_of_a_killed_run_are_forgotten(
    red: Path, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 5: a picture that was written before its record goes, and the receipt counts it."""
    memory = fresh()
    put = Library.put_atoms

    def broken(self: Library, *given: object) -> None:
        if any(self.media.names()):
            raise KeyboardInterrupt
        put(self, *given)  # type: ignore[arg-type]

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Library, "put_atoms", broken)
        memory.add(red)
    assert list((memory.folder / "media").iterdir())
    receipt = Memory(memory.folder, **quick()).forget(source="red")
    assert receipt.complete
    assert not list((memory.folder / "media").iterdir())


def test_a_file_that_was_replaced_is_not_read_as_the_old_one(
    red: Path, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recording is its bytes: what lies at its path now may be another."""

    def dies(*_: object, **__: object) -> None:
        raise ValueError("no more")

    memory = fresh()
    with monkeypatch.context() as patched:
        patched.setattr(recording, "hear", dies)
        (report,) = memory.add(red)
    assert report.failed
    film(red, even(["green"] * 40, fps=2), [Tone(0, 20)])
    (again,) = memory.retry()
    (speech,) = [o for o in again.outcomes if o.stage == "speech"]
    assert speech.status == "failed" and "as it was" in speech.reason


def test_an_error_nobody_knows_is_an_outcome(
    red: Path, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 9: it is named, the other stages go on, and `retry` does it again."""

    def dies(*_: object, **__: object) -> None:
        raise ValueError("no more")

    memory = fresh()
    with monkeypatch.context() as patched:
        patched.setattr(recording, "hear", dies)
        (report,) = memory.add(red)
    ended = {o.stage: (o.status, o.reason) for o in report.outcomes}
    assert ended["speech"] == ("failed", "ValueError: no more")
    assert ended["vectors"][0] == "ok"
    assert not memory.retry()[0].failed


def test_words_on_pictures_wait_for_the_pictures(
    red: Path, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the pictures failed, their words and labels are pending, not empty."""

    def dies(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    memory, whole = fresh(), fresh()
    whole.add(red)
    with monkeypatch.context() as patched:
        patched.setattr("mmem.stores.media.MediaFolder.write", dies)
        (report,) = memory.add(red)
    ended = {o.stage: o.status for o in report.outcomes}
    assert (ended["pictures"], ended["screen"], ended["labels"]) == ("failed", "pending", "pending")
    memory.retry()
    assert memory.state_digest() == whole.state_digest()


def test_a_forgetting_that_was_killed_is_finished_by_the_next_writer(
    chat: Callable, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 5: the bytes of older versions go, whoever writes next."""
    memory = fresh()
    memory.add(chat("Bob", EARLY), chat("Kit", LATE))
    with breaking(monkeypatch, "rewrite", after=False):
        memory.forget(source="Bob")
    library = Library.open(memory.folder)
    assert library.is_forgetting
    Memory(memory.folder, **quick()).add(chat("Lou", LATE))
    library = Library.open(memory.folder)
    assert not library.is_forgetting
    kept = b"4711"
    tables = (memory.folder / "tables").rglob("*")
    assert not any(kept in path.read_bytes() for path in tables if path.is_file())


def test_what_was_announced_of_a_file_that_is_gone_is_closed(
    chat: Callable, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row of the ledger whose file vanished before it was read goes with the next retry."""
    memory, path = fresh(), chat("Bob", EARLY)
    with breaking(monkeypatch, "put_atoms", after=False):
        memory.add(path)
    path.unlink()
    memory = Memory(memory.folder, **quick())
    memory.retry()
    assert memory.outcomes() == []


def test_sound_that_is_damaged_is_told_and_not_tried_again(tmp_path: Path, fresh: Callable) -> None:
    """Silence instead of speech that is lost would be a lie by omission."""
    path = film(tmp_path / "note.m4a", [], [Tone(0, 20)])
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4000] = b"\xff" * 4000
    path.write_bytes(data)
    memory = fresh()
    (report,) = memory.add(path)
    (speech,) = [o for o in report.outcomes if o.stage == "speech"]
    assert speech.status == "partial" and "packets could not be decoded" in speech.reason
    assert memory.retry() == []


def test_forgetting_decodes_no_other_recording(
    red: Path, tmp_path: Path, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another file still lacks waits for `retry`."""
    memory = fresh()
    other = film(tmp_path / "other.mp4", even(["green"] * 8, fps=2))
    memory.add(other)

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Completer, "_see", dies)
        memory.add(red)
    receipt = memory.forget(source="other")
    assert receipt.complete
    assert any("pictures" in line and "mmem retry" in line for line in receipt.pending)
    assert not list((memory.folder / "media").iterdir())


def test_a_memory_of_an_older_layout_is_forgotten_from(chat: Callable, fresh: Callable) -> None:
    """Whoever may write brings the tables up to date; nobody has to add first."""
    memory = fresh()
    memory.add(chat("Lou", [(0, "Kit", "morning")]))
    connection = connect(memory.folder)
    for name in ("frames", "facts"):
        connection.drop_table(name)
    open_table(connection, "meta").upsert([{"id": "layout", "value": "1"}])
    assert Memory(memory.folder, **quick()).forget(source="Lou").complete
