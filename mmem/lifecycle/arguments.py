"""What a caller writes, read: folders, moments, names of sources."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import TypedDict

from mmem.errors import UnknownId
from mmem.lifecycle.asking import Question
from mmem.lifecycle.sight import Limits, is_called
from mmem.schemas import Source
from mmem.schemas.clock import parse_wall, wall_us

Moment = dt.datetime | str | None


class AddArguments(TypedDict, total=False):
    """What may be said of the files that are added; see `Memory.add`."""

    labels: Iterable[str]
    title: str | None
    format: str | None
    tz: str | None
    recorded_at: Moment
    day_first: bool | None
    max_cost: float | None


class AskArguments(TypedDict, total=False):
    """What may be said of a question; see `Memory.search`."""

    since: Moment
    until: Moment
    as_of: Moment
    now: Moment
    source: str | Sequence[str]
    people: str | Sequence[str]
    options: Sequence[str]


def moment_us(given: Moment, zone: str | None) -> int | None:
    """Return a time as wall microseconds; one without a zone is read in `zone`, else as written.

    Raises ConfigError for text that is no ISO time.
    """
    if given is None:
        return None
    if isinstance(given, dt.datetime):
        return wall_us(given, zone)
    return parse_wall(given, zone)


def question_of(
    text: str,
    given: AskArguments,
    zone: str | None,
    *,
    k: int,
    explain: bool = False,
    readings: bool = False,
) -> Question:
    """Return what is asked; the moment of asking is `now`, else `as_of`, else the present."""
    present = given.get("now") or given.get("as_of") or dt.datetime.now()
    return Question(
        text=text,
        options=tuple(given.get("options", ())),
        now_us=moment_us(present, zone),
        k=k,
        explain=explain,
        readings=readings,
    )


def limits_of(given: AskArguments, labels: frozenset[str] | None, zone: str | None) -> Limits:
    """Return what the caller excludes; `labels` are the reader's."""
    return Limits(
        labels=labels,
        since_us=moment_us(given.get("since"), zone),
        until_us=moment_us(given.get("until"), zone),
        as_of_us=moment_us(given.get("as_of"), zone),
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
