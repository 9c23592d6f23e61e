"""A recording is one source by its bytes; a long one that was broken off goes on where it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest

from mmem import Memory
from mmem.errors import MissingExtra
from mmem.ingestors.sound import RATE_HZ, sound_windows
from mmem.lifecycle.progress import Progress
from mmem.models.speech_weights import tiny_en_folder
from mmem.stores.drafts import Draft
from tests.bodies import quick
from tests.ingestors.film import Tone, even, film

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(scope="module")
def speech(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four and a half minutes of people who speak: more than goes through at one go."""
    try:
        tiny_en_folder()
    except MissingExtra as error:
        pytest.skip(str(error))
    voice = np.concatenate([w.samples for w in sound_windows(SAMPLES / "standup.mp4")])
    whole = np.resize(voice[: 110 * RATE_HZ], 270 * RATE_HZ)
    return film(tmp_path_factory.mktemp("speech") / "a.flac", [], [Tone(0, 270, voice=whole)])


@pytest.fixture(scope="module")
def half(speech: Path) -> Path:
    """A memory whose writer was interrupted after the first stretch of speech."""

    def interrupts(progress: Progress) -> None:
        if progress.stage == "speech":
            raise KeyboardInterrupt

    folder = speech.with_name("half")
    with Memory(folder, **quick()) as memory, pytest.raises(KeyboardInterrupt):
        memory.add(speech, listener=interrupts)
    return folder


@pytest.fixture
def broken(half: Path, tmp_path: Path) -> Path:
    """A copy of the interrupted memory."""
    return Path(shutil.copytree(half, tmp_path / "broken"))


def test_speech_that_was_broken_off_goes_on(speech: Path, broken: Path, tmp_path: Path) -> None:
    """Law: the state after a broken run and a retry is that of an unbroken one; no draft stays."""
    with Memory(tmp_path / "whole", **quick()) as memory:
        memory.add(speech)
        unbroken = memory.state_digest()
        assert len(memory.atoms("a")) > 50
    memory = Memory(broken, **quick())
    (draft,) = (broken / "drafts").iterdir()
    assert len(draft.read_text().splitlines()) == 2
    assert memory.atoms("a") == []
    assert "speech" in {o.stage for o in memory.outcomes() if o.status == "pending"}
    memory.retry()
    assert memory.state_digest() == unbroken
    assert not list((broken / "drafts").iterdir())


def test_a_draft_is_forgotten_too(broken: Path) -> None:
    """Law 5: words that were recognised, and not yet stored as atoms, go as well."""
    memory = Memory(broken, **quick())
    receipt = memory.forget(source="a")
    verdicts = {line.layer: line.verdict for line in receipt.lines}
    assert verdicts["unfinished work"] == "erased"
    assert not list((broken / "drafts").iterdir())


def test_a_draft_of_another_model_or_cut_short_is_not_trusted(broken: Path) -> None:
    """Only whole parts, made by the same model, are taken over."""
    (path,) = (broken / "drafts").iterdir()
    first, part, _ = path.read_text().split("\n")
    assert Draft(path, first).parts() == [part]
    assert Draft(path, "another model").parts() == []
    path.write_text(f"{first}\n{part}\n{part[:40]}")
    assert Draft(path, first).begin() == [part]
    assert path.read_text() == f"{first}\n{part}\n"


@pytest.fixture
def red(tmp_path: Path) -> Path:
    """A recording of 40 s, red then blue, then red again, with a tone."""
    colours = ["red"] * 40 + ["blue"] * 20 + ["red"] * 20
    return film(tmp_path / "red.mp4", even(colours, fps=2), [Tone(0, 40)], codec="libx264")


def test_a_recording_is_known_by_its_bytes(red: Path, fresh: Callable) -> None:
    """By its path or another name it is unchanged; packed anew it is another source."""
    memory = fresh()
    memory.add(red)
    digest = memory.state_digest()
    (report,) = memory.add(red)
    assert (report.status, report.new_atoms) == ("unchanged", 0)
    copy = red.with_name("copy of red.mp4")
    copy.write_bytes(red.read_bytes())
    (report,) = memory.add(copy)
    assert (report.status, memory.state_digest()) == ("unchanged", digest)
    (source,) = memory.sources()
    assert [Path(p).name for p in source.revisions[0].locations] == [copy.name, red.name]
    (report,) = memory.add(remuxed(red, red.with_suffix(".mkv")))
    assert report.status == "added"
    assert len(memory.sources()) == 2


def test_no_atom_is_twice_in_a_source(red: Path, fresh: Callable) -> None:
    """However often it is added, a picture, a line and a screen are one atom each."""
    memory = fresh()
    for _ in range(2):
        memory.add(red, remuxed(red, red.with_suffix(".mkv")))
    for source in memory.sources():
        atoms = memory.atoms(source.id)
        assert len({atom.id for atom in atoms}) == len(atoms)
        assert len({(atom.kind, atom.span) for atom in atoms}) == len(atoms)
        starts = [atom.span.start_s for atom in atoms if atom.kind == "keyframe"]
        assert starts == pytest.approx([0, 20, 30], abs=0.1)


def test_what_is_damaged_is_said_and_the_rest_is_there(tmp_path: Path, fresh: Callable) -> None:
    """A key picture that cannot be decoded leaves the stage partial, once: it stays so."""
    shots = even(["red"] * 40 + ["blue"] * 20 + ["red"] * 20, fps=2)
    red = film(tmp_path / "red.mp4", shots, codec="libx264", gop=20)
    with av.open(str(red)) as source:
        keys = [p for p in source.demux(video=0) if p.is_keyframe and p.size]
        place, size = keys[-1].pos, keys[-1].size
    data = bytearray(red.read_bytes())
    assert place is not None and len(keys) > 1
    data[place + 4 : place + size] = b"\xff" * (size - 4)
    red.write_bytes(data)
    memory = fresh()
    (report,) = memory.add(red)
    (pictures,) = [o for o in report.outcomes if o.stage == "pictures"]
    assert report.failed and pictures.status == "partial"
    assert "could not be decoded" in pictures.reason and pictures.count > 0
    digest = memory.state_digest()
    (again,) = memory.add(red)
    assert (again.status, again.failed, memory.state_digest()) == ("unchanged", True, digest)
    assert memory.retry() == []


def remuxed(path: Path, target: Path) -> Path:
    """Write the same packets into another container."""
    with av.open(str(path)) as source, av.open(str(target), "w") as out:
        copies = {s.index: out.add_stream_from_template(s) for s in source.streams}
        for packet in source.demux():
            if packet.dts is not None:
                packet.stream = copies[packet.stream.index]
                out.mux(packet)
    return target
