"""The commands that show what is there: show, sources, status, formats."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mmem.cli.door import FAILED_UNITS, Format, Output, Session
from mmem.errors import UnknownId

if TYPE_CHECKING:
    from mmem.memory import Memory
    from mmem.schemas import Atom, Outcome, Source, Unit
    from mmem.schemas.flat import FlatAtom

_GOOD = ("ok", "empty", "skipped")


def show(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="ID", help="A source, unit or atom; or a file.")],
    atoms: Annotated[
        bool, typer.Option("--atoms", help="All messages, lines and pictures of a source.")
    ] = False,
    output: Output = Format.text,
) -> None:
    """Show a source (by id, title or file name), a unit or an atom.

    With --atoms -o jsonl one atom is printed a line, as schemas/json/atom_line.json says.

    \b
    mmem show standup.mp4
    mmem show team-chat.txt --atoms -o jsonl
    mmem show m-1f0c2a9be7
    """
    from mmem.cli.page import print_record, print_records

    with session.opened() as memory:
        if atoms:
            flat = _flat(memory, memory.source(name))
            if output is Format.text:
                _print_flat(flat)
            else:
                print_records(flat, output)
            return
        record = _record(memory, name)
        if output is Format.text:
            _print_record(record, memory)
        else:
            print_record(record, output)


def sources(session: Session, output: Output = Format.text) -> None:
    """List what was added.

    \b
    mmem sources
    mmem sources -o json
    """
    from mmem.cli.page import print_records, print_table

    with session.opened() as memory:
        found = memory.sources()
    if output is not Format.text:
        print_records(found, output)
        return
    titles = {source.id: source.title for source in found}
    print_table(
        ["id", "kind", "title", "from", "length", "people", "labels", "about"],
        [_source_row(source, titles) for source in found],
    )


def status(session: Session, output: Output = Format.text) -> None:
    """Show what did not end well, how much is in the memory, and how large it is.

    Exit code 3 when something failed.

    \b
    mmem status
    mmem status -o json
    """
    from mmem.cli.embedding import text_vectors
    from mmem.cli.page import print_json

    with session.opened() as memory:
        outcomes = memory.outcomes()
        vectors = text_vectors(memory)
        counts, sizes = memory.counts(), memory.sizes()
        titles = {source.id: source.title for source in memory.sources()}
        folder = str(memory.folder)
    if output is Format.text:
        _print_status(folder, outcomes, counts, sizes, titles)
        _print_vectors(vectors)
    else:
        listed = [outcome.model_dump(mode="json") for outcome in outcomes]
        whole = {"memory": folder, "counts": counts, "bytes": sizes, "outcomes": listed}
        print_json({**whole, "text_vectors": vectors}, output)
    if any(outcome.status in ("failed", "partial") for outcome in outcomes):
        raise typer.Exit(FAILED_UNITS)


def formats(session: Session, output: Output = Format.text) -> None:
    """List the formats that can be read.

    \b
    mmem formats
    """
    from mmem.cli.page import print_rows, print_table
    from mmem.ingestors.registry import readers

    found = readers()
    if output is Format.text:
        print_table(["format", "what it reads"], [[r.name, r.summary] for r in found])
    else:
        rows = ({"name": r.name, "summary": r.summary, "version": r.version} for r in found)
        print_rows(rows, output)


def _print_vectors(told: dict[str, Any]) -> None:
    from mmem.cli.embedding import text_vectors_line
    from mmem.cli.page import print_text

    for line in text_vectors_line(told):
        print_text(line)


def _record(memory: Memory, name: str) -> Source | Unit | Atom:
    """Return a record by id; a source also by title or file name."""
    try:
        return memory.show(name)
    except UnknownId:
        return memory.source(name)


def _flat(memory: Memory, source: Source) -> list[FlatAtom]:
    from mmem.schemas.flat import flat_of

    def picture(file: str) -> str:
        return str(memory.picture_path(file))

    return [flat_of(atom, source, picture) for atom in memory.atoms(source.id)]


def _print_flat(flat: list[FlatAtom]) -> None:
    from mmem.cli.page import print_text, wall_time
    from mmem.schemas.clock import microseconds, offset

    for line in flat:
        if line.kind == "turn":
            head, text = wall_time(line.at), line.text
        elif line.kind == "keyframe":
            head, text = offset(microseconds(line.time_s)), f"picture {line.file}"
        else:
            head, text = offset(microseconds(line.start_s)), line.text
        speaker = "on the screen" if line.kind == "screen" else getattr(line, "speaker", None)
        # Later lines of a message are set in: they must not look like messages of their own.
        inside = text.replace("\n", "\n    ")
        print_text(f"{head}  {speaker + ': ' if speaker else ''}{inside}", indent="    ")


def _print_record(record: Source | Unit | Atom, memory: Memory) -> None:
    """Print what a record says: a source's facts, a unit's or an atom's lines."""
    from mmem.cli.page import print_text
    from mmem.schemas import Anchor, Passage, Source

    if isinstance(record, Source):
        _print_facts(_source_facts(record, memory))
        return
    source = memory.source(record.source_id)
    wanted = {*record.atom_ids} if isinstance(record, Anchor | Passage) else {record.id}
    inside = [line for line in _all_flat(memory, source) if line.id in wanted]
    print_text(f"{record.kind} {record.id} of {source.title}", bold=True)
    _print_flat(inside)


