"""A reply as it comes in, cut into statements: sentences with the numbers that they cite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from mmem.answer.writing import plain
from mmem.words import sentence_spans

Kind = Literal["sentence", "answer", "absent"]
_MARK = re.compile(r"\[\s*\d{1,4}(?:\s*(?:[,;–-]|and)\s*\d{1,4})*\s*\]")
_MARKS_FIRST = re.compile(rf"(?:{_MARK.pattern}\s*)+[.!?。]?(?=\s|$)")
_ONLY_MARKS = re.compile(rf"(?:\s|{_MARK.pattern})*(?:\[[\d\s,;–-]*)?[.!?。]?$")
_BULLET = re.compile(r"(?:\s*(?:[-*•>#]+|\d{1,2}[.)])\s+)+")
_BULLET_BEGUN = re.compile(r"\s*(?:[-*•>#]+|\d{1,2}[.)]?)?\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*$")
_BOLD = re.compile(r"\*\*|__|`")
_LETTERS_WITH_POINTS = re.compile(r"\b(?:[^\W\d_]\.){2,}$")
_ANSWER = re.compile(r"(?:short |final )?answer\s*[:：]\s*", re.I)
_ABSENT = re.compile(r"not in (?:this|the) memory\b\W*", re.I)


@dataclass(frozen=True)
class Statement:
    """A sentence without its marks, and the record numbers in them.

    "answer" is the direct answer alone, "absent" what the model says is not there ("" for all).
    """

    kind: Kind
    text: str
    numbers: tuple[int, ...] = ()


def statements(pieces: Iterable[str]) -> Iterator[Statement]:
    """Yield the statements of a reply, each as soon as it is complete.

    A statement ends where the next one begins: its marks may stand before or after its full stop.
    """
    held = ""
    for piece in pieces:
        held += piece
        done, held = _complete(held)
        yield from map(_statement, done)
    yield from map(_statement, _sentences(held))


def _complete(held: str) -> tuple[list[str], str]:
    """Return the sentences that nothing can be added to, and what is left."""
    *lines, last = held.split("\n")
    done = [sentence for line in lines for sentence in _sentences(line)]
    if _BULLET_BEGUN.match(last) or _is_whole_line(last):
        return done, last
    begun = _sentences(last)
    if len(begun) < 2:
        return done, last
    return [*done, *begun[:-1]], last[last.rindex(begun[-1]) :]


def _is_whole_line(line: str) -> bool:
    """Tell whether a line may be one of those that are read whole."""
    begun = _BOLD.sub("", line).lstrip()
    return bool(_ANSWER.match(begun) or _ABSENT.match(begun))


def _sentences(line: str) -> list[str]:
    if _FENCE.match(line):
        return []
    bullet = _BULLET.match(line)
    text = line[bullet.end() :] if bullet else line
    if _is_whole_line(text):
        return [text.strip()]
    found: list[str] = []
    for start, end in sentence_spans(text):
        part = text[start:end]
        marks = _MARKS_FIRST.match(part)
        if found and marks:
            found[-1] = f"{found[-1]} {marks.group().strip()}"
            found += [part[marks.end() :].strip()] if part[marks.end() :].strip() else []
        elif found and (_ONLY_MARKS.match(part) or _LETTERS_WITH_POINTS.search(found[-1])):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def _statement(sentence: str) -> Statement:
    text = _BOLD.sub("", sentence).strip()
    numbers = tuple(n for mark in _MARK.finditer(text) for n in _numbers(mark.group()))
    bare = plain(_MARK.sub("", text))
    bare = re.sub(r"\s+([.,;:!?。])", r"\1", re.sub(r"([.!?])\s*\.$", r"\1", bare))
    if answer := _ANSWER.match(bare):
        return Statement("answer", bare[answer.end() :].strip(), numbers)
    if absent := _ABSENT.match(bare):
        return Statement("absent", bare[absent.end() :].strip(" .:"), numbers)
    return Statement("sentence", bare, numbers)


def _numbers(mark: str) -> Iterator[int]:
    """Yield the numbers of a mark; "[3-5]" is three of them."""
    for part in re.split(r"[,;]|and", mark.strip("[] ")):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if ends and 0 <= ends[-1] - ends[0] <= 20:
            yield from range(ends[0], ends[-1] + 1)
