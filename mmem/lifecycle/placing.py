"""Where units lie on the shared timeline, read from the columns of their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

import pyarrow as pa

from mmem.derive.timeline import Placed
from mmem.schemas import Passage, Source, Span, Unit
from mmem.stores.tables import Row

PLACES = ["id", "source_id", "session", "position", "clock", "start_us", "end_us"]
"""The columns of the units table that say where a unit lies."""


def placed_rows(header: pa.Table, sources: Mapping[str, Source]) -> Iterator[Placed]:
    """Yield where the units of some sources lie; `header` holds the columns `PLACES`."""
    for row in header.select(PLACES).to_pylist():
        if row["source_id"] in sources:
            yield _placed_row(row, sources[str(row["source_id"])])


def placed_unit(unit: Unit, source: Source) -> Placed:
    """Return where one unit lies."""
    wall = unit.wall if isinstance(unit, Passage) else None
    return _placed(unit.id, source, unit.session, unit.position, wall, unit.span)


def in_order(units: Iterable[Placed]) -> list[Placed]:
    """Return units in their order."""
    return sorted(units, key=attrgetter("order"))


def _placed_row(row: Row, source: Source) -> Placed:
    start_us, end_us, position = row["start_us"], row["end_us"], row["position"]
    assert isinstance(position, int)
    span = None
    if isinstance(start_us, int) and isinstance(end_us, int):
        span = Span(start_us=start_us, end_us=end_us)
    wall, media = (None, span) if row["clock"] == "media" else (span, None)
    return _placed(str(row["id"]), source, str(row["session"]), position, wall, media)


def _placed(
    unit_id: str,
    source: Source,
    session: str,
    position: int,
    wall: Span | None,
    media: Span | None,
) -> Placed:
    if wall is None and media is not None and source.clock.at_us is not None:
        wall = media.shifted(source.clock.at_us)
    return Placed(unit_id, source.id, session, position, wall, media, source.clock.zone)
