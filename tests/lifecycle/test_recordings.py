"""A recording and its transcript: one state in any order, one timeline, one of them hidden."""

from __future__ import annotations

import datetime as dt
import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mmem import Memory
from mmem.schemas import Anchor, Keyframe, Utterance
from tests.bodies import quick
from tests.ingestors.film import Tone, even, film
from tests.lifecycle.conftest import START, transcript_text

CUES = [
    (1.0, 4.0, "Ada", "The gauge is red now."),
    (5.0, 8.0, "Kit", "I will close the valve."),
    (33.0, 36.0, "Ada", "Now it is green again."),
]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A folder with a 40-second film, red then green, with a tone, and its transcript."""
    folder = tmp_path / "talk"
    folder.mkdir()
    film(folder / "valve.mp4", even(["red"] * 60 + ["green"] * 20, fps=2), [Tone(0, 40)])
    (folder / "valve.vtt").write_text(transcript_text(CUES))
    return folder


def state(folder: Path, *batches: list[Path]) -> str:
    with Memory(folder, **quick()) as memory:
        for batch in batches:
            assert not any(report.failed for report in memory.add(*batch))
        return memory.state_digest()


def test_a_recording_and_its_transcript_in_any_order(talk: Path, tmp_path: Path) -> None:
    """Law 4: video first (with its speech recognised), transcript first, or both: one state."""
    files = [talk / "valve.vtt", talk / "valve.mp4"]
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(talk / "valve.mp4", alone)
    with Memory(tmp_path / "late", **quick()) as memory:
        memory.add(alone / "valve.mp4")
        assert {o.stage: o.status for o in memory.outcomes()}["speech"] == "empty"
        shutil.copy(talk / "valve.vtt", alone)
        memory.add(alone / "valve.vtt")
        late = memory.state_digest()
    states = {
        state(tmp_path / str(number), *([path] for path in order))
        for number, order in enumerate(itertools.permutations(files))
    }
    assert states == {late, state(tmp_path / "both", files)}


def test_a_transcript_beside_a_recording_is_taken_along(talk: Path, tmp_path: Path) -> None:
    """The transcript of the same name is its transcript, named or not; no speech is recognised."""
    with Memory(tmp_path / "m", **quick()) as memory:
        reports = memory.add(talk / "valve.mp4")
        assert [Path(r.path).name for r in reports] == ["valve.vtt", "valve.mp4"]
        (recording,) = [s for s in memory.sources() if s.kind == "recording"]
        (transcript,) = [s for s in memory.sources() if s.kind == "transcript"]
        assert transcript.about == recording.id
        speech = {o.stage: o for o in memory.outcomes() if o.source_id == recording.id}["speech"]
        assert (speech.status, speech.reason) == ("skipped", "transcript: valve")


def test_anchors_hold_lines_and_the_pictures_shown(talk: Path, tmp_path: Path) -> None:
    """Anchors are 30 s; a line is in the one where it starts, a picture in all that show it."""
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(talk)
        anchors = [u for u in memory.units("valve.mp4") if isinstance(u, Anchor)]
        assert [(a.span.start_s, a.span.end_s) for a in anchors] == [(0, 30), (30, 60)]
        assert [a.caption for a in anchors] == [
            "Ada and Kit speak. Colours: red.",
            "Ada speaks. Colours: green.",
        ]
        evidence = memory.search("when was it green again?")
        assert evidence.hits[0].start_s == 30.0
        assert 30.0 <= (evidence.hits[0].keyframes[-1].start_s or 0) <= 31.0
        assert Path(evidence.hits[0].keyframes[0].picture or "").read_bytes()[:2] == b"\xff\xd8"


def test_a_recording_with_a_known_start_shares_the_timeline(talk: Path, tmp_path: Path) -> None:
    """Its lines have wall times, the transcript's too; as_of cuts in the middle of an anchor."""
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(talk, recorded_at=START)
        whole = memory.search("valve")
        assert whole.hits[0].at == START.isoformat()
        cut = memory.search("valve gauge", as_of=START + dt.timedelta(seconds=5))
        lines = [line.text for hit in cut.hits for line in hit.lines]
        assert lines == ["The gauge is red now."]


