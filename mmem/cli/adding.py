"""The commands that write: add, retry, forget."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mmem.cli.door import (
    CANCELLED,
    ERROR,
    FAILED_UNITS,
    Format,
    Output,
    Session,
    a_format,
    a_moment,
    a_zone,
    complain,
)

if TYPE_CHECKING:
    from mmem.cli.progress import Pause
    from mmem.lifecycle.progress import FileReport
    from mmem.schemas import Receipt, Source


def add(
    session: Session,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files and folders.")],
    label: Annotated[
        list[str] | None, typer.Option("--label", metavar="L", help="Who may see it; repeatable.")
    ] = None,
    title: Annotated[
        str | None, typer.Option("--as", metavar="TITLE", help="The conversation's name.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="F", callback=a_format, help="See `mmem formats`."),
    ] = None,
    tz: Annotated[
        str | None,
        typer.Option(
            "--tz", metavar="ZONE", callback=a_zone, help="Zone of times written without one."
        ),
    ] = None,
    recorded_at: Annotated[
        str | None,
        typer.Option(
            "--recorded-at", metavar="TIME", callback=a_moment, help="When a recording began."
        ),
    ] = None,
    day_first: Annotated[
        bool | None,
        typer.Option(
            "--dayfirst/--monthfirst", help="How 3/4/2025 is read, if the file leaves it open."
        ),
    ] = None,
    anchor: Annotated[
        int | None,
        typer.Option("--anchor", metavar="S", help="Seconds of a recording in a unit: 10, 30, 60."),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", metavar="M", min=0, help="What a language model may spend."),
    ] = None,
    output: Output = Format.text,
) -> None:
    """Read files and folders into the memory.

    A transcript beside a recording (same name) comes with it. What is there already stays as it
    is; a later export of a chat adds what is new. Exit code 3 when a file or a stage failed.

    \b
    mmem add standup.mp4 standup.vtt team-chat.txt
    mmem add ~/recordings --label work
    mmem add chat.txt --as "Harbor team" --tz Europe/Berlin --dayfirst
    """
    from mmem.cli.progress import telling

    done: list[FileReport] = []
    try:
        with session.opened() as memory, telling(quiet=session.quiet) as (listener, pause):
            reports = memory.adding(
                *paths,
                labels=label or (),
                title=title,
                format=format,
                tz=tz,
                recorded_at=recorded_at,
                day_first=day_first,
                anchor_s=anchor,
                max_cost=max_cost,
                listener=listener,
            )
            for report in _printed(reports, output, pause):
                done.append(report)
    except KeyboardInterrupt:
        ready = f"{len(done)} file{'' if len(done) == 1 else 's'} done"
        complain(f"cancelled with {ready}; the same `mmem add` goes on from there")
        raise typer.Exit(CANCELLED) from None
    _end(done)


def retry(session: Session, output: Output = Format.text) -> None:
    """Do again what failed or is pending, and nothing else.

    \b
    mmem retry
    """
    from mmem.cli.progress import telling

    with session.opened() as memory, telling(quiet=session.quiet) as (listener, pause):
        done = list(_printed(memory.retry(listener=listener), output, pause))
    if not done and output is Format.text:
        typer.echo("nothing to retry", err=True)
    _end(done)


def forget(
    session: Session,
    source: Annotated[
        str, typer.Option("--source", metavar="S", help="An id, a title or a file name.")
    ],
    yes: Annotated[bool, typer.Option("-y", "--yes", help="Do not ask.")] = False,
    output: Output = Format.text,
) -> None:
    """Remove a source and all that came from it, and print the proof.

    Every layer is searched before and after. Exit code 1 when something was found afterwards.

    \b
    mmem forget --source team-chat.txt
    mmem forget --source s-61b2f0 --yes -o json
    """
    from mmem.cli.page import one_line, print_record

    with session.opened() as memory:
        if sys.stdin.isatty() and not yes:
            chosen = memory.source(source)
            _confirm(f"Forget {chosen.kind} '{one_line(chosen.title)}' ({chosen.id}) for good?")
            source = chosen.id
        receipt = memory.forget(source=source)
    if output is Format.text:
        _print_receipt(receipt)
    else:
        print_record(receipt, output)
    residue = [line.layer for line in receipt.lines if line.verdict == "residue"]
    if residue:
        complain(f"something is left in {', '.join(residue)}", "run the same command again")
        raise typer.Exit(ERROR)


def _printed(reports: Iterable[FileReport], output: Format, pause: Pause) -> Iterator[FileReport]:
    """Print each report as it comes (as JSON all at the end) and hand it on."""
    from mmem.cli.page import print_json, print_rows

    rows = []
    for report in reports:
        pause()
        _tell(report, output)
        if output is Format.jsonl:
            print_json(_row(report), output)
        rows.append(report)
        yield report
    if output is Format.json:
        print_rows(map(_row, rows), output)


def _tell(report: FileReport, output: Format) -> None:
    """Say what became of a file: data on stdout, what went wrong on stderr."""
    from mmem.cli.page import visible

    bad = report.status in ("failed", "skipped")
    if bad or output is Format.text:
        typer.echo(visible(line_of(report)), err=bad)
    for outcome in report.outcomes:
        if outcome.status in ("failed", "partial", "pending") and not bad:
            where = f"  {outcome.stage} {outcome.status}: {outcome.reason}"
            typer.echo(visible(where), err=True)


def line_of(report: FileReport) -> str:
    """Return one line for one file: what became of it and what is in it."""
    from mmem.cli.page import one_line

    name = one_line(Path(report.path).name)
    if report.reason:
        hint = f" ({one_line(report.hint)})" if report.hint else ""
        reason = one_line(report.reason.removeprefix(f"{Path(report.path).name}: "))
        return f"{report.status} {name}: {reason}{hint}"
    inside = "; ".join(_content(source, report) for source in report.sources)
    new = f", {report.new_atoms} new" if report.status == "extended" else ""
    note = f" ({one_line(report.note)})" if report.note else ""
    return f"{report.status} {name}  {inside}{new}{note}"


def _content(source: Source, report: FileReport) -> str:
    counts = {o.stage: o.count for o in report.outcomes if o.source_id == source.id}
    if source.kind == "conversation":
        return _joined("conversation", _many(counts.get("read", 0), "message"), _people(source))
    length = _seconds(source)
    if source.kind == "transcript":
        what = "narration" if source.format == "narration" else "transcript"
        return _joined(what, length, _many(counts.get("read", 0), "line"), _people(source))
    heard = next((o for o in report.outcomes if _is_speech_of(source, o)), None)
    lines = "" if heard is None else _many(heard.count, "spoken line")
    if heard is not None and heard.status == "skipped":
        lines = "spoken lines from its transcript"
    read = _many(counts.get("read", 0), "line") if counts.get("read") else ""
    pictures = _many(counts.get("pictures", 0), "picture")
    if counts.get("screen"):
        pictures += f" ({counts['screen']} with words)"
    return _joined("recording", length, pictures, lines, read)


def _is_speech_of(source: Source, outcome: Any) -> bool:
    return bool(outcome.source_id == source.id and outcome.stage == "speech")


def _seconds(source: Source) -> str:
    return "" if source.duration_us is None else f"{source.duration_us / 1_000_000:.1f} s"


def _people(source: Source) -> str:
    found = len(source.participants)
    return f"{found} {'person' if found == 1 else 'people'}" if found else ""


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _row(report: FileReport) -> Any:
    from pydantic import TypeAdapter

    from mmem.lifecycle.progress import FileReport

    return TypeAdapter(FileReport).dump_python(report, mode="json")


def _confirm(question: str) -> None:
    """Ask on stderr (typer's own prompt writes to stdout); anything but yes ends the command."""
    typer.echo(f"{question} [y/N] ", nl=False, err=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        complain("nothing was forgotten")
        raise typer.Exit(ERROR)


def _print_receipt(receipt: Receipt) -> None:
    from mmem.cli.page import print_table, print_text

    print_text(f"forgotten: {receipt.title} ({receipt.source_id})", bold=True)
    print_table(
        ["layer", "found before", "found after", "verdict", "note"],
        [
            [line.layer, str(line.found_before), str(line.found_after), line.verdict, line.note]
            for line in receipt.lines
        ],
    )
    for pending in receipt.pending:
        print_text(f"pending: {pending}")


def _end(done: Iterable[FileReport]) -> None:
    failed = sum(report.failed for report in done)
    if failed:
        complain(
            f"{_many(failed, 'file')} not wholly read",
            "`mmem status` lists what failed, `mmem retry` tries again",
        )
        raise typer.Exit(FAILED_UNITS)
