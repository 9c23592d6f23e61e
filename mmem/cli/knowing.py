"""The commands that show what was understood: facts, frames, graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mmem.cli.asking import AsOf
from mmem.cli.door import Format, Output, Session
from mmem.cli.lasting import graph_of, print_lasting

if TYPE_CHECKING:
    from mmem.schemas import Entity, Event, EventFrame, Fact

_FACTS = 40
_MEANT = {
    "planned": "plan",
    "wished": "wish",
    "supposed": "maybe",
    "reported": "told",
    "asked": "question",
    "ordered": "request",
}


def facts(
    session: Session,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A person or a thing; all without.")
    ] = None,
    as_of: AsOf = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Plans, wishes and what no longer holds, too.")
    ] = False,
    lasting: Annotated[
        bool, typer.Option("--lasting", help="What holds over time, and what is usually done.")
    ] = False,
    written: Annotated[
        bool, typer.Option("--written", help="Let the language model tell what lasts.")
    ] = False,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="MONEY", help="What it may spend.")
    ] = None,
    output: Output = Format.text,
) -> None:
    """Show what was said to be so: readings of the words, not the words themselves.

    Each line ends with the ids that prove it; `mmem show ID` shows the words.

    \b
    mmem facts Priya
    mmem facts --lasting Priya
    mmem facts "harbour team" --as-of 2025-11-20
    mmem facts --all -o jsonl
    """
    from mmem.cli.page import one_line, print_records, print_text

    if written and not lasting:
        raise typer.BadParameter("--written goes with --lasting")
    if lasting:
        with session.opened() as memory:
            known = memory.semantic(name, as_of=as_of, written=written, max_cost=max_cost)
        print_lasting([one for one in known if everything or one.current], output)
        return
    with session.opened() as memory:
        found = memory.facts(name, as_of=as_of)
    kept = [f for f in found if everything or (f.current and f.modality == "asserted")]
    if output is not Format.text:
        print_records(kept, output)
        return
    for fact in kept[:_FACTS]:
        print_text(one_line(_fact_line(fact)))
    if len(kept) > _FACTS:
        print_text(f"… {len(kept) - _FACTS} more: -o jsonl shows all", dim=True)
    if not kept:
        print_text("no fact" if name is None else f"no fact about {name}")


def entity(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A person or a thing.")],
    as_of: AsOf = None,
    output: Output = Format.text,
) -> None:
    """Show who or what a name means: its other names with their proof, and what was said of it.

    Several of one name are shown one after the other.

    \b
    mmem entity Priya
    mmem entity "Wren's sister" -o json
    """
    from mmem.cli.page import one_line, print_records, print_text
    from mmem.recall.facts import facts_about

    with session.opened() as memory:
        found = memory.entities(name, as_of=as_of)
        facts = memory.facts(as_of=as_of)
    if output is not Format.text:
        print_records(found, output)
        return
    for each in found:
        print_text(one_line(each.name), bold=True)
        for alias in each.aliases:
            proof = " ".join(alias.atom_ids[:3])
            told = one_line(f"also: {alias.name} ({alias.basis}) {proof}")
            print_text(f"  {told}", indent="  ")
        print_text(f"  met in {len(each.unit_ids)} units{_when(each)}")
        for fact in facts_about(each, facts)[:_FACTS]:
            print_text(f"  {one_line(_fact_line(fact))}", indent="  ")
    if not found:
        print_text(f"nobody and nothing here is called {name}")


def frames(
    session: Session,
    name: Annotated[
        str | None, typer.Argument(metavar="SOURCE", help="An id, title or file; all without.")
    ] = None,
    as_of: AsOf = None,
    output: Output = Format.text,
) -> None:
    """Show the event frames: who did what, when, where, why and how, unit by unit.

    \b
    mmem frames team-chat.txt
    mmem frames -o jsonl
    """
    from mmem.cli.page import one_line, print_records, print_text

    with session.opened() as memory:
        found = memory.frames(name, as_of=as_of)
    if output is not Format.text:
        print_records(found, output)
        return
    for frame in found:
        if frame.events or frame.skipped:
            print_text(one_line(_title(frame)), bold=True)
            for event in frame.events:
                print_text(f"  {one_line(_event_line(event))}", indent="  ")


def unfuse(
    session: Session,
    frame: Annotated[str, typer.Argument(metavar="FRAME", help="The id of a fused frame.")],
    output: Output = Format.text,
) -> None:
    """Take apart a frame that joins what was told of two occurrences.

    Its members are kept apart for good; nothing of what was said changes.

    \b
    mmem frames -o jsonl | jq -r 'select(.members != []) | .id'
    mmem unfuse e-51c0ffee2d9b7a40
    """
    from mmem.cli.page import one_line, print_records, print_text

    with session.opened() as memory:
        found = memory.unfuse(frame)
    if output is not Format.text:
        print_records(found, output)
        return
    for each in found:
        print_text(one_line(_title(each)))


def graph(
    session: Session,
    export: Annotated[
        Literal["graphml", "json"], typer.Option("--export", help="The format of the file.")
    ] = "json",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to (json: else stdout).")
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale", metavar="SCALE", help="Events in place of facts: unit, 3min, 10min, 1h, …"
        ),
    ] = None,
    as_of: AsOf = None,
) -> None:
    """Write the facts as a graph: names are nodes, facts are edges.

    With --scale, the events of that length as a graph: who did what to what, where, about what.

    \b
    mmem graph --export graphml --out facts.graphml
    mmem graph --scale 10min > events.json
    """
    import json

    import networkx as nx

    from mmem.cli.page import print_text

    if export == "graphml" and out is None:
        raise typer.BadParameter("a GraphML graph needs --out FILE")
    with session.opened() as memory:
        found = graph_of(memory, scale, as_of)
    if export == "graphml":
        assert out is not None
        nx.write_graphml(found, out)
    else:
        text = json.dumps(nx.node_link_data(found, edges="edges"), ensure_ascii=False, indent=1)
        if out is None:
            typer.echo(text)
            return
        out.write_text(text + "\n", encoding="utf-8")
    nodes, edges = ("names", "facts") if scale is None else ("nodes", "edges")
    print_text(f"{out}: {found.number_of_nodes()} {nodes}, {found.number_of_edges()} {edges}")


def _when(entity: Entity) -> str:
    if entity.first_us is None or entity.last_us is None:
        return ""
    from mmem.schemas.clock import iso

    days = [iso(at)[:10] for at in (entity.first_us, entity.last_us)]
    return f", {days[0]}" if days[0] == days[1] else f", {days[0]} to {days[1]}"


def _fact_line(fact: Fact) -> str:
    denied = "not " if fact.polarity == "negative" else ""
    parts = [f"{fact.subject} — {denied}{fact.relation} — {fact.object}"]
    notes = [fact.valid.said, _MEANT.get(fact.modality, "")]
    notes += [f"said {fact.support} times" if fact.support > 1 else ""]
    notes += ["" if fact.current else "no longer so"]
    if any(notes):
        parts.append(f"({', '.join(filter(None, notes))})")
    return " ".join([*parts, *fact.atom_ids[:3]])


def _title(frame: EventFrame) -> str:
    said = f"not read: {frame.skipped}" if frame.skipped else frame.summary
    told = f" (told {len(frame.members)} times: {frame.id})" if frame.members else ""
    return f"{' '.join(frame.unit_ids)}  {said}{told}"


def _event_line(event: Event) -> str:
    meant = _MEANT.get(event.modality, "")
    denied = "not: " if event.polarity == "negative" else ""
    slots = {
        "when": event.time.said,
        "where": event.location,
        "why": event.cause,
        "how": event.manner,
        **event.extra,
    }
    told = "; ".join(f"{slot}: {value}" for slot, value in slots.items() if value)
    who = ", ".join(event.participants) or "someone"
    return "  ".join(filter(None, [f"{who}: {denied}{event.action}", told, meant and f"({meant})"]))
