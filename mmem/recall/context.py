"""Signals from where a row stands: its neighbours, its session, its speaker, its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mmem.ports import UNKNOWN_TIME, BoolArray, Columns, FloatArray, IntArray, LongArray
from mmem.recall.times import Window

_HOUR_US = 3_600_000_000
_SLACK = 1.0
"""A window's bonus falls off over its own length (never less than the floor below)."""
_DIRECT = 6.0
"""More than all other signals of a row together (5.2 for a passage, 3 for an anchor): WorldMM opens
such a stretch without a search."""


@dataclass(frozen=True)
class Seen:
    """The visible rows: `rows` int64[m] ordinals, and their columns, in canonical order."""

    rows: LongArray
    anchor: BoolArray
    session: IntArray
    previous: LongArray
    """Row (0..m-1) before this one in its session, or m when it is the first."""
    next: LongArray
    start_us: LongArray
    end_us: LongArray
    speaker: IntArray
    question: BoolArray
    occurrence: LongArray
    """Rows that tell of one occurrence share a number."""

    @classmethod
    def of(cls, columns: Columns, visible: BoolArray, occurrences: LongArray) -> Seen:
        """Cut the columns down to the visible rows; neighbours are those among them."""
        rows = np.flatnonzero(visible)
        session, position = columns.session[rows], columns.position[rows]
        previous, following = _neighbours(session, position)
        return cls(
            rows=rows,
            anchor=columns.anchor[rows],
            session=session,
            previous=previous,
            next=following,
            start_us=columns.start_us[rows],
            end_us=columns.end_us[rows],
            speaker=columns.speaker[rows],
            question=columns.question[rows],
            occurrence=occurrences[rows],
        )


def _neighbours(session: IntArray, position: IntArray) -> tuple[LongArray, LongArray]:
    size = len(session)
    order = np.lexsort((np.arange(size), position, session))
    same = session[order][1:] == session[order][:-1]
    previous = np.full(size, size, np.int64)
    following = np.full(size, size, np.int64)
    previous[order[1:][same]] = order[:-1][same]
    following[order[:-1][same]] = order[1:][same]
    return previous, following


def carried(scores: FloatArray, places: LongArray) -> FloatArray:
    """Return the score found at each row's neighbour, 0 where there is none."""
    return np.append(scores, np.float32(0))[places]


def retold(scores: FloatArray, occurrence: LongArray, *, top: int) -> FloatArray:
    """Return, for rows that tell of the same occurrence as one of the `top` best, its score.

    Rows that are among the best themselves, and all others, have 0.
    """
    found = np.zeros_like(scores)
    order = np.lexsort((-np.arange(len(scores)), -scores))[:top]
    numbers, first = np.unique(occurrence[order], return_index=True)
    place = np.searchsorted(numbers, occurrence)
    place = np.minimum(place, max(len(numbers) - 1, 0))
    if len(numbers):
        same = numbers[place] == occurrence
        found[same] = scores[order[first[place[same]]]]
        found[order] = 0
    return found


def session_best(scores: FloatArray, session: IntArray, *, top: int = 3) -> FloatArray:
    """Return the mean of the `top` best scores of each row's session."""
    order = np.lexsort((-scores, session))
    ordered = session[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    sizes = np.diff(np.append(starts, len(ordered)))
    place = np.arange(len(ordered)) - np.repeat(starts, sizes)
    kept = np.where(place < top, scores[order], np.float32(0))
    sums = np.add.reduceat(kept.astype(np.float64), starts) / top
    found = np.empty_like(scores)
    found[order] = np.repeat(sums, sizes).astype(np.float32)
    return found


def spread(scores: FloatArray, session: IntArray, cost: FloatArray) -> LongArray:
    """Return an order of rows, given best first, in which sessions take turns.

    The next row is the one whose score, less `cost` for every earlier row of its session, is the
    largest; equal ones keep their order (maximal marginal relevance, Carbonell and Goldstein 1998,
    with the session as likeness).
    """
    left = scores.astype(np.float64)
    order = np.empty(len(scores), np.int64)
    for place in range(len(order)):
        row = int(np.argmax(left))
        order[place] = row
        left[row] = -np.inf
        left[session == session[row]] -= cost[session == session[row]]
    return order


def near_windows(seen: Seen, windows: tuple[Window, ...]) -> FloatArray:
    """Return 1 for rows inside a window, less the further away they are, 0 for unknown times.

    A stretch whose day was named by its number is what is asked for: rows inside have `_DIRECT`.
    """
    bonus = np.zeros(len(seen.rows), np.float32)
    known = seen.end_us != UNKNOWN_TIME
    for window in windows:
        strength, width = _reach(window)
        before = np.maximum(window.start_us - seen.end_us[known], 0)
        after = np.maximum(seen.start_us[known] - window.end_us, 0)
        distance = (before + after).astype(np.float64) / width
        near = strength * np.exp(-distance).astype(np.float32)
        bonus[known] = np.maximum(bonus[known], near)
    return bonus


def _reach(window: Window) -> tuple[np.float32, float]:
    """Return how much a window gives, and the width (microseconds) over which that falls off."""
    length = window.end_us - window.start_us
    if window.counted:
        return np.float32(_DIRECT), _HOUR_US / 6
    floor = _HOUR_US / 6 if length < 24 * _HOUR_US else 72 * _HOUR_US
    return np.float32(1.0), max(length, floor) * _SLACK


def newest_us(seen: Seen) -> int | None:
    """Return the latest known end of a visible row (UTC microseconds), None if there is none."""
    known = seen.end_us[seen.end_us != UNKNOWN_TIME]
    return int(known.max()) if len(known) else None


def age_hours(seen: Seen, now_us: int | None) -> FloatArray:
    """Return hours from each row's end to now (or to the newest row); inf for unknown times."""
    known = seen.end_us != UNKNOWN_TIME
    ages = np.full(len(seen.rows), np.inf, np.float32)
    newest = newest_us(seen)
    if newest is not None:
        present = newest if now_us is None else now_us
        ages[known] = np.maximum(present - seen.end_us[known], 0) / _HOUR_US
    return ages


def age_penalty(ages: FloatArray, *, scale_hours: float) -> FloatArray:
    """Return 0 for the newest row, falling with the logarithm of age; unknown times as the oldest.

    Counted from the newest row, so that a memory that is old as a whole is not punished for it.
    """
    known = np.isfinite(ages)
    if not known.any():
        return np.zeros_like(ages)
    capped = np.where(known, ages, ages[known].max())
    logs = np.log1p(capped / np.float32(scale_hours))
    penalty: FloatArray = logs.min() - logs
    return penalty


def newest_first(scores: FloatArray, ages: FloatArray, *, margin: float) -> FloatArray:
    """Return, for rows within `margin` of the best, their rank by newness in (0, 1]; else 0."""
    found = np.zeros_like(scores)
    if not len(scores):
        return found
    good = np.flatnonzero(scores >= scores.max() * (1.0 - margin))
    order = good[np.lexsort((good, -ages[good]))]
    found[order] = (np.arange(len(order)) + 1) / len(order)
    return found
