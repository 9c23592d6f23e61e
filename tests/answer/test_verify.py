"""Nothing is cited that was not handed over."""

from __future__ import annotations

import pytest

from mmem.answer import verified
from mmem.schemas import Sentence
from tests.answer.making import chat

EVIDENCE = chat("?", ("Ada", "It rains. We stay."))
SOUND = (
    EVIDENCE.hits[0].lines[0].citation.model_copy(update={"quote": "We stay.", "chars": (10, 18)})
)

UNSOUND = [
    {"quote": "We leave."},
    {"chars": (9, 17)},
    {"chars": (10, 99)},
    {"chars": None},
    {"quote": "", "chars": (3, 3)},
    {"atom_id": "m-99"},
    {"kind": "keyframe"},
]


@pytest.mark.parametrize("change", UNSOUND)
def test_a_sentence_without_sound_citation_is_dropped(change: dict[str, object]) -> None:
    """A quote stands verbatim at its place in a given atom, or its sentence goes."""
    forged = SOUND.model_copy(update=change)
    sentences = [Sentence(text="a", citations=(0,)), Sentence(text="b", citations=(1, 0))]
    kept, citations = verified(sentences, [forged, SOUND], EVIDENCE)
    assert [(s.text, s.citations) for s in kept] == [("b", (0,))]
    assert citations == (SOUND,)
