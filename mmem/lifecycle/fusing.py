"""Comparisons as a function of the frames: each unit beside the most similar earlier ones.

What a unit is compared with, and what came of it, is one row; which frames are one follows from
the rows that a reader may see. Candidates lie earlier in canonical order, so that what a memory
knew at a moment does not change with what came later.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from mmem.derive.alike import Candidates, Rows, Seen, looks, nearest_earlier
from mmem.derive.judges import FrameJudge
from mmem.lifecycle.judging import RULES, Asked, Wanted, ask, columns_of
from mmem.lifecycle.meeting import named, readers_of
from mmem.lifecycle.progress import Counted
from mmem.lifecycle.spending import cost_between
from mmem.recipes import FUSING, Fusing
from mmem.schemas import Comparison, Cost, Outcome
from mmem.schemas.identity import digest_of
from mmem.schemas.source import Status
from mmem.stores.library import Library
from mmem.stores.tables import Row
from mmem.stores.unit_vectors import UnitVectors, unit_vectors


@dataclasses.dataclass(frozen=True)
class Settled:
    """What settling found, by source: units fused with earlier ones, waiting, or not judged.

    `cost` is that of all; `looks` tell how often a judge was asked for each source.
    """

    fused: Mapping[str, int]
    waiting: Mapping[str, int]
    failed: Mapping[str, str]
    looks: Counter[str]
    cost: Cost

    def outcome(self, source_id: str, seconds: float = 0.0) -> Outcome:
        """Return how the stage ended for one source; `count` are the units that were fused.

        Of the cost, and of the `seconds` that all took, it has the share of its looks.
        """
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
            cost=self._share(source_id, seconds),
        )

    def _share(self, source_id: str, seconds: float) -> Cost:
        share = self.looks[source_id] / max(1, self.looks.total())
        return Cost(
            seconds=round(seconds * share, 3),
            calls=round(self.cost.calls * share),
            tokens=round(self.cost.tokens * share),
            money=None if self.cost.money is None else self.cost.money * share,
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
    """Bring the comparisons of all units to what the live frames and labels say.

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
    due = _remade(library, wanted, identity, sources)
    waiting = [each for each in due if judge is None and not each.is_ruled]
    _drop(library, [each.stored for each in waiting if each.stored is not None])
    held = {each.unit_id for each in waiting}
    body = judge or RULES
    before = body.spent
    open_ones = [each for each in due if each.unit_id not in held | tried]
    asked = ask(library, open_ones, body, tried, counted=counted)
    _name_tried(asked, due, tried)
    return Settled(
        fused=fused_counts(library),
        waiting=Counter(each.source_id for each in waiting),
        failed=asked.failed,
        looks=asked.looks,
        cost=cost_between(before, body.spent),
    )


def _remade(
    library: Library, wanted: Sequence[Wanted], identity: str | None, sources: Collection[str]
) -> list[Wanted]:
    """Write the rows for which all verdicts are there; return those that must be asked about."""
    due, rows = [], []
    for each in wanted:
        judge = identity if each.source_id in sources else None
        if not each.holds(judge):
            row = each.remade(judge)
            rows += [row] if row else []
            due += [] if row else [each]
    library.table("comparisons").upsert(rows)
    return due


def _name_tried(asked: Asked, due: Sequence[Wanted], tried: Collection[str]) -> None:
    for each in due:
        if each.unit_id in tried:
            asked.failed.setdefault(each.source_id, "not compared: no use of the judge's reply")


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
    bare = known.model_copy(update={"judged": (), "retold": (), "judge": ""})
    empty: Row = {"judge": "", "vector_of": "", "made_of": "", "candidates": [], "cosines": []}
    return {**row, **empty, **columns_of(bare)}


