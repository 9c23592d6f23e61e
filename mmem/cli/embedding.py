"""The command that makes text vectors anew, and what `status` tells of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mmem.cli.door import FAILED_UNITS, Format, Output, Session, complain

if TYPE_CHECKING:
    from mmem.lifecycle.reembed import Reembedded
    from mmem.memory import Memory
    from mmem.ports import VectorSpace


def reembed(
    session: Session,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="M",
            help="embedded, local-dir:/path, a hub's name or endpoint:MODEL; else MMEM_TEXT_MODEL.",
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", metavar="M", min=0, help="What a language model may spend."),
    ] = None,
    output: Output = Format.text,
) -> None:
    """Make all text vectors anew with another model, and swap them when all are there.

    Until then the memory is read as it was; a run that was broken off goes on with the same
    command. Afterwards MMEM_TEXT_MODEL must name the new model. Exit code 3 when something that
    follows from the vectors waits for `mmem retry`.

    \b
    mmem reembed --model local-dir:~/models/bge-small-en-v1.5
    MMEM_EMBED_BASE_URL=http://localhost:11434/v1 mmem reembed --model endpoint:bge-m3
    mmem reembed --model embedded
    """
    from mmem.cli.page import print_json
    from mmem.cli.progress import telling

    with session.opened() as memory:
        with telling(quiet=session.quiet) as (listener, pause):
            made = memory.reembed(model=model, max_cost=max_cost, listener=listener)
            pause()
        waiting = sorted({o.stage for o in memory.outcomes() if o.status in ("failed", "pending")})
    if output is Format.text:
        _print_made(made, model)
    else:
        print_json(_made(made), output)
    if made.changed and waiting:
        complain(f"not all is done: {', '.join(waiting)}", "`mmem retry` does the rest")
        raise typer.Exit(FAILED_UNITS)


def text_vectors(memory: Memory) -> dict[str, Any]:
    """Return what made the text vectors, and what a broken off `reembed` was about."""
    other = memory.space_being_made()
    return {
        **_space(memory.text_space()),
        "late_interaction": memory.text_space().has_tokens,
        "being_made": None if other is None else _space(other),
    }


def text_vectors_line(told: dict[str, Any]) -> list[str]:
    """Return `text_vectors` as lines."""
    lines = [f"text vectors: {told['model']} ({told['provider']}), {told['width']} numbers"]
    if not told["late_interaction"]:
        lines[0] += "; no token vectors, so late interaction is off"
    if told["being_made"] is not None:
        model = told["being_made"]["model"]
        lines.append(f"a re-embedding was broken off (beside: {model}): `mmem reembed` goes on")
    return lines


def _print_made(made: Reembedded, model: str | None) -> None:
    from mmem.cli.page import print_text

    after = made.after
    if not made.changed:
        print_text(f"nothing to do: the vectors are of {after.model} already")
        return
    print_text(f"{made.vectors} vectors of {made.units} units: {made.before.model} → {after.model}")
    if made.cost.calls:
        money = "" if made.cost.money is None else f", {made.cost.money:.4g} spent"
        print_text(f"{made.cost.calls} calls, {made.cost.tokens} tokens{money}")
    if not after.has_tokens:
        print_text("no token vectors: late interaction is off")
    if model is not None:
        print_text(f"from now on: MMEM_TEXT_MODEL={model}")


def _made(made: Reembedded) -> dict[str, Any]:
    return {
        "changed": made.changed,
        "before": _space(made.before),
        "after": _space(made.after),
        "units": made.units,
        "vectors": made.vectors,
        "cost": made.cost.model_dump(mode="json"),
    }


def _space(space: VectorSpace) -> dict[str, Any]:
    import dataclasses

    return dataclasses.asdict(space)