def _print_facts(facts: list[tuple[str, str]]) -> None:
    from mmem.cli.page import one_line, print_text

    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        if value:
            print_text(f"{name:<{width}}  {one_line(value)}", indent=" " * (width + 2))


def _source_facts(source: Source, memory: Memory) -> list[tuple[str, str]]:
    """Return what is known of a source, with how each of its stages ended."""
    from mmem.schemas.clock import offset

    near = {s.id: s.title for s in memory.sources()}
    transcripts = [s.title for s in memory.sources() if s.about == source.id]
    places = [place for revision in source.revisions for place in revision.locations]
    stages = [o for o in memory.outcomes() if o.source_id == source.id]
    return [
        ("title", source.title),
        ("id", source.id),
        ("kind", f"{source.kind}, read as {source.format}"),
        *(("file", place) for place in places),
        ("about", near.get(source.about or "", "")),
        *(("transcript", title) for title in transcripts),
        ("from", _began(source)),
        ("length", "" if source.duration_us is None else offset(source.duration_us)),
        ("people", ", ".join(source.participants)),
        ("labels", ", ".join(source.labels)),
        *(("note", note) for note in source.notes),
        *((o.stage, _ended(o)) for o in stages),
    ]


def _ended(outcome: Outcome) -> str:
    parts = (outcome.status, str(outcome.count or ""), outcome.reason)
    return " ".join(part for part in parts if part)


def _began(source: Source) -> str:
    """Return when a source begins, and how that is known."""
    from mmem.cli.page import wall_time
    from mmem.schemas.clock import iso

    start = _start_us(source)
    if start is None:
        return "not known"
    known = source.clock.confidence
    basis = f"{known}: {source.clock.basis}" if source.clock.basis else known
    return f"{wall_time(iso(start, source.clock.zone))} ({basis})"


def _start_us(source: Source) -> int | None:
    starts = [r.period.start_us for r in source.revisions if r.period is not None]
    return source.clock.at_us if source.clock.at_us is not None else min(starts, default=None)


def _all_flat(memory: Memory, source: Source) -> list[FlatAtom]:
    """Return the flat atoms of a source and of the transcripts about it."""
    near = [s for s in memory.sources() if s.id == source.id or s.about == source.id]
    return [line for each in near for line in _flat(memory, each)]


def _source_row(source: Source, titles: dict[str, str]) -> list[str]:
    from mmem.cli.page import wall_time
    from mmem.schemas.clock import iso, offset

    start = _start_us(source)
    return [
        source.id,
        source.kind,
        source.title,
        "" if start is None else wall_time(iso(start, source.clock.zone)),
        "" if source.duration_us is None else offset(source.duration_us),
        ", ".join(source.participants),
        ", ".join(source.labels),
        titles.get(source.about or "", ""),
    ]


def _print_status(
    folder: str,
    outcomes: list[Outcome],
    counts: dict[str, int],
    sizes: dict[str, int],
    titles: dict[str, str],
) -> None:
    from mmem.cli.page import bytes_text, print_table, print_text

    bad = [outcome for outcome in outcomes if outcome.status not in _GOOD]
    if bad:
        print_table(
            ["status", "what", "stage", "reason"],
            [[o.status, titles.get(o.source_id, o.location), o.stage, o.reason] for o in bad],
        )
        print_text("`mmem retry` does these again\n")
    print_text(folder, bold=True)
    ended = Counter(outcome.status for outcome in outcomes)
    print_text("stages: " + (", ".join(f"{n} {s}" for s, n in sorted(ended.items())) or "none"))
    print_text(", ".join(f"{count} {layer}" for layer, count in counts.items()))
    held = [[layer, bytes_text(size)] for layer, size in sizes.items()]
    print_table(["layer", "on disk"], [*held, ["all", bytes_text(sum(sizes.values()))]])
