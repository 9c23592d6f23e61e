"""Numbers in a sentence: amounts with their unit, money, ages, durations, codes and versions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mmem.dates import find_dates
from mmem.words import FUNCTION_WORDS, fold, term_of, terms

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_WORD = (
    rf"(?:{_TENS})[ -](?:one|two|three|four|five|six|seven|eight|nine)"
    "|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    rf"|seventeen|eighteen|nineteen|{_TENS}|hundred"
    "|thousand|million|dozen|once|twice|both|half|no|one"
)
_DIGITS = r"\d+(?:[.,:]\d+)*"
_MONEY = re.compile(
    rf"[$€£¥]\s?{_DIGITS}(?:\s?(?:k|m|million|thousand|billion)\b)?"
    rf"|{_DIGITS}(?:\s?(?:k|million|thousand))?\s?(?:euros?|dollars?|pounds?|bucks|cents|eur|usd"
    r"|gbp|€|francs?|yen)\b",
    re.I,
)
_CODE = re.compile(
    r"(?<![\w-])(?:[A-Za-z]+-?\d[\w-]*|\d+(?:-\d+)+|v?\d+(?:\.\d+)+|\d{3,}|\d+[A-Za-z]\w*)(?![\w-])"
)
_DIGIT = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|\d)"
_SPELLED = re.compile(
    rf"(?<![\w.-])(?:(?:double |triple )?{_DIGIT}(?: |-|, )){{2,}}{_DIGIT}(?![\w-])", re.I
)
"""A code read out digit by digit: "four four oh nine", "5 5 5 0"."""
_AMOUNT = re.compile(rf"(?<![\w.-])(?:{_DIGITS}\s?%|{_DIGITS}|\b(?:a couple|{_WORD})\b)", re.I)
_DURATION = re.compile(
    rf"(?:about |almost |over |around )?\b(?:{_DIGITS}|an?|a few|a couple of|{_WORD})"
    r"(?: and a half)?[ -](?:more )?(?:second|minute|hour|day|week|month|year|decade)s?\b",
    re.I,
)
_AGE = re.compile(
    rf"\b(?:turn(?:ed|ing|s)?|aged?|am|is|are|was|I'm|he's|she's) (?:already |just |now |only )?"
    rf"(?P<age>(?:{_DIGITS}|{_WORD})(?:[ -]years?[ -]old)?)\b"
    rf"|\b(?:{_DIGITS}|{_WORD})[ -]years?[ -]old\b",
    re.I,
)
_OFTEN = re.compile(
    r"\b(?:once|twice|(?:two|three|four|five|\d+) times|every)(?: (?:a|per|other|single))?"
    r" (?:day|week|month|year|morning|evening|night|weekend|\w+day)s?\b|\bdaily\b|\bweekly\b",
    re.I,
)
_ASKS_CODE = re.compile(
    r"\b(?:code|number|version|pin|password|ticket|id|address|serial|reference)\b", re.I
)
_ASKS_MONEY = re.compile(
    r"\bhow much\b|\b(?:price|cost|budget|salary|amount|rate|pay|paid)\b", re.I
)
_COUNTED = re.compile(r"\bhow (?:many|much) ((?:[\w'-]+ ?){1,3})", re.I)


@dataclass(frozen=True)
class Number:
    """A number as written with its unit, and where it stands."""

    words: str
    chars: tuple[int, int]


def number_in(text: str, question: str) -> str | None:
    """Return the number in a sentence that the question asks for, None when none fits.

    >>> number_in("new boiler code: 2-2-7", "What is the boiler code now?")
    '2-2-7'
    """
    for pattern in _patterns(question):
        found = [n for n in _found(pattern, text) if not _asked_with(n, question)]
        if found:
            return min(found, key=lambda number: _distance(number, text, question)).words
    return None


def _patterns(question: str) -> list[re.Pattern[str]]:
    asked = question.lower()
    if "how old" in asked or re.search(r"\bage\b", asked):
        return [_AGE]
    if "how long" in asked:
        return [_DURATION]
    if "how often" in asked or "how many times" in asked:
        return [_OFTEN, _AMOUNT]
    if _ASKS_MONEY.search(asked):
        return [_MONEY] if "money" in asked else [_MONEY, _AMOUNT]
    return [_SPELLED, _CODE, _AMOUNT] if _ASKS_CODE.search(asked) else [_AMOUNT]


def _found(pattern: re.Pattern[str], text: str) -> list[Number]:
    if pattern is _AGE:
        return [Number(m["age"] or m.group(), m.span()) for m in pattern.finditer(text)]
    if pattern not in (_AMOUNT, _CODE, _SPELLED):
        return [Number(m.group().strip(), m.span()) for m in pattern.finditer(text)]
    dates = [dated.chars for dated in find_dates(text, None)]
    plain = (m for m in pattern.finditer(text))
    free = [m for m in plain if not any(a <= m.start() < b for a, b in dates)]
    if pattern in (_CODE, _SPELLED):
        return [Number(m.group(), m.span()) for m in free]
    return [number for m in free if (number := _with_unit(text, m))]


_UNIT = re.compile(r"(?:[ -](?:[^\W\d_]+ )??)(?P<noun>[^\W\d_]{2,}s|%|percent|people|men|women)\b")


def _with_unit(text: str, match: re.Match[str]) -> Number | None:
    """A number with the plural noun after it; "one" and "no" count only things."""
    following = _UNIT.match(text, match.end())
    if following and fold(following["noun"]) not in FUNCTION_WORDS:
        return Number(text[match.start() : following.end()], (match.start(), following.end()))
    if match.group().lower() in ("one", "no", "half", "both"):
        return None
    return Number(match.group(), match.span())


def _asked_with(number: Number, question: str) -> bool:
    """A number that the question itself names is no answer to it."""
    return bool(re.search(rf"(?<!\w){re.escape(number.words)}(?!\w)", question, re.I))


def _distance(number: Number, text: str, question: str) -> tuple[int, int]:
    """Numbers of the thing asked about come first, before or after it, then the nearest ones."""
    counted = _COUNTED.search(question)
    wanted = set(terms(counted[1])) if counted else set()
    start, end = number.chars
    following = set(terms(text[start : end + 30].partition("\n")[0]))
    preceding = set(terms(text[max(0, start - 20) : start]))
    asked = set(terms(question))
    places = [m.start() for m in re.finditer(r"\w+", text) if term_of(m.group()) in asked]
    near = min((abs(place - number.chars[0]) for place in places), default=len(text))
    place = 0 if wanted & following else 1 if wanted & preceding else 2
    return (place if wanted else 0, near)
