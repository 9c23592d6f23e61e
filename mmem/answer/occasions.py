"""A question of a time alone ("what was I doing on day 2 at 8:30 pm?"): what is told of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from mmem.answer.passages import Passage, Quote, newest_last, quotes_of
from mmem.answer.question import Asked
from mmem.answer.weighing import Measures, Weighed
from mmem.schemas import AskedTime
from mmem.schemas.clock import MICROSECONDS
from mmem.words import terms

_NOTHING_MORE = frozenset(
    terms("do doing did done happen happened happening going go on take took taking place occur "
          "occurred talk talked talking speak spoke discuss discussed say said tell told write "
          "wrote chat was were time moment then there about exactly around thing things")
)  # fmt: skip
"""Words that ask for whatever was done or said, without telling what."""
_NARROW_US = 30 * 60 * MICROSECONDS
"""In a stretch up to so long what is nearest to its middle is asked for, else what fits best."""
_MOST = 3
_TELLING = 3
"""Terms of a sentence that tells something."""


def asks_of_time_alone(asked: Asked, times: Sequence[AskedTime]) -> bool:
    """Tell whether a clause names a time, perhaps people, and nothing else to look for."""
    if asked.kind != "open" or asked.options or asked.visual:
        return False
    rest = asked.text
    for time in times:
        rest = rest.replace(time.words, " ")
    people = {term for name in asked.about for term in terms(name)}
    return rest != asked.text and not set(terms(rest)) - _NOTHING_MORE - people


def told_then(
    asked: Asked, passages: Iterable[Passage], times: Sequence[AskedTime]
) -> tuple[tuple[Weighed, ...], tuple[Weighed, ...]]:
    """Return the few sentences that tell of the times that a clause names, in order of time.

    The second are those that are nearest to these times.
    """
    named = [time for time in times if time.words in asked.text]
    told = [p for p in passages if p.speaker in (asked.about or (p.speaker,))]
    dated = [(p, p.line.wall_us) for p in told if p.line.wall_us is not None]
    inside = [
        (_rank(passage, wall, time), passage)
        for time in named
        for passage, wall in dated
        if time.start_us <= wall < time.end_us
    ]
    near = [(_middle_off(wall, time), p) for time in named for p, wall in dated]
    return _few(inside), _few(near)


def _few(ranked: Sequence[tuple[Any, Passage]]) -> tuple[Weighed, ...]:
    """Return the best sentences of the first passages that tell something, in order of time."""
    found: dict[str, Quote] = {}
    for _, passage in sorted(ranked, key=lambda pair: pair[0]):
        if len(found) < _MOST and (quote := _fullest(passage)) is not None:
            found.setdefault(re.sub(r"\W+", " ", quote.text.casefold()), quote)
    order = newest_last(quote.passage for quote in found.values())
    return tuple(sorted(map(_weighed, found.values()), key=lambda w: order.index(w.quote.passage)))


def _rank(passage: Passage, wall_us: int, time: AskedTime) -> tuple[float, int]:
    narrow = time.end_us - time.start_us <= _NARROW_US
    return (_middle_off(wall_us, time) if narrow else 0.0), passage.rank


def _middle_off(wall_us: int, time: AskedTime) -> float:
    return abs(wall_us - (time.start_us + time.end_us) / 2)


def _fullest(passage: Passage) -> Quote | None:
    """Return the sentence of a passage that tells the most, None where none tells anything."""
    quotes = [quote for quote in quotes_of(passage) if len(set(terms(quote.text))) >= _TELLING]
    return max(quotes, key=lambda quote: len(set(terms(quote.text))), default=None)


def _weighed(quote: Quote) -> Weighed:
    of_time = Measures(
        strength=quote.passage.strength,
        coverage=0.0,
        context=0.0,
        similarity=0.0,
        subject=0.0,
        kind=0.0,
        reply=0.0,
        time=1.0,
        unseen=0.0,
    )
    return Weighed(quote, of_time, of_time.strength)
