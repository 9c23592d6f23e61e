"""What is printed: text made safe, records as JSON, tables, citations."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import typer

from mmem.cli.door import Format

if TYPE_CHECKING:
    from pydantic import BaseModel

    from mmem.schemas import Citation

_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    r"""Return text whose control and reordering characters show as escapes; line ends stay.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(_shown(character) for character in text)


def one_line(text: str) -> str:
    r"""Return text as `visible`, on one line.

    >>> one_line("keys:\n - porter")
    'keys: - porter'
    """
    return visible(" ".join(text.split()))


def print_text(text: str, *, bold: bool = False, dim: bool = False, indent: str = "") -> None:
    """Print text made visible; on a terminal wrapped to its width, later lines indented."""
    for line in visible(text).split("\n"):
        shown = line
        if sys.stdout.isatty():
            width = max(20, shutil.get_terminal_size().columns - 1)
            shown = textwrap.fill(
                line, width, subsequent_indent=indent, break_on_hyphens=False
            )  # fmt: skip
        typer.echo(_styled(shown, bold=bold, dim=dim))


def print_records(records: Iterable[BaseModel], output: Format) -> None:
    """Print records as a JSON list or as one JSON object a line."""
    print_rows((record.model_dump(mode="json") for record in records), output)


def print_record(record: BaseModel, output: Format) -> None:
    """Print one record as JSON, on one line for jsonl."""
    print_json(record.model_dump(mode="json"), output)


def print_rows(rows: Iterable[Any], output: Format) -> None:
    """Print JSON values as a list or one a line."""
    if output is Format.jsonl:
        for row in rows:
            print_json(row, output)
    else:
        print_json(list(rows), output)


def print_json(value: Any, output: Format) -> None:
    """Print one JSON value; jsonl keeps it on one line."""
    indent = None if output is Format.jsonl else 2
    typer.echo(json.dumps(value, ensure_ascii=False, indent=indent))


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print aligned columns: folded to a terminal's width, one line a row when piped."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
    for name in head:
        table.add_column(name, overflow="fold", justify="left")
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    terminal = sys.stdout.isatty()
    console = Console(
        width=None if terminal else 10_000,
        force_terminal=terminal,
        no_color=not _colours(),
        markup=False,
        highlight=False,
        emoji=False,
    )
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        typer.echo(line.rstrip())


def print_citation(citation: Citation, mark: str, *, quote: str | None = None) -> None:
    """Print one citation on one line: who, when, which file, where in it, what was said."""
    parts = [_who(citation), when(citation), file_name(citation)]
    if citation.locator and citation.kind not in ("keyframe", "screen"):
        parts.append(citation.locator)
    line = f"{mark} {', '.join(one_line(part) for part in parts if part)}"
    said = citation.quote if quote is None else quote
    if said:
        line += f": “{one_line(said)}”"
    if citation.picture:
        line += f" -> {one_line(citation.picture)}"
    print_text(line, indent=" " * (len(mark) + 1))


def when(citation: Citation) -> str:
    """Return a citation's time: the media offset, and the wall time when it is known."""
    from mmem.schemas.clock import microseconds, offset

    media = "" if citation.start_s is None else offset(microseconds(max(0.0, citation.start_s)))
    wall = wall_time(citation.at)
    if wall and citation.at_confidence == "assumed":
        wall += " assumed"
    return f"{media} ({wall})" if media and wall else media or wall


def wall_time(at: str | None) -> str:
    """Return an ISO time as date and clock, seconds only where there are some.

    >>> wall_time("2025-11-18T09:30:30.800000+00:00")
    '2025-11-18 09:30:30 UTC'
    """
    if at is None:
        return ""
    import datetime as dt

    moment = dt.datetime.fromisoformat(at)
    precision = "seconds" if moment.second or moment.microsecond else "minutes"
    return moment.isoformat(sep=" ", timespec=precision).replace("+00:00", " UTC")


def file_name(citation: Citation) -> str:
    """Return the name of the cited file, else the title of its source."""
    if citation.file is None:
        return citation.source_title
    return PurePath(citation.file.replace("\\", "/")).name


def bytes_text(count: int) -> str:
    """Return a number of bytes for people.

    >>> bytes_text(999), bytes_text(2_345_678)
    ('999 B', '2.3 MB')
    """
    if count < 1_000:
        return f"{count} B"
    size = float(count)
    for unit in ("kB", "MB", "GB"):
        size /= 1_000
        if size < 1_000:
            return f"{size:.1f} {unit}"
    return f"{size / 1_000:.1f} TB"


def _who(citation: Citation) -> str:
    named = {"keyframe": "picture", "screen": "on the screen", "caption": "caption"}
    return named.get(citation.kind) or citation.speaker or "unknown speaker"


def _shown(character: str) -> str:
    if character == "\n" or (character.isprintable() and character not in _REORDERING):
        return character
    kind = unicodedata.category(character)
    if character in _REORDERING or kind in ("Cc", "Cs"):
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character


def _styled(text: str, *, bold: bool, dim: bool) -> str:
    return typer.style(text, bold=bold or None, dim=dim or None) if _colours() else text


def _colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
