"""What a caller writes, read: folders, moments, names of sources."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TypedDict

from mmem.errors import ConfigError, UnknownId
from mmem.lifecycle.asking import Question
from mmem.lifecycle.sight import Limits, is_called
from mmem.schemas import ANCHOR_SECONDS, Source
from mmem.schemas.clock import parse_wall, wall_us

Moment = dt.datetime | dt.date | str | None
"""A date alone is a whole day where it ends something, and its beginning where it starts it."""


class AddArguments(TypedDict, total=False):
    """What may be said of the files that are added; see `Memory.add`."""

    labels: Iterable[str]
    title: str | None
    format: str | None
    tz: str | None
    recorded_at: Moment
    day_first: bool | None
    anchor_s: int | None
    max_cost: float | None


class AskArguments(TypedDict, total=False):
    """What may be said of a question; see `Memory.search`.

    `since` is from that moment on, of a date from its beginning; `until` is before that moment, of
    a date to its end; `as_of` is what had ended by then, of a date by its end.
    """

    since: Moment
    until: Moment
    as_of: Moment
    now: Moment
    source: str | Sequence[str]
    people: str | Sequence[str]
    options: Sequence[str]


def moment_us(given: Moment, zone: str | None) -> int | None:
    """Return a time as wall microseconds; one without a zone is read in `zone`, else as written.

    A date is its first moment. Raises ConfigError for text that is no ISO time.
    """
    if given is None:
        return None
    if isinstance(given, dt.datetime):
        return wall_us(given, zone)
    return parse_wall(given if isinstance(given, str) else given.isoformat(), zone)


def anchor_seconds(given: int | None) -> int | None:
    """Return how long anchors shall be. Raises ConfigError for a length that none has."""
    if given is None or given in ANCHOR_SECONDS:
        return given
    lengths = ", ".join(map(str, ANCHOR_SECONDS))
    raise ConfigError(f"no anchor is {given} s long", hint=f"one of: {lengths}")


def until_us(given: Moment, zone: str | None) -> int | None:
    """Return the first moment (wall microseconds) that is not before an end; a date ends whole.

    Raises ConfigError for text that is no ISO time.

    >>> until_us("1970-01-01", None), until_us("1970-01-01T00:00:01", None)
    (86400000000, 1000000)
    """
    day = _day_alone(given)
    return moment_us(given if day is None else _after(day), zone)


def as_of_us(given: Moment, zone: str | None) -> int | None:
    """Return the last moment (wall microseconds) that a memory of then knows, of a date its last.

    Raises ConfigError for text that is no ISO time.
    """
    end = until_us(given, zone)
    return end if end is None or _day_alone(given) is None else end - 1


def _day_alone(given: Moment) -> dt.date | None:
    """Return the day of a date without a time, None for a moment or what is no date."""
    if given is None or isinstance(given, dt.datetime):
        return None
    if isinstance(given, dt.date):
        return given
    try:
        return dt.date.fromisoformat(given.strip())
    except ValueError:
        return None


def _after(day: dt.date) -> Moment:
    """Return the beginning of the next day; of the last day there is, its last moment."""
    if day == dt.date.max:
        return dt.datetime.max
    return day + dt.timedelta(days=1)


def question_of(
    text: str,
    given: AskArguments,
    zone: str | None,
    *,
    k: int,
    explain: bool = False,
    readings: bool = False,
) -> Question:
    """Return what is asked; the moment of asking is `now`, else `as_of`, else the present.

    Raises ConfigError for a question without a visible character.
    """
    if all(c.isspace() or unicodedata.category(c).startswith("C") for c in text):
        raise ConfigError("the question is empty", hint='ask in words: mmem ask "who has the key?"')
    now, as_of = given.get("now"), given.get("as_of")
    present = as_of_us(as_of, zone) if as_of and not now else moment_us(now, zone)
    return Question(
        text=text,
        options=tuple(given.get("options", ())),
        now_us=moment_us(dt.datetime.now(), zone) if present is None else present,
        k=k,
        explain=explain,
        readings=readings,
    )


def limits_of(given: AskArguments, labels: frozenset[str] | None, zone: str | None) -> Limits:
    """Return what the caller excludes; `labels` are the reader's.

    Raises ConfigError for a time that can't be read, and for an end before its beginning.
    """
    begin, end = moment_us(given.get("since"), zone), until_us(given.get("until"), zone)
    if begin is not None and end is not None and end <= begin:
        raise ConfigError(
            f"nothing lies between since {given.get('since')} and until {given.get('until')}",
            hint="the end must come after the beginning",
        )
    return Limits(
        labels=labels,
        since_us=begin,
        until_us=end,
        as_of_us=as_of_us(given.get("as_of"), zone),
        sources=several(given.get("source", ())),
        people=several(given.get("people", ())),
    )


def several(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return one name or several as several."""
    return (given,) if isinstance(given, str) else tuple(given)


def source_called(name: str, sources: Iterable[Source]) -> Source:
    """Return the one source that a name means: id, title or file name.

    A recording goes before the transcript that is about it. Raises UnknownId for none or several.
    """
    found = [source for source in sources if is_called(source, name)]
    recordings = {source.id for source in found if source.kind == "recording"}
    chosen = [source for source in found if source.about not in recordings]
    if len(chosen) == 1:
        return chosen[0]
    if not chosen:
        raise UnknownId(f"no source is called {name!r}", hint="`mmem sources` lists them")
    listed = ", ".join(f"{source.id} ({source.format})" for source in chosen)
    raise UnknownId(f"{len(chosen)} sources are called {name!r}", hint=f"give an id: {listed}")
