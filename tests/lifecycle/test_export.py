"""Recordings written as WorldMM's and EM²Mem's JSON, and read again."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from mmem.errors import ConfigError, UnknownId
from mmem.schemas import CaptionLine, Utterance
from tests.bodies import quick
from tests.ingestors.film import even, film
from tests.lifecycle.conftest import transcript_text

Row = tuple[int, int, str, str]
Clips = dict[str, Sequence[Row]]
DAYS: Clips = {
    "DAY2_A1_JAKE_09094208": [
        (90942, 90944, "Jake holds phone.", "caption"),
        (90943, 90945, "Jake: Ann sees cup.", "transcript"),
        (90945, 90945, "哈哈", "transcript"),
        (90950, 90952, "Jake holds phone.", "caption"),
    ],
    "DAY2_A1_JAKE_23594500": [
        (235950, 235955, "Jake sees moon.", "caption"),
        (235958, 235959, "Lucia: Jake closed door.", "transcript"),
    ],
    "DAY12_A1_JAKE_14000000": [
        (140005, 140009, "Jake washed cup.", "caption"),
        (140010, 140012, "Ann: Bo took bread.", "transcript"),
    ],
}


def sync_file(path: Path, clips: Clips) -> Path:
    """Write clips as a sync file of EgoLife."""
    listed = [
        {
            "video_file": f"{name}.mp4",
            "data": [{"start": a, "end": b, "text": t, "type": k} for a, b, t, k in rows],
        }
        for name, rows in clips.items()
    ]
    path.write_text(json.dumps(listed, ensure_ascii=False), encoding="utf-8")
    return path


def lines(memory: Memory) -> list[tuple[int, int, str, str | None, str]]:
    """Return every line of a memory by its time on the wall."""
    return sorted(
        (
            (
                (source.clock.at_us or 0) + atom.span.start_us,
                (source.clock.at_us or 0) + atom.span.end_us,
                atom.kind,
                atom.speaker,
                atom.text,
            )
            for source in memory.sources()
            for atom in memory.atoms(source.id)
            if isinstance(atom, CaptionLine | Utterance)
        ),
        key=str,
    )


def entries(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.fixture
def worn(tmp_path: Path, fresh: Callable[..., Memory]) -> Memory:
    """Three clips of two days, the second of which has a number of two digits."""
    memory = fresh()
    memory.add(sync_file(tmp_path / "A1_JAKE.json", DAYS))
    return memory


def test_event_records_come_back_as_the_same_lines(
    worn: Memory, tmp_path: Path, fresh: Callable[..., Memory]
) -> None:
    """Captions and speech, their times and speakers; exported again, the same bytes."""
    done = worn.export(tmp_path / "records", format="em2mem")
    ((path, count),) = done.files
    assert (path.name, count, done.left_out) == ("records_events.json", 3, ())
    assert done.first_day == dt.date(2024, 1, 1)
    again = fresh()
    (report,) = again.add(path)
    assert report.status == "added" and report.sources[0].format == "em2mem"
    assert lines(again) == lines(worn) and len(lines(worn)) == 8
    again.export(tmp_path / "again" / "records", format="em2mem")
    second = entries(tmp_path / "again" / "records" / "records_events.json")
    first = entries(path)
    for one in (*first, *second):
        del one["provenance"]
    assert first == second


def test_an_event_record_has_the_fields_of_em2mem(worn: Memory, tmp_path: Path) -> None:
    """Its times, its lines, and what was read from them."""
    worn.export(tmp_path / "records", format="em2mem")
    first, _, last = entries(tmp_path / "records" / "records_events.json")
    assert first["doc_id"] == "DAY2_09094208_09101208"
    assert last["doc_id"] == "DAY12_14000000_14003000" and last["date"] == "DAY12"
    assert (first["start_time"], first["end_time"]) == ("09094208", "09101208")
    assert first["caption_text"] == "Jake holds phone.\nJake holds phone."
    assert first["transcript_text"] == "Jake: Ann sees cup.\n哈哈"
    assert first["speakers"] == ["Jake"] and first["source_types"] == ["caption", "transcript"]
    assert first["raw_entries"][1] == {
        "start": "09094300", "end": "09094500", "text": "Jake: Ann sees cup.",
        "type": "transcript", "speaker": "Jake",
    }  # fmt: skip
    (frame,) = [f for f in worn.frames() if f.unit_ids[0] == first["provenance"]["unit_id"]]
    assert first["main_actions"] == list(frame.text_record.actions) != []
    assert first["fine_caption"] == frame.text_record.fine_caption


def test_captions_come_back_as_the_same_lines(
    worn: Memory, tmp_path: Path, fresh: Callable[..., Memory]
) -> None:
    """WorldMM has one caption an anchor: what it told stays what it tells, at its time."""
    done = worn.export(tmp_path / "A1_JAKE")
    assert [path.name for path, _ in done.files] == [
        f"A1_JAKE_{scale}.json" for scale in ("30sec", "3min", "10min", "1h")
    ]
    once = fresh()
    reports = once.add(tmp_path / "A1_JAKE")
    assert sorted(r.status for r in reports) == ["added", *["skipped"] * 3]
    again = once.export(tmp_path / "again" / "A1_JAKE")
    (first, _), (second, _) = done.files[0], again.files[0]
    assert entries(first) == entries(second) and len(entries(first)) == 3
    twice = fresh()
    twice.add(second)
    assert lines(twice) == lines(once)
    assert next(a.text for s in once.sources() for a in once.atoms(s.id)) == (
        "Jake holds phone.\nJake: Ann sees cup.\n哈哈\nJake holds phone."
    )


def test_coarser_captions_are_the_views(worn: Memory, tmp_path: Path) -> None:
    """A caption of 3 minutes or more is what the view of that window tells."""
    worn.export(tmp_path / "A1_JAKE")
    for scale in ("3min", "10min", "1h"):
        found = entries(tmp_path / "A1_JAKE" / f"A1_JAKE_{scale}.json")
        views = worn.views(scale)  # type: ignore[arg-type]
        assert [one["text"] for one in found] == [view.text_summary for view in views] != []
        assert [one["date"] for one in found] == ["DAY2", "DAY2", "DAY12"]
    assert (found[1]["start_time"], found[1]["end_time"]) == ("23000000", "00000000")


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """A recording of 40 s with a transcript and a narration beside it."""
    folder = tmp_path / "kitchen"
    folder.mkdir()
    film(folder / "pan.mp4", even(["red"] * 60 + ["green"] * 20, fps=2))
    (folder / "pan.csv").write_text("start,end,narration\n0.5,3,Ada opened tap.\n31,33,Ada cut.\n")
    (folder / "pan.vtt").write_text(transcript_text([(5.0, 8.0, "Ada", "Ada needs salt.")]))
    return folder


def texts(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json")))


@pytest.mark.parametrize("format", ["worldmm", "em2mem"])
def test_only_what_the_reader_may_see_is_written(
    kitchen: Path, tmp_path: Path, fresh: Callable[..., Memory], format: Any
) -> None:
    """Law 7: of a hidden source nothing; law 6: of later lines nothing."""
    memory = fresh()
    memory.add(kitchen / "pan.csv", labels=["private"])
    memory.add(kitchen, recorded_at="2024-03-14T09:00:00")
    guest = Memory(memory.folder, labels=[], **quick())
    memory.export(tmp_path / "owner", format=format)
    guest.export(tmp_path / "guest", format=format)
    memory.export(tmp_path / "early", format=format, as_of="2024-03-14T09:00:04")
    everything, seen, early = (texts(tmp_path / n) for n in ("owner", "guest", "early"))
    assert "opened tap" in everything and "needs salt" in everything
    assert "tap" not in seen and "needs salt" in seen
    assert "opened tap" in early and "salt" not in early and "Ada cut" not in early
    with pytest.raises(UnknownId):
        guest.export(tmp_path / "none", format=format, source="pan.csv")


def test_a_recording_counts_its_own_days(
    kitchen: Path, tmp_path: Path, fresh: Callable[..., Memory]
) -> None:
    """With a date: day 1 is the day it began, in its zone. Without: its own clock, on day 1.

    Its file and its pictures are named; several without a date have no common days.
    """
    dated, undated = fresh(), fresh()
    dated.add(kitchen, recorded_at="2024-03-14T23:59:50", tz="Europe/Berlin")
    undated.add(kitchen)
    done = dated.export(tmp_path / "dated", format="em2mem")
    first, second = entries(done.files[0][0])
    assert (first["doc_id"], second["doc_id"]) == (
        "DAY1_23595000_00002000", "DAY2_00002000_00005000",
    )  # fmt: skip
    assert done.first_day == dt.date(2024, 3, 14)
    assert first["video_file"] == "pan.mp4" and Path(first["video_path"]).is_file()
    assert first["keyframe_paths"] and all(Path(p).is_file() for p in first["keyframe_paths"])
    bare = undated.export(tmp_path / "bare", format="em2mem")
    assert bare.first_day is None
    assert entries(bare.files[0][0])[1]["doc_id"] == "DAY1_00003000_00010000"
    film(tmp_path / "other.mp4", even(["blue"] * 4, fps=2))
    undated.add(tmp_path / "other.mp4")
    with pytest.raises(ConfigError, match="2 recordings without a wall time"):
        undated.export(tmp_path / "both")
    dated.add(tmp_path / "other.mp4")
    (said,) = dated.export(tmp_path / "mixed").left_out
    assert said.startswith("1 source without a wall time")


def test_nothing_is_overwritten_unasked(worn: Memory, tmp_path: Path) -> None:
    """One clear line, and no file is touched; with `force` all are new, and no part is left."""
    folder = tmp_path / "A1_JAKE"
    folder.mkdir()
    (folder / "A1_JAKE_1h.json").write_text("mine")
    with pytest.raises(ConfigError, match=r"A1_JAKE_1h\.json would be overwritten") as error:
        worn.export(folder)
    assert "--force" in error.value.hint
    assert [(p.name, p.read_text()) for p in folder.iterdir()] == [("A1_JAKE_1h.json", "mine")]
    worn.export(folder, force=True)
    assert len(list(folder.iterdir())) == 4 and entries(folder / "A1_JAKE_1h.json")


def test_what_cannot_be_exported_is_said_in_a_line(
    worn: Memory, tmp_path: Path, fresh: Callable[..., Memory], chat: Callable[..., Path]
) -> None:
    """A chat has no anchors; a folder inside the memory and a file are no place to write to."""
    talk = fresh()
    talk.add(chat("Yard", [(0, "Kit", "Kit sold kayak.")]))
    with pytest.raises(ConfigError, match="no recording to export"):
        talk.export(tmp_path / "out")
    with pytest.raises(ConfigError, match="inside the memory"):
        worn.export(worn.folder / "media" / "out")
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match="is a file"):
        worn.export(tmp_path / "file")
    worn.add(chat("Yard", [(0, "Kit", "Kit sold kayak.")]))
    assert "conversations" in worn.export(tmp_path / "both").left_out[0]
    assert "kayak" not in texts(tmp_path / "both")


def test_a_question_that_numbers_a_day_opens_that_stretch(worn: Memory) -> None:
    """Whatever other stretches say, the anchors of the time come first; day 12 is not day 1."""
    for question, text in [
        ("What did Jake hold on DAY12 around 14:00?", "Jake washed cup."),
        ("Who holds the phone on day 2 at 11:59 pm?", "Jake sees moon."),
        ("Who washed the cup on the second day?", "Jake holds phone."),
        ("Who took bread on DAY2 between 9:00 and 10:00?", "Jake holds phone."),
    ]:
        best = worn.search(question).hits[0]
        assert text in [line.text for line in best.lines], question
    first = worn.search("phone on the twelfth day").hits[0]
    assert "Ann" in {line.citation.speaker for line in first.lines}


def test_days_are_counted_from_what_may_be_seen(
    kitchen: Path, tmp_path: Path, fresh: Callable[..., Memory], chat: Callable[..., Path]
) -> None:
    """Where no file numbers its days, day 1 is the first day that this reader sees."""
    memory = fresh()
    memory.add(chat("Yard", [(-1440, "Kit", "Kit sold kayak.")]), labels=["private"])
    memory.add(kitchen, recorded_at="2024-03-14T10:00:00")
    guest = Memory(memory.folder, labels=[], **quick())
    (owner,) = [s for s in memory.search("kayak DAY1 at 9:00", k=1).hits]
    assert "kayak" in owner.lines[0].text
    kept = guest.search("what was it on DAY1 at 10:00", explain=True)
    assert kept.hits and "tap" in kept.hits[0].lines[0].text
    windows = [step for step in kept.trace.steps if "window" in step.name]
    assert windows
