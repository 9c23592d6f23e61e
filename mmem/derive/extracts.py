"""Summaries made of what is there: the few sentences that tell the most, verbatim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from mmem.words import terms

_SHORTEST = (3, 1, 0)
"""Sentences with fewer terms tell too little to stand for others, if there are longer ones."""


def telling(
    sentences: Sequence[str], *, most: int, longest: int, dull: Set[str] = frozenset()
) -> list[int]:
    """Return the places of at most `most` sentences, in their order, `longest` characters in all.

    This is SumBasic (Nenkova and Vanderwende 2005): the sentence whose terms are on average the
    likeliest goes first, and what it has said counts for less after it. Equal ones: the earlier.
    `dull` are terms that count for nothing.
    """
    words = [[term for term in terms(one) if term not in dull] for one in sentences]
    counts = Counter(term for found in words for term in set(found))
    total = sum(counts.values())
    weight = {term: count / total for term, count in counts.items()}
    left: list[int] = []
    for least in _SHORTEST:
        left = left or [place for place, found in enumerate(words) if len(set(found)) >= least]
    chosen: list[int] = []
    room = longest
    while left and len(chosen) < most:
        best = max(left, key=lambda place: (_worth(words[place], weight), -place))
        left.remove(best)
        if len(sentences[best]) > room:
            continue
        chosen.append(best)
        room -= len(sentences[best]) + 1
        for term in set(words[best]):
            weight[term] = weight.get(term, 0.0) ** 2
    return sorted(chosen)


def _worth(words: Sequence[str], weight: dict[str, float]) -> float:
    return sum(weight.get(term, 0.0) for term in words) / max(len(words), 1)
