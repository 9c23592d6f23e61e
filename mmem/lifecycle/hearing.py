"""What was said in a recording, stretch by stretch: a broken run goes on where it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydantic import TypeAdapter

from mmem import __version__
from mmem.ingestors.reading import Damage, RecordingReader
from mmem.ports import Heard, Recogniser, Stretch
from mmem.schemas import Source, Span, Utterance
from mmem.schemas.identity import span_ids
from mmem.stores.library import Library

_stretches = TypeAdapter(Stretch)


def hear(
    library: Library,
    source: Source,
    recogniser: Recogniser,
    reader: RecordingReader,
    path: Path,
    *,
    damage: Damage,
    told: Callable[[int], None],
) -> tuple[list[Utterance], int]:
    """Return what was said, in time order, and how many lines were held to be no speech.

    Each stretch is kept as a draft until `library.drafts` is told to let go of it; those that an
    earlier run had are not recognised again. What cannot be decoded is noted in `damage`; `told`
    gets the media offset that is done.
    """
    made_by = f"mmem {__version__}, {reader.name} {reader.version}, {recogniser.identity}"
    draft = library.drafts.draft(source.id, "speech", made_by=made_by)
    known = [_stretches.validate_json(part) for part in draft.begin()]
    found: list[Stretch] = []
    for stretch in recogniser.recognise(reader.sound(path, damage), known=known):
        if len(found) >= len(known):
            draft.append(_stretches.dump_json(stretch).decode())
        found.append(stretch)
        told(stretch.done_us)
    said = [line for stretch in found for line in stretch.said]
    rejected = sum(len(stretch.lines) for stretch in found) - len(said)
    return _utterances(source, said), rejected


def _utterances(source: Source, said: list[Heard]) -> list[Utterance]:
    lines = sorted(said, key=lambda line: (line.start_us, line.end_us))
    ids = span_ids(source.id, "utterance", [(h.start_us, h.end_us, h.text) for h in lines])
    return [
        Utterance(
            id=atom_id,
            source_id=source.id,
            ordinal=number,
            locator=f"recognised line {number + 1}",
            speaker=None,
            text=line.text,
            span=Span(start_us=line.start_us, end_us=line.end_us),
            origin="recognised",
        )
        for number, (atom_id, line) in enumerate(zip(ids, lines, strict=True))
    ]
