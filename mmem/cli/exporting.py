"""The command that writes a memory's recordings for other systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from mmem.cli.asking import AsOf
from mmem.cli.door import Format, Output, Session


def export(
    session: Session,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to; made if it is not there.")
    ],
    format: Annotated[
        Literal["worldmm", "em2mem"],
        typer.Option("--format", help="WorldMM's captions, or EM²Mem's event records."),
    ] = "worldmm",
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="S", help="Only this recording: id, title or file."),
    ] = None,
    as_of: AsOf = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files of these names.")] = False,
    output: Output = Format.text,
) -> None:
    """Write the recordings as JSON that WorldMM or EM²Mem reads.

    worldmm writes DIR_30sec.json, DIR_3min.json, DIR_10min.json and DIR_1h.json (DIR is the
    folder's name), em2mem writes DIR_events.json. `mmem add` reads 30sec and events again.
    Forgetting a source does not reach files that were exported.

    \b
    mmem export --format worldmm A1_JAKE
    mmem export --format em2mem records --source kitchen.mp4
    """
    from mmem.cli.page import print_json, print_text

    with session.opened() as memory:
        done = memory.export(folder, format=format, source=source, as_of=as_of, force=force)
    if output is not Format.text:
        files = [{"file": str(path), "entries": entries} for path, entries in done.files]
        day = done.first_day.isoformat() if done.first_day else None
        print_json({"files": files, "day_1": day, "left_out": list(done.left_out)}, output)
        return
    for path, entries in done.files:
        print_text(f"{path}: {entries} entries")
    if done.first_day:
        print_text(f"DAY1 is {done.first_day}")
    for what in done.left_out:
        print_text(f"left out: {what}")
