"""From a citation back to the file in one step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mmem.errors import ConfigError, UnknownId
from tests.ingestors.film import even, film
from tests.lifecycle.conftest import transcript_text

CUES = [(1.0, 4.0, "Ada", "The gauge is red."), (12.0, 15.0, "Kit", "It is green again.")]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    film(tmp_path / "gauge.mp4", even(["red"] * 20 + ["green"] * 20, fps=2), gop=4)
    (tmp_path / "gauge.vtt").write_text(transcript_text(CUES))
    return tmp_path / "gauge.mp4"


def test_a_line_of_a_transcript_is_met_in_its_recording(talk: Path, fresh: Callable) -> None:
    """Law: a cited line leads to the recording and its own seconds."""
    memory = fresh()
    memory.add(talk)
    answer = memory.search("when was it green?")
    (line,) = [x for hit in answer.hits for x in hit.lines if x.text == CUES[1][3]]
    place = memory.place(line.citation.atom_id)
    assert (place.path, place.start_s, place.end_s) == (talk, 12.0, 15.0)
    cut = memory.clip(line.citation.atom_id, talk.with_name("cut.mp4"))
    assert cut.stat().st_size > 0


def test_a_message_has_a_file_but_no_clock(chat: Callable, fresh: Callable, tmp_path: Path) -> None:
    """Law: what cannot be cut says so."""
    memory, path = fresh(), chat("Lou", [(0, "Kit", "morning")])
    memory.add(path)
    (atom,) = memory.atoms("Lou")
    assert memory.place(atom.id).path == path
    with pytest.raises(ConfigError, match="no media clock"):
        memory.clip(atom.id, tmp_path / "out.mp4")
    path.unlink()
    with pytest.raises(UnknownId, match="no longer at"):
        memory.place(atom.id)


def test_a_file_that_was_replaced_is_not_opened(talk: Path, fresh: Callable) -> None:
    """Law: a citation leads to the bytes that were read, or to no file."""
    memory = fresh()
    memory.add(talk)
    (source,) = [one for one in memory.sources() if one.kind == "recording"]
    film(talk, even(["blue"] * 20, fps=2), gop=4)
    with pytest.raises(UnknownId, match="as it was, is no longer at"):
        memory.place(source.id)
