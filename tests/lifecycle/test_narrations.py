"""Narrations of a recording: what is seen, beside what is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mmem import Memory
from mmem.errors import ConfigError
from mmem.schemas import Anchor, CaptionLine, Utterance
from tests.bodies import quick
from tests.ingestors.film import even, film
from tests.lifecycle.conftest import transcript_text

EPIC = """\
narration_id,participant_id,video_id,narration_timestamp,start_timestamp,stop_timestamp,narration
P01_01_0,P01,P01_01,00:00:01.089,00:00:00.14,00:00:03.37,open the red tap
P01_01_1,P01,P01_01,00:00:31.5,00:00:31.00,00:00:33.00,fill the copper pan
"""


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """A recording of 40 s with a narration and a transcript beside it."""
    folder = tmp_path / "kitchen"
    folder.mkdir()
    film(folder / "P01_01.mp4", even(["red"] * 60 + ["green"] * 20, fps=2))
    (folder / "P01_01.csv").write_text(EPIC)
    cues = [(5.0, 8.0, "Ada", "The soup needs salt.")]
    (folder / "P01_01.vtt").write_text(transcript_text(cues))
    return folder


def test_anchors_hold_what_is_seen_and_what_is_said(kitchen: Path, fresh: Callable) -> None:
    """Both come with the recording, are in its anchors at their second, and are found."""
    memory = fresh()
    reports = memory.add(kitchen / "P01_01.mp4")
    assert [Path(r.path).suffix for r in reports] == [".csv", ".vtt", ".mp4"]
    first, second = [u for u in memory.units("P01_01.mp4") if isinstance(u, Anchor)]
    kinds = {type(memory.show(i)) for i in first.atom_ids}
    assert {CaptionLine, Utterance} <= kinds
    assert any("copper" in getattr(memory.show(i), "text", "") for i in second.atom_ids)
    hit = memory.search("copper pan").hits[0]
    (line,) = [line for line in hit.lines if "copper" in line.text]
    assert line.citation.kind == "caption" and line.citation.start_s == 31.0
    assert [r.status for r in memory.add(kitchen)] == ["unchanged"] * 3


def test_a_narration_alone_is_searched(kitchen: Path, fresh: Callable) -> None:
    """Without its recording it is a source of its own; the recording takes it up later."""
    alone, whole = fresh(), fresh()
    alone.add(kitchen / "P01_01.csv")
    assert "tap" in alone.search("red tap").hits[0].lines[0].text
    alone.add(kitchen / "P01_01.vtt", kitchen / "P01_01.mp4")
    whole.add(kitchen)
    assert alone.state_digest() == whole.state_digest()


def test_a_hidden_narration_leaves_no_trace(kitchen: Path, fresh: Callable) -> None:
    """Law 7: who may not see it sees the anchors without it. Law 5: forgotten, it is gone."""
    memory = fresh()
    memory.add(kitchen / "P01_01.csv", labels=["private"])
    memory.add(kitchen / "P01_01.mp4", kitchen / "P01_01.vtt")
    guest = Memory(memory.folder, labels=[], **quick())
    texts = [line.text for hit in guest.search("copper pan").hits for line in hit.lines]
    assert texts and not any("copper" in text for text in texts)
    receipt = memory.forget(source="P01_01.csv")
    assert receipt.complete
    never = fresh()
    (kitchen / "P01_01.csv").unlink()
    never.add(kitchen)
    memory.retry()
    assert memory.state_digest() == never.state_digest()


def test_a_table_of_several_recordings_is_named(kitchen: Path, fresh: Callable) -> None:
    """Nobody guesses which rows are meant."""
    (kitchen / "all.csv").write_text(EPIC + "P02_01_0,P02,P02_01,00:00:01,00:00:01,00:00:02,cut\n")
    (report,) = fresh().add(kitchen / "all.csv")
    assert report.failed and "2 recordings" in report.reason and "P01_01" in report.hint


def test_anchors_of_another_length(kitchen: Path, fresh: Callable) -> None:
    """They are the recording's from its first reading on, in whatever order the files came."""
    memory, again = fresh(), fresh()
    memory.add(kitchen, anchor_s=10)
    again.add(kitchen / "P01_01.vtt", kitchen / "P01_01.csv", kitchen / "P01_01.mp4", anchor_s=10)
    assert memory.state_digest() == again.state_digest()
    widths = {u.width_us for u in memory.units("P01_01.mp4") if isinstance(u, Anchor)}
    assert widths == {10_000_000}
    hit = memory.search("copper pan").hits[0]
    assert (hit.start_s, hit.end_s) == (30.0, 40.0)
    reports = memory.add(kitchen)
    assert {r.status for r in reports} == {"unchanged"}
    reports = memory.add(kitchen, anchor_s=60)
    assert {r.note for r in reports} == {"--anchor not applied: forget it and add it again"}
    with pytest.raises(ConfigError, match="no anchor is 45 s long"):
        memory.add(kitchen, anchor_s=45)
