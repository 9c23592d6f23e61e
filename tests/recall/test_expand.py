"""Expansion: what else tells of an occurrence comes with the passage that was found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem import Memory
from mmem.errors import MissingExtra
from mmem.models.language import SpacyParser
from mmem.models.text import MiniLM
from mmem.recall.context import retold
from mmem.recipes import MMEM, SEEM, Recipe
from mmem.stores.occurrences import joined

LODGE = """\
01/03/2024, 09:00 - Ana: Morning all, the ferry was late again
01/03/2024, 18:00 - Ana: Kit repaired the boiler yesterday, so the guests at the lodge slept well
02/03/2024, 10:02 - Ana: The lodge has a new door, the guests like it
03/03/2024, 18:00 - Bob: Guests who sleep badly leave early
04/03/2024, 18:00 - Ana: I slept at the lodge last week, on the sofa
05/03/2024, 08:00 - Bob: The food at the harbour place was cold
06/03/2024, 08:00 - Ana: Why do guests sleep so long on Sundays?
07/03/2024, 08:00 - Bob: A dog barked all night under my window
08/03/2024, 08:00 - Ana: The lodge is full until Easter
09/03/2024, 08:00 - Bob: My guests sleep in the attic
"""
KIT = """\
29/02/2024, 20:15 - Kit: I repaired the boiler with a borrowed wrench
29/02/2024, 20:20 - Lou: Bravo
12/03/2024, 20:20 - Lou: The tram was empty
"""
QUESTION = "Why did the guests sleep well at the lodge?"
GOLD = "I repaired the boiler with a borrowed wrench"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    try:
        MiniLM(threads=1).encode(["a"])
        list(SpacyParser().parse_all(["Ann sings."]))
    except MissingExtra as error:
        pytest.skip(str(error))
    for name, text in (("Lodge", LODGE), ("Kit", KIT)):
        (tmp_path / f"WhatsApp Chat with {name}.txt").write_text(text)
    with Memory(tmp_path / "m") as memory:
        memory.add(*tmp_path.glob("*.txt"))
    return tmp_path / "m"


def rank_of_gold(folder: Path, recipe: Recipe) -> int:
    with Memory(folder, recipe=recipe) as memory:
        hits = memory.search(QUESTION, k=20, explain=True).hits
    return [hit.lines[0].text for hit in hits].index(GOLD)


@pytest.mark.parametrize(("recipe", "most", "least"), [(MMEM, 6, 12), (SEEM, 4, 12)])
def test_a_passage_without_a_word_of_the_question_comes_with_its_occurrence(
    folder: Path, recipe: Recipe, most: int, least: int
) -> None:
    """Two tell of one repair; only one of them says what the guests had of it."""
    assert rank_of_gold(folder, recipe) <= most
    assert rank_of_gold(folder, recipe.without("expand")) >= least


def test_it_is_in_the_evidence_though_it_is_not_among_the_hits(folder: Path) -> None:
    """Reverse provenance expansion: what tells the same comes with it, marked as that."""
    with Memory(folder, recipe=MMEM.without("expand")) as memory:
        evidence = memory.search(QUESTION, k=1, explain=True)
    (hit,) = evidence.hits
    (retold_one,) = [h for h in evidence.context if "expand" in h.channels]
    assert retold_one.lines[0].text == GOLD
    (frame,) = evidence.frames
    assert set(frame.unit_ids) == {hit.unit_id, retold_one.unit_id}


def test_expansion_says_that_it_fired(folder: Path) -> None:
    """Its step in the trace tells whether it changed the first places."""
    with Memory(folder) as memory:
        steps = memory.search(QUESTION, explain=True).trace.steps
    (step,) = [step for step in steps if step.name == "expand"]
    assert step.fired and step.changed


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8), st.integers(1, 4))
def test_what_the_best_rows_tell_is_handed_on(pairs: list[tuple[int, int]], top: int) -> None:
    """A row of the group of one of the best gets the score of the best of those; others get 0."""
    group = joined(10, np.array(pairs, np.int32).reshape(-1, 2))
    scores = np.arange(10, dtype=np.float32)[::-1] + 1
    found = retold(scores, group, top=top)
    for row in range(10):
        best = [scores[n] for n in range(top) if group[n] == group[row]]
        assert found[row] == (0 if row < top else max(best, default=0))
