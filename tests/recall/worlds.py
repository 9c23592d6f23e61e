"""Small random memories for the tests of recall and of the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from mmem.models.hashing import WIDTH, HashedWords
from mmem.ports import UNKNOWN_TIME, Columns
from mmem.stores.index import ArrayIndex, Segment, Vectors
from mmem.stores.postings import Postings
from mmem.words import is_question, terms

SPEAKERS = ("Ann Lee", "Bo", "Cleo Ray")
DAY_US = 86_400_000_000
VOCABULARY = "cat dog paint sunset 2023 camp tent lake song guitar the was? first".split()
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
    lines = [(i, sentence) for i, r in enumerate(rows) for sentence in r.text.split("? ") if r.anchor]
    line_vectors = ENCODER.encode([text for _, text in lines]).pooled
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
        codes=np.concatenate([np.empty((0, WIDTH // 8), np.uint8), *encoded.codes]),
        code_offsets=np.cumsum([0, *(len(c) for c in encoded.codes)]),
    )


def index_of(rows: Sequence[Row]) -> ArrayIndex:
    """Index a whole world."""
    return ArrayIndex([segment(rows, range(len(rows)))])


def index_of_visible(rows: Sequence[Row], mask: Sequence[bool]) -> ArrayIndex:
    """Index only the visible rows of a world, as if the others had never been."""
    kept = [i for i, seen in enumerate(mask) if seen]
    return ArrayIndex([segment([rows[i] for i in kept], kept)])
