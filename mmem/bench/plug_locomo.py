"""Turn retrieval through `Memory`, as the harness of LoCoMo-like data sets asks for it.

The harness loads `mmem.bench.plug_locomo:System`; passages go in as a LoCoMo file, questions are
`Memory.search`, and nothing else of mmem is used.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path

from mmem.memory import Memory

Passage = Mapping[str, object]


@dataclasses.dataclass(frozen=True)
class Index:
    """A memory of one corpus, deleted with the index."""

    memory: Memory
    passage_of: Mapping[str, str]


class System:
    """The default recipe, keyless."""

    name = "mmem"
    notes = "Memory.add of a LoCoMo file, Memory.search; default recipe, embedded encoder"

    def build(self, passages: Sequence[Passage]) -> Index:
        """Return a memory of the passages of one corpus."""
        folder = Path(tempfile.mkdtemp(prefix="mmem-bench-"))
        path = folder / "sample.json"
        path.write_text(json.dumps(_sample(passages)), encoding="utf-8")
        memory = Memory(folder / "memory")
        (report,) = memory.add(path)
        if report.failed:
            raise RuntimeError(f"the corpus could not be added: {report}")
        found = {
            atom.id: str(getattr(atom, "reference", ""))
            for atom in memory.atoms(report.sources[0].id)
        }
        index = Index(memory, found)
        weakref.finalize(index, shutil.rmtree, folder, ignore_errors=True)
        return index

    def search(self, index: Index, query: str, k: int) -> list[str]:
        """Return passage ids, best first."""
        evidence = index.memory.search(query, k=k)
        lines = [line for hit in evidence.hits for line in hit.lines]
        return list(dict.fromkeys(index.passage_of[line.citation.atom_id] for line in lines))


def _sample(passages: Sequence[Passage]) -> dict[str, object]:
    groups: dict[str, list[Passage]] = {}
    for passage in passages:
        groups.setdefault(str(passage["group"]), []).append(passage)
    talk: dict[str, object] = {}
    for number, turns in enumerate(groups.values(), 1):
        if when := str(turns[0]["time"]):
            moment = dt.datetime.fromisoformat(when)
            talk[f"session_{number}_date_time"] = f"{moment:%I:%M %p on %d %B, %Y}"
        talk[f"session_{number}"] = [
            {
                "dia_id": turn["id"],
                "speaker": turn["speaker"],
                "text": turn["text"],
                "blip_caption": turn["caption"],
            }
            for turn in turns
        ]
    return {"sample_id": "bench", "conversation": talk, "qa": []}
