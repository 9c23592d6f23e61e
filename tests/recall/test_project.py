"""What minutes and hours match is projected to their units (EM²Mem)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
import pytest

from mmem.ports import FactGraph, FloatArray, IntArray, LongArray
from mmem.recall.context import Seen
from mmem.recall.project import Projector
from mmem.recipes import Projection
from mmem.stores.graph import CloseNames, FactIncidence

MINUTE = 60_000_000
QUESTION = np.array([1.0, 0.0], np.float32)


@dataclass(frozen=True)
class Stretches:
    """Scales whose views are given as (level, cosine, rows, shares)."""

    given: Sequence[tuple[int, float, Sequence[int], Sequence[float]]] = ()
    of_rows: FloatArray | None = None

    @property
    def level(self) -> IntArray:
        return np.array([level for level, *_ in self.given], np.int32)

    @property
    def vectors(self) -> FloatArray:
        cosines = [cosine for _, cosine, *_ in self.given]
        found = [(cosine, np.sqrt(1 - cosine**2)) for cosine in cosines]
        return np.array(found, np.float32).reshape(-1, 2)

    def members(self, view: int) -> LongArray:
        return np.array(self.given[view][2], np.int64)

    def shared(self, view: int, terms: Set[str]) -> FloatArray:
        return np.array(self.given[view][3], np.float32)

    def shared_by(self, rows: LongArray, terms: Set[str]) -> FloatArray:
        if self.of_rows is None:
            return np.zeros((len(rows), 4), np.float32)
        return self.of_rows[rows]


def seen(size: int) -> Seen:
    """Rows of one session, a minute each, one after the other."""
    rows = np.arange(size)
    return Seen(
        rows=rows,
        anchor=np.ones(size, bool),
        session=np.zeros(size, np.int32),
        previous=np.where(rows > 0, rows - 1, size),
        next=np.where(rows < size - 1, rows + 1, size),
        start_us=rows * MINUTE,
        end_us=(rows + 1) * MINUTE,
        speaker=np.full(size, -1, np.int32),
        question=np.zeros(size, bool),
        occurrence=rows,
    )


def scores(
    cosines: Sequence[float],
    scales: Stretches,
    settings: Projection,
    graph: FactGraph | None = None,
) -> list[float]:
    found = Projector(
        seen=seen(len(cosines)),
        scales=scales,
        graph=graph,
        settings=settings,
        vector=QUESTION,
        terms=frozenset({"kayak"}),
        cosines=np.array(cosines, np.float32),
    ).scores()
    return [round(float(score), 4) for score in found]


UNITS_ALONE = Projection(weights=(1.0, 0.0, 0.0, 0.0), temporal_hop=0.0, entity_hop=0.0)
VIEWS_ALONE = Projection(weights=(0.0, 0.65, 0.45, 0.30))


def test_units_are_ranked_by_cosine_and_what_they_share() -> None:
    """A row's score is over its rank; what it shares with the question can lift it over another."""
    assert scores([0.5, 0.1, 0.3, 0.0], Stretches(), UNITS_ALONE) == [1.0, 0.0667, 0.3, 0.0]
    shares = np.zeros((4, 4), np.float32)
    shares[2] = 1.0  # .18 + .22 + .12 + .22 = .74 over its .6
    lifted = scores([0.5, 0.1, 0.3, 0.0], Stretches(of_rows=shares), UNITS_ALONE)
    assert lifted[2] == 1.0 and lifted[0] == round(0.5 / 1.34, 4)


def test_only_so_many_units_are_retrieved() -> None:
    """What is not among the best by cosine has no score."""
    assert scores([0.5, 0.4, 0.3], Stretches(), replace(UNITS_ALONE, units=2))[2] == 0.0


def test_a_view_shares_its_score_among_its_units() -> None:
    """Over the root of their number; weighted by scale; the better view counts whole."""
    scales = Stretches([(0, 0.9, [0, 1, 2, 3], [0] * 4), (0, 0.5, [4], [0] * 4)])
    assert scores([0.0] * 6, scales, VIEWS_ALONE) == [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]
    narrow = Stretches([(0, 0.9, [0, 1, 2, 3], [0] * 4), (1, 0.9, [3, 4], [1, 0, 0, 0])])
    found = scores([0.0] * 6, narrow, VIEWS_ALONE)
    # 3: .65 * 0 (the only one of its scale has base 0) + .45 * .18 / sqrt(2)
    assert found == [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]


def test_a_scale_of_weight_0_is_left_out() -> None:
    """The ablation "30 s only" is the units' own ranking."""
    scales = Stretches([(0, 0.9, [2], [1] * 4), (1, 0.5, [1], [1] * 4)])
    alone = scores([0.5, 0.1, 0.3], Stretches(), UNITS_ALONE)
    assert scores([0.5, 0.1, 0.3], scales, UNITS_ALONE) == alone
    assert scores([0.5, 0.1, 0.3], scales, replace(UNITS_ALONE, weights=(1, 1, 1, 1))) != alone


def test_the_best_lend_to_their_neighbours() -> None:
    """The rows before and after a seed get .6 of its score."""
    settings = replace(UNITS_ALONE, temporal_hop=0.6, units=2, seeds=1)
    # retrieved: 2 (base 1) and 0 (base 0); lent: 1 and 3 get .6
    assert scores([0.2, 0.0, 0.9, 0.0, 0.1], Stretches(), settings) == [0.0, 0.2, 1.0, 0.3, 0.0]


@pytest.mark.parametrize("shared", [1, 2])
def test_the_best_lend_to_rows_with_the_same_entities(shared: int) -> None:
    """The more names two rows' facts share, and the nearer they are, the more is lent."""
    ends = [("kit", "kayak"), ("kit", "kayak") if shared == 2 else ("kit", "fence")]
    graph = graph_of(np.array([0, 4], np.int64), ends)
    settings = replace(UNITS_ALONE, entity_hop=0.75, units=1, seeds=1)
    found = scores([0.9, 0.0, 0.0, 0.0, 0.0, 0.0], Stretches(of_rows=ones(6)), settings, graph)
    gap_s = 3 * 60
    lent = 0.75 * (0.55 + 0.45 * shared / 3) / (1 + gap_s / 300)
    assert found == [1.0, 0.0, 0.0, 0.0, round(lent / 2, 4), 0.0]


def ones(size: int) -> FloatArray:
    return np.ones((size, 4), np.float32)


def graph_of(rows: LongArray, ends: Sequence[tuple[str, str]]) -> FactGraph:
    names = list(dict.fromkeys(name for pair in ends for name in pair))
    sides = [np.array([names.index(pair[n]) for pair in ends], np.int32) for n in (0, 1)]
    incidence = FactIncidence.of(rows, [(names, *sides)], CloseNames())
    return incidence.seen(np.ones(len(rows), bool), synonyms=0)
