"""The sum of all signals, and what each of them did to the first places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mmem.ports import FloatArray, LongArray
from mmem.recall.context import Seen, carried, newest_first, retold, session_best, spread
from mmem.recipes import Recipe

BASE = ("lexical", "line", "chunk", "late", "option_lexical", "option_dense", "option_late")
PRIORS = (
    "speaker",
    "question",
    "window",
    "option_window",
    "age",
    "recent",
    "propagate",
    "project",
    "semantic",
    "visual",
)


@dataclass(frozen=True)
class Effect:
    """What one mechanism did: whether it fired, and whether it changed the first ten."""

    mechanism: str
    fired: bool
    changed_top: bool


@dataclass(frozen=True)
class Fusion:
    """Signals f32[m] of the visible rows by name, ready to be summed."""

    seen: Seen
    signals: dict[str, FloatArray]
    ages: FloatArray
    wants_latest: bool
    wants_several: bool
    recipe: Recipe

    @cached_property
    def total(self) -> FloatArray:
        """f32[m], the score that ranks the rows."""
        return self._sum(frozenset())

    def order(self, depth: int) -> LongArray:
        """Return the best rows (0..m-1), equal scores newer first."""
        return self._order(self.total, depth, frozenset())

    def effects(self, top: int = 10) -> list[Effect]:
        """Leave each mechanism out in turn and compare the first places."""
        usual = self.order(top).tolist()
        found = []
        for name in self.mechanisms():
            fired = self._fired(name)
            off = frozenset([name])
            without = self._order(self._sum(off), top, off).tolist() if fired else usual
            found.append(Effect(name, fired, without != usual))
        return found

    def mechanisms(self) -> list[str]:
        """Return the names of everything that can be switched off."""
        return [*BASE, *PRIORS, "previous", "next", "session", "expand", "latest", "spread"]

    def _fired(self, name: str) -> bool:
        if not self._weight(name).any():
            return False
        if name == "spread":
            return self.wants_several
        if name == "latest":
            return self.wants_latest
        if name == "expand":
            return len(np.unique(self.seen.occurrence)) < len(self.seen.rows)
        if name in self.signals:
            return bool(self.signals[name].any())
        return name in ("previous", "next", "session")

    def _order(self, total: FloatArray, depth: int, off: frozenset[str]) -> LongArray:
        order = _top(total, depth)
        if not self.wants_several or "spread" in off:
            return order
        pool = _top(total, max(depth, self.recipe.spread_pool))
        cost = self._weight("spread")[pool]
        return pool[spread(total[pool], self.seen.session[pool], cost)[:depth]]

    def _weight(self, name: str) -> FloatArray:
        if hasattr(self.recipe, name):
            return np.full(len(self.seen.rows), getattr(self.recipe, name), np.float32)
        of_passage = np.float32(getattr(self.recipe.passage, name))
        of_anchor = np.float32(getattr(self.recipe.anchor, name))
        return np.where(self.seen.anchor, of_anchor, of_passage)

    def _sum(self, off: frozenset[str]) -> FloatArray:
        base = self._signals(BASE, off)
        total = base + self._context(base, off) + self._signals(PRIORS, off)
        if self.wants_latest and "latest" not in off:
            margin = self.recipe.latest_margin
            total = total + self._weight("latest") * newest_first(total, self.ages, margin=margin)
        if "expand" not in off:
            others = retold(total, self.seen.occurrence, top=self.recipe.expand_from)
            lifted = np.maximum(total, self._weight("expand") * others)
            total = np.where(others > 0, lifted, total)
        return total

    def _signals(self, names: tuple[str, ...], off: frozenset[str]) -> FloatArray:
        total = np.zeros(len(self.seen.rows), np.float32)
        for name in names:
            if name in self.signals and name not in off:
                total = total + self._weight(name) * self.signals[name]
        return total

    def _context(self, base: FloatArray, off: frozenset[str]) -> FloatArray:
        total = np.zeros_like(base)
        if "previous" not in off:
            total = total + self._weight("previous") * carried(base, self.seen.previous)
        if "next" not in off:
            total = total + self._weight("next") * carried(base, self.seen.next)
        if "session" not in off and len(base):
            total = total + self._weight("session") * session_best(base, self.seen.session)
        return total


def _top(scores: FloatArray, depth: int) -> LongArray:
    order = np.lexsort((-np.arange(len(scores)), -scores))
    return order[:depth]
