"""The demo: a fresh memory over samples/, every question asked and checked, a report written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mmem.cli.door import ERROR, Session, complain
from mmem.errors import ConfigError

if TYPE_CHECKING:
    from mmem.cli.gold import Checked, LeftOut

MEMORY = "demo-memory"


def demo(
    session: Session,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where memory and report go; else a temporary folder."),
    ] = None,
    samples: Annotated[
        Path, typer.Option("--samples", metavar="DIR", help="The folder samples/ of the source.")
    ] = Path("samples"),
) -> None:
    """Build a memory of samples/, ask all its questions, check every answer, write a report.

    The answers are checked against the gold of samples/questions.json: the words, and a citation
    of each gold message, spoken line or picture. Then the recordings are left out, then the chat:
    what only they know must not be found. Exit code 1 on any miss.

    \b
    mmem demo
    mmem demo --out build/demo
    """
    import tempfile

    from mmem.cli.gold import questions_of

    if not (samples / "questions.json").is_file():
        raise ConfigError(
            f"no samples in {samples.resolve()}",
            hint="they come with the source, not with the wheel: run this in a checkout, or give --samples DIR",
        )
    questions = questions_of(samples)
    folder = out or Path(tempfile.mkdtemp(prefix="mmem-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    checked, left_out = _run(session, folder, samples, questions)
    _print_checked(checked)
    _print_left_out(left_out)
    report = folder / "report.html"
    typer.echo(f"\nreport: {report.resolve()}")
    missed = [*(c.id for c in checked if c.misses), *(f"{e.id} without {e.without}" for e in left_out if e.answered)]
    if missed:
        complain(f"{len(missed)} missed: {', '.join(missed)}")
        raise typer.Exit(ERROR)
