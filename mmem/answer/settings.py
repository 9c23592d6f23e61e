"""The numbers of the quoted answer, each with where it was measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class QuotedSettings:
    """Weights and thresholds of the quoted body, all measured on development sets.

    The first group weighs a sentence (`Measures`): a softmax over the sentences of ten retrieved
    lines and their neighbours, fitted on LoCoMo dev (702 questions) and FriendsQA dev (1,099)
    together and rounded; each set fitted alone loses under 2 points of top-1 on the other.
    `background` weighs words of the scene and the noun in "which city"; `unseen` and `doubt` are
    set by hand.

    The second group says how many sentences there are, and what of them is encoded: of the
    `shortlist` within `reach` (a cosine) of the best, at most `encoded` of those that recall did
    not compare exactly and that come within `margin` of the best by what it did compare. On LoCoMo
    with real retrieval (327 questions of two conversations) this takes 0.9 sentences a question
    instead of 8, and the first quote is right as often (57 of 100, 56 before).

    The third says how near to the best one's score (a share of it) others must come: to be the
    newest for "now" or a correction (`good_match`, `revised`), to be quoted too (`support`, for
    lists and reasons the two below it); and, as shares of the best one's coverage, when a change is
    of the same thing (`same_thing`), what was before of it too (`overtaken`), and another quote to
    the point (`of_it`). `entailed`, `dated_by_telling` and `claimed` are shares of the question's
    words that yes or no, the day of telling, or a claim of the question need.

    The fourth is the logistic of `Signs`; an answer is given from `found` up. Fitted on LoCoMo
    answerable against category 5 and against the same questions without their gold lines, the
    same for FriendsQA, and EpBench with and without events; then rounded. `sure_own` was set
    anew, with the bias, on LoCoMo against category 5 and FriendsQA against itself with the speaker
    asked about swapped: at equal shares of answers given, fewer of the swapped are answered on
    both. `kind` and `presumed` were shaped on `samples/`.
    `dated` is the share that a date in the question has in `covered`, `named_near` that of names
    away from the sentence quoted first in `missing`.
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
    doubt: float = -4.0

    background: float = 0.3
    sentences: int = 2
    near_misses: int = 3
    shortlist: int = 8
    encoded: int = 2
    margin: float = 0.4
    reach: float = 0.6
    revised: float = 0.55
    good_match: float = 0.8
    support: float = 0.85
    list_support: float = 0.72
    reason_support: float = 0.6
    entailed: float = 0.75
    dated_by_telling: float = 0.65
    claimed: float = 0.6
    same_thing: float = 0.35
    overtaken: float = 0.6
    of_it: float = 0.3

    found: float = 0.5
    own_of_nobody: float = 0.18
    likeness_unmeasured: float = 0.5
    dated: float = 0.4
    named_near: float = 0.2
    sure_bias: float = -1.9
    sure_covered: float = 1.8
    sure_likeness: float = 1.5
    sure_own: float = 4.5
    sure_missing: float = -2.0
    sure_kind: float = 0.65
    sure_presumed: float = 1.5
