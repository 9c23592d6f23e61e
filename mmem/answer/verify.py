"""An answer cites what it was handed: each quote is looked up in the stored text."""

from __future__ import annotations

from collections.abc import Sequence

from mmem.schemas import Citation, Evidence, Sentence


def verified(
    sentences: Sequence[Sentence], citations: Sequence[Citation], evidence: Evidence
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """Return the sentences that sound citations support, and those citations, renumbered.

    A citation is sound when its atom is in the evidence and its quote stands in that atom's text
    at `chars` (a picture has no quote). A sentence that loses all its citations is dropped.
    """
    texts = _citable_texts(evidence)
    pictures = {picture.atom_id for picture in _pictures(evidence)}
    sound = {i for i, c in enumerate(citations) if is_sound(c, texts=texts, pictures=pictures)}
    kept: list[Sentence] = []
    numbers: dict[int, int] = {}
    for sentence in sentences:
        cited = [i for i in sentence.citations if i in sound]
        if cited:
            places = tuple(numbers.setdefault(i, len(numbers)) for i in cited)
            kept.append(sentence.model_copy(update={"citations": places}))
    return tuple(kept), tuple(citations[i] for i in numbers)


def is_sound(citation: Citation, *, texts: dict[str, str], pictures: set[str]) -> bool:
    """Tell whether a citation is of something given, its quote verbatim where it says."""
    if citation.kind == "keyframe":
        return citation.atom_id in pictures and not citation.quote
    text = texts.get(citation.atom_id)
    if text is None or citation.chars is None or not citation.quote:
        return False
    start, end = citation.chars
    return 0 <= start < end <= len(text) and text[start:end] == citation.quote


def _citable_texts(evidence: Evidence) -> dict[str, str]:
    return {
        line.citation.atom_id: line.text
        for hit in (*evidence.hits, *evidence.context)
        for line in hit.lines
        if line.citable
    }


def _pictures(evidence: Evidence) -> list[Citation]:
    hits = (*evidence.hits, *evidence.context)
    of_hits = [picture for hit in hits for picture in hit.keyframes]
    return [*of_hits, *evidence.keyframes]
