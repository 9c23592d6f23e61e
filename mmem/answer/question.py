"""What a question asks for: the kind of answer, whom it is about, whether the newest counts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mmem.answer.kinds import Kind, kind_of
from mmem.answer.languages import grammar_of, language_of
from mmem.dates import Dated, find_dates
from mmem.schemas.clock import local_datetime
from mmem.words import FUNCTION_WORDS, fold, term_of, term_spans

_VISUAL = re.compile(
    r"\b(?:screen|slides?|dashboard|displayed|shown|terminal|chart|diagram|whiteboard|poster)\b"
    r"|\b(?:roadmap|log|video|picture|photo)s? (?:shows?|says?|reads?)\b"
    r"|\b(?:does|did) (?:the|this|that) (?:\w+ ){1,2}?(?:show|display|read)\b",
    re.I,
)
_REVISED = re.compile(
    r"\b(?:in the end|eventually|finally|instead|new (?:date|time|day|place|room|venue|plan)"
    r"|after the (?:swap|change|move|delay))\b",
    re.I,
)
_LATEST = re.compile(
    r"\b(?:now|latest|current|currently|last|most recent|these days|still)\b", re.I
)
_FORMER = re.compile(
    r"\bbefore\W*$|\b(?:previously|originally|at first|formerly)\b"
    r"|\bthe (?:old|former|original|previous|first) \w+",
    re.I,
)
_SEVERAL = re.compile(
    r"\b(?:all|both|list|each|every|names of|and"
    r"|(?:what|which) (?!is|was|does|has)\w+s\b(?! did| does| is| was))\b",
    re.I,
)
_NAME = re.compile(r"[^\W\d_a-z][\w’'-]*(?<!'s)(?<!’s)", re.UNICODE)
CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december""".split()
)
_ASKING = frozenset(
    """consider recall reflect think list provide describe tell name find include without give
    explain summarize summarise mention focus remember imagine please""".split()
)
_MANNER = re.compile(
    r",?\s*\b(?:focusing on|without (?:describing|mentioning|necessarily)|rather than|from earliest"
    r"|in (?:chronological )?order|(?<=\. )include all)\b[^.?!]*",
    re.I,
)


@dataclass(frozen=True)
class Asked:
    """One clause of a question, read.

    `bare` is the text without its dates; `terms` are its content terms and those of its scene
    without dates, speakers and the words that only say what is asked for, `background` those that
    weigh less: of the scene alone, or the thing named in "which city"; `scene` tells whether it
    leans on earlier text. `names` are the names in it as written, `about` the speakers; outside
    English no word counts as a name, and every kind is open. `visual` asks for something on a
    screen, `revised` presumes that something was changed, `former` asks how it was before.
    """

    text: str
    bare: str
    kind: Kind
    terms: tuple[str, ...]
    background: frozenset[str] = frozenset()
    scene: bool = False
    names: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    latest: bool = False
    several: bool = False
    visual: bool = False
    revised: bool = False
    former: bool = False
    dates: tuple[Dated, ...] = ()
    options: tuple[str, ...] = ()
    language: str = "English"


def read_question(
    text: str,
    speakers: Iterable[str],
    options: Sequence[str] = (),
    *,
    scene: str = "",
    now_us: int | None = None,
) -> Asked:
    """Return what one clause asks; `speakers` are the known names of who speaks.

    >>> read_question("Who promised the fix?", ["Ada"]).kind
    'person'
    """
    kind = kind_of(text, options)
    if not options and language_of(text) != "English":
        kind = "open"
    return _read(text, scene, kind, tuple(speakers), tuple(options), now_us)


def read_claim(text: str, speakers: Iterable[str]) -> Asked:
    """Return what a statement says, as an open question for it."""
    return _read(text, "", "open", tuple(speakers), (), None)


