"""What a question states before it asks: the line of the evidence that says so."""

from __future__ import annotations

from collections.abc import Sequence

from mmem.answer.passages import Passage
from mmem.answer.question import read_claim
from mmem.answer.settings import QuotedSettings
from mmem.answer.weighing import Weighed, weigh


def supported(
    claim: str, passages: Sequence[Passage], speakers: Sequence[str], settings: QuotedSettings
) -> Weighed | None:
    """Return the sentence, or the words on a screen, that say most of a claim; None if none does.

    A date in the claim must be in it too, or be that of its telling.
    """
    asked = read_claim(claim, speakers)
    found = weigh(
        asked, passages, encoder=None, answers_kind=lambda quote: False, settings=settings
    )
    good = (w for w in found if w.measures.coverage >= settings.claimed)
    dated = (w for w in good if w.measures.time or not asked.dates)
    return next(dated, None)
