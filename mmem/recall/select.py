"""From a ranking to the few units that an answer is read from, first; the rest keep their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mmem.ports import Account, Candidate, Choice, Pick, Selector, Wanted
from mmem.recall.family import family_of
from mmem.recall.pool import pool_of
from mmem.recall.search import Ranked, Ranking
from mmem.recipes import Selection
from mmem.schemas import Chosen, Step
from mmem.words import terms


@dataclass(frozen=True)
class Selected:
    """A ranking with the chosen units first, why each of them was chosen by unit, and how."""

    ranking: Ranking
    chosen: Mapping[str, Chosen]
    pool: Sequence[Candidate] = ()
    note: str = ""
    moved: frozenset[str] = field(default_factory=frozenset)
    """The units among the first ten that were not there before."""
    changed: bool = False
    """Whether the first ten are in another order than before."""

    def steps(self) -> tuple[Step, ...]:
        """Return what the selector did, and why each unit was chosen."""
        fired = bool(self.note)
        steps = [Step(name="select", fired=fired, changed=self.changed, note=self.note)]
        for place, (unit_id, why) in enumerate(self.chosen.items(), start=1):
            moved = unit_id in self.moved
            note = f"{why.role}: {why.reason}"
            steps.append(Step(name=f"select: {place}", fired=True, changed=moved, note=note))
        return tuple(steps)


def select(
    ranking: Ranking,
    accounts: Mapping[str, Account],
    settings: Selection,
    selector: Selector,
    wanted: Wanted,
) -> Selected:
    """Return a ranking with the units first that a selector chooses from its pool.

    `accounts` are what the best rows tell; rows without one keep their place behind. A pool of no
    more than `settings.chosen` is taken whole, and the selector is not asked.
    """
    rows = [row for row in ranking.rows if row.id in accounts][: settings.depth]
    pool = pool_of(
        [accounts[row.id] for row in rows],
        np.array([row.score for row in rows], np.float32),
        frozenset(ranking.plan.weights) or frozenset(terms(wanted.question)),
        settings,
    )
    if not pool:
        return Selected(ranking, {})
    if len(pool) <= settings.chosen:
        picks = tuple(Pick(each.number, "all that was found") for each in pool)
        choice = Choice(family_of(wanted.question), picks, "taken whole, for it is small")
    else:
        choice = selector.choose(wanted, pool)
    return _selected(ranking, pool, choice)


def _selected(ranking: Ranking, pool: Sequence[Candidate], choice: Choice) -> Selected:
    by_number = {each.number: each for each in pool}
    chosen = {
        by_number[pick.number].account.unit_id: Chosen(
            role=by_number[pick.number].role, family=choice.family, reason=pick.reason
        )
        for pick in choice.picks
    }
    before = [row.id for row in ranking.rows]
    row_of = {row.id: row for row in ranking.rows}
    rows: list[Ranked] = [row_of[unit_id] for unit_id in chosen]
    rows += [row for row in ranking.rows if row.id not in chosen]
    after = [row.id for row in rows]
    sizes = {role: sum(each.role == role for each in pool) for role in dict.fromkeys(_roles(pool))}
    told = ", ".join(f"{count} {role}" for role, count in sizes.items())
    return Selected(
        ranking=replace(ranking, rows=rows),
        chosen=chosen,
        pool=pool,
        note=f"{choice.family}; {len(chosen)} of {len(pool)} ({told}); {choice.note}",
        moved=frozenset(after[:10]) - frozenset(before[:10]),
        changed=after[:10] != before[:10],
    )


def _roles(pool: Sequence[Candidate]) -> list[str]:
    return [each.role for each in pool]
