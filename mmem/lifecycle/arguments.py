"""What a caller writes, read: folders, moments, names of sources."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import TypedDict

from mmem.errors import UnknownId
from mmem.lifecycle.sight import is_called
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
