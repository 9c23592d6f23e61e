"""What broke off is completed, with what was said of it; what cannot be applied is said."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mmem import Memory
from mmem.errors import ConfigError
from mmem.stores.library import Library
from tests.bodies import quick
from tests.ingestors.film import Tone, even, film
from tests.lifecycle.conftest import START, Said, chat_text, transcript_text

EARLY: list[Said] = [(0, "Ana", "The garage code is 4711 for the door"), (1500, "Bob", "beta two")]
LATE: list[Said] = [(1500, "Bob", "beta two"), (19000, "Bob", "more")]


class Broken(Exception):
    """Stands for whatever ends a process."""


@contextmanager
def breaking(monkeypatch: pytest.MonkeyPatch, method: str, *, after: bool) -> Iterator[None]:
    """Let the next call of a library's method end the run, before or after it is done."""
    act = getattr(Library, method)

    def broken(self: Library, *given: object) -> None:
        if after:
            act(self, *given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Library, method, broken)
        yield


@pytest.mark.parametrize("how", ["add both", "retry", "retry and add"])
@pytest.mark.parametrize("after", [False, True])
def test_an_interrupted_earlier_export_is_read_by_the_next_add(
    how: str, after: bool, chat: Callable, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law: no message is lost, and the state is that of an unbroken run."""
    late, early = chat("Bob", LATE), chat("Bob", EARLY)
    memory, whole = fresh(), fresh()
    whole.add(late, early)
    memory.add(late)
    with breaking(monkeypatch, "put_atoms", after=after):
        memory.add(early)
    memory = Memory(memory.folder, **quick())
    if how != "add both":
        memory.retry()
    if how != "retry":
        memory.add(late, early)
    assert memory.state_digest() == whole.state_digest()
    assert [o for o in memory.outcomes() if o.status == "pending"] == []


def test_retry_keeps_labels_and_titles(tmp_path: Path, fresh: Callable) -> None:
    """Law: a secret stays one, though its file could not be read at first."""
    path, memory = tmp_path / "secret.txt", fresh()
    path.write_bytes(bytes(range(256)) * 4)
    memory.add(path, labels=["hr"], title="Talks")
    path.write_text(chat_text(EARLY))
    memory.retry()
    (source,) = memory.sources()
    assert (source.labels, source.title) == (("hr",), "Talks")
    assert Memory(memory.folder, labels=[], **quick()).sources() == []


def test_a_recording_read_again_keeps_its_labels(
    tmp_path: Path, fresh: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law: labels and the stated start survive a broken run and a plain second add."""
    path, memory = film(tmp_path / "note.mp4", even(["red"] * 4, fps=2)), fresh()
    with breaking(monkeypatch, "put_sources", after=True):
        memory.add(path, labels=["hr"], recorded_at=START)
    memory = Memory(memory.folder, **quick())
    memory.add(path)
    (source,) = memory.sources()
    assert (source.labels, source.clock.confidence) == (("hr",), "stated")


def test_what_a_broken_forget_left_is_swept(
    tmp_path: Path, chat: Callable, fresh: Callable
) -> None:
    """Law: rows and pictures without a source go with the next writer."""
    kept = chat("Bob", LATE)
    memory, never = fresh(), fresh()
    never.add(kept)
    film(tmp_path / "talk.mp4", even(["red"] * 4, fps=2))
    memory.add(kept, tmp_path / "talk.mp4")
    (recording,) = [s for s in memory.sources() if s.kind == "recording"]
    Library.open(memory.folder).table("sources").delete_ids([recording.id])
    memory.add(kept)
    assert memory.state_digest() == never.state_digest()


def test_undated_small_talk_makes_no_kin(tmp_path: Path, fresh: Callable) -> None:
    """Identity: without times, common words are no common messages."""
    memory = fresh()
    for number in (1, 2):
        lines = [
            f'{{"role":"user","content":"{text}"}}'
            for text in (f"only {number}", *"abcdefghijklmnopqrstuvwxyz")
        ]
        (tmp_path / f"log of {number}.jsonl").write_text("\n".join(lines))
        memory.add(tmp_path / f"log of {number}.jsonl")
    assert len(memory.sources()) == 2


def test_a_year_in_a_title_is_no_copy(chat: Callable, fresh: Callable) -> None:
    """Identity: "(1)" is a copy, "(2024)" is not."""
    memory = fresh()
    memory.add(
        chat("Trip (2024)", EARLY),
        chat("Trip (2025)", LATE[1:]),
        chat("Trip (2024) (1)", EARLY[:1]),
    )
    assert sorted(s.key for s in memory.sources()) == ["trip (2024)", "trip (2025)"]


def test_a_stated_title_is_never_taken_for_another(chat: Callable) -> None:
    """Identity: with --as the order cannot be seen either."""
    from tests.lifecycle.test_laws import LONG

    one, other = chat("aa", LONG), chat("bb", [*LONG, (900, "Kit", "the end")])
    found = []
    for order in (0, 1):
        folder = one.parent / f"memory{order}"
        with Memory(folder, **quick()) as memory:
            acts = [lambda m=memory: m.add(one, title="Zed"), lambda m=memory: m.add(other)]
            for act in acts if order else reversed(acts):
                act()
            found.append(({s.title for s in memory.sources()}, memory.state_digest()))
    assert found[0] == found[1]
    assert found[0][0] == {"Zed", "bb"}


CUES = [(1.0, 4.0, "Kim", "The gauge is red."), (20.0, 25.0, "Zoe", "It is green again.")]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    folder = tmp_path / "talk"
    folder.mkdir()
    film(folder / "talk.m4a", tones=[Tone(0, 30)])
    return folder / "talk.m4a"


def test_people_of_later_are_not_known_before(talk: Path, fresh: Callable) -> None:
    """Law 6: who speaks after the moment is no filter before it."""
    talk.with_suffix(".vtt").write_text(transcript_text(CUES))
    memory = fresh()
    memory.add(talk, recorded_at=START)
    early = START.replace(second=10)
    assert memory.search("what is said?", people="Zoe", as_of=early).hits == ()
    assert memory.search("what is said?", people="Kim", as_of=early).hits
    assert memory.search("what is said?", people="Zoe").hits


def test_every_door_cuts_what_a_label_hides(talk: Path, fresh: Callable) -> None:
    """Law 7: units, counts and outcomes tell a guest nothing of a hidden transcript."""
    memory = fresh()
    vtt = talk.with_suffix(".vtt")
    vtt.write_text(transcript_text(CUES))
    memory.add(vtt, labels=["hr"])
    memory.add(talk)
    guest = Memory(memory.folder, labels=[], **quick())
    assert guest.units("talk.m4a") == []
    assert guest.counts() == {"sources": 1, "atoms": 0, "units": 0}
    assert guest.outcomes() == []
    (recording,) = guest.sources()
    assert guest.place(recording.id).path == talk


def test_a_transcript_gives_back_the_start_of_a_forgotten_recording(
    talk: Path, fresh: Callable
) -> None:
    """Law 5: what came from the recording goes with it, its clock too."""
    memory, never = fresh(), fresh()
    memory.add(talk, recorded_at=START)
    talk.with_suffix(".vtt").write_text(transcript_text(CUES))
    memory.add(talk.with_suffix(".vtt"))
    memory.forget(source="talk.m4a")
    alone = talk.parent / "alone"
    alone.mkdir()
    shutil.copy(talk.with_suffix(".vtt"), alone)
    never.add(alone / "talk.vtt")
    memory.retry()  # "yesterday" of its lines is another day now
    assert memory.state_digest() == never.state_digest()


def test_what_is_said_in_vain_is_said(talk: Path, fresh: Callable) -> None:
    """Law 9: an option that a known file cannot take is named."""
    memory = fresh()
    memory.add(talk)
    (report,) = memory.add(talk, recorded_at=START)
    assert report.note.startswith("--recorded-at not applied")


def test_a_failed_file_that_is_gone_is_closed(tmp_path: Path, fresh: Callable) -> None:
    """Law 9: `retry` says once that a file is gone, and no longer tries."""
    path, memory = tmp_path / "junk.bin", fresh()
    path.write_bytes(bytes(range(256)) * 4)
    memory.add(path)
    path.unlink()
    assert [r.status for r in memory.retry()] == ["failed"]
    assert memory.retry() == []


def test_a_file_is_no_memory(chat: Callable, tmp_path: Path) -> None:
    """Law: one clear line."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="is a file"):
        Memory(tmp_path / "file", **quick()).add(chat("Bob", LATE))


def test_a_citation_names_a_file_that_is_there(chat: Callable, fresh: Callable) -> None:
    """Law 8: of several places the one that can be opened."""
    one, memory = chat("Bob", LATE), fresh()
    other = chat("Bob", LATE)
    memory.add(one, other)
    one.unlink()
    line = memory.search("beta two").hits[0].lines[0]
    assert line.citation.file == str(other)
