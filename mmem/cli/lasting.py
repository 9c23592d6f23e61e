"""How the command line shows what lasts, and which graph it writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from mmem.cli.door import Format

if TYPE_CHECKING:
    from networkx import MultiDiGraph

    from mmem import Memory
    from mmem.schemas import Moment, SemanticFact

_FACTS = 40


def print_lasting(found: Sequence[SemanticFact], output: Format) -> None:
    """Print semantic facts, each with its support, its days, its dates and its proof."""
    from mmem.cli.page import one_line, print_records, print_text

    if output is not Format.text:
        print_records(found, output)
        return
    for fact in found[:_FACTS]:
        print_text(one_line(_line(fact)))
    if len(found) > _FACTS:
        print_text(f"… {len(found) - _FACTS} more: -o jsonl shows all", dim=True)
    if not found:
        print_text("nothing that lasts")


def graph_of(memory: Memory, scale: str | None, as_of: str | None) -> MultiDiGraph:
    """Return the graph of facts, with a scale the one of the events of that scale."""
    if scale is None:
        return memory.graph(as_of=as_of)
    if scale == "unit":
        return memory.episodes(as_of=as_of)
    from mmem.schemas import SCALES

    for one in SCALES:
        if one == scale:
            return memory.episodes(one, as_of=as_of)
    every = ", ".join(("unit", *SCALES))
    raise typer.BadParameter(f"no scale is called {scale!r}: one of {every}")


def _line(fact: SemanticFact) -> str:
    denied = "not " if fact.polarity == "negative" else ""
    told = f"{fact.subject} — {denied}{fact.relation} — {fact.object}"
    times = "on" if fact.basis == "done" else f"said {fact.support} times on"
    days = "1 day" if fact.days == 1 else f"{fact.days} days"
    once = fact.support == 1 and fact.days == 1
    notes = [*([] if once else [f"{times} {days}"]), *_dates(fact.valid)]
    notes += [] if fact.current else ["no longer so"]
    return " ".join([f"{told} ({', '.join(notes)})" if notes else told, *fact.atom_ids[:3]])


def _dates(valid: Moment) -> list[str]:
    from mmem.schemas.clock import iso

    ends = (("since", valid.start_us), ("until", valid.end_us))
    return [f"{word} {iso(at)[:10]}" for word, at in ends if at is not None]
