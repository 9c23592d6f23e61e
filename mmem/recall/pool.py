"""The pool that a selector chooses from: the best rows, and what is worth seeing beside them.

EM²Mem (section 3.3; formulas of the published code): rows are added in four roles, each ranked by
its own score, until the pool is full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from functools import lru_cache

import numpy as np

from mmem.ports import Account, BoolArray, Candidate, DoubleArray, FloatArray, PoolRole
from mmem.recipes import Selection
from mmem.words import terms

_SECOND_US = 1_000_000


def pool_of(
    accounts: Sequence[Account],
    scores: FloatArray,
    asked: Set[str],
    settings: Selection,
) -> list[Candidate]:
    """Return the pool of some rows, given best first with their coarse scores f32[n].

    `asked` are the question's terms. A row is in the pool once, in the first role that brings it.
    """
    if not len(accounts):
        return []
    coarse = _by_range(scores.astype(np.float64))
    found: dict[int, PoolRole] = {}
    for role, places in _in_roles(accounts, coarse, asked, settings).items():
        for place in places:
            if len(found) < settings.pool:
                found.setdefault(place, role)
    return [
        Candidate(number, role, float(coarse[place]), accounts[place])
        for number, (place, role) in enumerate(found.items(), start=1)
    ]


def _in_roles(
    accounts: Sequence[Account], coarse: DoubleArray, asked: Set[str], settings: Selection
) -> Mapping[PoolRole, list[int]]:
    """Return the places of the best of each role, the best first."""
    told = [terms_of(account) for account in accounts]
    overlap = np.array([_share(asked, words) for words in told])
    trigger = np.stack([coarse, overlap, _nearness(accounts, settings)])
    supported = np.array([float(account.lasting > 0) for account in accounts])
    seeds = told[: settings.seeds]
    shared = np.array([max(_share(words, seed) for seed in seeds) for words in told])
    antecedent = np.stack([_earlier(accounts, settings), shared, supported])
    broader = np.stack([_coverage(accounts, settings), overlap, coarse])
    inside = np.array([bool(account.stretch) for account in accounts])
    return {
        "global": _best(coarse, settings.best),
        "trigger": _best(_sum(trigger, settings.trigger), settings.triggers),
        "antecedent": _best(_sum(antecedent, settings.antecedent), settings.antecedents),
        "broader": _best(_sum(broader, settings.broad), settings.broader, inside),
    }


def terms_of(account: Account) -> frozenset[str]:
    """Return the terms of all that is told of a unit: its lines, its readings, and around it."""
    texts = [text for line in account.lines for text in (line.speaker, line.text)]
    texts += [f"{f.subject} {f.relation} {f.object}" for f in account.facts]
    if account.frame is not None:
        shown = account.frame.visual_record
        texts += [shown.keyframe_caption, *shown.visible_objects]
    if account.view is not None:
        view = account.view
        texts += [view.text_summary, view.visual_summary]
        texts += [line.text for line in view.critical_lines]
    return frozenset(term for text in texts for term in _terms(text))


@lru_cache(maxsize=8192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _nearness(accounts: Sequence[Account], settings: Selection) -> DoubleArray:
    """Return f64[n], 1 at the mean moment of the seeds and less away from it; 0 if not known."""
    middles = _middles(accounts)
    seeds = middles[: settings.seeds]
    if np.isnan(seeds).all():
        return np.zeros(len(accounts))
    gaps = np.abs(middles - np.nanmean(seeds))
    near: DoubleArray = np.nan_to_num(np.exp(-gaps / settings.trigger_s), nan=0.0)
    return near


def _earlier(accounts: Sequence[Account], settings: Selection) -> DoubleArray:
    """Return f64[n], how much earlier than every seed a row is, 1 for long before."""
    middles = _middles(accounts)
    seeds = middles[: settings.seeds]
    if np.isnan(seeds).all():
        return np.zeros(len(accounts))
    gaps = np.nan_to_num(np.nanmin(seeds) - middles, nan=0.0)
    earlier: DoubleArray = np.clip(gaps / settings.antecedent_s, 0.0, 1.0)
    return earlier


def _middles(accounts: Sequence[Account]) -> DoubleArray:
    """Return f64[n], the seconds of the middle of each unit, NaN where no time is known."""
    return np.array(
        [
            np.nan
            if account.start_us is None or account.end_us is None
            else (account.start_us + account.end_us) / 2 / _SECOND_US
            for account in accounts
        ]
    )


def _coverage(accounts: Sequence[Account], settings: Selection) -> DoubleArray:
    """Return f64[n], how many rows of a row's stretch were found, 1 for many."""
    counts = Counter(account.stretch for account in accounts)
    found = np.array([counts[account.stretch] for account in accounts])
    return np.minimum(found / settings.stretch, 1.0)


def _share(wanted: Collection[str], held: Set[str]) -> float:
    return sum(term in held for term in wanted) / len(wanted) if wanted else 0.0


def _sum(parts: DoubleArray, weights: tuple[float, float, float]) -> DoubleArray:
    total: DoubleArray = (np.array(weights)[:, None] * parts).sum(axis=0)
    return total


def _best(scores: DoubleArray, most: int, among: BoolArray | None = None) -> list[int]:
    """Return the places of the largest, of equals the earlier; `among` bool[n] are those meant."""
    order = np.lexsort((np.arange(len(scores)), -scores)).tolist()
    return [place for place in order if among is None or among[place]][:most]


def _by_range(scores: DoubleArray) -> DoubleArray:
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)
