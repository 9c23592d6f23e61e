"""The commands that ask: ask, search, explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from mmem.cli.door import Format, Output, Session, a_moment

if TYPE_CHECKING:
    from mmem.schemas import Evidence, Hit, Trace

Question = Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="TIME",
        callback=a_moment,
        help="Nothing earlier; of a date, its beginning.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until", metavar="TIME", callback=a_moment, help="Nothing later; of a date, its end."
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        callback=a_moment,
        help="As the memory was then; of a date, at its end.",
    ),
]
Now = Annotated[
    str | None,
    typer.Option("--now", metavar="TIME", callback=a_moment, help="When the question is asked."),
]
Sources = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="S", help="Only this id, title or file; repeatable."),
]
People = Annotated[
    list[str] | None, typer.Option("--person", metavar="P", help="Only what they said; repeatable.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="O", help="A possible answer to choose from; repeatable."),
]


class Asked(TypedDict):
    """The arguments that `Memory.ask` and `Memory.search` share."""

    since: str | None
    until: str | None
    as_of: str | None
    now: str | None
    source: list[str]
    people: list[str]
    options: list[str]


def ask(
    session: Session,
    question: Question,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    now: Now = None,
    source: Sources = None,
    person: People = None,
    option: Options = None,
    quoted: Annotated[
        bool, typer.Option("--quoted", help="Answer in quotes; ask no language model.")
    ] = False,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", min=0.0, metavar="X", help="What a model may spend."),
    ] = None,
    output: Output = Format.text,
) -> None:
    """Answer a question from the memory, with citations.

    With MMEM_LLM_MODEL set, a language model writes the answer; what the records it cites do not
    bear out is struck. What is not in the memory is said to be not there, with the nearest misses.

    \b
    mmem ask "who promised the fix, and what was on the screen then?"
    mmem ask "where is the demo?" --as-of 2025-11-20
    mmem ask "who is on call?" --option Tomas --option Ben -o json
    mmem ask "what did Priya promise?" --quoted
    """
    from mmem.cli.answering import Stream, pass_over, print_answer
    from mmem.cli.page import print_record

    asked = _asked(since, until, as_of, now, source, person, option)
    stream = Stream()
    with session.opened() as memory:
        answer = memory.ask(
            question,
            written=not quoted,
            max_cost=max_cost,
            listener=stream.print if output is Format.text else pass_over,
            **asked,
        )
    if output is Format.text:
        print_answer(answer, streamed=stream.printed)
    else:
        print_record(answer, output)


def search(
    session: Session,
    question: Annotated[
        str, typer.Argument(metavar="[QUESTION]", help="In plain words; or give --image.")
    ] = "",
    image: Annotated[
        str | None,
        typer.Option("--image", metavar="FILE", help="Near this picture (JPEG, PNG, WebP)."),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many.")] = 10,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    now: Now = None,
    source: Sources = None,
    person: People = None,
    option: Options = None,
    output: Output = Format.text,
) -> None:
    """Show the passages and moments that fit a question best, or whose pictures are near one.

    \b
    mmem search "berth B17" -k 5
    mmem search "the pilot" --person Maya --since 2025-11-19 -o jsonl
    mmem search --image kettle.jpg
    """
    from mmem.cli.page import print_record, print_records

    asked = _asked(since, until, as_of, now, source, person, option)
    with session.opened() as memory:
        evidence = memory.search(question, image=image, k=k, **asked)
    if output is Format.json:
        print_record(evidence, output)
    elif output is Format.jsonl:
        print_records(evidence.hits, output)
    else:
        _print_evidence(evidence)


def explain(
    session: Session,
    question: Question,
    k: Annotated[int, typer.Option("-k", min=1, help="How many hits to show.")] = 10,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    now: Now = None,
    source: Sources = None,
    person: People = None,
    option: Options = None,
    output: Output = Format.text,
) -> None:
    """Show how a question is looked up: what each mechanism did, and what each hit scored.

    \b
    mmem explain "what did Priya say last Thursday?"
    """
    from mmem.cli.page import print_record

    asked = _asked(since, until, as_of, now, source, person, option)
    with session.opened() as memory:
        evidence = memory.search(question, k=k, explain=True, **asked)
    if output is Format.text:
        _print_trace(evidence.trace)
        _print_scores(evidence)
    else:
        print_record(evidence, output)


def _asked(
    since: str | None,
    until: str | None,
    as_of: str | None,
    now: str | None,
    source: list[str] | None,
    person: list[str] | None,
    option: list[str] | None,
) -> Asked:
    return Asked(
        since=since,
        until=until,
        as_of=as_of,
        now=now,
        source=source or [],
        people=person or [],
        options=option or [],
    )


def _print_evidence(evidence: Evidence) -> None:
    from mmem.cli.answering import cut
    from mmem.cli.page import print_citation, print_text

    if not evidence.hits:
        print_text("nothing found")
    for place, hit in enumerate(evidence.hits, start=1):
        print_text(f"{place}. {hit.source_title}  {hit.score:.3f}  {hit.unit_id}", bold=True)
        for line in hit.lines:
            print_citation(line.citation, "  ", quote=cut(line.text))
        if not hit.lines and hit.caption:
            print_text(f"   {cut(hit.caption)}")
        for picture in hit.keyframes:
            print_citation(picture, "  ")
    _note_undated(evidence)


def _print_trace(trace: Trace) -> None:
    from mmem.cli.page import print_table, print_text

    print_text(f"{trace.question}  ({trace.seconds * 1000:.0f} ms)", bold=True)
    print_table(
        ["mechanism", "fired", "changed the first ten", "note"],
        [[s.name, _yes(s.fired), _yes(s.changed), s.note] for s in trace.steps],
    )


def _print_scores(evidence: Evidence) -> None:
    from mmem.cli.answering import cut
    from mmem.cli.page import print_table, print_text

    print_text("")
    print_table(
        ["", "score", "parts", "source", "text"],
        [
            [str(place), f"{hit.score:.3f}", _parts(hit), hit.source_title, cut(_text(hit), 80)]
            for place, hit in enumerate(evidence.hits, start=1)
        ],
    )
    _note_undated(evidence)


def _note_undated(evidence: Evidence) -> None:
    if evidence.undated:
        typer.echo(f"{evidence.undated} left out: their time is not known", err=True)


def _parts(hit: Hit) -> str:
    ordered = sorted(hit.channels.items(), key=lambda item: -abs(item[1]))
    return " ".join(f"{name} {value:.2f}" for name, value in ordered)


def _text(hit: Hit) -> str:
    return " ".join(line.text for line in hit.lines) or hit.caption


def _yes(value: bool) -> str:
    return "yes" if value else "-"
