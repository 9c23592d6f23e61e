"""What sign bits lose against full vectors in late interaction, on the same rows and questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mmem.bench.locomo import gold_of, questions_of, turns_of
from mmem.models.text import MiniLM

_FIRST = 10
Vectors = npt.NDArray[np.floating]


def summary(data: Path, *, samples: int = 1) -> str:
    """Return one line: recall of gold turns by MaxSim alone, with sign bits and with fp16."""
    signs, full, count = 0.0, 0.0, 0
    for sample in json.loads(data.read_text(encoding="utf-8"))[:samples]:
        turns = turns_of(sample)
        encoder = MiniLM(threads=2)
        rows = [encoder.encode_query(text).tokens.astype(np.float16) for text in turns.values()]
        names = list(turns)
        for question in questions_of(sample):
            gold = gold_of(question, set(names))
            if gold:
                query = encoder.encode_query(str(question["question"])).tokens
                signs += _recall(_maxsim(query, [_signed(row) for row in rows]), names, gold)
                full += _recall(_maxsim(query, rows), names, gold)
                count += 1
    return (
        f"late interaction alone, unweighted, {count} questions: "
        f"R@{_FIRST} {100 * signs / count:.1f} with sign bits, {100 * full / count:.1f} with fp16"
    )


def _signed(row: Vectors) -> Vectors:
    return np.where(row > 0, np.float32(1), np.float32(-1))


def _maxsim(query: Vectors, rows: Sequence[Vectors]) -> Vectors:
    scores = [(query @ row.astype(np.float32).T).max(axis=1).mean() for row in rows]
    return np.array(scores, np.float32)


def _recall(scores: Vectors, names: Sequence[str], gold: Sequence[str]) -> float:
    best = {names[place] for place in np.argsort(-scores, kind="stable")[:_FIRST]}
    return len(best & set(gold)) / len(gold)
