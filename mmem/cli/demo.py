"""The demo: a fresh memory over samples/, every question asked and checked, a report written."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mmem.cli.door import ERROR, Session, complain
from mmem.errors import ConfigError, DamagedFile

if TYPE_CHECKING:
    from mmem.cli.gold import Checked, LeftOut, Question
    from mmem.memory import Memory
    from mmem.schemas import Answer

_LETTERS = 50


def demo(
    session: Session,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="For memory and report; else a temporary one."),
    ] = None,
    samples: Annotated[
        Path, typer.Option("--samples", metavar="DIR", help="The samples/ folder of the source.")
    ] = Path("samples"),
) -> None:
    """Build a memory of samples/, ask its questions, check the answers, write a report.

    The answers are checked against the gold of samples/questions.json: the words, and a citation
    of each gold message, spoken line and picture. Then the recordings are left out, then the chat:
    what only they tell must not be answered. Exit code 1 on any miss.

    \b
    mmem demo
    mmem demo --out build/demo
    """
    from mmem.cli.gold import questions_of

    if not (samples / "questions.json").is_file():
        raise ConfigError(
            f"no samples in {samples.resolve()}",
            hint="they are in the source, not in the wheel: go to a checkout, or give --samples",
        )
    questions = questions_of(samples)
    folder = (out or Path(tempfile.mkdtemp(prefix="mmem-demo-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    report = folder / "report.html"
    checked = _asked_all(session, folder, samples, questions, report)
    _print_checked(checked)
    left_out = list(_asked_without(session, samples, questions))
    _print_left_out(left_out)
    typer.echo(f"\nreport: {report}")
    _end(checked, left_out)


def _asked_all(
    session: Session, folder: Path, samples: Path, questions: Sequence[Question], report: Path
) -> list[Checked]:
    """Add all samples to a fresh memory, ask every question, write the report."""
    from mmem.cli.gold import chat_files, recorded_files
    from mmem.memory import Memory

    place = folder / "demo-memory"
    if (place / "tables" / "meta.lance").is_dir():
        shutil.rmtree(place)
    with Memory(place) as memory:
        _added(session, memory, samples, [*recorded_files(questions), *chat_files(questions)])
        checked = [_checked(memory, question) for question in questions]
        _write_report(report, memory, checked)
    return checked


def _checked(memory: Memory, question: Question) -> Checked:
    from mmem.cli.gold import Checked, misses_of
    from mmem.schemas import Citation

    def atom_text(citation: Citation) -> str:
        return str(getattr(memory.show(citation.atom_id), "text", ""))

    started = time.perf_counter()
    answer = memory.ask(question.question, written=False)
    seconds = time.perf_counter() - started
    return Checked(question, answer, seconds, misses_of(question, answer, atom_text))


def _asked_without(
    session: Session, samples: Path, questions: Sequence[Question]
) -> Iterator[LeftOut]:
    """Ask what only the recordings tell of a memory without them; likewise the chat."""
    from mmem.cli.gold import LeftOut, chat_files, lies_in, lies_partly_in, recorded_files
    from mmem.memory import Memory

    chats, recorded = chat_files(questions), recorded_files(questions)
    for without, left, kept in (
        ("the recordings", recorded, chats),
        ("the chat", chats, recorded),
    ):
        with tempfile.TemporaryDirectory(prefix="mmem-demo-") as place, Memory(place) as memory:
            _added(session, memory, samples, kept)
            for question in questions:
                whole = lies_in(question, left)
                if whole or lies_partly_in(question, left):
                    answer = memory.ask(question.question, written=False)
                    yield LeftOut(question, without, answer, whole)


def _added(session: Session, memory: Memory, samples: Path, names: Sequence[str]) -> None:
    from mmem.cli.adding import line_of
    from mmem.cli.progress import telling

    with telling(quiet=session.quiet) as (listener, pause):
        for report in memory.adding(*(samples / name for name in names), listener=listener):
            pause()
            if report.failed:
                raise DamagedFile(line_of(report), hint="`mmem status` shows the stages")
            if not session.quiet:
                typer.echo(line_of(report), err=True)


def _write_report(path: Path, memory: Memory, checked: Sequence[Checked]) -> None:
    from mmem.report import Entry, write

    entries = [
        Entry(each.answer, "miss" if each.misses else "ok", not each.misses, "; ".join(each.misses))
        for each in checked
    ]
    right = sum(entry.good for entry in entries)
    lead = f"{right} of {len(entries)} questions answered as their gold says."
    write(path, memory, entries, title="mmem demo", lead=lead)


def _print_checked(checked: Sequence[Checked]) -> None:
    from mmem.cli.page import print_table

    print_table(
        ["", "", "question", "answer", "ms", "missed"],
        [
            [
                each.question.id,
                "miss" if each.misses else "ok",
                each.question.question,
                _in_short(each.answer),
                f"{each.seconds * 1000:.0f}",
                "; ".join(each.misses),
            ]
            for each in checked
        ],
    )


def _print_left_out(left_out: Sequence[LeftOut]) -> None:
    from mmem.cli.page import print_table

    typer.echo()
    print_table(
        ["", "", "without", "answer"],
        [
            [
                each.question.id,
                "miss" if each.answered else "ok",
                each.without,
                _in_short(each.answer) if each.whole else f"in part: {_in_short(each.answer)}",
            ]
            for each in left_out
        ],
    )


def _in_short(answer: Answer) -> str:
    """Return the short answer, else the first quote, else that there is none."""
    if not answer.found:
        return "not in this memory"
    quotes = [citation.quote for citation in answer.citations if citation.quote]
    quote = quotes[0] if quotes else answer.text
    cut = quote if len(quote) <= _LETTERS else quote[: _LETTERS - 1].rstrip() + "…"
    return answer.short or f"“{cut}”"


def _end(checked: Sequence[Checked], left_out: Sequence[LeftOut]) -> None:
    missed = [each.question.id for each in checked if each.misses]
    missed += [f"{each.question.id} without {each.without}" for each in left_out if each.answered]
    if missed:
        complain(f"{len(missed)} missed: {', '.join(missed)}")
        raise typer.Exit(ERROR)
