"""From a question to evidence, with the records fetched from the library."""

from __future__ import annotations

import dataclasses
import functools
import os
import time
from collections.abc import Sequence

from mmem.errors import UnknownId
from mmem.lifecycle.knowing import Known
from mmem.lifecycle.sight import Sight
from mmem.ports import TextEncoder
from mmem.recall.evidence import Shelf, gather, neighbour_rows, retold_rows, steps_of
from mmem.recall.search import Ranking, search
from mmem.recipes import Recipe
from mmem.schemas import Atom, Evidence, Source, Trace, Unit
from mmem.stores.library import Library


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the words, possible answers, the moment of asking, how many hits.

    With `readings` the evidence carries frames and facts, with `explain` what each part did.
    """

    text: str
    options: tuple[str, ...] = ()
    now_us: int | None = None
    k: int = 10
    explain: bool = False
    readings: bool = False


def evidence_of(
    library: Library, sight: Sight, encoder: TextEncoder, recipe: Recipe, question: Question
) -> Evidence:
    """Return the evidence for a question within one sight."""
    started = time.perf_counter()
    ranking = search(
        question.text,
        sight.index,
        encoder,
        recipe,
        options=question.options,
        now_us=question.now_us,
        depth=question.k,
    )
    evidence = _evidence(library, sight, ranking, recipe)
    if question.readings:
        frames, facts = Known(library, sight).readings([row.id for row in ranking.rows])
        evidence = evidence.model_copy(update={"frames": tuple(frames), "facts": tuple(facts)})
    trace = Trace(
        question=question.text,
        steps=steps_of(ranking) if question.explain else (),
        seconds=time.perf_counter() - started,
    )
    return evidence.model_copy(update={"trace": trace})


def _evidence(library: Library, sight: Sight, ranking: Ranking, recipe: Recipe) -> Evidence:
    rows = [row.row for row in ranking.rows]
    ids = sight.index.columns.ids
    neighbours = [ids[row] for row in neighbour_rows(sight.index, rows)]
    retold = [ids[row] for row in retold_rows(sight.index, rows, limit=recipe.expand_limit)]
    shelf = _shelf(library, sight, [*(row.id for row in ranking.rows), *retold, *neighbours])
    return gather(ranking, retold, neighbours, shelf, undated=sight.undated, recipe=recipe.name)


def record_of(library: Library, sight: Sight, record_id: str) -> Source | Unit | Atom:
    """Return a visible source, unit or atom by id. Raises UnknownId."""
    sources = sight.snapshot.sources
    if record_id in sources and sight.allows_source(record_id):
        return sources[record_id]
    shelf = _shelf(library, sight, [record_id])
    if record_id in shelf.units:
        return shelf.units[record_id]
    atom = library.atoms_of([record_id]).get(record_id)
    if atom is not None and sight.allows(atom):
        return atom
    raise UnknownId(
        f"nothing here has the id {record_id!r}",
        hint="`mmem sources` lists sources; `mmem search -o json` shows the ids of units and atoms",
    )


def counts_of(library: Library, source_ids: Sequence[str]) -> dict[str, int]:
    """Return how many sources these are, and how many atoms and units they have."""
    found = {"sources": len(source_ids)}
    visible = set(source_ids)
    for layer in ("atoms", "units"):
        held = library.table(layer).read(["source_id"])["source_id"].to_pylist()
        found[layer] = sum(source_id in visible for source_id in held)
    return found


def _shelf(library: Library, sight: Sight, unit_ids: Sequence[str]) -> Shelf:
    units = {**library.units_of(unit_ids), **sight.cut_units}
    visible = {i: units[i] for i in unit_ids if i in units and sight.shows(i)}
    atom_ids = [atom_id for unit in visible.values() for atom_id in unit.atom_ids]
    atoms = library.atoms_of(list(dict.fromkeys(atom_ids)))
    return Shelf(
        units=visible,
        atoms={i: atom for i, atom in atoms.items() if sight.allows(atom)},
        sources=sight.snapshot.sources,
        picture_path=lambda file: str(library.media.path(file)),
        is_there=functools.cache(os.path.exists),
    )