def _read(
    text: str,
    scene: str,
    kind: Kind,
    speakers: tuple[str, ...],
    options: tuple[str, ...],
    now_us: int | None,
) -> Asked:
    whole = f"{scene} {text}".strip()
    bare = _MANNER.sub("", _without_dates(whole))
    about = about_whom(text, speakers) or about_whom(scene, speakers)
    language = language_of(text)
    grammar = {term_of(word) for word in grammar_of(language)}
    own = _content(_MANNER.sub("", _without_dates(text)), kind, about)
    own = tuple(term for term in own if term not in grammar)
    every = own + tuple(t for t in _content(_without_dates(scene), kind, about) if t not in own)
    said = None if now_us is None else local_datetime(now_us)
    return Asked(
        text=text,
        bare=bare,
        kind=kind,
        terms=every or _all_terms(whole),
        scene=bool(scene),
        background=frozenset(every) - set(own) | _class_asked_for(text, kind),
        names=names_in(bare) if language == "English" else (),
        about=about,
        latest=bool(_LATEST.search(text)),
        several=kind == "reason" or bool(_SEVERAL.search(text)),
        visual=bool(_VISUAL.search(text)),
        revised=bool(_REVISED.search(text)),
        former=bool(_FORMER.search(text)),
        dates=tuple(find_dates(whole, said)),
        options=options,
        language=language,
    )


def class_of(text: str) -> str:
    """Return the noun after "which" or "what", "" when none follows.

    >>> class_of("In which meeting room is the demo?")
    'room'
    """
    asking = re.search(r"\b(?:what|which)((?: \w+){1,3})", text, re.I)
    words = asking[1].split() if asking else []
    nouns = list(itertools.takewhile(lambda word: fold(word) not in FUNCTION_WORDS, words))
    return nouns[-1] if nouns else ""


def _class_asked_for(text: str, kind: Kind) -> frozenset[str]:
    return frozenset({term_of(class_of(text))} - {""}) if kind == "place" else frozenset()


def _without_dates(text: str) -> str:
    for dated in reversed(find_dates(text, None)):
        text = text[: dated.chars[0]] + text[dated.chars[1] :]
    return text


def names_in(text: str) -> tuple[str, ...]:
    """Return the capitalised names of a question, neighbours joined, calendar words left out.

    >>> names_in("When did Wren meet Ada Lovelace in May?")
    ('Wren', 'Ada Lovelace')
    """
    found: list[tuple[int, int]] = []
    for match in _NAME.finditer(text):
        word = fold(match.group())
        opening = re.search(r"(?:^|[.?!:])\W*$", text[: match.start()])
        if word in FUNCTION_WORDS | CALENDAR or (opening and word in _ASKING):
            continue
        if found and text[found[-1][1] : match.start()] == " ":
            found[-1] = (found[-1][0], match.end())
        else:
            found.append(match.span())
    return tuple(text[a:b] for a, b in found)


def about_whom(text: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """Return the speakers whom the text names, by full name or by one word of it.

    >>> about_whom("What did Priya promise?", ["Priya Nair", "Tomas"])
    ('Priya Nair',)
    """
    words = set(re.findall(r"\w+", fold(text)))
    return tuple(
        speaker
        for speaker in speakers
        if words & {part for part in re.findall(r"\w{2,}", fold(speaker))}
    )


_ASKED_FOR: dict[str, frozenset[str]] = {
    "date": frozenset(map(term_of, "day date time month year week long ago".split())),
    "number": frozenset(map(term_of, "many much old long often".split())),
    "place": frozenset(map(term_of, "city country place location".split())),
    "person": frozenset(map(term_of, "person name".split())),
    "name": frozenset(map(term_of, "name named called title".split())),
    "screen": frozenset(map(term_of, "screen show shown see slide display visible".split())),
}
_EMPTY_TERMS = frozenset(
    map(
        term_of,
        """now latest current currently last recent recently most still say said tell told mention
        mentioned according kind type sort go going get got make made happen happened really end
        consider recall reflect think list provide describe focusing event involving involved
        related occurred take took without according""".split(),
    )
)

CHANGE_TERMS = frozenset(
    map(term_of, "new finally eventually instead swap change move delay".split())
)


def _content(text: str, kind: Kind, about: Sequence[str]) -> tuple[str, ...]:
    every = list(dict.fromkeys(term for term, _, _ in term_spans(text)))
    people = {term for name in about for term, _, _ in term_spans(name)}
    left_out = _ASKED_FOR.get(kind, frozenset()) | _EMPTY_TERMS | people
    if _VISUAL.search(text):
        left_out |= _ASKED_FOR["screen"]
    if _REVISED.search(text):
        left_out |= CHANGE_TERMS
    return tuple(term for term in every if term not in left_out)


def _all_terms(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for term, _, _ in term_spans(text)))
