"""The person that a sentence names as the answer: "I" is who says it, "you" whom it is said to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mmem.answer.passages import Quote
from mmem.answer.question import CALENDAR, Asked, about_whom
from mmem.answer.relations import implied
from mmem.answer.verbs import base_of, verb_of
from mmem.words import FUNCTION_WORDS, fold, term_of, term_spans, terms

_FIRST = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Oo]ur)\b(?!\.\w)")
_SECOND = re.compile(r"\b(?:you|your|yours)\b", re.I)
_KIN = re.compile(
    r"\b(?P<whose>[Mm]y|[Oo]ur)\s+(?:\w+\s+)?(?P<kin>mother|mom|mum|father|dad|parents|sister"
    r"|brother|wife|husband|partner|son|daughter|kids|children|grandma|grandmother|grandpa"
    r"|grandfather|aunt|uncle|cousin|friends?|boss|colleagues?|neighbou?rs?|teammates?|coach"
    r"|girlfriend|boyfriend|family|team|manager|doctor|teacher)\b"
)
_NAME = re.compile(r"(?<![\w’'-])[A-ZÀ-ÖØ-Þ][\w’-]*\w(?:\s+[A-ZÀ-ÖØ-Þ][\w’-]*\w)*", re.UNICODE)
_VOCATIVE = re.compile(r"(?:^|[,!]\s*)$")
_PLACE_BEFORE = re.compile(r"\b(?:in|at|from|near|the)\s+$", re.I)
_DOES = re.compile(r"\s+(?:is|was|will|has|had|did|does|said|can|and|'s|\w+ed|\w+s)\b")
_OBJECT = re.compile(
    r"\bwho(?:m)?\s+(?:else\s+)?(?:did|does|do)\b|\b(?:with|to|for|from|by) whom\b"
    r"|\bwho(?:m)?\s+(?:else\s+)?(?:has|have|had|will|would|should|can|could|is|was|are|were)\s+"
    r"(?:(?-i:[A-ZÀ-Þ])\w+|he|she|they|you|we|i|the|my|his|her)\b",
    re.I,
)
_SPEECH = frozenset(
    map(
        term_of,
        """say said tell told ask suggest mention announce propose warn thank
        complain explain recommend write wrote reply remind admit claim think thought want wonder
        believe""".split(),
    )
)
_COMMITS = frozenset(map(term_of, "promise offer volunteer agree commit".split()))
_COMMITTED = re.compile(r"\b(?:i|we)(?:['’]ll| will| can| could)\b|\blet me\b", re.I)
_NOBODY = frozenset(
    """now then here there everyone everybody someone somebody anyone anybody nobody always maybe
    today also well yes no ok okay oh hey hi thanks one some most many all both each""".split()
)
_WITHOUT_SUBJECT = re.compile(
    r"\W*(?:(?:just|still|already|finally) )?([a-z]+(?:ed|ing))"
    r" (?:a|an|the|my|our|it|them|on|at|for)\b",
    re.I,
)
"""A message that opens with its verb, as chats do: "Tested the lock", "writing it on the wall"."""
_WORDS_APART = 6
"""A mention farther from the verb than this is of another clause."""


@dataclass(frozen=True)
class Mention:
    """Somebody named at a place in a sentence; `self_named` for "I" and "my"."""

    start: int
    end: int
    name: str
    self_named: bool = False


def person_in(quote: Quote, asked: Asked, speakers: Sequence[str]) -> str | None:
    """Return who the answer to a who-question is by this sentence, None when it says nobody.

    Who did something is said only where just that is said to be done.
    """
    return somebody_in(quote, asked, speakers) if _done(quote, asked) else None


def somebody_in(quote: Quote, asked: Asked, speakers: Sequence[str]) -> str | None:
    """Return the likeliest person that a sentence names, None when it names nobody."""
    found = [m for m in mentions(quote, speakers) if not _in_question(m.name, asked)]
    verbs = _matching(quote, asked)
    if _OBJECT.search(asked.text):
        named = [m for m in found if not m.self_named]
        return _nearest(named, verbs, after_first=True, text=quote.text)
    said = {term for term, _, _ in term_spans(quote.text)}
    speech = {term for term, _, _ in term_spans(asked.text)} - said
    if speech & _SPEECH or (speech & _COMMITS and _COMMITTED.search(quote.text)):
        return quote.passage.speaker or None
    if speech & _COMMITS:
        return None
    return _doer(quote.text, asked) or _nearest(found, verbs, after_first=False, text=quote.text)


def _matching(quote: Quote, asked: Asked) -> list[tuple[int, int]]:
    """Where the verb of the question stands, else where any word of it does."""
    spans = [(base_of(term), a, b) for term, a, b in term_spans(quote.text)]
    verb, wanted = verb_of(asked.text), {base_of(term) for term in asked.terms}
    done = [(a, b) for term, a, b in spans if term == verb]
    return done or [(a, b) for term, a, b in spans if term in wanted]


def _done(quote: Quote, asked: Asked) -> bool:
    """Whether what the question asks about is said, in its verb and in one of its other words.

    A reply says what the question before it says.
    """
    verb = verb_of(asked.text)
    if verb is None or verb in _SPEECH | _COMMITS or _OBJECT.search(asked.text):
        return True
    passage = quote.passage
    asking = passage.before.text if passage.before is not None and passage.answers else ""
    said = {base_of(term) for term in terms(f"{quote.text} {asking}")} | implied(quote.text)
    going_on = passage.before.text if passage.before is not None and passage.goes_on else ""
    around = said | {base_of(term) for term in terms(f"{passage.line.text} {going_on}")}
    things = {base_of(term) for term in asked.terms} - {verb} - asked.background
    return verb in said and (not things or bool(things & around))


_HELPING = (
    r"(?:will|would|has|had|have|can|could|should|also|just|already|really|finally|then|always"
    r"|kindly|even|is|are|was|were|been|be)"
)
_NOUN_BEFORE = re.compile(
    rf"\b(?P<who>(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir)(?: (?!{_HELPING}\b)[a-z’'-]+){{1,2}})"
    rf"(?P<helping>(?: {_HELPING})*)\s+$"
)


def _doer(text: str, asked: Asked) -> str | None:
    """The noun with an article right before the verb: in "the boss will pay" it is the boss."""
    verb = verb_of(asked.text)
    at = next((a for term, a, _ in term_spans(text) if base_of(term) == verb), 0)
    found = _NOUN_BEFORE.search(text[:at])
    if found is None or re.search(r"\b(?:was|were|been|be)$", found["helping"]):
        return None
    if any(fold(word) in FUNCTION_WORDS for word in found["who"].split()[1:]):
        return None
    named = {base_of(term) for term in terms(found["who"])}
    return None if named & {base_of(term) for term in asked.terms} else found["who"]


def mentions(quote: Quote, speakers: Sequence[str]) -> list[Mention]:
    """Return who is named in a sentence, in order."""
    found: list[Mention] = []
    text, speaker = quote.text, quote.passage.speaker
    if speaker:
        kin = [Mention(*m.span(), f"{speaker}'s {m['kin']}") for m in _KIN.finditer(text)]
        taken = [(k.start, k.end) for k in kin]
        found += kin
        found += [
            Mention(*m.span(), speaker, self_named=True)
            for m in _FIRST.finditer(text)
            if not any(a <= m.start() < b for a, b in taken)
        ]
        if not found and (opening := _WITHOUT_SUBJECT.match(text)):
            found.append(Mention(opening.start(1), opening.start(1), speaker, self_named=True))
    addressee = _addressee(quote, speakers)
    if addressee:
        found += [Mention(*m.span(), addressee) for m in _SECOND.finditer(text)]
    found += _named(text, speakers)
    return sorted(found, key=lambda mention: mention.start)


def _named(text: str, speakers: Sequence[str]) -> list[Mention]:
    found = []
    for match in _NAME.finditer(text):
        name = match.group()
        opening = not re.search(r"\w", text[: match.start()])
        known = about_whom(name, speakers)
        first = fold(name.split()[0])
        if first in FUNCTION_WORDS | CALENDAR | _NOBODY or _vocative(text, match):
            continue
        if opening and not known and not _DOES.match(text, match.end()):
            continue
        if not known and _PLACE_BEFORE.search(text[: match.start()]):
            continue
        found.append(Mention(*match.span(), known[0] if len(known) == 1 else name))
    return found


def _vocative(text: str, match: re.Match[str]) -> bool:
    """ "Thanks, Priya." and "Priya, can you …" call somebody; they don't say who did it."""
    before = _VOCATIVE.search(text[: match.start()])
    after = text[match.end() : match.end() + 1]
    return bool(before) and after in {"", ",", ".", "!", "?"}


def _addressee(quote: Quote, speakers: Sequence[str]) -> str | None:
    before = quote.passage.before
    if before is not None and before.citation.speaker not in (None, quote.passage.speaker):
        return before.citation.speaker
    others = [name for name in speakers if name != quote.passage.speaker]
    return others[0] if len(others) == 1 else None


def _in_question(name: str, asked: Asked) -> bool:
    return name in asked.about or any(fold(name) == fold(known) for known in asked.names)


def _nearest(
    found: Sequence[Mention], verbs: Sequence[tuple[int, int]], *, after_first: bool, text: str
) -> str | None:
    """Return the mention nearest to the words that match the question, on the wanted side first."""
    if not found:
        return None
    if not verbs:
        return found[0].name
    start, end = verbs[0][0], verbs[-1][1]

    def rank(mention: Mention) -> tuple[bool, int]:
        before = mention.end <= start
        between = text[mention.end : start] if before else text[start : mention.start]
        return (before == after_first, len(between.split()))

    best = min(found, key=rank)
    before = best.end <= start
    apart = text[best.end : start] if before else text[min(end, best.start) : best.start]
    return best.name if len(apart.split()) <= _WORDS_APART else None
