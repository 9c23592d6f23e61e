"""Derived rows as a function of the live atoms: what is stored is compared, the difference written.

Settling twice changes nothing; settling after a kill completes; the order in which sources came
cannot be seen in the result.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from mmem.derive.texts import Chunker, Tells, UnitTexts, tells_of, texts_of, with_seen
from mmem.derive.units import cut
from mmem.lifecycle.progress import Counted
from mmem.lifecycle.relate import is_narration, shown_beside
from mmem.lifecycle.spending import cost_between, spent_of
from mmem.ports import ByteArray, FloatArray, TextEncoder
from mmem.schemas import Anchor, Atom, Outcome, Source, Unit
from mmem.schemas.identity import digest_of
from mmem.schemas.source import Status
from mmem.stores.library import Library
from mmem.stores.tables import Row, Table

_UNITS_A_WRITE = 256
Encoding = tuple[FloatArray, ByteArray]


@dataclasses.dataclass(frozen=True, slots=True)
class Wanted:
    """The units that a source should have, with their texts."""

    source: Source
    units: tuple[Unit, ...]
    texts: Mapping[str, UnitTexts]


def wanted_of(library: Library, source: Source, chunker: Chunker) -> Wanted:
    """Return the units that a source's live atoms make, with what was understood of them."""
    units, atoms = units_of_source(library, source)
    tells = tells_of(library.frames(source.id), library.facts([source.id]))
    for unit_id, (_, record) in library.seen.records([unit.id for unit in units]).items():
        tells[unit_id] = with_seen(tells.get(unit_id), record)
    texts = {unit.id: texts_of(unit, atoms, chunker, tells.get(unit.id, Tells())) for unit in units}
    return Wanted(source, tuple(units), texts)


def units_of_source(library: Library, source: Source) -> tuple[list[Unit], dict[str, Atom]]:
    """Return the units that a source's live atoms make, as they follow each other; and the atoms.

    A recording's are cut with the lines of the transcript that is shown for it.
    """
    atoms = [*library.atoms(source.id), *_lines_beside(library, source)]
    return cut(source, atoms), {atom.id: atom for atom in atoms}


def settle_units(library: Library, wanted: Wanted) -> Outcome:
    """Bring units and postings to what is wanted; no model runs."""
    rows = [unit_row(unit, wanted.texts[unit.id]) for unit in wanted.units]
    _replace(library.table("units"), wanted.source.id, rows)
    postings = [posting_row(unit, wanted.texts[unit.id]) for unit in wanted.units]
    _replace(library.table("postings"), wanted.source.id, postings)
    status: Status = "ok" if rows else "empty"
    return Outcome(source_id=wanted.source.id, stage="units", status=status, count=len(rows))


def drop_stale_vectors(library: Library, wanted: Wanted) -> list[str]:
    """Delete vectors and codes of texts that are no longer there; return the units that lack some.

    No model runs.
    """
    vectors = _drop_stale(library.vectors, wanted.source.id, made_of(wanted, coded_only=False))
    codes = _drop_stale(library.codes, wanted.source.id, made_of(wanted, coded_only=True))
    lacking = {key.split("/")[0] for key in vectors | codes}
    return [unit.id for unit in wanted.units if unit.id in lacking]


def settle_vectors(
    library: Library, wanted: Wanted, encoder: TextEncoder | None, *, counted: Counted
) -> Outcome:
    """Encode the texts that have no vectors yet, batch by batch, each batch written whole.

    Without an encoder they become pending.
    """
    missing, spent = drop_stale_vectors(library, wanted), spent_of(encoder)
    if encoder is None:
        reason = "`mmem retry` encodes the rest" if missing else ""
        return _encoded(wanted, "pending" if missing else "ok", reason)
    counted(0, len(missing))
    cache: dict[str, Encoding] = {}
    for start in range(0, len(missing), _UNITS_A_WRITE):
        batch = missing[start : start + _UNITS_A_WRITE]
        _encode_into(cache, [wanted.texts[unit_id] for unit_id in batch], encoder)
        rows = [row for unit_id in batch for row in vector_rows(unit_id, wanted, cache)]
        library.vectors.upsert([row for row, _ in rows])
        library.codes.upsert([code for _, code in rows if code is not None])
        counted(min(start + _UNITS_A_WRITE, len(missing)), len(missing))
    cost = cost_between(spent, spent_of(encoder))
    return _encoded(wanted, "ok").model_copy(update={"cost": cost})


def _encoded(wanted: Wanted, status: Status, reason: str = "") -> Outcome:
    """Return how the stage ended; a pending one has no count."""
    made = 0 if status == "pending" else len(wanted.units)
    return Outcome(
        source_id=wanted.source.id,
        stage="vectors",
        status="empty" if not wanted.units else status,
        reason=reason,
        count=made,
    )


