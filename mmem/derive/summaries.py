"""A frame's summary: its first telling sentences, with who says them."""

from __future__ import annotations

from collections.abc import Sequence

from mmem.derive.told import Said
from mmem.schemas import Event
from mmem.words import sentence_spans

LONGEST_SUMMARY = 300
_ORDER = ("asserted", "planned", "wished", "reported", "supposed", "ordered", "asked")
_SENTENCES = 2


def summary_of(told: Sequence[tuple[Said, Sequence[Event]]]) -> str:
    """Return up to two sentences, verbatim, that tell the most, each with its speaker's name.

    Facts go before plans, plans before what is only asked; in the order in which they were said.
    """
    ranked = sorted(
        (_ORDER.index(event.modality), place, _sentence(said, event))
        for place, (said, events) in enumerate(told)
        for event in events
    )
    chosen: list[tuple[int, tuple[int, int]]] = []
    for _, place, span in ranked:
        if (place, span) not in chosen and len(chosen) < _SENTENCES:
            chosen.append((place, span))
    return _cut(" ".join(_written(told, sorted(chosen))))


def _sentence(said: Said, event: Event) -> tuple[int, int]:
    for start, end in sentence_spans(said.text):
        if event.chars[0] < end:
            return start, end
    return 0, len(said.text)


def _written(
    told: Sequence[tuple[Said, Sequence[Event]]], chosen: list[tuple[int, tuple[int, int]]]
) -> list[str]:
    parts: list[str] = []
    last: str | None = None
    for place, (start, end) in chosen:
        said = told[place][0]
        words = " ".join(said.text[start:end].split())
        parts.append(f"{said.speaker}: {words}" if said.speaker not in (None, last) else words)
        last = said.speaker
    return parts


def _cut(text: str) -> str:
    if len(text) <= LONGEST_SUMMARY:
        return text
    return text[: LONGEST_SUMMARY - 1].rsplit(" ", 1)[0] + "…"
