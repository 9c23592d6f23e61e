"""Recipes: frozen settings of the same parts. Every constant is a field with its source.

"LoCoMo" and "EgoLife" name the development sets of the bench (`docs/bench.md` tells how they
are measured); a weight of 0 switches a mechanism off.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RecallWeights:
    """How much each mechanism of the ranking weighs, for one kind of row."""

    lexical: float = 1.0
    line: float = 0.0
    chunk: float = 0.5
    late: float = 1.0
    previous: float = 0.3
    next: float = 0.2
    session: float = 0.3
    speaker: float = 0.7
    question: float = 0.3
    window: float = 0.6
    age: float = 0.0
    recent: float = 0.0
    latest: float = 0.3


@dataclass(frozen=True)
class Recipe:
    """Settings of write, recall and answer."""

    name: str = "mmem"
    answer_depth: int = 10
    """How many units an answer is written from."""
    passage: RecallWeights = RecallWeights()
    anchor: RecallWeights = RecallWeights(
        lexical=0.7, line=0.5, chunk=1.0, late=0.8, previous=0.0, next=0.0, session=0.0, age=0.2,
        recent=0.3, latest=0.15,
    )  # fmt: skip
    k1: float = 1.2
    b: float = 0.5
    passage_pool: int = 300
    anchor_pool: int = 100
    name_weight: float = 1.0
    time_word_weight: float = 0.0
    late_function_idf: float = 0.0
    remove_names: bool = True
    option_lexical: float = 1.0
    option_dense: float = 0.8
    option_late: float = 0.5
    option_window: float = 0.8
    recent_minutes: float = 3.0
    age_hours: float = 24.0
    latest_margin: float = 0.3


MMEM = Recipe()
RECIPES = {recipe.name: recipe for recipe in (MMEM,)}
"""Every recipe by name."""
