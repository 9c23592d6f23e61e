"""Search: what is hidden leaves no trace, every mechanism can be switched off and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.ports import UNKNOWN_TIME, Columns
from mmem.recall.fuse import BASE, PRIORS
from mmem.recall.search import Ranking, search
from mmem.recipes import MMEM, Recipe
from mmem.stores.index import ArrayIndex, Facts, Segment, Vectors
from mmem.stores.postings import Postings
from mmem.words import is_question, terms
from tests.bodies import WIDTH, HashedWords

SPEAKERS = ("Ann Lee", "Bo", "Cleo Ray")
DAY_US = 86_400_000_000
VOCABULARY = (
    "cat",
    "dog",
    "paint",
    "sunset",
    "2023",
    "camp",
    "tent",
    "lake",
    "the",
    "was?",
    "first",
)
ENCODER = HashedWords()


@dataclass(frozen=True)
class Row:
    """One unit before it is indexed."""

    text: str
    speaker: int
    session: int
    day: int | None
    anchor: bool


ROW = st.builds(
    Row,
    text=st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join),
    speaker=st.integers(-1, 2),
    session=st.integers(0, 2),
    day=st.one_of(st.none(), st.integers(0, 40)),
    anchor=st.booleans(),
)
WORLD = st.lists(ROW, min_size=1, max_size=14).map(
    lambda rows: sorted(rows, key=lambda r: (r.day is None, r.day or 0))
)
QUESTION = st.lists(
    st.sampled_from([*VOCABULARY, "Ann", "Bo's", "when", "last", "yesterday", "2 days ago"]),
    min_size=1,
    max_size=6,
).map(" ".join)


def segment(rows: Sequence[Row], numbers: Sequence[int]) -> Segment:
    """Index rows; `numbers` are their names, so that a part keeps the ids of the whole."""
    encoded = ENCODER.encode([row.text for row in rows])
    ends = [UNKNOWN_TIME if r.day is None else r.day * DAY_US for r in rows]
    anchors = [(i, row.text) for i, row in enumerate(rows) if row.anchor]
    lines = [(i, line) for i, text in anchors for line in text.split("? ")]
    line_vectors = ENCODER.encode([text for _, text in lines]).pooled
    told = np.array([i for i, row in enumerate(rows) if "paint" in row.text], np.int32)
    columns = Columns(
        ids=[f"u{n}" for n in numbers],
        anchor=np.array([r.anchor for r in rows], bool),
        source=np.zeros(len(rows), np.int32),
        session=np.array([r.session for r in rows], np.int32),
        position=np.array(numbers, np.int32),
        start_us=np.array(ends, np.int64),
        end_us=np.array(ends, np.int64),
        speaker=np.array([r.speaker for r in rows], np.int32),
        speakers=SPEAKERS,
        question=np.array([is_question(r.text) for r in rows], bool),
    )
    return Segment(
        columns=columns,
        postings=Postings.build([terms(r.text) for r in rows]),
        lines=Vectors(line_vectors, np.array([i for i, _ in lines], np.int32)),
        chunks=Vectors(encoded.pooled, np.arange(len(rows), dtype=np.int32)),
        facts=Facts.of(
            Vectors(encoded.pooled[told] * np.float32(0.5), told),
            [SPEAKERS[rows[i].speaker] for i in told],
            [rows[i].text for i in told],
        ),
        codes=np.concatenate([np.empty((0, WIDTH // 8), np.uint8), *encoded.codes]),
        code_offsets=np.cumsum([0, *(len(c) for c in encoded.codes)]),
        compared=np.array(
            [(j, i, 1) for j in told for i in told if i < j and rows[i].text == rows[j].text],
            np.int32,
        ).reshape(-1, 3),
    )


def index_of(rows: Sequence[Row]) -> ArrayIndex:
    """Index a whole world."""
    return ArrayIndex([segment(rows, range(len(rows)))])


def index_of_visible(rows: Sequence[Row], mask: Sequence[bool]) -> ArrayIndex:
    """Index only the visible rows of a world, as if the others had never been."""
    kept = [i for i, seen in enumerate(mask) if seen]
    return ArrayIndex([segment([rows[i] for i in kept], kept)])


def plain(ranking: Ranking) -> list[tuple[str, float, dict[str, float]]]:
    """What a ranking says, without ordinals."""
    return [(row.id, row.score, dict(row.signals)) for row in ranking.rows]


NOW = 45 * DAY_US
OPTIONS = st.lists(
    st.sampled_from(["a red tent", "yesterday", "the lake song", "5 days ago"]), max_size=4
)


@settings(max_examples=150, deadline=None)
@given(WORLD, QUESTION, OPTIONS, st.data())
def test_hidden_rows_leave_no_trace(
    rows: list[Row], question: str, options: list[str], data: st.DataObject
) -> None:
    """Searching under a mask equals, bit for bit, searching a memory of the visible rows only."""
    mask = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    under_mask = search(
        question, index_of(rows).restricted(np.array(mask)), ENCODER, MMEM,
        options=options, now_us=NOW,
    )  # fmt: skip
    alone = search(
        question, index_of_visible(rows, mask), ENCODER, MMEM, options=options, now_us=NOW
    )
    assert plain(under_mask) == plain(alone)
    assert under_mask.confidence == alone.confidence
    assert under_mask.effects == alone.effects
    assert under_mask.visible == sum(mask)


@settings(max_examples=60, deadline=None)
@given(WORLD, QUESTION, st.data())
def test_a_prefix_and_an_overlay_are_the_whole(
    rows: list[Row], question: str, data: st.DataObject
) -> None:
    """Rows laid over an index as a second segment rank as if they had been indexed with it.

    Only expansion tells them apart: what was cut short is no part of an occurrence.
    """
    alone = MMEM.without("expand")
    cut = data.draw(st.integers(0, len(rows)))
    whole = search(question, index_of(rows), ENCODER, alone, now_us=NOW)
    numbers = range(len(rows))
    laid = ArrayIndex([segment(rows[:cut], numbers[:cut])]).overlaid(
        segment(rows[cut:], numbers[cut:])
    )
    assert plain(search(question, laid, ENCODER, alone, now_us=NOW)) == plain(whole)


@settings(max_examples=60, deadline=None)
@given(WORLD, QUESTION)
def test_every_mechanism_reports_and_can_be_switched_off(rows: list[Row], question: str) -> None:
    """A mechanism of weight 0 has not fired; one that has not fired changed nothing."""
    ranking = search(question, index_of(rows), ENCODER, MMEM, now_us=NOW)
    assert all(effect.fired or not effect.changed_top for effect in ranking.effects)
    for effect in ranking.effects:
        silent = search(question, index_of(rows), ENCODER, without(effect.mechanism), now_us=NOW)
        found = next(e for e in silent.effects if e.mechanism == effect.mechanism)
        assert not found.fired


def without(mechanism: str) -> Recipe:
    """The default recipe with one weight at 0."""
    if hasattr(MMEM, mechanism):
        return replace(MMEM, **{mechanism: 0.0})
    passage = replace(MMEM.passage, **{mechanism: 0.0})
    return replace(MMEM, passage=passage, anchor=replace(MMEM.anchor, **{mechanism: 0.0}))


def test_a_question_about_one_speaker_prefers_her_rows() -> None:
    """Of two equal turns the one by the person that the question names comes first."""
    rows = [
        Row("camp by the lake", 0, 0, 1, False),
        Row("tent", 1, 0, 2, False),
        Row("camp by the lake", 1, 0, 3, False),
    ]
    best = search("Where did Ann camp?", index_of(rows), ENCODER, MMEM).rows[0]
    assert best.id == "u0"


def test_last_asks_for_the_newest_of_the_good_matches() -> None:
    """Two equal matches: "last time" brings the newer one first."""
    rows = [Row("we played guitar", -1, 0, 1, True), Row("we played guitar", -1, 0, 9, True)]
    best = search("When was the guitar last played?", index_of(rows), ENCODER, MMEM, now_us=NOW)
    assert [r.id for r in best.rows] == ["u1", "u0"]


def test_an_empty_memory_answers_with_nothing() -> None:
    """No visible row: no rows, no effects, no confidence, and no encoder call is needed."""
    ranking = search("Who?", index_of([]), ENCODER, MMEM)
    assert ranking.rows == [] and ranking.effects == [] and ranking.confidence.coverage == 0.0


def test_the_names_of_signals_are_fields_of_the_recipe() -> None:
    """Every signal that is summed has a weight, so that an ablation is a field."""
    for name in (*BASE, *PRIORS):
        assert hasattr(MMEM, name) or hasattr(MMEM.passage, name)
