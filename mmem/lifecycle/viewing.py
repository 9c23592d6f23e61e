"""Context views as a function of the units: what is stored is compared, the difference written.

A view may hold units of several sources, so its row belongs to no single one. What a reader may
see only in part is made anew from that part when it is read; no model runs for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mmem.derive.views import VIEWS, view_of
from mmem.lifecycle.placing import PLACES, placed_rows
from mmem.lifecycle.planned import ViewPlan
from mmem.lifecycle.progress import Counted
from mmem.lifecycle.relate import shown_beside
from mmem.schemas import SCALES, Outcome, Scale, View
from mmem.schemas.identity import digest_of, view_id
from mmem.stores.library import Library
from mmem.stores.tables import Row

STAGE = "views"
NO_SOURCE = ""
"""A view is no single source's: its rows are not deleted with one, they are settled anew."""
_UNITS_A_BATCH = 2048


def settle_views(library: Library, *, counted: Counted) -> int:
    """Bring the views of the whole memory to what the live frames say; return how many it wrote.

    Views whose units, frames and times are as they were are not written again. What a recording
    shows of a transcript beside it lies in the recording's anchors alone.
    """
    sources = {source.id: source for source in library.sources()}
    hidden = {i for found in shown_beside(sources.values()).values() for i in found}
    shown = {i: source for i, source in sources.items() if i not in hidden}
    plan = ViewPlan.of(placed_rows(library.table("units").read(PLACES), shown))
    wanted = _wanted(library, plan)
    table = library.table("views")
    rows = table.read(["id", "made_of"])
    stored = dict(zip(rows["id"].to_pylist(), rows["made_of"].to_pylist(), strict=True))
    known = {view_id(scale, place) for scale, place in wanted}
    table.delete_ids(stored.keys() - known)
    due = [
        (scale, place)
        for (scale, place), made_of in wanted.items()
        if stored.get(view_id(scale, place)) != made_of
    ]
    counted(0, len(due))
    done = 0
    for batch in _batches(due, plan):
        views = _built(library, plan, batch)
        table.upsert([_row(view, wanted[key]) for key, view in views.items()])
        done += len(batch)
        counted(done, len(due))
    held = Counter(
        source_id
        for scale, place in wanted
        for source_id in {unit.source_id for unit in plan.units_of(scale, place)}
    )
    ended = {o.source_id: o.count for o in library.outcomes() if o.stage == STAGE}
    library.put_outcomes(
        Outcome(source_id=one, stage=STAGE, status="ok" if held[one] else "empty", count=held[one])
        for one in sources
        if ended.get(one) != held[one]
    )
    return len(due)


def lacks_views(library: Library) -> bool:
    """Tell whether an mmem without views wrote a source that is there."""
    told = {outcome.source_id for outcome in library.outcomes() if outcome.stage == STAGE}
    return any(source.id not in told for source in library.sources())


def view_text(view: View) -> str:
    """Return what a view says in words: its summaries, else what runs through it."""
    told = " ".join(filter(None, (view.text_summary, view.visual_summary)))
    threads = (thread.label for kind in (view.actions, view.objects) for thread in kind)
    return told or ", ".join(threads)


def _wanted(library: Library, plan: ViewPlan) -> dict[tuple[Scale, str], str]:
    """Return the stretches of all scales, and what each one's view is made of."""
    rows = library.table("frames").read(["unit_id", "made_of", "extractor"]).to_pylist()
    marks = {str(row["unit_id"]): f"{row['made_of']} {row['extractor']}" for row in rows}
    for unit_id, seen in library.seen.marks().items():
        marks[unit_id] = f"{marks.get(unit_id)} {seen}"
    found = {}
    for scale in SCALES:
        children = plan.children(scale)
        for place, unit_ids in plan.stretches[scale].items():
            parts = (
                f"{unit_id} {plan.placed[unit_id]} {marks.get(unit_id)} {children.get(unit_id)}"
                for unit_id in unit_ids
            )
            found[scale, place] = digest_of(VIEWS, *parts)
    return found


def _batches(due: Sequence[tuple[Scale, str]], plan: ViewPlan) -> Iterator[list[tuple[Scale, str]]]:
    """Yield stretches of one scale at a time, not many more units than a batch may have."""
    batch: list[tuple[Scale, str]] = []
    held = 0
    for scale, place in due:
        if batch and (batch[0][0] != scale or held >= _UNITS_A_BATCH):
            yield batch
            batch, held = [], 0
        batch.append((scale, place))
        held += len(plan.stretches[scale][place])
    if batch:
        yield batch


def _built(
    library: Library, plan: ViewPlan, batch: Sequence[tuple[Scale, str]]
) -> dict[tuple[Scale, str], View]:
    """Build the views of some stretches of one scale."""
    children = plan.children(batch[0][0])
    unit_ids = {unit_id for scale, place in batch for unit_id in plan.stretches[scale][place]}
    frames = {frame.unit_ids[0]: frame for frame in library.frames_of(sorted(unit_ids))}
    return {
        (scale, place): view_of(scale, place, plan.units_of(scale, place), frames, children)
        for scale, place in batch
    }


def _row(view: View, made_of: str) -> Row:
    return {
        "id": view.id,
        "source_id": NO_SOURCE,
        "scale": view.scale,
        "unit_ids": list(view.unit_ids),
        "made_of": made_of,
        "body": view.canonical(),
    }
