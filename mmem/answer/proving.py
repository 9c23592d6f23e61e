"""One sentence of a model held against the records that it cites: proven, or why it is struck."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mmem.answer.figures import figures, figures_claimed
from mmem.answer.given import Given, Value
from mmem.answer.particulars import Known, known_by, known_words
from mmem.answer.passages import Passage, Quote, quotes_of
from mmem.answer.writing import plain
from mmem.orders import is_order
from mmem.schemas import Citation, EventFrame
from mmem.words import fold, is_question, name_words, sentences, terms

_ENOUGH = 0.5
"""Share of a sentence's content words that must be in the records it cites; those of the question
count neither way."""
_QUOTED = re.compile(
    '“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|"([^"]+)"|‘([^‘’]{2,})’(?!\\w)'
    r"|(?<![\w])'([^']{3,}?)'(?!\w)"
)
_NOT = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|nowhere|neither|nor|cannot|without|un\w{3,}|refus\w+"
    r"|avoid\w*|declin\w+|den(?:y|ie[ds])\w*|fail\w*|stop\w*|quit\w*|left|leav\w+|cancel\w*"
    r"|only|instead|but|wrong|moved|chang\w+|rather)\b|n['’]t\b",
    re.I,
)
_FLAT_NOT = re.compile(r"\b(?:not|never|nobody|nothing|none|cannot)\b|n['’]t\b", re.I)

_ASKS = re.compile(
    r"\b(?:ask\w*|wonder\w*|question\w*|whether|inquir\w*|want\w* to know|curious|suggest\w*"
    r"|recommend\w*|propos\w*|seek\w*|invit\w*)\b",
    re.I,
)
_SAYS = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|ask\w*|order\w*|t(?:ell|old)\w*|claim\w*|want\w*|dictat\w*|request\w*"
    r"|instruct\w*|demand\w*|tr(?:y|ied|ies)\w*|wrote|writ\w+|according)\b",
    re.I,
)

_OF_KIND: dict[Value, str] = {
    "picture": "a picture, shown on the screen of the recording",
    "words on the screen": "words and text that are shown and read on the screen",
}
"""What a sentence may call a record, beside its words."""


@dataclass(frozen=True)
class Proof:
    """What a sentence comes to: its words and citations, or why it is `struck`."""

    text: str = ""
    citations: tuple[Citation, ...] = ()
    struck: str = ""


@dataclass(frozen=True)
class Asking:
    """What is asked, when, the frames of the evidence, and the atoms that were taken back."""

    question: str
    options: tuple[str, ...] = ()
    now: dt.datetime | None = None
    frames: tuple[EventFrame, ...] = ()
    taken_back: frozenset[str] = frozenset()

    def doubts(self, passage: Passage) -> bool:
        """Tell whether a line asserts nothing: an order to machines, or what was no more meant."""
        cited = passage.line.citation
        return cited.atom_id in self.taken_back or is_order(passage.line.text)

    @cached_property
    def known(self) -> Known:
        """What the caller's words tell."""
        return known_words([self.question, *self.options], self.now)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the question and its options."""
        return frozenset(t for text in (self.question, *self.options) for t in terms(text))


def prove(sentence: str, cited: Sequence[Given], asking: Asking) -> Proof:
    """Return a sentence with the citations that prove it, who says so put before it if it doesn't.

    It is struck where it cites nothing that was given, quotes what is not there, has a day, time,
    number or name that neither the cited records nor the question have, shares too few words with
    the records, or states what they ask, deny, take back or order a machine to believe.
    """
    lines = _lines_of(cited)
    if not cited:
        return Proof(struck="it cites no record")
    if not re.search(r"[^\W_]", sentence):
        return Proof(struck="it has no words")
    quoted = [next(filter(None, match)) for match in _QUOTED.findall(sentence)]
    texts = [passage.line.text for passage in lines]
    if missing := next((q for q in quoted if not any(_place(q, text) for text in texts)), ""):
        return Proof(struck=f"its quotation “{plain(missing)}” is in no record that it cites")
    known = known_of(cited)
    bare = _QUOTED.sub(" ", sentence)
    if missing := (known | asking.known).unfounded(bare):
        return Proof(struck=f"“{plain(missing)}” is in no record that it cites")
    if not _shares(sentence, known, texts + [g.caption for g in cited], asking):
        return Proof(struck="the records that it cites do not say it")
    support = [_narrowed(passage, sentence, quoted) for passage in lines]
    speakers = dict.fromkeys(p.speaker for p in lines if p.speaker)
    unnamed = [name for name in speakers if not _names(sentence, name)]
    if support and (wrong := _not_said(sentence, support, unnamed, asking)):
        return Proof(struck=wrong)
    citations = [quote.citation for quote in support]
    citations += [picture for given in cited for picture in given.pictures]
    claimed = f"According to {_listed(list(speakers))}: {sentence}" if unnamed else sentence
    return Proof(plain(claimed), tuple(dict.fromkeys(citations)))


def known_of(cited: Sequence[Given]) -> Known:
    """Return what cited records tell: lines in their own words, pictures by their caption."""
    captions = [given.caption for given in cited if given.caption]
    kinds = [_OF_KIND[kind] for given in cited if (kind := given.told["kind"]) in _OF_KIND]
    places = frozenset(str(given.told["at"]) for given in cited if given.told.get("at"))
    shown = replace(known_words([*captions, *kinds], None), places=places)
    return known_by(_lines_of(cited)) | shown


def plainly_said(given: Given, asking: Asking) -> Given:
    """Return a record without lines that order what to believe, and without those taken back."""
    return replace(given, lines=tuple(p for p in given.lines if not asking.doubts(p)))


def _lines_of(cited: Sequence[Given]) -> list[Passage]:
    found = {id(passage): passage for given in cited for passage in given.lines}
    return list(found.values())


def _shares(sentence: str, known: Known, texts: Sequence[str], asking: Asking) -> bool:
    """Tell whether the records hold the words that are not the question's, and some of all."""
    found = [t for t in terms(sentence) if not any(c.isdigit() for c in t)]
    new = [term for term in found if term not in asking.terms]
    if known.share_of(new) < _ENOUGH:
        return False
    own = known_words(texts, None)
    claimed = set(figures_claimed(sentence))
    return not found or any(map(own.holds, found)) or bool(claimed & figures("\n".join(texts)))


