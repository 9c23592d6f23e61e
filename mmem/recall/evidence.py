"""From ranked rows to evidence: the lines, pictures and places behind them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from mmem.ports import Index
from mmem.recall.pictures import few_of
from mmem.recall.search import Ranking
from mmem.schemas import (
    Anchor,
    AskedTime,
    Atom,
    Chosen,
    Citation,
    Evidence,
    Hit,
    Keyframe,
    Line,
    Passage,
    ScreenText,
    Source,
    Step,
    Trace,
    Turn,
    Unit,
)
from mmem.schemas.clock import MICROSECONDS, iso

_WITH_NEIGHBOURS = 5
PICTURES = 9
"""Pictures that evidence shows at most, where no more are of chosen units."""


@dataclasses.dataclass(frozen=True)
class Shelf:
    """The records behind the rows: what evidence is made of.

    `picture_path` turns a keyframe's file name into a path that can be opened, `is_there` tells
    whether a source's file still lies where it was seen.
    """

    units: Mapping[str, Unit]
    atoms: Mapping[str, Atom]
    sources: Mapping[str, Source]
    picture_path: Callable[[str], str]
    is_there: Callable[[str], bool]


def neighbour_rows(index: Index, rows: Sequence[int]) -> list[int]:
    """Return the visible rows right before and after the best few of these, in their session."""
    columns = index.columns
    seen = np.flatnonzero(index.visible)
    order = seen[np.lexsort((columns.position[seen], columns.session[seen]))]
    place = {int(row): number for number, row in enumerate(order)}
    found: dict[int, None] = {}
    for row in rows[:_WITH_NEIGHBOURS]:
        for step in (1, -1):
            near = place[row] + step
            inside = 0 <= near < len(order)
            if inside and columns.session[order[near]] == columns.session[row]:
                found[int(order[near])] = None
    return [row for row in found if row not in set(rows)]


def retold_rows(index: Index, rows: Sequence[int], *, limit: float) -> list[int]:
    """Return the visible rows that tell of the same occurrences as these, best of these first.

    This is SEEM's reverse provenance expansion (section 3.4): together there are at most `limit`
    times as many rows as were found.
    """
    occurrence = index.occurrences()
    found: dict[int, None] = {}
    for row in rows:
        same = np.flatnonzero((occurrence == occurrence[row]) & index.visible)
        found.update(dict.fromkeys(same.tolist()))
    most = max(0, int(limit * len(rows)) - len(rows))
    return [row for row in found if row not in set(rows)][:most]


def gather(
    ranking: Ranking,
    retold: Iterable[str],
    neighbours: Iterable[str],
    shelf: Shelf,
    *,
    undated: int,
    recipe: str,
    chosen: Mapping[str, Chosen] | None = None,
    pictures: int = PICTURES,
) -> Evidence:
    """Return the evidence of a ranking; rows whose unit is not on the shelf are left out.

    The context are units that tell of the same occurrences, then neighbours. `chosen` says why
    some units come first; each of them shows at most so many `pictures`.
    """
    chosen = chosen or {}
    hits = [
        _hit(shelf, row.id, row.score, {k: v for k, v in row.signals.items() if v}, row.cosine)
        for row in ranking.rows
        if row.id in shelf.units
    ]
    hits = [
        _as_chosen(hit, why, shelf, pictures) if (why := chosen.get(hit.unit_id)) else hit
        for hit in hits
    ]
    beside = {unit_id: {"expand": 1.0} for unit_id in retold}
    beside = {**{unit_id: {} for unit_id in neighbours}, **beside}
    context = [
        _hit(shelf, unit_id, 0.0, why, None)
        for unit_id, why in sorted(beside.items(), key=lambda item: not item[1])
        if unit_id in shelf.units
    ]
    return Evidence(
        question=ranking.plan.question,
        hits=tuple(hits),
        context=tuple(context),
        keyframes=_pictures(hits),
        undated=undated,
        searched=ranking.visible,
        features=dataclasses.asdict(ranking.confidence),
        times=tuple(
            AskedTime(words=w.words, start_us=w.start_us, end_us=w.end_us)
            for w in ranking.plan.windows
        ),
        recipe=recipe,
        trace=Trace(question=ranking.plan.question),
    )


def steps_of(ranking: Ranking) -> tuple[Step, ...]:
    """Return what each mechanism of recall did for this question."""
    plan = ranking.plan
    read = [
        ("people", [word for person in plan.people for word in person.words]),
        ("time", [window.words for window in plan.windows]),
        ("newest first", ["asked for"] if plan.wants_latest else []),
        ("options", [option.text for option in plan.options]),
    ]
    steps = [
        Step(name=f"plan: {name}", fired=bool(found), changed=False, note=", ".join(found))
        for name, found in read
    ]
    if ranking.reading is not None:
        told = [str(quadruple) for quadruple in ranking.reading.quadruples]
        note = "; ".join(filter(None, [*told, ranking.reading.note]))
        name = "plan: query quadruples"
        steps.append(Step(name=name, fired=bool(told), changed=False, note=note))
    for effect in ranking.effects:
        steps.append(Step(name=effect.mechanism, fired=effect.fired, changed=effect.changed_top))
    return tuple(steps)


def cite(atom: Atom, unit_id: str, shelf: Shelf, *, score: float = 0.0) -> Citation:
    """Return the citation of a whole atom."""
    source = shelf.sources[atom.source_id]
    start_us, end_us = _media(atom)
    wall = _wall_us(atom, source)
    picture = _picture_of(atom)
    return Citation(
        atom_id=atom.id,
        unit_id=unit_id,
        source_id=source.id,
        source_title=source.title,
        kind=atom.kind,
        speaker=atom.speaker,
        quote=atom.text,
        chars=(0, len(atom.text)) if atom.text else None,
        start_s=None if start_us is None else start_us / MICROSECONDS,
        end_s=None if end_us is None else end_us / MICROSECONDS,
        at=None if wall is None else iso(wall, source.clock.zone),
        at_confidence="unknown" if wall is None else source.clock.confidence,
        file=_file(shelf, source, atom),
        locator=atom.locator,
        picture=shelf.picture_path(picture) if picture else None,
        score=score,
    )


def _picture_of(atom: Atom) -> str | None:
    """Return the file of the picture that an atom is, was read from, or carries."""
    if isinstance(atom, Turn):
        return next(iter(atom.files), None)
    return atom.file if isinstance(atom, Keyframe | ScreenText) else None


def _hit(
    shelf: Shelf, unit_id: str, score: float, channels: dict[str, float], cosine: float | None
) -> Hit:
    unit = shelf.units[unit_id]
    source = shelf.sources[unit.source_id]
    atoms = [shelf.atoms[atom_id] for atom_id in unit.atom_ids if atom_id in shelf.atoms]
    pictures = [atom for atom in atoms if isinstance(atom, Keyframe)]
    lines = [atom for atom in atoms if not isinstance(atom, Keyframe)]
    return Hit(
        unit_id=unit.id,
        kind=unit.kind,
        source_id=source.id,
        source_title=source.title,
        speaker=unit.speaker if isinstance(unit, Passage) else None,
        session=unit.session,
        start_s=unit.span.start_s if unit.span else None,
        end_s=unit.span.end_s if unit.span else None,
        at=_unit_at(unit, source),
        score=score,
        channels=channels,
        cosine=cosine,
        lines=tuple(_line(atom, unit, shelf, score) for atom in lines),
        keyframes=tuple(cite(atom, unit.id, shelf, score=score) for atom in pictures),
        caption=unit.caption if isinstance(unit, Anchor) else "",
    )


def _as_chosen(hit: Hit, why: Chosen, shelf: Shelf, most: int) -> Hit:
    """Return a hit that says why it was chosen, with the few pictures that stand for it."""
    of_hit = [shelf.atoms[picture.atom_id] for picture in hit.keyframes]
    few = {one.id for one in few_of([k for k in of_hit if isinstance(k, Keyframe)], most)}
    kept = tuple(picture for picture in hit.keyframes if picture.atom_id in few)
    return hit.model_copy(update={"chosen": why, "keyframes": kept})


def _unit_at(unit: Unit, source: Source) -> str | None:
    if isinstance(unit, Passage) and unit.wall is not None:
        return iso(unit.wall.start_us, source.clock.zone)
    if unit.span is None or source.clock.at_us is None:
        return None
    return iso(source.clock.at_us + unit.span.start_us, source.clock.zone)


def _line(atom: Atom, unit: Unit, shelf: Shelf, score: float) -> Line:
    citation = cite(atom, unit.id, shelf, score=score)
    if isinstance(unit, Passage) and unit.chars is not None:
        start, end = unit.chars
        part = {"chars": unit.chars, "quote": atom.text[start:end]}
        citation = citation.model_copy(update=part)
    return Line(
        citation=citation,
        text=atom.text,
        citable=not isinstance(atom, Turn) or atom.citable,
        wall_us=_wall_us(atom, shelf.sources[atom.source_id]),
    )


def _media(atom: Atom) -> tuple[int | None, int | None]:
    if isinstance(atom, Turn):
        return None, None
    start = atom.time_us if isinstance(atom, Keyframe) else atom.span.start_us
    return start, atom.span.end_us


def _wall_us(atom: Atom, source: Source) -> int | None:
    if isinstance(atom, Turn):
        return atom.wall_us
    start, _ = _media(atom)
    return None if source.clock.at_us is None or start is None else source.clock.at_us + start


def _file(shelf: Shelf, source: Source, atom: Atom) -> str | None:
    """Return where the newest revision that holds the atom lies, else where it was seen."""
    places = [
        place
        for revision in reversed(source.revisions)
        if not atom.revisions or revision.digest in atom.revisions
        for place in revision.locations
    ]
    return next(filter(shelf.is_there, places), places[0] if places else None)


def _pictures(hits: Sequence[Hit]) -> tuple[Citation, ...]:
    """Return the keyframes of the best hits, each once: all of those that were chosen."""
    found: dict[str, Citation] = {}
    of_chosen: set[str] = set()
    for hit in hits:
        for picture in hit.keyframes:
            found.setdefault(picture.atom_id, picture)
            of_chosen |= {picture.atom_id} if hit.chosen else set()
    return tuple(found.values())[: max(PICTURES, len(of_chosen))]