def set_apart(library: Library, pairs: Sequence[tuple[str, str]]) -> None:
    """Keep units apart for good, each pair the later and the earlier one, whatever is judged."""
    table = library.table("comparisons")
    rows = table.read_ids(sorted({later for later, _ in pairs}), column="unit_id").to_pylist()
    changed = []
    for row in rows:
        known = Comparison.model_validate_json(row["body"])
        names = {earlier for later, earlier in pairs if later == known.unit_id}
        made = known.model_copy(update={"apart": tuple(sorted({*known.apart, *names}))})
        changed.append({**row, **columns_of(made)})
    table.upsert(changed)
    counts = fused_counts(library)
    library.put_outcomes(  # also where the count stays: readers see by the ledger that they are old
        with_count(outcome, counts[outcome.source_id])
        for outcome in library.outcomes()
        if outcome.stage == "fusion" and outcome.source_id in counts
    )


def with_count(outcome: Outcome, fused: int) -> Outcome:
    """Return an outcome of the stage with another count; one that is open stays so."""
    status = outcome.status
    if status in ("ok", "empty"):
        status = "ok" if fused else "empty"
    return outcome.model_copy(update={"status": status, "count": fused})


def _wanted(library: Library, settings: Fusing, stored: Mapping[str, Row]) -> Iterator[Wanted]:
    """Yield the comparison that each unit with an act should have, in canonical order."""
    marks = _marks(library)
    readers = readers_of(library.sources())
    met = {source_id for source_id, seen in readers.items() if seen.by(seen.need)}
    units = unit_vectors(library).of(marks, met)
    seen = [readers[source_id] for source_id in units.sources]
    vector_of = [f"{made}{named(one)}" for made, one in zip(units.made_of, seen, strict=True)]
    near = nearest_earlier(
        Rows.of(units.values, seen),
        _known(units, vector_of, stored),
        most=settings.most,
        floor=settings.floor,
    )
    live = set(library.table("units").read(["id"])["id"].to_pylist())
    for place, (unit_id, found) in enumerate(zip(units.ids, near, strict=True)):
        candidates = tuple(units.ids[other] for other in found.rows)
        kinds = [seen[other] for other in found.rows]
        row = stored.get(unit_id)
        apart = row["apart"] if row else []
        assert isinstance(apart, list)
        taken = tuple(looks(seen[place], kinds, settings.most))
        shown = [[candidates[number] for number in look.shown] for look in taken]
        digests = tuple(_digest(marks, unit_id, names) for names in shown)
        how = [str(look.decided) for look in taken] if len(taken) > 1 else []
        yield Wanted(
            unit_id=unit_id,
            source_id=units.sources[place],
            candidates=candidates,
            cosines=found.cosines,
            looks=taken,
            digests=digests,
            vector_of=vector_of[place],
            made_of=digest_of(*digests, *how) if how else _digest(marks, unit_id, candidates),
            apart=tuple(i for i in apart if i in live),
            stored=row,
        )


def _digest(marks: Mapping[str, str], unit_id: str, candidates: Sequence[str]) -> str:
    return digest_of(*(f"{i}={marks[i]}" for i in (unit_id, *candidates)))


def _known(
    units: UnitVectors, vector_of: Sequence[str], stored: Mapping[str, Row]
) -> dict[int, Candidates]:
    """Return the stored candidates of units that are, as their candidates, what they were."""
    place = {unit_id: number for number, unit_id in enumerate(units.ids)}
    same = {i for i, n in place.items() if i in stored and stored[i]["vector_of"] == vector_of[n]}
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


def fused_counts(library: Library) -> Counter[str]:
    """Return by source how many of its units are fused for everybody who meets them.

    What only some of them may see is not counted: an outcome must not tell of a hidden source.
    """
    readers = readers_of(library.sources())
    rows = library.table("comparisons").read(["source_id", "unit_id", "candidates", "same"])
    homes = dict(zip(rows["unit_id"].to_pylist(), rows["source_id"].to_pylist(), strict=True))
    found: Counter[str] = Counter()
    for row in rows.to_pylist():
        labels = readers.get(row["source_id"], Seen()).need
        open_ones = [i for i in row["candidates"] if i in homes and homes[i] in readers]
        first = [i for i in open_ones if readers[homes[i]].by(labels)][: FUSING.most]
        found[str(row["source_id"])] += bool(set(first) & set(row["same"]))
    return found