def made_of(wanted: Wanted, *, coded_only: bool) -> dict[str, str]:
    """Return the ids of vector (or code) rows that a source should have, with their digests."""
    return {
        f"{unit_id}/{key}": digest_of(text)
        for unit_id, texts in wanted.texts.items()
        for key, text in texts.views()
        if not coded_only or key.startswith(texts.coded)
    }


def vector_rows(
    unit_id: str, wanted: Wanted, known: Mapping[str, Encoding]
) -> Iterable[tuple[Row, Row | None]]:
    """Yield the vector row and the code row (None for texts without codes) of each known text."""
    texts = wanted.texts[unit_id]
    for key, text in texts.views():
        if text not in known:
            continue
        pooled, codes = known[text]
        common: Row = {
            "id": f"{unit_id}/{key}",
            "unit_id": unit_id,
            "source_id": wanted.source.id,
            "made_of": digest_of(text),
        }
        vector = {**common, "view": key.split("/")[0], "vector": pooled.astype(np.float16)}
        coded = key.startswith(texts.coded)
        yield vector, ({**common, "codes": codes.tobytes()} if coded else None)


def _lines_beside(library: Library, source: Source) -> list[Atom]:
    """Return the lines of the transcript and the narration that are shown for a recording."""
    return [atom for other in _shown_for(source, library) for atom in library.atoms(other.id)]


def transcript_of(recording: Source, library: Library) -> Source | None:
    """Return the transcript whose lines are shown for a recording, if there is one."""
    spoken = (source for source in _shown_for(recording, library) if not is_narration(source))
    return next(spoken, None)


def _shown_for(recording: Source, library: Library) -> list[Source]:
    live = {source.id: source for source in library.sources()}
    return [live[i] for i in shown_beside(live.values()).get(recording.id, ())]


def _replace(table: Table, source_id: str, rows: Sequence[Row]) -> None:
    """Make the rows of a source exactly these; equal ones are not written again."""
    stored = table.read(where=f"source_id = '{source_id}'").to_pylist()
    known = {str(row["id"]): row for row in stored}
    table.delete_ids(set(known) - {str(row["id"]) for row in rows})
    table.upsert([row for row in rows if known.get(str(row["id"])) != row])


def unit_row(unit: Unit, texts: UnitTexts) -> Row:
    """Return the row of a unit in the units table."""
    wall = None if isinstance(unit, Anchor) else unit.wall
    stretch = wall or unit.span
    return {
        "id": unit.id,
        "source_id": unit.source_id,
        "kind": unit.kind,
        "session": unit.session,
        "position": unit.position,
        "clock": "wall" if wall or unit.span is None else "media",
        "start_us": stretch.start_us if stretch else None,
        "end_us": stretch.end_us if stretch else None,
        "speaker": texts.speaker,
        "speakers": list(texts.speakers),
        "question": texts.question,
        "actors": list(texts.tells.actors),
        "subjects": [subject for subject, _ in texts.tells.ends],
        "objects": [value for _, value in texts.tells.ends],
        "pictured": list(texts.pictured),
        "body": unit.canonical(),
    }


def posting_row(unit: Unit, texts: UnitTexts) -> Row:
    """Return the row of a unit in the postings table."""
    counts = sorted(texts.counts.items())
    return {
        "id": unit.id,
        "source_id": unit.source_id,
        "terms": [term for term, _ in counts],
        "counts": [count for _, count in counts],
    }


def _drop_stale(table: Table, source_id: str, wanted: Mapping[str, str]) -> set[str]:
    """Delete the rows that are not as wanted; return the ids that are missing then."""
    rows = table.read(["id", "made_of"], where=f"source_id = '{source_id}'")
    stored = dict(zip(rows["id"].to_pylist(), rows["made_of"].to_pylist(), strict=True))
    stale = [key for key, digest in stored.items() if wanted.get(key) != digest]
    table.delete_ids(stale)
    return wanted.keys() - (stored.keys() - set(stale))


def _encode_into(
    cache: dict[str, Encoding], units: Sequence[UnitTexts], encoder: TextEncoder
) -> None:
    """Encode the texts of some units that the cache lacks; forget what an earlier batch used."""
    needed = {text for texts in units for _, text in texts.views()}
    for text in set(cache) - needed:
        del cache[text]
    fresh = sorted(needed - set(cache))
    encoded = encoder.encode(fresh)
    for number, text in enumerate(fresh):
        cache[text] = (encoded.pooled[number], encoded.codes[number])
