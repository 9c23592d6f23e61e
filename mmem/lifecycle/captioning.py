"""What the pictures of anchors show in words: the stage "captions" (EM²Mem, the visual record).

A description is a function of an anchor's pictures and the captioner. It lies beside the frame,
whose lines it does not know, and takes the place of the visual record that is made by rule.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence

from mmem.derive.captions import spread
from mmem.lifecycle.progress import Told
from mmem.lifecycle.recording import outcome
from mmem.lifecycle.settle import units_of_source
from mmem.lifecycle.spending import cost_between, spent_of
from mmem.ports import Captioner, PictureSet
from mmem.schemas import Atom, Keyframe, Outcome, Source, Unit, VisualRecord
from mmem.schemas.identity import digest_of
from mmem.schemas.source import Status
from mmem.stores.library import Library
from mmem.stores.seen import seen_row
from mmem.stores.tables import Row

CAPTIONS = "captions"
_A_WRITE = 16


@dataclasses.dataclass(frozen=True, slots=True)
class Lacking:
    """Why pictures are not described now, and how the stage ends then."""

    status: Status
    reason: str


UNNAMED = Lacking("skipped", "MMEM_VISION_MODEL names no model")
WAITING = Lacking("pending", "`mmem retry` describes the pictures")


@dataclasses.dataclass(frozen=True, slots=True)
class _Shown:
    """The pictures that stand for a unit, and the digest of their bytes."""

    unit_id: str
    pictures: PictureSet
    made_of: str
    end_us: int


def settle_captions(
    library: Library, source: Source, captioner: Callable[[], Captioner] | Lacking, told: Told
) -> Outcome:
    """Bring the descriptions of a source's pictures to what its units show; tell how that ended.

    Descriptions of other pictures or by another captioner are made anew, once for units that show
    the same pictures. Units whose pictures could not be described keep what they had, an earlier
    captioner's record or that by rule: the stage is partial, or failed, with the reason. Without a
    captioner what is still so stays. Raises ConfigError, BudgetExceeded; what was described before
    is stored.
    """
    shown = _shown(library, source)
    known = _drop_stale(library, source, shown)
    if isinstance(captioner, Lacking):
        if len(known) == len(shown):
            return _ended(source, len(shown), [])
        return outcome(source, CAPTIONS, captioner.status, captioner.reason, len(known))
    model = captioner()
    groups: dict[str, list[_Shown]] = {}
    for one in shown:
        if known.get(one.unit_id) != model.identity:
            groups.setdefault(one.made_of, []).append(one)
    before = spent_of(model)
    unseen = _describe(library, source, model, list(groups.values()), told) if groups else []
    cost = cost_between(before, spent_of(model))
    return _ended(source, len(shown), unseen).model_copy(update={"cost": cost})


def pictures_of(unit: Unit, atoms: Mapping[str, Atom]) -> list[Keyframe]:
    """Return the pictures that stand for a unit; `atoms` holds what may be seen of its own."""
    held = (atoms[atom_id] for atom_id in unit.atom_ids if atom_id in atoms)
    return spread([atom for atom in held if isinstance(atom, Keyframe)])


def _shown(library: Library, source: Source) -> list[_Shown]:
    """Return the units of a source that show something, in their order."""
    units, atoms = units_of_source(library, source)
    digest = functools.cache(library.media.digest)
    return [
        _Shown(
            unit_id=unit.id,
            pictures=PictureSet(
                files=tuple(str(library.media.path(one.file)) for one in pictures),
                atom_ids=tuple(one.id for one in pictures),
            ),
            made_of=digest_of(*(digest(one.file) for one in pictures)),
            end_us=pictures[-1].shown.end_us,
        )
        for unit in units
        if (pictures := pictures_of(unit, atoms))
    ]


def _describe(
    library: Library,
    source: Source,
    captioner: Captioner,
    groups: Sequence[Sequence[_Shown]],
    told: Told,
) -> list[str]:
    """Store a description of each group of units; return why units have none, a reason a unit."""
    table, identity = library.seen.made(), captioner.identity
    rows: list[Row] = []
    unseen: list[str] = []
    try:
        found = captioner.describe_all(units[0].pictures for units in groups)
        for units, described in zip(groups, found, strict=True):
            if described.record is None:
                unseen += [described.reason] * len(units)
            else:
                rows += [_row(source, one, described.record, identity) for one in units]
            if len(rows) >= _A_WRITE:
                table.upsert(rows)
                rows = []
            told(units[-1].end_us)
    finally:
        table.upsert(rows)
    return unseen


def _ended(source: Source, units: int, unseen: Sequence[str]) -> Outcome:
    if not units:
        return outcome(source, CAPTIONS, "empty", "no pictures")
    if not unseen:
        return outcome(source, CAPTIONS, "ok", count=units)
    status: Status = "failed" if len(unseen) == units else "partial"
    reason = f"pictures of {len(unseen)} units could not be described: {unseen[0]}"
    return outcome(source, CAPTIONS, status, reason, units - len(unseen))


def _drop_stale(library: Library, source: Source, shown: Sequence[_Shown]) -> dict[str, str]:
    """Delete descriptions of other pictures; return who described each unit that has one left."""
    table = library.seen.table()
    if table is None:
        return {}
    rows = table.read(["id", "made_of", "captioner"], where=f"source_id = '{source.id}'")
    stored = {str(row["id"]): row for row in rows.to_pylist()}
    wanted = {one.unit_id: one.made_of for one in shown}
    kept = {i: row for i, row in stored.items() if wanted.get(i) == row["made_of"]}
    table.delete_ids(stored.keys() - kept.keys())
    return {unit_id: str(row["captioner"]) for unit_id, row in kept.items()}


def _row(source: Source, shown: _Shown, record: VisualRecord, captioner: str) -> Row:
    return seen_row(
        source.id,
        shown.unit_id,
        record,
        atom_ids=shown.pictures.atom_ids,
        made_of=shown.made_of,
        captioner=captioner,
    )
