"""What a question asks for: the kind of answer, whom it is about, whether the newest counts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mmem.dates import Dated, find_dates
from mmem.schemas.clock import local_datetime
from mmem.words import FUNCTION_WORDS, fold, term_of, term_spans

Kind = Literal[
    "person", "date", "number", "place", "name", "reason", "polar", "choice", "screen", "open"
]

_POLAR = re.compile(
    r"^(?:and |so |but )?(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)"
    r"(?:n't|n’t)?\b",
    re.I,
)
_PERSON = re.compile(r"\b(?:who|whom|whose|(?:which|what) (?:person|colleague|speaker))\b", re.I)
_DATE = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:(?:is|was|are|were) )?(?:\w+ ){0,2}?"
    r"(?:day|date|time|month|year|week|weekday)s?\b"
    r"|\bhow long ago\b|\b(?:since|until) when\b",
    re.I,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|old|long|far|tall|big|large|often|high|deep|fast|heavy)\b"
    r"|\b(?:what|which)\b(?:[^?]*?)\b(?:number|code|price|cost|amount|percentage|percent|age"
    r"|version|size|temperature|score|budget|pin|password|ticket|total|rate|salary|weight)\b",
    re.I,
)
_PLACE = re.compile(
    r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:city|cities|town|country|countries|state|places?"
    r"|room|street|locations?|restaurant|venue|address|harbou?r|floor|cent(?:er|re)|building|hotel"
    r"|museum|shop|store|school)\b",
    re.I,
)
_TITLE = re.compile(r"\b(?:names?|title) of\b|\b(?:named|called)\s*\??$", re.I)
_SCREEN = re.compile(
    r"\b(?:on|at) (?:the|his|her|their|your|my) (?:shared )?(?:screen|slide|display|monitor)\b"
    r"|\b(?:screen|slide|picture|frame) (?:show|say)|\b(?:shown|displayed|visible)\b"
    r"|\bwhat (?:could|can|did|do) (?:we|you|i|one|they) see\b",
    re.I,
)
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
    leans on earlier text. `names` are the names in it as written, `about` the speakers. `visual`
    asks for something on a screen, `revised` presumes that something was changed, `former` asks
    how it was before.
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
    own = _content(_MANNER.sub("", _without_dates(text)), kind, about)
    every = own + tuple(t for t in _content(_without_dates(scene), kind, about) if t not in own)
    said = None if now_us is None else local_datetime(now_us)
    return Asked(
        text=text,
        bare=bare,
        kind=kind,
        terms=every or _all_terms(whole),
        scene=bool(scene),
        background=frozenset(every) - set(own) | _class_asked_for(text, kind),
        names=names_in(bare),
        about=about,
        latest=bool(_LATEST.search(text)),
        several=kind == "reason" or bool(_SEVERAL.search(text)),
        visual=bool(_VISUAL.search(text)),
        revised=bool(_REVISED.search(text)),
        former=bool(_FORMER.search(text)),
        dates=tuple(find_dates(whole, said)),
        options=options,
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


def kind_of(text: str, options: Sequence[str] = ()) -> Kind:
    """Return the kind of answer that a clause asks for.

    >>> [kind_of(q) for q in ("Did it pass?", "How old is Ben?", "In which month is the exam?")]
    ['polar', 'number', 'date']
    """
    if options:
        return "choice"
    if _SCREEN.search(text) and not _PERSON.search(text):
        return "screen"
    if _POLAR.match(text.strip()):
        return "polar"
    found: list[tuple[int, Kind]] = []
    kinds: tuple[tuple[re.Pattern[str], Kind], ...] = (
        (_DATE, "date"), (_PERSON, "person"), (_NUMBER, "number"), (_PLACE, "place")
    )  # fmt: skip
    for pattern, kind in kinds:
        if match := pattern.search(text):
            found.append((match.start(), kind))
    if re.search(r"\bwhy\b|\bfor what reason\b", text, re.I):
        return "reason"
    if not found or not _opens(text, found):
        return "name" if _TITLE.search(text) else "open"
    return min(found, key=lambda pair: pair[0])[1]


def _opens(text: str, found: list[tuple[int, Kind]]) -> bool:
    """Say whether the asking word comes before any other one ("what did he do when" is open)."""
    first = re.search(r"\b(?:what|which|why|how|who|whom|whose|where|when)\b", text, re.I)
    return first is None or min(found)[0] <= first.start()


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
