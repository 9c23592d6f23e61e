"""What sign bits lose against full vectors in late interaction, on the same rows and questions."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mmem.bench.locomo import gold_of, questions_of, turns_of
from mmem.models.text import MiniLM
from mmem.words import term_spans, terms

_FIRST = 10
Vectors = npt.NDArray[np.floating]


def summary(data: Path, *, samples: int = 1) -> str:
    """Return one line: recall of gold turns by MaxSim alone, with sign bits and with fp16."""
    signs, full, count = 0.0, 0.0, 0
    for sample in json.loads(data.read_text(encoding="utf-8"))[:samples]:
        turns = turns_of(sample)
        encoder = MiniLM(threads=2)
        rows = [encoder.encode_query(text).tokens.astype(np.float16) for text in turns.values()]
        signed = [_signed(row) for row in rows]
        rarity = _rarity(turns.values())
        names = list(turns)
        for question in questions_of(sample):
            gold = gold_of(question, set(names))
            if gold:
                query = _weighted(str(question["question"]), encoder, rarity)
                signs += _recall(_maxsim(query, signed), names, gold)
                full += _recall(_maxsim(query, rows), names, gold)
                count += 1
    return (
        f"late interaction alone, weighted by idf, {count} questions: "
        f"R@{_FIRST} {100 * signs / count:.1f} with sign bits, {100 * full / count:.1f} with fp16"
    )


def _rarity(texts: Iterable[str]) -> Callable[[str], float]:
    """Return the idf of a term over some texts."""
    found = [set(terms(text)) for text in texts]
    counts = Counter(term for each in found for term in each)
    return lambda term: math.log1p((len(found) - counts[term] + 0.5) / (counts[term] + 0.5))


def _weighted(text: str, encoder: MiniLM, rarity: Callable[[str], float]) -> Vectors:
    """Return a question's token vectors, each as long as the idf of its word (0 for no term)."""
    query = encoder.encode_query(text)
    weights = np.zeros(len(query.tokens), np.float32)
    for token, (start, end) in enumerate(query.spans):
        for term, first, last in term_spans(text):
            if start < last and first < end:
                weights[token] = rarity(term)
    return query.tokens * weights[:, None]


def _signed(row: Vectors) -> Vectors:
    return np.where(row > 0, np.float32(1), np.float32(-1))


def _maxsim(query: Vectors, rows: Sequence[Vectors]) -> Vectors:
    scores = [(query @ row.astype(np.float32).T).max(axis=1).mean() for row in rows]
    return np.array(scores, np.float32)


def _recall(scores: Vectors, names: Sequence[str], gold: Sequence[str]) -> float:
    best = {names[place] for place in np.argsort(-scores, kind="stable")[:_FIRST]}
    return len(best & set(gold)) / len(gold)
