"""Comparisons as a function of the frames: each unit beside the most similar earlier ones.

What a unit is compared with, and what came of it, is one row; which frames are one follows from
the rows that a reader may see. Candidates lie earlier in canonical order, so that what a memory
knew at a moment does not change with what came later.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from mmem.derive.alike import Candidates, nearest_earlier
from mmem.derive.judges import Case, FrameJudge, Judged, RuleJudge, Unjudged
from mmem.lifecycle.spending import cost_between
from mmem.recipes import Fusing
from mmem.schemas import Comparison, Cost, EventFrame, Judgement, Outcome
from mmem.schemas.identity import comparison_id, digest_of
from mmem.schemas.source import Status
from mmem.stores.library import Library
from mmem.stores.tables import Row
from mmem.stores.unit_vectors import UnitVectors, unit_vectors

_CASES_A_WRITE = 256
_RULES = RuleJudge()
Counted = Callable[[int, int], None]


@dataclasses.dataclass(frozen=True)
class _Wanted:
    """A comparison as it should be; `stored` is the row that is there, if any."""

    unit_id: str
    source_id: str
    near: Candidates
    candidates: tuple[str, ...]
    vector_of: str
    made_of: str
    apart: tuple[str, ...]
    stored: Row | None

    def holds(self, judge: str | None) -> bool:
        """Tell whether the stored row is as it should be."""
        row = self.stored
        if row is None or (row["made_of"], row["vector_of"]) != (self.made_of, self.vector_of):
            return False
        return row["apart"] == list(self.apart) and judge in (None, row["judge"])

    @property
    def is_ruled(self) -> bool:
        """Tell whether rules made the stored row, or there is none."""
        return self.stored is None or self.stored["judge"] == _RULES.identity


@dataclasses.dataclass(frozen=True)
class Settled:
    """What settling found, by source: units fused with earlier ones, waiting, or not judged."""

    fused: Mapping[str, int]
    waiting: Mapping[str, int]
    failed: Mapping[str, str]
    cost: Cost

    def outcome(self, source_id: str) -> Outcome:
        """Return how the stage ended for one source; `count` are the units that were fused."""
        fused, waiting = self.fused.get(source_id, 0), self.waiting.get(source_id, 0)
        status: Status = "ok" if fused else "empty"
        reason = ""
        if source_id in self.failed:
            status, reason = "partial", self.failed[source_id]
        elif waiting:
            status, reason = "pending", f"`mmem retry` compares {waiting} units with earlier ones"
        return Outcome(
            source_id=source_id,
            stage="fusion",
            status=status,
            reason=reason,
            count=fused,
            cost=self.cost,
        )


def settle_fusion(
    library: Library,
    settings: Fusing,
    judge: FrameJudge | None,
    *,
    sources: Collection[str],
    tried: set[str],
    counted: Counted,
) -> Settled:
    """Bring the comparisons of all units to what the live frames say.

    Units of `sources` are judged anew where another judge had judged them; those of others only
    where their frames or candidates have changed. Units in `tried` were asked about in vain in
    this run: they are not asked about again, and more join them.
    Without a judge the rules, which need no model, judge what they had judged before; what another
    judge would have to say anew is dropped and waits.
    """
    table = library.table("comparisons")
    stored = {str(row["unit_id"]): row for row in table.read().to_pylist()}
    wanted = list(_wanted(library, settings, stored))
    _drop(library, [row for i, row in stored.items() if i not in {e.unit_id for e in wanted}])
    identity = judge.identity if judge else None
    due = [e for e in wanted if not e.holds(identity if e.source_id in sources else None)]
    waiting = [each for each in due if judge is None and not each.is_ruled]
    _drop(library, [each.stored for each in waiting if each.stored is not None])
    held = {each.unit_id for each in waiting}
    body = judge or _RULES
    before = body.spent
    asked = [each for each in due if each.unit_id not in held | tried]
    failed = _judge(library, asked, body, tried, counted=counted)
    for each in due:
        if each.unit_id in tried:
            failed.setdefault(each.source_id, "not compared: no use of the judge's reply")
    return Settled(
        fused=_fused(library),
        waiting=Counter(each.source_id for each in waiting),
        failed=failed,
        cost=cost_between(before, body.spent),
    )


def _drop(library: Library, rows: Sequence[Row]) -> None:
    """Delete comparisons that do not hold; of a live unit what a person kept apart stays."""
    table = library.table("comparisons")
    apart = [row for row in rows if row["apart"]]
    live = set(library.units_of([str(row["unit_id"]) for row in apart])) if apart else set()
    kept = [row for row in apart if row["unit_id"] in live]
    table.delete_ids(
        {str(r["unit_id"]) for r in rows} - {str(r["unit_id"]) for r in kept}, column="unit_id"
    )
    table.upsert([_stripped(row) for row in kept if row["judge"]])


def _stripped(row: Row) -> Row:
    known = Comparison.model_validate_json(str(row["body"]))
    bare = known.model_copy(update={"judged": (), "summary": "", "judge": ""})
    empty: Row = {"judge": "", "vector_of": "", "made_of": "", "candidates": [], "cosines": []}
    return {**row, **empty, **_columns(bare)}


def set_apart(library: Library, pairs: Sequence[tuple[str, str]]) -> None:
    """Keep units apart for good, each pair the later and the earlier one, whatever is judged."""
    table = library.table("comparisons")
    rows = table.read_ids(sorted({later for later, _ in pairs}), column="unit_id").to_pylist()
    changed = []
    for row in rows:
        known = Comparison.model_validate_json(row["body"])
        names = {earlier for later, earlier in pairs if later == known.unit_id}
        made = known.model_copy(update={"apart": tuple(sorted({*known.apart, *names}))})
        changed.append({**row, **_columns(made)})
    table.upsert(changed)
    counts = _fused(library)
    touched = {str(row["source_id"]) for row in rows}
    for outcome in library.outcomes():
        if outcome.stage == "fusion" and outcome.source_id in touched:
            count = counts[outcome.source_id]
            library.put_outcomes([outcome.model_copy(update={"count": count})])


def _wanted(library: Library, settings: Fusing, stored: Mapping[str, Row]) -> Iterator[_Wanted]:
    """Yield the comparison that each unit with an act should have, in canonical order."""
    marks = _marks(library)
    units = unit_vectors(library).of([unit_id for unit_id in marks])
    near = nearest_earlier(
        units.values, _known(units, stored), most=settings.most, floor=settings.floor
    )
    live = set(library.table("units").read(["id"])["id"].to_pylist())
    for place, (unit_id, found) in enumerate(zip(units.ids, near, strict=True)):
        candidates = tuple(units.ids[other] for other in found.rows)
        row = stored.get(unit_id)
        apart = row["apart"] if row else []
        assert isinstance(apart, list)
        yield _Wanted(
            unit_id=unit_id,
            source_id=units.sources[place],
            near=found,
            candidates=candidates,
            vector_of=units.made_of[place],
            made_of=digest_of(*(f"{i}={marks[i]}" for i in (unit_id, *candidates))),
            apart=tuple(i for i in apart if i in live),
            stored=row,
        )


def _known(units: UnitVectors, stored: Mapping[str, Row]) -> dict[int, Candidates]:
    """Return the stored candidates of units whose vectors, and theirs, are as they were."""
    place = {unit_id: number for number, unit_id in enumerate(units.ids)}
    same = {
        i for i, n in place.items() if i in stored and stored[i]["vector_of"] == units.made_of[n]
    }
    found = {}
    for unit_id in same:
        row, own = stored[unit_id], place[unit_id]
        candidates, cosines = row["candidates"], row["cosines"]
        assert isinstance(candidates, list) and isinstance(cosines, list)
        if all(i in same and place[i] < own for i in candidates):
            found[own] = Candidates(tuple(place[i] for i in candidates), tuple(cosines))
    return found


def _marks(library: Library) -> dict[str, str]:
    """Return, for each unit with a frame that was read, what the frame was made of, and how."""
    rows = library.table("frames").read(["unit_id", "made_of", "extractor"], where="NOT skipped")
    return {str(r["unit_id"]): f"{r['made_of']} {r['extractor']}" for r in rows.to_pylist()}


def _judge(
    library: Library,
    due: Sequence[_Wanted],
    judge: FrameJudge,
    tried: set[str],
    *,
    counted: Counted,
) -> dict[str, str]:
    """Judge and write batch by batch; return why units could not be judged, one a source.

    Those units are added to `tried`.
    """
    failed: dict[str, str] = {}
    for start in range(0, len(due), _CASES_A_WRITE):
        counted(start, len(due))
        batch = due[start : start + _CASES_A_WRITE]
        frames = _frames(library, batch)
        cases = [_case(each, frames) for each in batch if each.candidates]
        verdicts = iter(list(judge.judge(cases)))
        rows: list[Row] = []
        for each in batch:
            found = next(verdicts) if each.candidates else Judged(())
            if isinstance(found, Unjudged):
                failed.setdefault(each.source_id, f"not compared: {found.reason}")
                tried.add(each.unit_id)
            else:
                rows.append(_row(each, found, judge.identity))
        library.table("comparisons").upsert(rows)
    return failed


def _frames(library: Library, batch: Sequence[_Wanted]) -> dict[str, EventFrame]:
    ids = {unit_id for each in batch for unit_id in (each.unit_id, *each.candidates)}
    return {frame.unit_ids[0]: frame for frame in library.frames_of(sorted(ids))}


def _case(wanted: _Wanted, frames: Mapping[str, EventFrame]) -> Case:
    return Case(frames[wanted.unit_id], tuple(frames[i] for i in wanted.candidates))


def _row(wanted: _Wanted, found: Judged, judge: str) -> Row:
    judged = tuple(
        Judgement(unit_id=unit_id, cosine=round(cosine, 4), verdict=verdict, reason=reason)
        for unit_id, cosine, (verdict, reason) in zip(
            wanted.candidates, wanted.near.cosines, found.verdicts, strict=True
        )
    )
    made = Comparison(
        id=comparison_id(wanted.unit_id),
        source_id=wanted.source_id,
        unit_id=wanted.unit_id,
        judged=judged,
        apart=wanted.apart,
        summary=found.summary,
        judge=judge,
    )
    return {
        "id": made.id,
        "source_id": made.source_id,
        "unit_id": made.unit_id,
        "judge": judge,
        "vector_of": wanted.vector_of,
        "made_of": wanted.made_of,
        "candidates": list(wanted.candidates),
        "cosines": list(wanted.near.cosines),
        **_columns(made),
    }


def _columns(made: Comparison) -> Row:
    return {"same": list(made.same), "apart": list(made.apart), "body": made.canonical()}


def _fused(library: Library) -> Counter[str]:
    rows = library.table("comparisons").read(["source_id", "same"]).to_pylist()
    return Counter(str(row["source_id"]) for row in rows if row["same"])
