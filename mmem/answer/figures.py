"""Numbers and clock times of a text in one form each, however they are written."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from mmem.words import fold

_UNITS = "zero one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = (
    {word: n for n, word in enumerate([*_UNITS, *_TEENS])}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
    | {"dozen": 12}
)
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_TOKEN = re.compile(r"[^\W_]+(?:[.,:/-][^\W_]+)*")
_SPLIT = re.compile(r"(?<!\d)[.,]|[.,](?!\d)")
_WORD = re.compile(r"[^\W\d_]+")
_SAID_ALONE = frozenset(["zero", "one"])
"""These are mostly no numbers: "the one", "no one"."""
_CLOCK = re.compile(
    r"(?<![\d:.,-])(?P<hour>[01]?\d|2[0-4])(?:[:.h](?P<minute>[0-5]\d)(?::[0-5]\d)?)?"
    r"(?P<half>\s?(?:am|pm|a\.m\.?|p\.m\.?|o['’]clock))?(?![\d:]|[.,-]\d)",
    re.I,
)
_NOON = re.compile(r"\b(noon|midnight)\b", re.I)
_HALF_DAY = 720


def figures(text: str) -> set[str]:
    """Return the numbers of a text: digits and codes as written, words as digits.

    Single digits in a row are one number as well: a code that is spelt.

    >>> sorted(figures("ends in four four oh nine, on 2 pages, B17"))
    ['2', '4409', 'b17']
    """
    return {*_said(text), *_parts(_written(text)), *_written(_joined(text))}


def figures_claimed(text: str) -> list[str]:
    """Return the numbers that a sentence claims, each once; a spelt one whole.

    >>> figures_claimed("no one has twenty-five dogs or 1,500 cats, not 3rd")
    ['1500', '3', '25']
    """
    joined = _joined(text)
    return list(dict.fromkeys([*_written(joined), *_said(joined)]))


def clocks(text: str) -> list[tuple[tuple[int, int], frozenset[int]]]:
    """Return the clock times of a text: where they stand, and the minutes of a day they may mean.

    A time up to 12 without "am" or "pm" may be either.

    >>> [(chars, sorted(minutes)) for chars, minutes in clocks("at 4:30 pm, or 9:15")]
    [((3, 10), [990]), ((15, 19), [555, 1275])]
    """
    found = []
    for match in _CLOCK.finditer(text):
        if not (match["minute"] or match["half"]):
            continue
        half = (match["half"] or "").strip().lower()[:1]
        minute = int(match["minute"] or 0) + 60 * (int(match["hour"]) % 24)
        found.append((match.span(), _meant(minute, half)))
    for match in _NOON.finditer(text):
        minute = _HALF_DAY if match[1].lower() == "noon" else 0
        found.append((match.span(), frozenset([minute])))
    return found


def _meant(minute: int, half: str) -> frozenset[int]:
    if half == "a":
        return frozenset([minute % _HALF_DAY])
    if half == "p":
        return frozenset([minute % _HALF_DAY + _HALF_DAY])
    if minute >= _HALF_DAY + 60 or minute < 60:
        return frozenset([minute])
    return frozenset([minute % _HALF_DAY, minute % _HALF_DAY + _HALF_DAY])


def _written(text: str) -> Iterator[str]:
    """Yield what is written with digits: of "fix-482" the number, "2-2-7" and "B17" whole."""
    for token in _TOKEN.findall(text):
        for piece in _SPLIT.split(token) if _has_digit(token) else ():
            runs = itertools.groupby(re.split(r"(?<=[-/:])", piece), key=_has_digit)
            yield from (_plain("".join(run)) for numeric, run in runs if numeric)


def _parts(written: Iterable[str]) -> Iterator[str]:
    """Yield figures, and the parts of those that are put together ("17/11", "v2.1")."""
    for figure in written:
        yield figure
        yield from (_plain(part) for part in re.split(r"[-/:]", figure))
        if re.match(r"v\d", figure):
            yield figure[1:]


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _plain(figure: str) -> str:
    """A figure without thousands' commas, leading zeros and the ending of an ordinal."""
    bare = fold(figure).rstrip(".,:/-")
    bare = re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", re.sub(r",(?=\d{3}(?!\d))", "", bare))
    return bare.lstrip("0") or "0" if bare.isdigit() else bare


def _said(text: str) -> Iterator[str]:
    """Yield numbers in words as digits: "twenty-five" is 25, "four four oh nine" 4409."""
    for words in _runs(text):
        if len(words) > 1 and all(map(_digit, words)):
            yield "".join(map(_digit, words))
        elif value := _value(words):
            yield value


def _runs(text: str) -> Iterator[list[str]]:
    folded = fold(text)
    run: list[str] = []
    end = 0
    for match in _WORD.finditer(folded):
        word, near = match.group(), not folded[end : match.start()].strip(" -")
        if run and not (near and _is_numeric(word, run)):
            yield run
            run = []
        if _is_numeric(word, run):
            run.append(word)
            end = match.end()
    if run:
        yield run


def _is_numeric(word: str, run: list[str]) -> bool:
    return word in _VALUES or word in _SCALES or (word in ("oh", "o") and bool(run))


def _digit(word: str) -> str:
    if word in ("oh", "o"):
        return "0"
    value = _VALUES.get(word, 10)
    return str(value) if value < 10 else ""


def _value(words: list[str]) -> str:
    """The value of number words in order, "" for a single "one" or "zero"."""
    if len(words) == 1 and words[0] in _SAID_ALONE:
        return ""
    total = part = 0
    for word in words:
        if word in _SCALES:
            part = max(part, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, part = total + part, 0
        else:
            part += _VALUES.get(word, 0)
    return str(total + part)


_SPELT = re.compile(r"(?<![\w.,])\d(?:[ -]\d(?![\w.,:]\w|\w))+")


def _joined(text: str) -> str:
    """The text with digits that stand alone in a row put together: "9 9 9 1" is "9991"."""
    return _SPELT.sub(lambda match: re.sub(r"\D", "", match.group()), text)
