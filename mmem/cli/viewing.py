"""The command that shows longer stretches of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mmem.cli.asking import AsOf
from mmem.cli.door import Format, Output, Session

if TYPE_CHECKING:
    from mmem.schemas import Scale, Thread, View

_SCALES = ("3min", "10min", "1h", "exchange", "session", "day", "week")
_LINES = 3


def views(
    session: Session,
    scale: Annotated[
        str | None,
        typer.Option("--scale", metavar="SCALE", help=f"One of {', '.join(_SCALES)}."),
    ] = None,
    as_of: AsOf = None,
    output: Output = Format.text,
) -> None:
    """Show longer stretches of time: what was said, done, handled and promised in them.

    They are extracts of the words and pictures, stretch by stretch; without --scale the coarsest
    that says something about every source: hours of recordings, sessions of conversations.

    \b
    mmem views --scale 10min
    mmem views --scale day -o jsonl
    """
    from mmem.cli.page import print_records, print_text

    wanted = [_scale(scale)] if scale else [_scale("1h"), _scale("session")]
    with session.opened() as memory:
        names = {source.id: source.title for source in memory.sources()}
        found = [view for one in wanted for view in memory.views(one, as_of=as_of)]
    if output is not Format.text:
        print_records(found, output)
        return
    for view in found:
        _print_view(view, names)
    if not found:
        print_text("no view" if scale is None else f"no view of scale {scale}")


def _scale(name: str) -> Scale:
    from mmem.schemas import SCALES

    for one in SCALES:
        if one == name:
            return one
    raise typer.BadParameter(f"no scale is called {name!r}: one of {', '.join(SCALES)}")


def _print_view(view: View, names: dict[str, str]) -> None:
    from mmem.cli.page import one_line, print_text

    titles = ", ".join(names.get(one, one) for one in view.source_ids)
    print_text(one_line(f"{_when(view)}  {titles}  {_counted(view)}"), bold=True)
    threads = {
        "acts": view.actions,
        "things": view.objects,
        "topics": view.topics,
        "seen": view.visible,
    }
    told = [view.text_summary, view.visual_summary, _scenes(view)]
    told += [f"{name}: {_listed(held)}" for name, held in threads.items() if held]
    told += [f"{line.speaker or 'someone'}: {line.text}" for line in view.critical_lines[:_LINES]]
    for line in filter(None, told):
        print_text(f"  {one_line(line)}", indent="  ")


def _counted(view: View) -> str:
    return "1 unit" if len(view.unit_ids) == 1 else f"{len(view.unit_ids)} units"


def _when(view: View) -> str:
    from mmem.schemas.clock import iso, offset

    if view.wall is not None:
        return f"{view.scale} {iso(view.wall.start_us)[:16]}"
    return f"{view.scale} {offset(view.span.start_us)}" if view.span else view.scale


def _scenes(view: View) -> str:
    if view.scene is None:
        return ""
    shares = [f"{one.label} ({one.share:.0%})" for one in view.scene.distribution]
    return f"where: {', '.join(shares or [view.scene.dominant])}"


def _listed(threads: tuple[Thread, ...]) -> str:
    return ", ".join(thread.label for thread in threads)
