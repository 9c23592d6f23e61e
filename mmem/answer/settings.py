"""The numbers of the quoted answer, each with where it was measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class QuotedSettings:
    """Weights and thresholds of the quoted body.

    The first group weighs sentences: fitted as a softmax over the sentences of ten retrieved
    lines, on LoCoMo dev (652 questions) and half of FriendsQA dev (566) together, then rounded.
    """

    strength: float = 1.4
    coverage: float = 2.7
    context: float = 1.5
    similarity: float = 1.8
    subject: float = 0.6
    kind: float = 1.6
    reply: float = 0.6
    time: float = 2.0
    unseen: float = -1.5

    background: float = 0.3
    sentences: int = 3
    near_misses: int = 3
    shortlist: int = 8
    revised: float = 0.55
    good_match: float = 0.8
    support: float = 0.85
    list_support: float = 0.7
    entailed: float = 0.75
    dated_by_telling: float = 0.65

    found: float = 0.5
    own_of_nobody: float = 0.15
    likeness_unmeasured: float = 0.5
    sure_bias: float = -1.5
    sure_covered: float = 1.8
    sure_likeness: float = 1.5
    sure_own: float = 3.0
    sure_missing: float = -2.0
    sure_kind: float = 0.65
    sure_presumed: float = 1.5
