"""Frames and facts as a function of the units: what is stored is compared, the rest read anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mmem.derive.frames import Reading
from mmem.derive.readers import UnitReader, Unread
from mmem.derive.told import Told
from mmem.lifecycle.progress import Counted
from mmem.lifecycle.spending import cost_between
from mmem.schemas import EventFrame, Outcome, Quadruple
from mmem.schemas.identity import digest_of
from mmem.schemas.source import Status
from mmem.stores.library import Library
from mmem.stores.tables import Row

_UNITS_A_WRITE = 256
_IN_PART = " in part"


def settle_frames(
    library: Library,
    source_id: str,
    told: Sequence[Told],
    reader: UnitReader | None,
    *,
    counted: Counted,
) -> Outcome:
    """Bring frames and facts of a source to what its units tell, batch by batch.

    Readings of another reader or version are made anew. Units that could not be read, or only in
    part, leave the stage partial and are read again with the next completion. Without a reader
    what is no longer so is dropped, and what is missing becomes pending.
    """
    made_of = {each.unit_id: digest_of(repr(each)) for each in told}
    kept = _drop_stale(library, source_id, made_of, reader.extractor if reader else None)
    missing = [each for each in told if each.unit_id not in kept]
    if reader is None:
        if missing:
            return _outcome(source_id, "pending", "`mmem retry` reads the rest", len(kept))
        return _settled(library, source_id, len(told))
    before = reader.spent
    counted(0, len(missing))
    unread: list[Unread] = []
    for start in range(0, len(missing), _UNITS_A_WRITE):
        found = list(reader.read(missing[start : start + _UNITS_A_WRITE]))
        readings = [each for each in found if isinstance(each, Reading)]
        unread += [each for each in found if isinstance(each, Unread)]
        unread += [
            Unread(r.frame.unit_ids[0], f"in part: {r.partial}") for r in readings if r.partial
        ]
        library.table("facts").upsert([fact_row(q) for r in readings for q in r.quadruples])
        library.table("frames").upsert([_row_of(r, made_of, reader) for r in readings])
        counted(start + len(found), len(missing))
    outcome = _settled(library, source_id, len(told))
    if unread:
        reason = f"{len(unread)} units could not be read whole: {unread[0].reason}"
        outcome = _outcome(source_id, "partial", reason, len(told) - len(unread))
    return outcome.model_copy(update={"cost": cost_between(before, reader.spent)})


def _settled(library: Library, source_id: str, units: int) -> Outcome:
    skipped = library.table("frames").count(f"source_id = '{source_id}' AND skipped")
    reason = f"{skipped} units in a language that is not read" if skipped else ""
    return _outcome(source_id, "ok" if units else "empty", reason, units)


def _drop_stale(
    library: Library, source_id: str, made_of: Mapping[str, str], extractor: str | None
) -> set[str]:
    """Delete what is not of these units as they are now; return the units that need no reading."""
    where = f"source_id = '{source_id}'"
    columns = ["unit_id", "made_of", "extractor"]
    rows = library.table("frames").read(columns, where=where).to_pylist()
    stored = {str(row["unit_id"]): row for row in rows}
    kept = {
        unit_id for unit_id, row in stored.items() if _is_of(row, made_of.get(unit_id), extractor)
    }
    facts = library.table("facts").read(["unit_id"], where=where)["unit_id"].unique().to_pylist()
    library.table("frames").delete_ids(stored.keys() - kept, column="unit_id")
    library.table("facts").delete_ids(set(facts) - kept, column="unit_id")
    return kept


def _is_of(row: Row, made_of: str | None, extractor: str | None) -> bool:
    """Tell whether a frame is of a unit as it is now; without a reader one in part will do."""
    if made_of is None:
        return False
    if extractor is None:
        return row["made_of"] in (made_of, made_of + _IN_PART)
    return (row["made_of"], row["extractor"]) == (made_of, extractor)


def _row_of(reading: Reading, made_of: Mapping[str, str], reader: UnitReader) -> Row:
    """Return the row of a reading's frame; one in part is not taken for the whole next time."""
    row = {**frame_row(reading.frame, made_of), "extractor": reader.extractor}
    return {**row, "made_of": f"{row['made_of']}{_IN_PART}"} if reading.partial else row


def frame_row(frame: EventFrame, made_of: Mapping[str, str]) -> Row:
    """Return the row of a frame in the frames table."""
    (unit_id,) = frame.unit_ids
    return {
        "id": frame.id,
        "source_id": frame.source_id,
        "unit_id": unit_id,
        "made_of": made_of[unit_id],
        "extractor": frame.extractor,
        "skipped": bool(frame.skipped),
        "body": frame.canonical(),
    }


def fact_row(fact: Quadruple) -> Row:
    """Return the row of a quadruple in the facts table."""
    return {
        "id": fact.id,
        "source_id": fact.source_id,
        "unit_id": fact.unit_id,
        "body": fact.canonical(),
    }


def _outcome(source_id: str, status: Status, reason: str, count: int) -> Outcome:
    return Outcome(source_id=source_id, stage="frames", status=status, reason=reason, count=count)
