"""A parsed text as a tree: governors, dependents and the stretches they cover."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mmem.derive.lexicon import TIME_NOUNS
from mmem.ports import Word
from mmem.words import sentence_spans

_TITLE = re.compile('["\u201c](?P<title>[A-Z0-9][^"\u201c\u201d.?!]{1,60})["\u201d]')


class Tree:
    """The words of one text with quick ways through them; places are numbers of words."""

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self.text = text
        self.words = words
        self._children: list[list[int]] = [[] for _ in words]
        for place, word in enumerate(words):
            if word.head != place:
                self._children[word.head].append(place)
        self._lower = [word.text.lower().replace("\u2019", "'") for word in words]
        self._sentences = sentence_spans(text)

    def children(self, place: int, *deps: str) -> list[int]:
        """Return the dependents of a word in order, of these relations where any are named."""
        found = self._children[place]
        return [c for c in found if self.words[c].dep in deps] if deps else found

    def first(self, place: int, *deps: str) -> int | None:
        """Return the first dependent of one of these relations."""
        return next((c for c in self._children[place] if self.words[c].dep in deps), None)

    def below(self, place: int, leave_out: frozenset[str] = frozenset()) -> list[int]:
        """Return a word and all under it in order, without branches of the relations left out."""
        found: list[int] = []
        waiting = [place]
        while waiting:
            here = waiting.pop()
            found.append(here)
            waiting += [c for c in self._children[here] if self.words[c].dep not in leave_out]
        return sorted(found)

    def chars(self, places: Sequence[int]) -> tuple[int, int]:
        """Return the half-open character range from the first to the last of these words."""
        return self.words[places[0]].start, self.words[places[-1]].end

    def slice(self, places: Sequence[int]) -> str:
        """Return the text from the first to the last of these words, blanks folded."""
        start, end = self.chars(places)
        return " ".join(self.text[start:end].split())

    def sentence(self, place: int) -> tuple[int, int]:
        """Return the character range of the sentence, cut at marks, that a word stands in."""
        at = self.words[place].start
        for start, end in self._sentences:
            if at < end:
                return start, end
        return 0, len(self.text)

    def lower(self, place: int) -> str:
        """Return a word in small letters, its apostrophe straight."""
        return self._lower[place]

    def roots(self) -> Iterator[int]:
        """Yield the words without a governor."""
        return (place for place, word in enumerate(self.words) if word.head == place)


def quoted(tree: Tree, head: int) -> tuple[int, int] | None:
    """Return the character range of the title in quotation marks that a word stands in."""
    at = tree.words[head].start
    for match in _TITLE.finditer(tree.text):
        if match.start("title") <= at < match.end("title"):
            return match.span("title")
    return None


def is_temporal(tree: Tree, head: int) -> bool:
    """Tell whether a phrase is a time by its noun or its entity."""
    word = tree.words[head]
    return word.entity in ("DATE", "TIME") or word.lemma.lower() in TIME_NOUNS
