"""What was on the screen: the picture shown when something was said, and its plain caption."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mmem.answer.passages import Quote, told_at
from mmem.answer.question import Asked
from mmem.schemas import Citation, Evidence, Hit
from mmem.words import terms


@dataclass(frozen=True)
class Shown:
    """A picture and the caption of the stretch that it is from, "" when nothing is known."""

    picture: Citation
    caption: str


def shown_with(quote: Quote, evidence: Evidence) -> Shown | None:
    """Return the picture shown while a sentence was said, None when the evidence holds none."""
    said = quote.passage.line.citation
    for hit in evidence.hits:
        spoken_here = any(line.citation.atom_id == said.atom_id for line in hit.lines)
        if spoken_here and (picture := _at(hit.keyframes, said.start_s)):
            return Shown(picture, hit.caption)
    same = [p for p in evidence.keyframes if p.source_id == said.source_id]
    picture = _at(same, said.start_s) if said.start_s is not None else _at_wall(quote, evidence)
    return None if picture is None else Shown(picture, _caption_of(picture, evidence))


def shown_about(asked: Asked, evidence: Evidence) -> Shown | None:
    """Return the picture of the stretch that best matches a question about the screen alone."""
    wanted = set(asked.terms)

    def matched(hit: Hit) -> int:
        return len(wanted & set(terms(" ".join([hit.caption, *(line.text for line in hit.lines)]))))

    best = max((hit for hit in evidence.hits if hit.keyframes), key=matched, default=None)
    if best is None or not matched(best):
        return None
    line = max(best.lines, key=lambda line: len(wanted & set(terms(line.text))), default=None)
    at_s = line.citation.start_s if line and wanted & set(terms(line.text)) else None
    picture = _at(best.keyframes, at_s)
    return None if picture is None else Shown(picture, best.caption)


def _at(pictures: Sequence[Citation], at_s: float | None) -> Citation | None:
    """The last picture that begins by `at_s`, else the first one."""
    timed = sorted(
        (p for p in pictures if p.kind == "keyframe" and p.start_s is not None),
        key=lambda p: p.start_s or 0.0,
    )
    if at_s is None or not timed:
        return timed[0] if timed else next(iter(pictures), None)
    return next((p for p in reversed(timed) if (p.start_s or 0.0) <= at_s), timed[0])


def _at_wall(quote: Quote, evidence: Evidence) -> Citation | None:
    """For a message: the last picture whose wall time is not after it."""
    said = told_at(quote.passage.line)
    if said is None:
        return None
    earlier = [p for p in evidence.keyframes if p.at and p.at[:19] <= said.isoformat()[:19]]
    return max(earlier, key=lambda p: p.at or "", default=None)


def _caption_of(picture: Citation, evidence: Evidence) -> str:
    return next((hit.caption for hit in evidence.hits if _holds(hit.keyframes, picture)), "")


def _holds(pictures: Iterable[Citation], picture: Citation) -> bool:
    return any(other.atom_id == picture.atom_id for other in pictures)
