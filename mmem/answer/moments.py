"""What is known of a stretch of a recording beside its records: hints, which nobody may cite.

EM²Mem's evidence view of an anchor (published code): its lines and what is critical in them, the
three minutes around it, its pictures, its facts, and what lasts.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mmem.dates import write_date
from mmem.schemas import CriticalLine, EventFrame, Evidence, Hit, Quadruple, SemanticFact, View
from mmem.schemas.clock import microseconds, offset

Moment = dict[str, str | list[int] | list[str] | dict[str, str | list[str]]]
_CRITICAL = 3
_THINGS = 8
_FACTS = 6
_LASTING = 3
_LONGEST = 600
"""Characters of one text in a moment."""
_ALL = 8_000
"""Characters of all moments together, the best hits first."""


def anchors_of(evidence: Evidence) -> list[Hit]:
    """Return the hits that are stretches of a recording."""
    return [hit for hit in evidence.hits if hit.kind == "anchor"]


def moments_of(evidence: Evidence, numbers: Mapping[str, int]) -> tuple[Moment, ...]:
    """Return a moment for each anchor of the evidence that adds something to its records.

    `numbers` are those of the records by their atoms. What surrounds several anchors is told once.
    """
    views = {unit_id: view for view in evidence.views for unit_id in view.unit_ids}
    told: set[str] = set()
    found: list[Moment] = []
    left = _ALL
    for hit in anchors_of(evidence):
        view = views.get(hit.unit_id)
        around = view if view is not None and view.id not in told else None
        moment = _moment(hit, evidence, around, numbers)
        left -= len(json.dumps(moment, ensure_ascii=False))
        if left < 0:
            break
        told |= {around.id} if around else set()
        if set(moment) - {"records", "when"}:
            found.append(moment)
    return tuple(found)


def _moment(
    hit: Hit, evidence: Evidence, around: View | None, numbers: Mapping[str, int]
) -> Moment:
    atoms = [line.citation.atom_id for line in hit.lines]
    pictures = [picture.atom_id for picture in hit.keyframes]
    frame = next((f for f in evidence.frames if hit.unit_id in f.unit_ids), None)
    alone = frame is not None and len(frame.unit_ids) == 1
    shown = frame.visual_record if frame and alone else None
    caption = shown.keyframe_caption if shown else ""
    moment: Moment = {
        "when": _when(hit),
        "records": sorted({numbers[a] for a in (*atoms, *pictures) if a in numbers}),
        "text": _retold(frame, hit) if frame and alone else "",
        "critical": _numbered(_own_lines(frame, atoms), numbers),
        "picture": "" if caption == hit.caption else _cut(caption),
        "scene": shown.scene if shown else "",
        "things": list(shown.visible_objects[:_THINGS]) if shown else [],
        "facts": [_fact(f) for f in evidence.facts if f.unit_id == hit.unit_id][:_FACTS],
        "lasting": [_lasting(f) for f in evidence.lasting if hit.unit_id in f.unit_ids][:_LASTING],
        "around": _around(around, numbers) if around else {},
    }
    return {name: value for name, value in moment.items() if value}


def _when(hit: Hit) -> str:
    """Return when a stretch begins: its wall time in words, else its place in the recording."""
    if hit.at is None:
        return "" if hit.start_s is None else offset(microseconds(hit.start_s))
    at = dt.datetime.fromisoformat(hit.at)
    return f"{at:%A}, {write_date(at.date(), 'day')}, {at:%H:%M}"


def _own_lines(frame: EventFrame | None, atoms: Sequence[str]) -> Iterator[CriticalLine]:
    """Yield the critical lines of a unit's own atoms; a fused frame has those of others too."""
    for line in frame.critical_lines if frame else ():
        if set(line.atom_ids) <= set(atoms):
            yield line


def _numbered(lines: Iterable[CriticalLine], numbers: Mapping[str, int]) -> list[str]:
    """Return lines with the number of the record that each is from; others are left out."""
    found = [(next((numbers[a] for a in x.atom_ids if a in numbers), 0), x) for x in lines]
    return [f"[{number}] {_cut(line.text)}" for number, line in found if number][:_CRITICAL]


def _retold(frame: EventFrame, hit: Hit) -> str:
    """Return the caption of a unit where it is in other words than its lines."""
    said = "\n".join(line.text for line in hit.lines)
    caption = frame.text_record.fine_caption
    parts = [part for part in caption.split("\n") if part.strip() and part.strip() not in said]
    return _cut(" ".join(parts))


def _around(view: View, numbers: Mapping[str, int]) -> dict[str, str | list[str]]:
    """Return what a view tells beside the records."""
    beside = [x for x in view.critical_lines if not any(a in numbers for a in x.atom_ids)]
    critical = [f"{x.speaker}: {_cut(x.text)}" if x.speaker else _cut(x.text) for x in beside]
    told: dict[str, str | list[str]] = {
        "at": f"{offset(view.span.start_us)} to {offset(view.span.end_us)}" if view.span else "",
        "text": _cut(view.text_summary),
        "shown": _cut(view.visual_summary),
        "critical": critical[:_CRITICAL],
    }
    return {name: value for name, value in told.items() if value}


def _fact(fact: Quadruple) -> str:
    meant = fact.modality if fact.modality != "asserted" else ""
    marks = [*filter(None, [meant, "denied" if fact.polarity == "negative" else ""])]
    told = f"{fact.subject} | {fact.relation} | {fact.object}"
    return _cut(f"{told} ({', '.join(marks)})" if marks else told)


def _lasting(fact: SemanticFact) -> str:
    denied = " (denied)" if fact.polarity == "negative" else ""
    told = f"{fact.subject} | {fact.relation} | {fact.object}{denied}"
    return _cut(f"{told}, borne out {fact.support} times")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
