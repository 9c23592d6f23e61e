"""The channels of one question, computed once and put side by side by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mmem.ports import (
    BoolArray,
    FloatArray,
    ImageEncoder,
    Index,
    LongArray,
    QueryVectors,
    QuestionReader,
    QuestionReading,
    Scales,
    TextEncoder,
)
from mmem.recall import channels, context
from mmem.recall.context import Seen
from mmem.recall.plan import Option, Plan
from mmem.recall.project import Projector
from mmem.recall.propagate import propagated
from mmem.recall.semantic import Semantic, SemanticFacts, semantic_votes
from mmem.recall.visual import picture_fit
from mmem.recipes import Recipe
from mmem.words import terms


@dataclass(frozen=True)
class Confidence:
    """Raw signs of whether the answer is in the memory at all; each larger is surer.

    coverage: share of the idf mass of the question's terms (names of speakers left out) found
    in the best rows, 0 to 1. late: best late-interaction score, about a cosine. dense: best
    cosine of a row. lexical: best BM25 score over the idf mass of the question. speaker_gap:
    where the question names one speaker, how much better her five best rows match (late signal,
    -1 to 1) than the five best of the others; below 0 the thing was said, but by someone else.
    """

    coverage: float = 0.0
    late: float = 0.0
    dense: float = 0.0
    lexical: float = 0.0
    speaker_gap: float = 0.0


@dataclass(frozen=True)
class Look:
    """Looks one plan up in the visible rows; every signal is f32[m], m rows visible.

    `eyes` are there where the question asks for what is seen and there are pictures.
    """

    plan: Plan
    index: Index
    encoder: TextEncoder
    recipe: Recipe
    seen: Seen
    now_us: int | None
    eyes: ImageEncoder | None = None
    reader: QuestionReader | None = None
    scales: Scales | None = None
    lasting: SemanticFacts | None = None

    def signals(self) -> dict[str, FloatArray]:
        """Return every signal by the name of its weight in the recipe."""
        return {**self._channels(), **self._late(), **self._priors()}

    def confidence(self, best: LongArray) -> Confidence:
        """Return the raw signs for the best few rows (0..m-1)."""
        named = self._named
        content = {t: w for t, w in self.plan.weights.items() if t not in named}
        names = sorted(content)
        idf = self.index.idf(names)
        held = self.index.occurs(names, self.seen.rows[best]).any(axis=1) if names else idf > 0
        mass = float(idf.sum())
        return Confidence(
            coverage=float(idf[held].sum()) / mass if mass else 0.0,
            late=float(self._raw_late.max(initial=0.0)),
            dense=float(self._raw_chunk.max(initial=0.0)),
            lexical=float(self._raw_lexical.max(initial=0.0)) / mass if mass else 0.0,
            speaker_gap=self._speaker_gap(),
        )

    def cosine(self, row: int) -> float:
        """Return the cosine of the question with the best line of a row (0..m-1)."""
        return float(self._raw_dense[0][row])

    @property
    def vector(self) -> FloatArray:
        """f32[d]: the question's."""
        return self._query.pooled

    def _speaker_gap(self) -> float:
        hers = self._hers
        if hers is None or hers.all() or not hers.any():
            return 0.0
        late = self._spread(self._raw_late)
        return _mean_of_best(late[hers]) - _mean_of_best(late[~hers])

    @cached_property
    def _hers(self) -> BoolArray | None:
        """bool[m]: rows of the one speaker that the question names; None if not exactly one."""
        people = self.plan.people
        return self.seen.speaker == people[0].speaker if len(people) == 1 else None

    @cached_property
    def _query(self) -> QueryVectors:
        return self.encoder.encode_query(self.plan.dense_text)

    @cached_property
    def _word_options(self) -> list[tuple[Option, QueryVectors]]:
        asked = self.plan.dense_text
        found = [o for o in self.plan.options if o.weights]
        return [(o, self.encoder.encode_query(f"{asked} {o.text}")) for o in found]

    @cached_property
    def _named(self) -> set[str]:
        return {t for p in self.plan.people for word in p.words for t in terms(word)}

    @cached_property
    def _raw_lexical(self) -> FloatArray:
        return self._bm25(self.plan.weights)

    @cached_property
    def _raw_dense(self) -> tuple[FloatArray, FloatArray]:
        return self._dense(self._query)

    @property
    def _raw_chunk(self) -> FloatArray:
        return self._raw_dense[1]

    @cached_property
    def _raw_late(self) -> FloatArray:
        return self._maxsim(self.plan.dense_text, self._query)

    @cached_property
    def _channel_signals(self) -> dict[str, FloatArray]:
        line, chunk = self._raw_dense
        found = {
            "lexical": channels.by_maximum(self._raw_lexical),
            "line": channels.by_range(line),
            "chunk": channels.by_range(chunk),
        }
        if self._word_options:
            lexical = [self._bm25(o.weights) for o, _ in self._word_options]
            dense = [self._dense(q) for _, q in self._word_options]
            best = [channels.by_range(channels.best_of([d[i] for d in dense])) for i in (0, 1)]
            found["option_lexical"] = channels.by_maximum(channels.best_of(lexical))
            found["option_dense"] = (best[0] + best[1]) * np.float32(0.5)
        return found

    @cached_property
    def _pool(self) -> LongArray:
        """The rows worth a late interaction: best of the plain sum, in canonical order.

        An anchor holds more tokens than a passage, so fewer of them fill the pool.
        """
        total = sum(self._channel_signals.values(), np.zeros(len(self.seen.rows), np.float32))
        order = np.lexsort((-np.arange(len(total)), -total))[: self.recipe.passage_pool]
        shares = np.where(
            self.seen.anchor[order], 1.0 / self.recipe.anchor_pool, 1.0 / self.recipe.passage_pool
        )
        return np.sort(order[np.cumsum(shares) <= 1.0 + 1e-9])

    def _channels(self) -> Mapping[str, FloatArray]:
        return self._channel_signals

    def _late(self) -> Mapping[str, FloatArray]:
        found = {"late": self._spread(self._raw_late)}
        if self._word_options and self.recipe.option_late > 0:
            parts = [
                self._maxsim(f"{self.plan.dense_text} {o.text}", q) for o, q in self._word_options
            ]
            found["option_late"] = self._spread(channels.best_of(parts))
        return found

    def _priors(self) -> Mapping[str, FloatArray]:
        seen, plan = self.seen, self.plan
        ages = context.age_hours(seen, self.now_us)
        found = {
            "propagate": self._propagated(),
            "project": self._projected(),
            "semantic": self._lasting(),
            "question": -seen.question.astype(np.float32),
            "window": context.near_windows(seen, plan.windows),
            "option_window": context.near_windows(
                seen, tuple(w for o in plan.options for w in o.windows)
            ),
            "age": context.age_penalty(ages, scale_hours=self.recipe.age_hours),
        }
        if self.now_us is not None:
            found["recent"] = -np.exp(-ages * np.float32(60.0 / self.recipe.recent_minutes))
        if self._hers is not None:
            found["speaker"] = self._hers.astype(np.float32)
        if self.eyes is not None and self.recipe.uses("visual"):
            found["visual"] = picture_fit(
                self.index, self.eyes, self.plan.dense_text, self.seen.rows
            )
        return found

    def _propagated(self) -> FloatArray:
        """The rank of each row in a walk from the facts that the question is about."""
        if not self._walks:
            return np.zeros(len(self.seen.rows), np.float32)
        settings = self.recipe.propagation
        graph = self.index.fact_graph(synonyms=settings.synonyms)
        scores = self.index.fact_cosines(self._facts_asked)
        units = np.zeros(len(self.index.columns), np.float32)
        units[self.seen.rows] = channels.by_range(self._raw_chunk)
        return propagated(graph, scores, units, settings)[self.seen.rows]

    def _lasting(self) -> FloatArray:
        """What the facts that last and that the question is about vote for each row."""
        if self.lasting is None:
            return np.zeros(len(self.seen.rows), np.float32)
        size = len(self.index.columns)
        votes = semantic_votes(self._query.pooled, self.lasting, size, Semantic())
        return votes[self.seen.rows]

    def _projected(self) -> FloatArray:
        """The score of each row by what minutes and hours match."""
        if self.scales is None:
            return np.zeros(len(self.seen.rows), np.float32)
        settings = self.recipe.projection
        graph = self.index.fact_graph(synonyms=0) if settings.entity_hop else None
        return Projector(
            seen=self.seen,
            scales=self.scales,
            graph=graph,
            settings=settings,
            vector=self._query.pooled,
            terms=frozenset(self.plan.weights),
            cosines=self._raw_chunk,
        ).scores()

    @property
    def _walks(self) -> bool:
        asked = self.plan.wants_several or self.recipe.walk_always
        return asked and self.recipe.uses("propagate")

    @cached_property
    def reading(self) -> QuestionReading | None:
        """The quadruples of the question; None where nobody reads them, as nobody needs them."""
        wanted = self._walks and self.recipe.query_quadruples
        return self.reader.read(self.plan.question) if wanted and self.reader else None

    @property
    def _facts_asked(self) -> FloatArray:
        """f32[q, d]: what facts are compared with, the whole question where it has no quadruple."""
        if self.reading is None or not self.reading.quadruples:
            return self._query.pooled[None]
        texts = dict.fromkeys(each.text for each in self.reading.quadruples)
        return np.array([self.encoder.encode_query(text).pooled for text in texts], np.float32)

    def _bm25(self, weights: Mapping[str, float]) -> FloatArray:
        return self.index.bm25(weights, k1=self.recipe.k1, b=self.recipe.b)[self.seen.rows]

    def _dense(self, query: QueryVectors) -> tuple[FloatArray, FloatArray]:
        line, chunk = self.index.dense(query.pooled)
        return line[self.seen.rows], chunk[self.seen.rows]

    def _maxsim(self, text: str, query: QueryVectors) -> FloatArray:
        weights = channels.token_weights(
            text, query, self.index, function_idf=self.recipe.late_function_idf
        )
        rows = self.seen.rows[self._pool]
        return channels.late_interaction(query, weights, self.index, rows)

    def _spread(self, pooled: FloatArray) -> FloatArray:
        found = np.zeros(len(self.seen.rows), np.float32)
        found[self._pool] = channels.by_range(pooled)
        return found


def _mean_of_best(scores: FloatArray, *, top: int = 5) -> float:
    best = np.sort(scores)[-top:]
    return float(best.mean())
