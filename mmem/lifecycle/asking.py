"""From a question to evidence, with the records fetched from the library."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from mmem.errors import ConfigError, UnknownId
from mmem.ingestors.stills import read_still
from mmem.lifecycle.day_count import day_count
from mmem.lifecycle.knowing import Known
from mmem.lifecycle.remembered import HeldFacts
from mmem.lifecycle.seeing import Eyes
from mmem.lifecycle.selecting import Selecting, atoms_around, facts_asked
from mmem.lifecycle.shelf import shelf_of
from mmem.lifecycle.sight import Sight
from mmem.ports import FloatArray, QuestionReader, Scales, Selector, TextEncoder, Wanted
from mmem.recall.days import may_name_days
from mmem.recall.evidence import PICTURES, gather, neighbour_rows, retold_rows, steps_of
from mmem.recall.nearest import search_picture
from mmem.recall.search import Ranking, search
from mmem.recall.select import Selected
from mmem.recipes import Recipe, Selection
from mmem.schemas import Atom, Chosen, Citation, Evidence, Hit, SemanticFact, Source, Trace, Unit
from mmem.schemas.results import Step
from mmem.stores.library import Library


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the words, possible answers, the moment of asking, how many hits.

    With `readings` the evidence carries frames and facts, for what is `written` by a model also the
    atoms behind its views; with `explain` it tells what each part did.
    """

    text: str
    options: tuple[str, ...] = ()
    now_us: int | None = None
    k: int = 10
    explain: bool = False
    readings: bool = False
    written: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """All that is said in it: the question and the possible answers."""
        return (self.text, *self.options)


def evidence_of(
    library: Library,
    sight: Sight,
    encoder: TextEncoder,
    recipe: Recipe,
    question: Question,
    *,
    eyes: Eyes,
    reader: QuestionReader,
    scales: Scales | None,
    lasting: HeldFacts | None,
    selector: Selector | None,
) -> Evidence:
    """Return the evidence for a question within one sight.

    Where there is a `selector`, as many rows are ranked as it looks at.
    """
    started = time.perf_counter()
    ranking = search(
        question.text,
        sight.index,
        encoder,
        recipe,
        eyes=eyes.for_question(question.text) if recipe.uses("visual") else None,
        options=question.options,
        now_us=question.now_us,
        days=day_count(sight) if any(map(may_name_days, question.words)) else None,
        depth=_depth(question, recipe),
        reader=reader,
        scales=scales,
        lasting=None if lasting is None else lasting.arrays,
    )
    asked = facts_asked(lasting, ranking.vector)
    selected = Selected(ranking, {})
    if selector is not None and recipe.selection is not None:
        selecting = Selecting(library, sight, recipe.selection, selector, asked)
        selected = selecting.selected(ranking, _wanted(question, recipe.selection))
    ranking = dataclasses.replace(selected.ranking, rows=selected.ranking.rows[: question.k])
    evidence = _evidence(library, sight, ranking, recipe, selected.chosen)
    if question.readings:
        evidence = _with_readings(evidence, Known(library, sight), [r.id for r in ranking.rows])
        evidence = _with_lasting(evidence, asked)
    if question.written:
        around = atoms_around(library, sight, evidence.views)
        evidence = evidence.model_copy(update={"around": around})
    explained = question.explain
    trace = Trace(
        question=question.text,
        steps=(*_steps(library, ranking), *selected.steps()) if explained else (),
        seconds=time.perf_counter() - started,
    )
    return evidence.model_copy(update={"trace": trace})


def _with_readings(evidence: Evidence, known: Known, unit_ids: Sequence[str]) -> Evidence:
    frames, facts = known.readings(unit_ids)
    views = known.viewed().finest(unit_ids)
    found = {"frames": tuple(frames), "facts": tuple(facts), "views": tuple(views)}
    return evidence.model_copy(update=found)


def _depth(question: Question, recipe: Recipe) -> int:
    return question.k if recipe.selection is None else max(question.k, recipe.selection.depth)


def _wanted(question: Question, settings: Selection) -> Wanted:
    return Wanted(
        question=question.text,
        most=settings.chosen,
        options=question.options,
        now_us=question.now_us,
    )


def _with_lasting(evidence: Evidence, asked: Sequence[SemanticFact]) -> Evidence:
    """Return evidence with the facts that last, are in question, and that its hits bear out."""
    hits = {hit.unit_id for hit in evidence.hits}
    kept = tuple(fact for fact in asked if hits & set(fact.unit_ids))
    return evidence.model_copy(update={"lasting": kept})


