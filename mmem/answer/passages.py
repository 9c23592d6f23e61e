"""Evidence as sentences: each with its place in the stored text and what was said before it."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mmem.schemas import Citation, Evidence, Hit, Line
from mmem.schemas.clock import local_datetime
from mmem.words import is_question, sentence_spans


@dataclass(frozen=True)
class Passage:
    """A visible line of the evidence, with the line before it where that is in evidence too.

    `rank` is the place of its best hit, `strength` that hit's score over the best one's.
    """

    line: Line
    hit: Hit
    rank: int
    strength: float
    before: Line | None = None

    @property
    def shown(self) -> bool:
        """Whether it is what a machine read from a picture."""
        return self.line.citation.kind == "screen"

    @property
    def speaker(self) -> str:
        """Who says it, "" when nobody does."""
        return self.line.citation.speaker or ""

    @property
    def answers(self) -> bool:
        """Whether another speaker's question comes right before it."""
        return (
            self.before is not None
            and is_question(self.before.text)
            and self.before.citation.speaker != self.line.citation.speaker
        )

    @property
    def goes_on(self) -> bool:
        """Whether the same speaker's line comes right before it."""
        return self.before is not None and self.before.citation.speaker == self.speaker


@dataclass(frozen=True)
class Quote:
    """A sentence of a passage: `text` is `passage.line.text[chars[0]:chars[1]]`."""

    passage: Passage
    text: str
    chars: tuple[int, int]

    @property
    def citation(self) -> Citation:
        """The passage's citation, narrowed to this sentence."""
        return self.passage.line.citation.model_copy(
            update={"quote": self.text, "chars": self.chars}
        )


def passages_of(evidence: Evidence) -> list[Passage]:
    """Return every citable line once, under its best hit: hits in order, then their context."""
    best = max((hit.score for hit in evidence.hits), default=0.0)
    found: dict[str, Passage] = {}
    for rank, hit in enumerate((*evidence.hits, *evidence.context)):
        strength = min(1.0, max(0.0, hit.score / best)) if best > 0 else 1.0 / (1 + rank)
        for line in hit.lines:
            if line.citable and line.text.strip():
                found.setdefault(line.citation.atom_id, Passage(line, hit, rank, strength))
    return _with_before(list(found.values()))


def quotes_of(passage: Passage) -> list[Quote]:
    """Return the sentences of a passage; of a split turn only those inside its part."""
    text = passage.line.text
    first, last = passage.line.citation.chars or (0, len(text))
    spans = _pieces(text) if passage.shown else _with_headings(text)
    inside = [(a, b) for a, b in spans if a < last and b > first]
    return [Quote(passage, text[a:b], (a, b)) for a, b in inside]


_SCREENFUL = 400
"""Up to so many characters the words on a screen are quoted whole: label and value stand apart."""


def _pieces(screen: str) -> list[tuple[int, int]]:
    """The words on a screen, whole or line by line."""
    if len(screen) <= _SCREENFUL:
        return [(0, len(screen))]
    return [match.span() for match in re.finditer(r"\S[^\n]*", screen)]


_OPEN_END = re.compile(r"(?::|(?:^|\s)\d{1,2}[.)])$")


def _with_headings(text: str) -> list[tuple[int, int]]:
    """Sentences; one that ends in a colon or in the number of a list takes the next one along."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        if spans and _OPEN_END.search(text, spans[-1][0], spans[-1][1]):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def told_at(line: Line) -> dt.datetime | None:
    """Return the local wall time at which a line was said, None when it isn't known."""
    if line.citation.at:
        try:
            return dt.datetime.fromisoformat(line.citation.at).replace(tzinfo=None)
        except ValueError:
            return None
    return None if line.wall_us is None else local_datetime(line.wall_us)


def speakers_of(evidence: Evidence) -> tuple[str, ...]:
    """Return who speaks in the evidence, in order of appearance."""
    hits = (*evidence.hits, *evidence.context)
    names = (line.citation.speaker for hit in hits for line in hit.lines)
    return tuple(dict.fromkeys(name for name in names if name))


def newest_last(passages: Iterable[Passage]) -> list[Passage]:
    """Return the passages in order of time; those of unknown time come first."""
    return sorted(passages, key=lambda passage: _wall(passage.line))


def _wall(line: Line) -> tuple[float, float, int]:
    wall = line.wall_us if line.wall_us is not None else float("-inf")
    return (wall, line.citation.start_s or 0.0, _number(line))


def _number(line: Line) -> int:
    """The place in the file that a locator names ("line 12", "cue 4", "message 7"), else 0."""
    digits = re.findall(r"\d+", line.citation.locator)
    return int(digits[-1][:15]) if digits else 0


def _with_before(passages: Sequence[Passage]) -> list[Passage]:
    order = sorted(
        range(len(passages)),
        key=lambda i: (
            passages[i].line.citation.source_id,
            passages[i].hit.session,
            _wall(passages[i].line),
        ),
    )
    linked = list(passages)
    for earlier, later in itertools.pairwise(order):
        if _adjacent(passages[earlier], passages[later]):
            linked[later] = replace(passages[later], before=passages[earlier].line)
    return linked


_LINES_APART = 2
"""Locators count lines, cues or messages: a blank or a wrapped line may stand between two."""


def _adjacent(earlier: Passage, later: Passage) -> bool:
    a, b = earlier.line.citation, later.line.citation
    if a.source_id != b.source_id or earlier.hit.session != later.hit.session:
        return False
    step = _number(later.line) - _number(earlier.line)
    return earlier.hit.unit_id == later.hit.unit_id or 0 < step <= _LINES_APART
