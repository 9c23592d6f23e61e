"""The commands, in the order in which they are met."""

from __future__ import annotations

import contextlib
import sys
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.core import TyperGroup

from mmem.cli.adding import add, forget, retry
from mmem.cli.asking import ask, explain, search
from mmem.cli.demo import demo
from mmem.cli.door import Session, door
from mmem.cli.embedding import reembed
from mmem.cli.exporting import export
from mmem.cli.knowing import entity, facts, frames, graph, unfuse
from mmem.cli.looking import formats, show, sources, status
from mmem.cli.playing import clip, open_
from mmem.cli.viewing import views


class _InOrder(TyperGroup):
    """Lists commands as they were added; every typer since 0.12 has this method."""

    def list_commands(self, ctx: object) -> list[str]:
        return list(self.commands)


app = typer.Typer(
    name="mmem",
    cls=_InOrder,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_COMMANDS = (
    *(add, ask, search, show, open_, clip, sources, status),
    *(facts, entity, frames, unfuse, views, graph, export),
    *(retry, reembed, forget, formats, explain, demo),
)
for _command in _COMMANDS:
    app.command(_command.__name__.rstrip("_"))(door(_command))


def _version(wanted: bool) -> None:
    if wanted:
        from mmem import __version__

        typer.echo(f"mmem {__version__}")
        raise typer.Exit


@app.callback()
def mmem(
    context: typer.Context,
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="DIR", help="The memory's folder.")
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option("--labels", metavar="L,...", help="Read as one who may see these labels."),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option("--recipe", metavar="R", help="mmem (default), seem or em2mem."),
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Tell more.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Tell no progress.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which mmem.")
    ] = False,
) -> None:
    """An event memory over recordings and conversations, with answers that cite.

    \b
    mmem add standup.mp4 standup.vtt team-chat.txt
    mmem ask "who promised the fix, and what was on the screen then?"

    A memory is one folder: --memory DIR, else MMEM_MEMORY, else ./mmem-memory. These options may
    also stand after the command.

    Exit codes: 0 ok, 1 error, 2 usage, 3 finished with failed files or stages, 130 cancelled.
    Data goes to stdout, everything else to stderr.
    """
    context.obj = Session(memory=memory, labels=labels, recipe=recipe, verbose=verbose, quiet=quiet)


def main() -> None:
    """Run the command line; this is the `mmem` script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that can't show a character shows its escape; half an emoji never crashes.
            stream.reconfigure(errors="backslashreplace")
    with contextlib.suppress(BrokenPipeError):
        app()
