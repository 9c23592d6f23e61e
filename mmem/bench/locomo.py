"""LoCoMo through `Memory`: recall of gold turns, and what each mechanism did."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mmem.bench.receipt import Asked, asked_of
from mmem.memory import Memory
from mmem.recipes import Recipe

HEADLINE = ("1", "2", "3", "4")
"""Multi-hop, temporal, open-domain, single-hop; 5 is adversarial and has no answer."""


def run(data: Path, *, recipe: str | Recipe = "mmem", depth: int = 20) -> list[Asked]:
    """Ask every question of a LoCoMo file that has gold turns; one memory a sample."""
    samples = json.loads(data.read_text(encoding="utf-8"))
    return [row for sample in samples for row in _run_sample(sample, recipe, depth)]


def _run_sample(sample: Mapping[str, object], recipe: str | Recipe, depth: int) -> Iterator[Asked]:
    with tempfile.TemporaryDirectory(prefix="mmem-bench-") as folder:
        path = Path(folder) / "sample.json"
        path.write_text(json.dumps([sample]), encoding="utf-8")
        with Memory(Path(folder) / "memory", recipe=recipe) as memory:
            (report,) = memory.add(path)
            atoms = memory.atoms(report.sources[0].id)
            name_of = {atom.id: str(getattr(atom, "reference", "")) for atom in atoms}
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
