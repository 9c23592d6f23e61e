"""The in-memory index: exact, and blind to hidden rows."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.ports import Columns
from mmem.stores.index import ArrayIndex, Facts, Segment, Vectors, joined
from mmem.stores.postings import Postings

WIDTH = 16
TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=1, max_size=10)


def columns(ids: list[str], speakers: tuple[str, ...] = ("Ann",)) -> Columns:
    """Columns with nothing special in them."""
    zeros, size = np.zeros(len(ids), np.int32), len(ids)
    times = np.arange(size, dtype=np.int64)
    return Columns(
        ids=ids, anchor=np.zeros(size, bool), source=zeros, session=zeros,
        position=np.arange(size, dtype=np.int32), start_us=times, end_us=times,
        speaker=zeros, speakers=speakers, question=np.zeros(size, bool),
    )  # fmt: skip


def segment(texts: list[list[str]]) -> Segment:
    """One line a row, one chunk for every second row, one token code a term."""
    rng = np.random.default_rng([len(texts), sum(map(len, texts))])
    values = rng.normal(size=(len(texts), WIDTH)).astype(np.float32)
    even = np.arange(0, len(texts), 2, dtype=np.int32)
    sizes = [len(text) for text in texts]
    return Segment(
        columns=columns([f"u{i}" for i in range(len(texts))]),
        postings=Postings.build(texts),
        lines=Vectors(values, np.arange(len(texts), dtype=np.int32)),
        chunks=Vectors(values[even] * np.float32(0.5), even),
        facts=Facts.of(
            Vectors(values[even] * np.float32(0.25), even),
            ["ann" for _ in even],
            [f"thing {n % 4}" for n in even],
        ),
        codes=rng.integers(0, 256, (sum(sizes), WIDTH // 8)).astype(np.uint8),
        code_offsets=np.cumsum([0, *sizes]),
    )


def slow_bm25(texts: list[list[str]], query: dict[str, float], k1: float, b: float) -> list[float]:
    """BM25 written out as in the papers."""
    mean = sum(map(len, texts)) / len(texts) or 1.0
    scores = []
    for text in texts:
        counts, score = Counter(text), 0.0
        for term, weight in query.items():
            df = sum(term in other for other in texts)
            idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
            norm = k1 * (1 - b + b * len(text) / mean)
            score += weight * idf * counts[term] * (k1 + 1) / (counts[term] + norm)
        scores.append(score)
    return scores


@given(TEXTS, st.data())
def test_bm25_equals_the_definition_over_the_visible_rows(
    texts: list[list[str]], data: st.DataObject
) -> None:
    """Scores are the textbook's over the visible rows; hidden rows score 0."""
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))))
    query = {"a": 1.0, "c": 0.5, "zebra": 2.0}
    scores = ArrayIndex([segment(texts)]).restricted(mask).bm25(query, k1=1.2, b=0.5)
    assert not scores[~mask].any()
    if mask.any():
        seen = [t for t, m in zip(texts, mask, strict=True) if m]
        assert scores[mask] == pytest.approx(slow_bm25(seen, query, 1.2, 0.5), rel=1e-5, abs=1e-6)


@given(TEXTS, st.data())
def test_cosines_do_not_depend_on_the_rows_beside_them(
    texts: list[list[str]], data: st.DataObject
) -> None:
    """A visible row's cosine has the same bits under every mask; a missing chunk is its line."""
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))))
    index = ArrayIndex([segment(texts)])
    query = np.linspace(-1, 1, WIDTH, dtype=np.float32)
    for whole, part in zip(index.dense(query), index.restricted(mask).dense(query), strict=True):
        assert (part[mask] == whole[mask]).all() and not part[~mask].any()
    line, chunk = index.dense(query)
    assert (chunk[1::2] == line[1::2]).all()


@settings(max_examples=40)
@given(TEXTS, TEXTS)
def test_an_overlay_reads_like_one_index(left: list[list[str]], right: list[list[str]]) -> None:
    """Lexical scores, idf, occurrences and codes of two segments are those of their sum."""
    a, b = segment(left), segment(right)
    laid = ArrayIndex([a]).overlaid(b)
    flat = Postings.build(left + right)
    assert laid.idf(["a", "z"]).tolist() == pytest.approx(
        [math.log(1 + (n - df + 0.5) / (df + 0.5)) for n, df in counted(left + right, ["a", "z"])]
    )
    rows = np.arange(len(flat))
    assert laid.occurs(["b"], rows)[0].tolist() == ["b" in text for text in left + right]
    codes, offsets = laid.codes(rows)
    assert (codes == np.concatenate([a.codes, b.codes])).all()
    assert np.diff(offsets).tolist() == [len(text) for text in left + right]


def counted(texts: list[list[str]], terms: list[str]) -> list[tuple[int, int]]:
    """N and df of each term."""
    return [(len(texts), sum(term in text for text in texts)) for term in terms]


def test_speakers_of_two_segments_are_matched_by_name() -> None:
    """A name that both segments have gets one number; -1 stays -1."""
    left, right = columns(["a"], ("Ann", "Bo")), columns(["b", "c"], ("Cy", "Ann"))
    both = joined([left, right])
    assert both.speakers == ["Ann", "Bo", "Cy"] and both.speaker.tolist() == [0, 2, 2]


def test_a_mask_of_the_wrong_length_is_refused() -> None:
    """A mask is one flag a row."""
    with pytest.raises(ValueError, match="mask of 1 rows for an index of 2"):
        ArrayIndex([segment([["a"], ["b"]])], np.array([True]))
