"""What was on the screen: the picture shown when something was said, and the words on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mmem.answer.passages import Quote, told_at
from mmem.answer.question import Asked
from mmem.schemas import Citation, Evidence, Hit, Line
from mmem.words import terms


@dataclass(frozen=True)
class Shown:
    """A picture and the words read from it; at least one is there. `caption` says what is known."""

    picture: Citation | None
    words: Citation | None
    caption: str = ""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What is cited of it: the words first."""
        return tuple(each for each in (self.words, self.picture) if each is not None)


def shown_with(quote: Quote, evidence: Evidence) -> Shown | None:
    """Return what was shown while a sentence was said, None when the evidence holds nothing."""
    said = quote.passage.line.citation
    hits = (*evidence.hits, *evidence.context)
    for hit in hits:
        spoken_here = any(line.citation.atom_id == said.atom_id for line in hit.lines)
        if spoken_here and (shown := _shown(hit, said.start_s)):
            return shown
    if said.start_s is not None:
        same = [p for p in evidence.keyframes if p.source_id == said.source_id]
        if picture := _at(same, said.start_s):
            return Shown(picture, None, _caption_of(picture, hits))
    picture = _at_wall(quote, evidence)
    return None if picture is None else Shown(picture, None, _caption_of(picture, hits))


def shown_about(asked: Asked, evidence: Evidence) -> Shown | None:
    """Return what was shown in the stretch that best matches a question about the screen alone."""
    wanted = set(asked.terms)

    def matched(text: str) -> int:
        return len(wanted & set(terms(text)))

    def matches(hit: Hit) -> int:
        return matched(" ".join([hit.caption, *(line.text for line in hit.lines)]))

    best = max((hit for hit in evidence.hits if hit.keyframes), key=matches, default=None)
    if best is None or not matches(best):
        return None
    line = max(best.lines, key=lambda line: matched(line.text), default=None)
    at_s = line.citation.start_s if line is not None and matched(line.text) else None
    return _shown(best, at_s)


def _shown(hit: Hit, at_s: float | None) -> Shown | None:
    screens = [line for line in hit.lines if line.citation.kind == "screen" and line.citable]
    words = next((line for line in screens if _covers(line, at_s)), None)
    picture = _at(hit.keyframes, at_s)
    if words is None and picture is None:
        return None
    return Shown(picture, _whole(words), hit.caption)


def _whole(line: Line | None) -> Citation | None:
    if line is None or not line.text:
        return None
    return line.citation.model_copy(update={"quote": line.text, "chars": (0, len(line.text))})


def _covers(line: Line, at_s: float | None) -> bool:
    start, end = line.citation.start_s, line.citation.end_s
    return at_s is None or (start is not None and end is not None and start <= at_s < end)


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
    """The last picture whose wall time is not after the sentence's."""
    said = told_at(quote.passage.line)
    if said is None:
        return None
    earlier = [p for p in evidence.keyframes if p.at and p.at[:19] <= said.isoformat()[:19]]
    return max(earlier, key=lambda p: p.at or "", default=None)


def _caption_of(picture: Citation, hits: Iterable[Hit]) -> str:
    holding = (h for h in hits if any(p.atom_id == picture.atom_id for p in h.keyframes))
    return next((hit.caption for hit in holding), "")