def _not_said(
    sentence: str, support: Sequence[Quote], unnamed: Sequence[str], asking: Asking
) -> str:
    """Return why records don't assert what a sentence says, "" where they do."""
    lines = [quote.passage for quote in support]
    if any(map(asking.doubts, lines)) and (unnamed or not _SAYS.search(sentence)):
        return "a record that it cites is an order to machines, or was taken back"
    said = [text for quote in support for text in sentences(quote.text)]
    if all(map(is_question, said)) and not _ASKS.search(sentence):
        return "the records that it cites only ask it"
    if _is_denied(support, asking.frames) and not _NOT.search(sentence):
        return "the records that it cites deny it"
    if _FLAT_NOT.search(sentence) and not any(_NOT.search(p.line.text) for p in lines):
        return "the records that it cites do not deny it"
    return ""


def _is_denied(support: Sequence[Quote], frames: Sequence[EventFrame]) -> bool:
    """Tell whether every event that these words tell is told not to be so."""
    events = [
        event
        for quote in support
        for frame in frames
        for event in frame.events
        if event.atom_ids == (quote.citation.atom_id,)
        and event.chars[0] < quote.chars[1]
        and quote.chars[0] < event.chars[1]
    ]
    return bool(events) and all(event.polarity == "negative" for event in events)


def _narrowed(passage: Passage, sentence: str, quoted: Sequence[str]) -> Quote:
    """Return the part of a line that a sentence rests on: its best sentences and all its quotes."""
    text = passage.line.text
    places = [place for words in quoted if (place := _place(words, text))]
    places += _covering(quotes_of(passage), {*terms(sentence), *figures_claimed(sentence)})
    first, last = passage.line.citation.chars or (0, len(text))
    start = min((a for a, _ in places), default=first)
    end = max((b for _, b in places), default=last)
    return Quote(passage, text[start:end], (start, end))


def _covering(parts: Sequence[Quote], wanted: set[str]) -> list[tuple[int, int]]:
    """Return where the fewest sentences stand that hold all that any of them holds of this."""
    held = [wanted & {*terms(part.text), *figures(part.text)} for part in parts]
    found: list[tuple[int, int]] = []
    while held and (best := max(held, key=len)):
        found.append(parts[held.index(best)].chars)
        held = [each - best for each in held]
    return found


def _place(words: str, text: str) -> tuple[int, int] | None:
    """Return where words stand in a text, a closing mark that they bring along left out."""
    for wanted in (words, words.rstrip(" .,;:!?…")):
        pattern = r"\s+".join(map(re.escape, wanted.split()))
        pattern = re.sub("['’]", "['’]", pattern)
        if pattern and (match := re.search(pattern, text)):
            return match.span()
    return None


def _names(sentence: str, speaker: str) -> bool:
    """Tell whether a sentence names a speaker: by the whole name, or by a word of two letters."""
    if fold(speaker) in fold(sentence):
        return True
    own = {word for word in name_words(speaker) if len(word) > 1 and not word.isdigit()}
    return bool(own & set(name_words(sentence)))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
