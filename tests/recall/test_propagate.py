"""Propagation: what a question reaches over the names of its facts."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem import Memory
from mmem.errors import MissingExtra
from mmem.models.language import SpacyParser
from mmem.models.text import MiniLM
from mmem.recall.propagate import propagated
from mmem.recipes import SEEM, Propagation
from mmem.stores.graph import CloseNames, FactIncidence

CHAT = """\
01/03/2024, 09:00 - Ana: Morning all, the ferry was late again
01/03/2024, 09:05 - Bob: Zora adopted Biscuit
01/03/2024, 09:10 - Ana: What is for lunch today?
02/03/2024, 10:02 - Ana: My cousin eats far too much cheese
03/03/2024, 18:00 - Bob: Biscuit devours carrots
04/03/2024, 18:00 - Ana: I prefer my tea without sugar
05/03/2024, 08:00 - Bob: The food at the harbour place was cold
06/03/2024, 08:00 - Ana: Our cat chased the neighbour's bird
07/03/2024, 08:00 - Bob: A dog barked all night under my window
08/03/2024, 08:00 - Ana: I fed the ducks at the pond
09/03/2024, 08:00 - Bob: He likes to eat late
10/03/2024, 08:00 - Ana: My pet peeve is loud chewing
11/03/2024, 08:00 - Bob: The animal shelter wants blankets
12/03/2024, 08:00 - Ana: We ate at the market hall
14/03/2024, 08:00 - Ana: Zora wants a quiet evening
"""
QUESTION = "What does the animal adopted by Zora eat?"
GOLD = "Biscuit devours carrots"


def rank_of_gold(folder: Path, *, propagate: float) -> int:
    passage = dataclasses.replace(SEEM.passage, propagate=propagate)
    recipe = dataclasses.replace(SEEM, passage=passage)
    with Memory(folder, recipe=recipe) as memory:
        hits = memory.search(QUESTION, k=20).hits
    return [hit.lines[0].text for hit in hits].index(GOLD)


def test_a_passage_without_a_word_of_the_question_is_found(tmp_path: Path) -> None:
    """Zora adopted Biscuit, Biscuit devours carrots: the walk goes over the name they share."""
    try:
        MiniLM(threads=1).encode(["a"])
        list(SpacyParser().parse_all(["Ann sings."]))
    except MissingExtra as error:
        pytest.skip(str(error))
    path = tmp_path / "WhatsApp Chat with Zoo.txt"
    path.write_text(CHAT)
    with Memory(tmp_path / "m") as memory:
        memory.add(path)
    assert rank_of_gold(tmp_path / "m", propagate=1.0) <= 2
    assert rank_of_gold(tmp_path / "m", propagate=0.0) >= 5


def walked(
    facts: list[tuple[int, int, int]], scores: list[float], units: list[float]
) -> list[float]:
    """Propagate over facts (row, subject, object) among eight names."""
    rows, subjects, objects = (np.array(c, np.int32) for c in zip(*facts, strict=True))
    ends = ([f"name {n}" for n in range(8)], subjects, objects)
    incidence = FactIncidence.of(rows.astype(np.int64), [ends], CloseNames())
    graph = incidence.seen(np.ones(len(rows), bool), synonyms=5)
    found = propagated(
        graph, np.array(scores, np.float32), np.array(units, np.float32), Propagation()
    )
    return [float(rank) for rank in found]


def test_nothing_recognised_is_no_vote() -> None:
    """Below the recognition threshold there is no seed, and every row keeps 0."""
    assert walked([(0, 0, 1), (1, 1, 2)], [0.3, 0.2], [1.0, 1.0]) == [0.0, 0.0]


def test_a_row_two_steps_away_gets_less() -> None:
    """The seed's row is first, the row that shares a name next, the stranger has nothing."""
    first, next_, far = walked([(0, 0, 1), (1, 1, 2), (2, 4, 5)], [0.9, 0.1, 0.1], [0.0] * 3)
    assert first == 1.0 > next_ > far == 0.0


def test_a_rare_name_weighs_more() -> None:
    """A name that stands in every row tells little: the row of the rare one wins."""
    facts = [(0, 0, 1), (1, 0, 3), (2, 0, 4), (3, 0, 5), (4, 1, 2)]
    ranks = walked(facts, [0.9, 0.0, 0.0, 0.0, 0.0], [0.0] * 5)
    assert ranks[4] > max(ranks[1:4])


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=9
    ),
    st.data(),
)
def test_ranks_are_shares_of_the_largest(
    facts: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    """Ranks are from 0 to 1, and somebody has 1 as soon as a fact is recognised."""
    facts = sorted(facts)
    scores = data.draw(
        st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=len(facts), max_size=len(facts))
    )
    ranks = walked(facts, scores, [0.5] * 5)
    assert all(0.0 <= rank <= 1.0 for rank in ranks)
    assert max(ranks) == 1.0 or max(scores) < 0.35
