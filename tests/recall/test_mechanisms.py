"""No mechanism of the default recipe is there for nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from mmem import Memory
from mmem.errors import MissingExtra
from mmem.models.language import SpacyParser
from mmem.models.text import MiniLM
from mmem.recipes import MMEM

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
QUESTIONS = [
    "Who promised the fix?",
    "What boats has Elena seen?",
    "What has Tomas found out about the tide service?",
    "When did Elena open the ticket last week?",
    "What are the latest numbers of payments?",
    "What mails do they send now?",
]
NOT_HERE = {"line", "age", "recent", "expand", "visual"}
"""Those of recordings and pictures, and one that has its own memory (test_expand.py)."""
WITH_OPTIONS = {"option_lexical", "option_dense", "option_late", "option_window"}


def test_every_mechanism_of_the_default_recipe_fires(tmp_path: Path) -> None:
    """Over a few plain questions to the samples each one has a vote, and most change something."""
    try:
        MiniLM(threads=1).encode(["a"])
        list(SpacyParser().parse_all(["Ann sings."]))
    except MissingExtra as error:
        pytest.skip(str(error))
    with Memory(tmp_path / "m") as memory:
        memory.add(SAMPLES / "team-chat.txt", SAMPLES / "standup.vtt")
        asked = [memory.search(question, explain=True) for question in QUESTIONS]
        asked.append(
            memory.search(
                "When is the demo?", options=["in June 2024", "after the review"], explain=True
            )
        )
    steps = [step for evidence in asked for step in evidence.trace.steps]
    fired = {step.name for step in steps if step.fired}
    changed = {step.name for step in steps if step.changed}
    weights = {field.name for field in dataclasses.fields(MMEM.passage)} - NOT_HERE
    voting = {name for name in weights if getattr(MMEM.passage, name)} | WITH_OPTIONS
    assert voting <= fired, voting - fired
    assert {"propagate", "spread"} <= changed
