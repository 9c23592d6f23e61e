"""From recognised words to spoken lines: one sentence each, never over a long silence."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from mmem.ports import Heard
from mmem.words import sentence_spans

LONG_SILENCE_US = 1_000_000
LONGEST_LINE_US = 8_000_000
# Where a long sentence is cut: a comma is worth a pause, a stump of a line costs one.
_COMMA_US = 300_000
_STUMP_US = 1_500_000


@dataclasses.dataclass(frozen=True, slots=True)
class Word:
    """A word with the blank before it, on the media clock, and the model's probability of it."""

    text: str
    start_us: int
    end_us: int
    probability: float


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """Words that make one spoken line."""

    words: tuple[Word, ...]

    @property
    def heard(self) -> Heard:
        """The line as recognised; at least one microsecond long."""
        start = self.words[0].start_us
        end = max(start + 1, self.words[-1].end_us)
        return Heard(start_us=start, end_us=end, text=_text(self.words).strip())

    @property
    def certainty(self) -> float:
        """Mean probability of the words."""
        return sum(word.probability for word in self.words) / len(self.words)


def lines_of(words: Iterable[Word]) -> Iterator[Line]:
    """Yield lines in order: cut at silences over 1 s, at sentence ends, and at 8 s."""
    for stretch in _stretches(words):
        for sentence in _sentences(stretch):
            yield from _short(sentence)


def _stretches(words: Iterable[Word]) -> Iterator[list[Word]]:
    held: list[Word] = []
    for word in words:
        if held and word.start_us - held[-1].end_us > LONG_SILENCE_US:
            yield held
            held = []
        held.append(word)
    if held:
        yield held


def _sentences(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words of each sentence; a word belongs to the sentence that its end lies in."""
    ends = [end for _, end in sentence_spans(_text(words))]
    held: list[Word] = []
    place = 0
    for word in words:
        held.append(word)
        place += len(word.text)
        if ends and place >= ends[0]:
            yield held
            held = []
            ends = [end for end in ends if end > place]
    if held:
        yield held


def _short(words: Sequence[Word]) -> Iterator[Line]:
    """Yield a sentence as lines of at most 8 s, cut at its commas and longest pauses."""
    if len(words) < 2 or words[-1].end_us - words[0].start_us <= LONGEST_LINE_US:
        yield Line(tuple(words))
        return
    cut = max(range(1, len(words)), key=lambda place: _fitness(words, place))
    yield from _short(words[:cut])
    yield from _short(words[cut:])


def _fitness(words: Sequence[Word], place: int) -> tuple[int, int]:
    """Return how good it is to cut before a word: by pause, comma and what is left on each side."""
    last, after = words[place - 1], words[place]
    fit = after.start_us - last.end_us + _COMMA_US * last.text.rstrip().endswith((",", ";", ":"))
    stump = min(last.end_us - words[0].start_us, words[-1].end_us - after.start_us)
    return fit - max(0, _STUMP_US - stump), min(place, len(words) - place)


def _text(words: Sequence[Word]) -> str:
    return "".join(word.text for word in words)