def test_a_hidden_transcript_leaves_the_pictures(talk: Path, tmp_path: Path) -> None:
    """Law 7: without the transcript's label its words are in no hit, count or score."""
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(talk / "valve.vtt", labels=["private"])
        memory.add(talk / "valve.mp4")
    guest = Memory(tmp_path / "m", labels=[], **quick())
    evidence = guest.search("I will close the valve")
    assert not [line for hit in evidence.hits for line in hit.lines]
    assert [picture.kind for picture in evidence.keyframes] == ["keyframe"] * 2
    assert {hit.caption for hit in evidence.hits} == {"Colours: red.", "Colours: green."}
    owner = Memory(tmp_path / "m", **quick())
    assert any(line.text == CUES[1][3] for line in owner.search("valve").hits[0].lines)


def test_a_hidden_recording_leaves_the_words(talk: Path, tmp_path: Path) -> None:
    """Law 7: a reader of the transcript alone finds its passages, and no picture."""
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(talk / "valve.mp4", labels=["private"])
        assert {s.labels for s in memory.sources()} == {("private",)}
    with Memory(tmp_path / "n", **quick()) as memory:
        memory.add(talk / "valve.vtt")
        memory.add(talk / "valve.mp4", labels=["private"])
    guest = Memory(tmp_path / "n", labels=[], **quick())
    evidence = guest.search("close the valve")
    assert evidence.hits[0].kind == "passage"
    assert evidence.hits[0].lines[0].text == CUES[1][3]
    assert not evidence.keyframes


def test_forgetting_the_transcript_leaves_speech_pending(talk: Path, tmp_path: Path) -> None:
    """Law 5: no model runs while forgetting; `retry` gives the memory that never had it."""
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(talk / "valve.mp4", alone)
    never = state(tmp_path / "never", [alone / "valve.mp4"])
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(talk)
        receipt = memory.forget(source="valve.vtt")
        assert receipt.complete
        assert {line.layer: line.found_before for line in receipt.lines}[
            "units of its recording"
        ] == 2
        assert any("speech" in entry for entry in receipt.pending)
        (report,) = memory.retry()
        assert not report.failed
        assert memory.state_digest() == never


def test_forgetting_the_recording_leaves_the_transcript(talk: Path, tmp_path: Path) -> None:
    """Law 5: pictures go, the transcript stands for itself again."""
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(talk / "valve.vtt", alone)
    never = state(tmp_path / "never", [alone / "valve.vtt"])
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(talk)
        receipt = memory.forget(source="valve.mp4")
        assert receipt.complete
        assert receipt.pending == ()
        assert memory.state_digest() == never
        assert not list((tmp_path / "m" / "media").iterdir())


def test_atoms_are_on_the_recordings_clock(talk: Path, tmp_path: Path) -> None:
    """Keyframes and utterances carry media times; nothing is twice."""
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(talk)
        pictures = [a for a in memory.atoms("valve.mp4") if isinstance(a, Keyframe)]
        spoken = [a for a in memory.atoms("valve.vtt") if isinstance(a, Utterance)]
        assert len(pictures) == 2
        assert [int(k.time_us / 1e6) for k in pictures] == [0, 30]
        assert [a.span.start_s for a in spoken] == [cue[0] for cue in CUES]


def test_a_missing_file_is_said_at_retry(talk: Path, tmp_path: Path, fresh: Callable) -> None:
    """Law 9: what needs the file again says so, in one line, and stays listed."""
    memory = fresh()
    memory.add(talk)
    memory.forget(source="valve.vtt")
    (talk / "valve.mp4").unlink()
    (report,) = memory.retry()
    assert report.failed
    assert any("no longer at" in outcome.reason for outcome in memory.outcomes())
