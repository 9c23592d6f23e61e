"""What was understood, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from mmem.errors import MissingExtra
from mmem.models.language import SpacyParser
from mmem.schemas import EventFrame, Fact

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _grammar() -> None:
    try:
        list(SpacyParser().parse_all(["Ann sings."]))
    except MissingExtra as error:
        pytest.skip(str(error))


def test_facts_about_a_name_end_with_their_proof(memory: Path, run: Run) -> None:
    """Each line is a reading; the ids behind it show the words."""
    done = run("facts", "boats", memory=memory)
    (line,) = done.stdout.splitlines()
    assert line.startswith("Two boats — arrive for — berth B17 (on Saturday) ")
    shown = run("show", line.split()[-1], memory=memory)
    assert "Two boats arrived for berth B17 on Saturday" in shown.stdout
    assert run("facts", "Mongolia", memory=memory).stdout == "no fact about Mongolia\n"


def test_facts_as_json_are_records(memory: Path, run: Run) -> None:
    """-o jsonl prints one Fact a line; --all adds plans, wishes and questions."""
    plain = run("facts", "-o", "jsonl", memory=memory).stdout.splitlines()
    everything = run("facts", "--all", "-o", "jsonl", memory=memory).stdout.splitlines()
    facts = [Fact.model_validate_json(line) for line in everything]
    assert len(plain) < len(everything)
    assert {Fact.model_validate_json(line).modality for line in plain} == {"asserted"}
    assert {fact.modality for fact in facts} > {"asserted"}


def test_what_a_label_hides_is_no_fact(memory: Path, run: Run) -> None:
    """Law 7: facts and frames of hidden sources are not there."""
    assert (
        "90,000 euros" in run("facts", memory=memory).stdout + run("frames", memory=memory).stdout
    )
    for command in ("facts", "frames", "graph"):
        done = run(command, "--labels", "work", memory=memory)
        assert done.returncode == 0 and "90,000" not in done.stdout


def test_facts_as_of_a_moment(memory: Path, run: Run) -> None:
    """Law 6: what was said later is not known yet."""
    early = run("facts", "--all", "--as-of", "2025-11-17T12:00", memory=memory)
    assert "boats" in early.stdout
    late = run("facts", "--all", memory=memory)
    assert len(late.stdout.splitlines()) > len(early.stdout.splitlines())


def test_frames_tell_who_did_what(memory: Path, run: Run) -> None:
    """A frame is a line with its unit, and a line for each event with what is known of it."""
    done = run("frames", "harbor chat", memory=memory)
    assert "  Two boats: arrive for berth B17 when: on Saturday" in done.stdout.splitlines()
    records = run("frames", "harbor chat", "-o", "jsonl", memory=memory).stdout.splitlines()
    assert [EventFrame.model_validate_json(line) for line in records]


def test_the_graph_is_written(memory: Path, run: Run, tmp_path: Path) -> None:
    """GraphML is what networkx reads again; JSON goes to stdout."""
    target = tmp_path / "facts.graphml"
    done = run("graph", "--export", "graphml", "--out", str(target), memory=memory)
    assert done.returncode == 0, done.stderr
    graph = nx.read_graphml(target)
    relations = {data["relation"] for *_, data in graph.edges(data=True)}
    assert "arrive for" in relations
    data = json.loads(run("graph", memory=memory).stdout)
    assert len(data["edges"]) == graph.number_of_edges() > 0
    assert run("graph", "--export", "graphml", memory=memory).returncode == 2
