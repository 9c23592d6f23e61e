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
from mmem.schemas import Entity, EventFrame, Fact, SemanticFact

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


def test_an_entity_is_shown_with_its_names_and_facts(memory: Path, run: Run) -> None:
    """A first name leads to the person; what nobody is called is said; JSON gives records."""
    shown = run("entity", "Elena", memory=memory).stdout.splitlines()
    assert shown[0].startswith("Elena") and shown[1].strip().startswith(("also:", "met in"))
    (record,) = json.loads(run("entity", "Elena", "-o", "json", memory=memory).stdout)
    assert Entity.model_validate(record).unit_ids
    missing = run("entity", "Mongolia", memory=memory)
    assert missing.stdout == "nobody and nothing here is called Mongolia\n"


def test_a_frame_that_is_not_fused_cannot_be_taken_apart(memory: Path, run: Run) -> None:
    """One clear line with the next command."""
    done = run("unfuse", "e-none", memory=memory)
    assert done.returncode == 1 and "mmem frames" in done.stderr


def test_a_recipe_that_nobody_knows_is_named(memory: Path, run: Run) -> None:
    """`--recipe` reads a question as a published system does, or says which there are."""
    after = run("search", "boats", "--recipe", "seem", memory=memory)
    assert after.returncode == 0
    assert run("--recipe", "seem", "search", "boats", memory=memory).stdout == after.stdout
    assert "one of: mmem, seem" in run("search", "boats", "--recipe", "no", memory=memory).stderr


def test_what_lasts_is_shown_with_its_days(memory: Path, run: Run) -> None:
    """--lasting shows semantic facts alone, as text and as records; --written goes with it."""
    records = run("facts", "--lasting", "--all", "-o", "jsonl", memory=memory).stdout.splitlines()
    found = [SemanticFact.model_validate_json(line) for line in records]
    assert {fact.kind for fact in found} <= {"semantic"}
    shown = run("facts", "--lasting", memory=memory).stdout.splitlines()
    current = [fact for fact in found if fact.current]
    assert len(shown) == max(1, len(current))
    for fact, line in zip(current, shown, strict=False):
        assert line.startswith(f"{fact.subject} — ") and fact.atom_ids[0] in line
    nobody = run("facts", "--lasting", "Mongolia", memory=memory)
    assert nobody.stdout == "nothing that lasts\n"
    assert run("facts", "--written", memory=memory).returncode == 2


def test_the_graph_of_a_scale_is_of_events(memory: Path, run: Run, tmp_path: Path) -> None:
    """--scale writes typed nodes and edges with their event and proof; other scales are named."""
    data = json.loads(run("graph", "--scale", "unit", memory=memory).stdout)
    types = {node["type"] for node in data["nodes"]}
    assert {"Event", "Person"} <= types <= {"Event", "Person", "Place", "Object", "Topic", "Entity"}
    assert all(edge["event"] and edge["evidence"] and edge["relation"] for edge in data["edges"])
    target = tmp_path / "day.graphml"
    done = run(
        "graph", "--scale", "day", "--export", "graphml", "--out", str(target), memory=memory
    )
    assert done.returncode == 0 and nx.read_graphml(target).number_of_nodes() > 0
    wrong = run("graph", "--scale", "month", memory=memory)
    assert wrong.returncode == 2 and "exchange" in wrong.stderr
