"""`open` and `clip`: from a citation back to the recording."""

from __future__ import annotations

import shutil
import subprocess
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from mmem.cli.door import Session

Citation = Annotated[
    str, typer.Argument(metavar="CITATION", help="An id that `ask` or `search -o json` gives.")
]
# Players that can start at a second, and how they are told.
_PLAYERS = {
    "mpv": ["--start={seconds}"],
    "vlc": ["--start-time={seconds}"],
    "ffplay": ["-autoexit", "-ss", "{seconds}"],
}


def open_(session: Session, citation: Citation) -> None:
    """Play the recording at the second of a citation, or show the file.

    \b
    mmem ask "who promised the fix?" -o json | jq -r '.citations[0].atom_id'
    mmem open u-3f0c2b7d9a115e64c8ab
    """
    with session.opened() as memory:
        place = memory.place(citation)
    seconds = place.start_s
    told = f"{place.path}" if seconds is None else f"{place.path} at {seconds:.1f} s"
    typer.echo(told)
    player = next((name for name in _PLAYERS if shutil.which(name)), None)
    if seconds is not None and player is not None:
        options = [option.format(seconds=f"{seconds:.3f}") for option in _PLAYERS[player]]
        subprocess.Popen([player, *options, str(place.path)])
        return
    fragment = "" if seconds is None else f"#t={seconds:.3f}"
    webbrowser.open(place.path.as_uri() + fragment)


def clip(
    session: Session,
    citation: Citation,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write.")] = None,
    before: Annotated[float, typer.Option(min=0.0, help="Seconds before it.")] = 2.0,
    after: Annotated[float, typer.Option(min=0.0, help="Seconds after it.")] = 2.0,
) -> None:
    """Cut the stretch of a citation into a file of its own.

    \b
    mmem clip u-3f0c2b7d9a115e64c8ab --out promise.mp4
    """
    with session.opened() as memory:
        typer.echo(memory.clip(citation, out, before_s=before, after_s=after))
