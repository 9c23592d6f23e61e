"""Asking and looking through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmem.schemas import Answer, Evidence, Hit, Source
from mmem.schemas.flat import FlatTurn, FlatUtterance, flat_adapter

Run = Callable[..., Any]


def test_an_answer_has_its_citations_below(memory: Path, run: Run) -> None:
    """`ask` prints the short answer, the sentences with [n], and who, when and which file."""
    done = run("ask", "who promised the fix?", memory=memory)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "Priya Nair" and lines[1] == ""
    assert any(line.endswith("[1]") for line in lines)
    (first,) = [line for line in lines if line.startswith("[1] ")]
    assert first.startswith("[1] Priya Nair, ")


def test_an_answer_as_json_is_the_record(memory: Path, run: Run) -> None:
    """-o json prints the Answer record and nothing else."""
    done = run("ask", "who promised the fix?", "-o", "json", memory=memory)
    answer = Answer.model_validate_json(done.stdout)
    assert answer.found and answer.citations
    assert done.stderr == ""


def test_what_is_not_there_is_said(memory: Path, run: Run) -> None:
    """A question that nothing answers is "Not in this memory." with exit code 0."""
    done = run("ask", "what is the capital of Mongolia?", memory=memory)
    assert done.returncode == 0
    assert done.stdout.startswith("Not in this memory.")


def test_hits_as_lines(memory: Path, run: Run) -> None:
    """`search -o jsonl` prints one Hit a line, best first, at most -k."""
    done = run("search", "berth B17", "-k", "3", "-o", "jsonl", memory=memory)
    hits = [Hit.model_validate_json(line) for line in done.stdout.splitlines()]
    assert 0 < len(hits) <= 3
    assert "B17" in hits[0].lines[0].text


def test_limits_reach_the_memory(memory: Path, run: Run) -> None:
    """--since, --until, --source and --person exclude."""
    words = "search", "the fix", "-o", "json", "--since", "2025-11-18", "--until", "2025-11-19"
    done = run(*words, "--source", "harbor chat", "--person", "Priya", memory=memory)
    lines = [line for hit in Evidence.model_validate_json(done.stdout).hits for line in hit.lines]
    assert {line.citation.speaker for line in lines} == {"Priya Nair"}
    assert {(line.citation.at or "")[:10] for line in lines} == {"2025-11-18"}


def test_explain_shows_every_mechanism(memory: Path, run: Run) -> None:
    """`explain` prints the steps with what they changed; as JSON they are in the trace."""
    done = run("explain", "what did Priya promise?", memory=memory)
    assert "mechanism" in done.stdout and "lexical" in done.stdout
    record = run("explain", "what did Priya promise?", "-o", "json", memory=memory).stdout
    assert Evidence.model_validate_json(record).trace.steps


def test_atoms_as_flat_lines(memory: Path, run: Run) -> None:
    """`show SOURCE --atoms -o jsonl` prints one flat atom a line, in order."""
    done = run("show", "harbor chat.txt", "--atoms", "-o", "jsonl", memory=memory)
    turns = [flat_adapter.validate_json(line) for line in done.stdout.splitlines()]
    assert all(isinstance(turn, FlatTurn) for turn in turns)
    assert [turn.at for turn in turns][:2] == ["2025-11-17T08:44:00", "2025-11-17T08:52:00"]
    done = run("show", "standup.vtt", "--atoms", "-o", "jsonl", memory=memory)
    first = flat_adapter.validate_json(done.stdout.splitlines()[0])
    assert isinstance(first, FlatUtterance)
    assert (first.speaker, first.start_s, first.end_s) == ("Maya Okafor", 0.6, 4.927)


def test_show_finds_a_source_a_unit_and_an_atom(memory: Path, run: Run) -> None:
    """`show` takes any id, a title or a file name; an unknown one is exit code 1."""
    (hit, *_) = run("search", "B17", "-o", "jsonl", memory=memory).stdout.splitlines()
    found = Hit.model_validate_json(hit)
    for name in ("harbor chat", "harbor chat.txt", found.source_id):
        assert "conversation, read as whatsapp" in run("show", name, memory=memory).stdout
    for name in (found.unit_id, found.lines[0].citation.atom_id):
        assert "Elena Rossi: Two boats arrived" in run("show", name, memory=memory).stdout
    lost = run("show", "m-0000", memory=memory)
    assert lost.returncode == 1 and "m-0000" in lost.stderr


def test_sources_and_formats(memory: Path, run: Run) -> None:
    """`sources` has a row a source, `formats` a row a reader; both also as JSON."""
    rows = run("sources", memory=memory).stdout.splitlines()
    assert len(rows) == 4 and rows[0].split()[:3] == ["id", "kind", "title"]
    listed = json.loads(run("sources", "-o", "json", memory=memory).stdout)
    assert len([Source.model_validate(row) for row in listed]) == 3
    assert "whatsapp" in run("formats").stdout
    names = [row["name"] for row in json.loads(run("formats", "-o", "json").stdout)]
    assert {"whatsapp", "webvtt", "video"} <= set(names)


def test_status_counts_and_weighs(memory: Path, run: Run) -> None:
    """`status` says how much there is and how many bytes each layer takes."""
    whole = json.loads(run("status", "-o", "json", memory=memory).stdout)
    assert whole["counts"]["sources"] == 3
    assert whole["counts"]["atoms"] == 7 + 27 + 2
    assert all(size >= 0 for size in whole["bytes"].values())
    assert {outcome["status"] for outcome in whole["outcomes"]} <= {"ok", "skipped", "empty"}


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_reader_sees_only_what_his_labels_allow(place: str, memory: Path, run: Run) -> None:
    """--labels hides a source of another label in every command; the owner sees all."""

    def seen(*words: str) -> str:
        own = ("--labels", "team")
        return run(*((*own, *words) if place == "before" else (*words, *own)), memory=memory).stdout

    assert "board" in run("sources", memory=memory).stdout
    for words in (
        ("sources",),
        ("ask", "how much is the salary budget?"),
        ("search", "salary budget", "-o", "json"),
        ("status", "-o", "json"),
    ):
        assert "90,000" not in seen(*words) and "board.txt" not in seen(*words)
    hidden = run("show", "board.txt", "--labels", "team", memory=memory)
    assert hidden.returncode == 1
    allowed = run("show", "board.txt", "--labels", "team,board", memory=memory)
    assert allowed.returncode == 0


def test_content_is_never_markup_nor_control(memory: Path, run: Run) -> None:
    """Brackets stay brackets; escape and reordering characters are never sent."""
    for words in (
        ("show", "harbor chat.txt", "--atoms"),
        ("search", "not markup red alarm sounded"),
        ("explain", "not markup red alarm sounded"),
    ):
        shown = run(*words, memory=memory).stdout
        assert "[bold red]not markup[/bold red] & <b>no tag</b>" in shown
        assert "\x1b" not in shown and "\u202e" not in shown


def test_later_lines_of_a_message_do_not_look_like_messages(memory: Path, run: Run) -> None:
    """In text every line that is no atom's first is set in."""
    shown = run("show", "harbor chat.txt", "--atoms", memory=memory).stdout
    assert "\n    - coffee\n    - cake\n" in shown


def test_a_narrow_encoding_never_breaks_the_output(memory: Path, spawn: Run) -> None:
    """Where stdout's encoding lacks a character, its escape is printed."""
    done = spawn("ask", "who promised the fix?", memory=memory, PYTHONIOENCODING="iso8859-1")
    assert done.returncode == 0 and r"\u201c" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell pipe")
def test_a_closed_pipe_is_quiet(memory: Path) -> None:
    """`mmem ... | head -1` ends without a word on stderr."""
    command = f"{sys.executable} -m mmem show standup.vtt --atoms --memory '{memory}' | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1 and done.stderr == ""
