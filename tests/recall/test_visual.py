"""The visual channel: which questions ask for it, what it looks for, what it leaves alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mmem.ports import ByteArray, FloatArray, VectorSpace
from mmem.recall.nearest import search_picture
from mmem.recall.search import search
from mmem.recall.visual import asks_what_is_seen, picture_fit, things_asked
from mmem.recipes import MMEM
from mmem.stores.index import ArrayIndex
from mmem.stores.shown import ALWAYS, Shown
from tests.bodies import HashedWords
from tests.stores.test_index import segment

TEXTS = [["a"], ["b"], ["a", "b"], ["c"], ["d"]]


class Axes:
    """Texts are axes: "one" is the first, all else the second."""

    identity = VectorSpace("test", "axes", "1", 2, "none", "none")

    def ensure_installed(self) -> None:
        pass

    def encode(self, frames: ByteArray) -> FloatArray:
        raise AssertionError("a question has no picture")

    def encode_text(self, texts: list[str]) -> FloatArray:
        return np.array([[1, 0] if "one" in t else [0, 1] for t in texts], np.float32)


def index(angles: dict[int, list[float]], ends: list[int] | None = None) -> ArrayIndex:
    """Five rows; row -> angles (degrees from "one") of its pictures."""
    pairs = [(row, angle) for row in sorted(angles) for angle in angles[row]]
    turned = np.radians([angle for _, angle in pairs])
    values = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32).reshape(-1, 2)
    shown = Shown(
        values,
        np.array([row for row, _ in pairs], np.int32),
        np.array(ends or [ALWAYS] * len(pairs), np.int64),
    )
    return ArrayIndex([replace(segment(TEXTS), images=shown)])


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What colour is the car?", True),
        ("What color were the walls?", True),
        ("What is on the table?", True),
        ("What did the kitchen look like?", True),
        ("Show me the photo of the dog", True),
        ("Where can you see a bicycle?", True),
        ("What was she wearing?", True),
        ("Which picture has a boat?", True),
        ("What does the video show?", True),
        ("Who promised the fix?", False),
        ("When is the demo?", False),
        ("How many boats does Elena have?", False),
        ("Why was the import late?", False),
        ("What did Priya say about the budget?", False),
    ],
)
def test_which_questions_ask_for_it(question: str, asks: bool) -> None:
    """Only those whose words ask for what is seen."""
    assert asks_what_is_seen(question) is asks


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Where can you see a red umbrella in the picture?", "red umbrella"),
        ("Which video shows the colour bars?", "colour bars"),
        ("What colour is the car?", "car"),
        ("What can you see?", "What can you see?"),
    ],
)
def test_what_is_looked_for(question: str, things: str) -> None:
    """The words that name things; where there are none, the question as it is."""
    assert things_asked(question) == things


def test_the_best_picture_of_a_row_counts() -> None:
    """0 for rows without pictures and for the worst one, 1 for the best; hidden rows leave none."""
    rows = np.arange(5)
    there = index({0: [80.0, 10.0], 2: [30.0], 4: [60.0]})
    fit = picture_fit(there, Axes(), "see one", rows)
    assert fit[0] == 1.0 and fit[[1, 3, 4]].tolist() == [0, 0, 0] and 0 < fit[2] < 1
    seen = np.array([False, True, True, True, True])
    fit = picture_fit(there.restricted(seen), Axes(), "see one", np.flatnonzero(seen))
    assert fit.tolist() == [0, 1, 0, 0]


def test_what_is_said_in_words_is_not_looked_for() -> None:
    """The vote shrinks by what the best visible row says of the things asked for."""
    there = index({3: [40.0]})
    texts = [["boat", "harbour"], ["boat"], ["a"], ["c"], ["d"]]
    shown = replace(segment(texts), images=there._segments[0].images)
    said = ArrayIndex([shown])

    def vote(question: str, seen: np.ndarray) -> float:
        fit = picture_fit(said.restricted(seen), Axes(), question, np.flatnonzero(seen))
        return float(fit.max())

    everywhere, few = np.ones(5, bool), np.arange(5) > 1
    assert vote("see a boat in the harbour", everywhere) == 0
    assert 0 < vote("see a boat beside a kettle", everywhere) < 1
    assert vote("see a kettle", everywhere) == vote("see a boat", few) == 1


def test_a_single_picture_is_found() -> None:
    """One picture, or equal ones, fit a question that asks for what is seen; none fits nothing."""
    rows = np.arange(5)
    assert picture_fit(index({3: [40.0]}), Axes(), "see one", rows).tolist() == [0, 0, 0, 1, 0]
    assert not picture_fit(index({}), Axes(), "see one", rows).any()


def test_pictures_that_went_on_are_not_known_yet() -> None:
    """Law 6: of rows that had ended, only pictures that had ended by the moment are looked at."""
    there = index({0: [0.0], 1: [0.0, 90.0]}, ends=[50, 200, 90])
    query = np.array([1, 0], np.float32)
    assert there.shown_by(100).pictures(query)[:2] == pytest.approx([1, 0], abs=1e-6)
    assert np.isneginf(there.shown_by(40).pictures(query)).all()
    restricted = there.shown_by(100).restricted(np.ones(5, bool))
    assert restricted.pictures(query)[1] == pytest.approx(0, abs=1e-6)


def test_a_rows_cosine_has_the_same_bits_whatever_is_beside_it() -> None:
    """A mask changes which rows have a cosine, and no bit of any."""
    rng = np.random.default_rng(2)
    there = index({row: rng.uniform(0, 180, 3).tolist() for row in range(5)})
    query = np.array([0.6, 0.8], np.float32)
    whole = there.pictures(query)
    for mask in (np.arange(5) % 2 == 0, np.arange(5) > 2, np.zeros(5, bool)):
        part = there.restricted(mask).pictures(query)
        assert (part[mask] == whole[mask]).all() and np.isneginf(part[~mask]).all()


def test_near_a_picture_ranks_rows_with_pictures_only() -> None:
    """Cosines, the best first, of equal ones the newer; rows without a picture are none."""
    there = index({0: [20.0], 1: [20.0], 3: [5.0, 90.0]})
    ranking = search_picture("picture x", np.array([1, 0], np.float32), there, MMEM, depth=9)
    assert [row.id for row in ranking.rows] == ["u3", "u1", "u0"]
    assert ranking.rows[0].score == pytest.approx(np.cos(np.radians(5)), abs=1e-6)
    assert ranking.visible == 3
    assert len(search_picture("x", np.ones(2, np.float32), there, MMEM, depth=2).rows) == 2


class _Wide(HashedWords):
    """The test encoder with as few numbers as the test index."""

    def encode_query(self, text: str):  # type: ignore[no-untyped-def]
        found = super().encode_query(text)
        return replace(found, pooled=found.pooled[:16], tokens=found.tokens[:, :16])


def test_without_eyes_and_switched_off_it_is_silent() -> None:
    """A question that asks for nothing seen, and a recipe without the channel, rank as ever."""
    there = index({0: [0.0], 3: [90.0]})
    recipe = MMEM.without("propagate")

    def scores(**given: object) -> dict[str, float]:
        ranked = search("see one", there, _Wide(), given.pop("recipe", recipe), **given)
        return {row.id: row.score for row in ranked.rows}

    plain, looked = scores(), scores(eyes=Axes())
    assert looked["u0"] == pytest.approx(plain["u0"] + recipe.passage.visual, abs=1e-5)
    assert looked["u3"] == pytest.approx(plain["u3"], abs=1e-5)
    off = recipe.without("visual")
    assert scores(eyes=Axes(), recipe=off) == scores(recipe=off)
