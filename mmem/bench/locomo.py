"""LoCoMo through `Memory`: recall of gold turns, and what each mechanism did."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mmem.bench.receipt import Asked, asked_of
from mmem.memory import Memory
from mmem.recipes import MMEM, Recipe

HEADLINE = ("1", "2", "3", "4")
"""Multi-hop, temporal, open-domain, single-hop; 5 is adversarial and has no answer."""


def run(
    data: Path, *, recipes: Sequence[Recipe] = (MMEM,), depth: int = 20
) -> dict[str, list[Asked]]:
    """Ask every question of a LoCoMo file that has gold turns, by each recipe; rows by its name.

    One memory a sample, whatever the recipe.
    """
    found: dict[str, list[Asked]] = {recipe.name: [] for recipe in recipes}
    for sample in json.loads(data.read_text(encoding="utf-8")):
        for name, row in _run_sample(sample, recipes, depth):
            found[name].append(row)
    return found


def _run_sample(
    sample: Mapping[str, object], recipes: Sequence[Recipe], depth: int
) -> Iterator[tuple[str, Asked]]:
    with tempfile.TemporaryDirectory(prefix="mmem-bench-") as folder:
        path = Path(folder) / "sample.json"
        path.write_text(json.dumps([sample]), encoding="utf-8")
        with Memory(Path(folder) / "memory") as memory:
            memory.add(path)
        for recipe in recipes:
            with Memory(Path(folder) / "memory", recipe=recipe) as memory:
                for row in _asked(sample, memory, depth):
                    yield recipe.name, row


def _asked(sample: Mapping[str, object], memory: Memory, depth: int) -> Iterator[Asked]:
    (source,) = memory.sources()
    name_of = {atom.id: str(getattr(atom, "reference", "")) for atom in memory.atoms(source.id)}
    for number, question in enumerate(questions_of(sample)):
        gold = gold_of(question, set(name_of.values()))
        if gold:
            evidence = memory.search(str(question["question"]), k=depth, explain=True)
            lines = [line for hit in evidence.hits for line in hit.lines]
            found = list(dict.fromkeys(name_of[x.citation.atom_id] for x in lines))
            key = f"{sample.get('sample_id')}/q{number}"
            yield asked_of(key, str(question["category"]), gold, found, evidence)


def turns_of(sample: Mapping[str, object]) -> dict[str, str]:
    """Return the turns of a sample, "speaker: text", by their ids."""
    talk = sample["conversation"]
    assert isinstance(talk, dict)
    sessions = [talk[key] for key in talk if re.fullmatch(r"session_\d+", key)]
    return {
        turn["dia_id"]: f"{turn['speaker']}: {turn['text']}" for turns in sessions for turn in turns
    }


def questions_of(sample: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    """Return the questions of a sample."""
    found = sample["qa"]
    assert isinstance(found, list)
    return found


def gold_of(question: Mapping[str, object], known: set[str]) -> list[str]:
    """Return gold turn ids; several in one string, "D:11:26" and "D30:05" are understood."""
    listed = question.get("evidence") or []
    assert isinstance(listed, list)
    pairs = [pair for text in listed for pair in re.findall(r"D:?(\d+):(\d+)", str(text))]
    names = dict.fromkeys(f"D{int(session)}:{int(turn)}" for session, turn in pairs)
    return [name for name in names if name in known]