def evidence_near(
    library: Library, sight: Sight, eyes: Eyes, recipe: Recipe, image: Path, *, k: int
) -> Evidence:
    """Return the units whose pictures are nearest to a picture file, within one sight.

    Raises UnsupportedFormat and DamagedFile for the file, ConfigError where pictures are not
    looked at, MissingExtra, ModelMismatch.
    """
    started = time.perf_counter()
    still, encoder = read_still(image), eyes.of_memory()
    question = f"picture {image.name}"
    if encoder is None:
        raise ConfigError(
            "no picture of this memory has a vector to compare with",
            hint="`mmem status` says why; MMEM_IMAGE_MODEL names what makes them",
        )
    (vector,) = encoder.encode(still.pixels[None])
    ranking = search_picture(question, vector, sight.index, recipe, depth=k)
    found = _nearest_first(library, _evidence(library, sight, ranking, recipe), vector)
    trace = Trace(question=question, seconds=time.perf_counter() - started)
    return found.model_copy(update={"trace": trace})


def _nearest_first(library: Library, evidence: Evidence, vector: FloatArray) -> Evidence:
    """Return evidence whose pictures carry their own cosine, the nearest of each hit first.

    A message that carries several shows the nearest.
    """
    atoms = [line.citation for hit in evidence.hits for line in hit.lines]
    atoms += [picture for hit in evidence.hits for picture in hit.keyframes]
    near: dict[str, tuple[float, str]] = {}
    for row in library.images.rows(list({each.atom_id for each in atoms})).to_pylist():
        score = float(np.vecdot(np.array(row["vector"], np.float32), vector))
        near[row["atom_id"]] = max(near.get(row["atom_id"], (score, "")), (score, row["file"]))

    def told(cited: Citation) -> Citation:
        if cited.atom_id not in near:
            return cited
        score, file = near[cited.atom_id]
        shown = {"score": score, "picture": str(library.media.path(file))}
        return cited.model_copy(update=shown)

    hits = []
    for hit in evidence.hits:
        pictures = tuple(sorted(map(told, hit.keyframes), key=lambda picture: -picture.score))
        lines = tuple(x.model_copy(update={"citation": told(x.citation)}) for x in hit.lines)
        hits.append(hit.model_copy(update={"keyframes": pictures, "lines": lines}))
    return evidence.model_copy(update={"hits": tuple(hits), "keyframes": _best_pictures(hits)})


def _best_pictures(hits: Sequence[Hit]) -> tuple[Citation, ...]:
    """Return the keyframes of hits, each once, the nearest first."""
    pictures = {p.atom_id: p for hit in hits for p in hit.keyframes}
    return tuple(sorted(pictures.values(), key=lambda picture: -picture.score)[:PICTURES])


def _steps(library: Library, ranking: Ranking) -> tuple[Step, ...]:
    """Return what each mechanism did; where there are no token vectors, that is said."""
    steps = steps_of(ranking)
    if library.space.has_tokens:
        return steps
    off = {"note": "off: the text model gives no token vectors"}
    return tuple(s.model_copy(update=off) if s.name == "late" else s for s in steps)


def _evidence(
    library: Library,
    sight: Sight,
    ranking: Ranking,
    recipe: Recipe,
    chosen: Mapping[str, Chosen] | None = None,
) -> Evidence:
    rows = [row.row for row in ranking.rows]
    ids = sight.index.columns.ids
    neighbours = [ids[row] for row in neighbour_rows(sight.index, rows)]
    retold = [ids[row] for row in retold_rows(sight.index, rows, limit=recipe.expand_limit)]
    shelf = shelf_of(library, sight, [*(row.id for row in ranking.rows), *retold, *neighbours])
    return gather(
        ranking,
        retold,
        neighbours,
        shelf,
        undated=sight.undated,
        recipe=recipe.name,
        chosen=chosen,
        pictures=recipe.selection.pictures if recipe.selection else PICTURES,
    )


def record_of(library: Library, sight: Sight, record_id: str) -> Source | Unit | Atom:
    """Return a visible source, unit or atom by id. Raises UnknownId."""
    sources = sight.snapshot.sources
    if record_id in sources and sight.allows_source(record_id):
        return sources[record_id]
    shelf = shelf_of(library, sight, [record_id])
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
