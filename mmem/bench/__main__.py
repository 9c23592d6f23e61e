"""`python -m mmem.bench`: speed, and quality where the data sets are at hand.

Alone: `speed`, `media`, `compare A B`, `locomo FILE [--out RECEIPT] [--without propagate a,b]`,
`choices QA MEMORY`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from mmem.bench import bootstrap, choices, late_loss, locomo, media, receipt, speed
from mmem.memory import Memory
from mmem.recipes import MMEM, Recipe, recipe_named


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m mmem.bench", description=__doc__)
    verbs = parser.add_subparsers(dest="verb")
    verbs.add_parser("speed")
    recordings = verbs.add_parser("media")
    recordings.add_argument("--samples", type=Path, default=Path("samples"))
    recordings.add_argument("--hours", type=float, default=2.0)
    asked = verbs.add_parser("locomo")
    asked.add_argument("data", type=Path)
    asked.add_argument("--out", type=Path)
    asked.add_argument("--recipe", default="mmem", help="what is measured first")
    asked.add_argument(
        "--without", nargs="*", default=[], help="mechanisms to leave out, each alone; a,b together"
    )
    compared = verbs.add_parser("compare")
    compared.add_argument("a", type=Path)
    compared.add_argument("b", type=Path)
    chosen = verbs.add_parser("choices")
    chosen.add_argument("qa", type=Path)
    chosen.add_argument("memory", type=Path)
    given = parser.parse_args(arguments)
    if given.verb == "compare":
        _compare(given.a, given.b)
    elif given.verb == "locomo":
        full = recipe_named(given.recipe)
        less = [full.without(*names.split(",")) for names in given.without]
        _locomo(given.data, given.out, [full, *less])
    elif given.verb == "choices":
        with Memory(given.memory) as memory:
            print(*choices.table(memory, given.qa), sep="\n")
    elif given.verb == "media":
        _table(media.figures(given.samples, hours=given.hours))
    else:
        _table(speed.figures())
        if given.verb is None:
            _table(media.figures(Path("samples")))
            _all_data()


def _table(figures: Iterable[speed.Figure]) -> None:
    print(f"{'what':40} {'measured':>26}   budget")
    for what, measured, budget in figures:
        print(f"{what:40} {measured:>26}   {budget}", flush=True)


def _all_data() -> None:
    folder = Path(os.environ.get("MMEM_SHARED", "../shared"))
    data = folder / "data" / "locomo" / "locomo.json"
    if data.exists():
        _locomo(data, Path("build/bench/locomo.jsonl"))
        print(late_loss.summary(data))
    else:
        print(f"no LoCoMo at {data}: set MMEM_SHARED for quality figures")


def _locomo(data: Path, out: Path | None, recipes: Sequence[Recipe] = (MMEM,)) -> None:
    found = locomo.run(data, recipes=recipes)
    whole: list[receipt.Asked] = []
    for recipe in recipes:
        rows = [row for row in found[recipe.name] if row.category in locomo.HEADLINE]
        print(f"\nLoCoMo, {recipe.name}, {len(rows)} questions of categories 1-4, turn level")
        for name, chosen in (("all", rows), *_categories(rows)):
            print(f"  {name:12} n={len(chosen):4}  {_recalls(chosen)}")
        if whole and any(row.category == "1" for row in rows):
            print(f"  {recipes[0].name} against it, multi-hop: {_multi_hop(rows, whole)}")
        whole = whole or rows
    print("\nmechanism            fired  changed the first ten")
    for name, fired, changed in receipt.mechanisms(whole):
        print(f"  {name:18} {fired:6} {changed:8}")
    if out is not None:
        receipt.write(out, data, recipe=recipes[0].name, rows=found[recipes[0].name])
        print(f"receipt: {out}")


def _recalls(rows: Sequence[receipt.Asked]) -> str:
    values = [f"R@{k} {100 * sum(r.recall(k) for r in rows) / len(rows):.1f}" for k in (1, 5, 10)]
    whole = 100 * sum(row.all_found(10) for row in rows) / len(rows)
    return "  ".join([*values, f"all@10 {whole:.1f}"])


def _multi_hop(less: Sequence[receipt.Asked], full: Sequence[receipt.Asked]) -> str:
    """Return by how much the full recipe is better, with the paired interval."""
    pairs = [(a, b) for a, b in zip(less, full, strict=True) if a.category == "1"]
    told = []
    for label, value in (("R@10", receipt.Asked.recall), ("all@10", receipt.Asked.all_found)):
        gain = bootstrap.paired([value(a, 10) for a, _ in pairs], [value(b, 10) for _, b in pairs])
        told.append(
            f"{label} {100 * gain.mean:+.1f} [{100 * gain.low:+.1f}, {100 * gain.high:+.1f}]"
        )
    return ", ".join(told)


def _categories(rows: Sequence[receipt.Asked]) -> list[tuple[str, list[receipt.Asked]]]:
    names = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop"}
    found = [(name, [r for r in rows if r.category == key]) for key, name in names.items()]
    return [(name, chosen) for name, chosen in found if chosen]


def _compare(a: Path, b: Path) -> None:
    one = {row.id: row for row in receipt.read(a)}
    other = {row.id: row for row in receipt.read(b)}
    ids = sorted(one.keys() & other.keys())
    for k in (1, 5, 10):
        found = bootstrap.paired([one[i].recall(k) for i in ids], [other[i].recall(k) for i in ids])
        print(
            f"R@{k}: {100 * found.mean:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}] "
            f"p={found.p:.3f}"
        )


if __name__ == "__main__":
    main()
