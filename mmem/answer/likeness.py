"""How like the question the first few sentences are, with as few encodings as can matter."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from mmem.answer.passages import Quote
from mmem.answer.question import Asked
from mmem.ports import TextEncoder

UNKNOWN = 0.3
"""The cosine taken for a line that recall did not compare: about that of a tenth hit (LoCoMo)."""


def likeness_known(quote: Quote) -> float:
    """Return the cosine of the question with the sentence's line as recall took it."""
    hit = quote.passage.hit
    return UNKNOWN if hit.cosine is None or hit.kind != "passage" else hit.cosine


def is_exact(quote: Quote) -> bool:
    """Tell whether recall compared just this sentence: the whole of the only line of its unit."""
    hit = quote.passage.hit
    alone = hit.kind == "passage" and len(hit.lines) == 1 and hit.cosine is not None
    return alone and quote.text == quote.passage.line.text.strip()


def measure(texts: Sequence[str], asked: Asked, encoder: TextEncoder) -> dict[str, float]:
    """Return the cosine of the question with each text, encoded now."""
    if not texts:
        return {}
    question = encoder.encode_query(without_people(asked)).pooled
    vectors = encoder.encode(texts).pooled
    return {t: float(np.dot(v, question)) for t, v in zip(texts, vectors, strict=True)}


def without_people(asked: Asked) -> str:
    """Return the question without the names of speakers, as recall compares it.

    Who speaks is weighed apart; a name in the text would draw sentences that only mention it.
    """
    text = asked.text
    for name in asked.about:
        for alias in (name, name.split()[0]):
            text = re.sub(rf"(?<!\w){re.escape(alias)}(?:['’]s)?(?!\w)", " ", text)
    return re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s+", " ", text)).strip()
