"""Which language a text is in: py3langid (Lui and Baldwin 2012; its model is in its wheel)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from mmem.errors import MissingExtra

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


def detect_language(text: str) -> tuple[str, float]:
    """Return the likeliest language of a text (ISO 639) and its probability, from 0 to 1.

    The probability of a few letters is near 0. Raises MissingExtra.
    """
    language, probability = _identifier().classify(text)
    return str(language), float(probability)


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "the detector of languages is not installed", hint="pip install 'mmem[embedded]'"
        ) from error
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
