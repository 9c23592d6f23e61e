"""JSON as models write it: one value from a place in a text on, strictly, else forgivingly."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

DEEPEST = 64
"""Brackets within brackets; no record of ours comes near."""
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.S)
_GAP = re.compile(r"(?:[\s,]+|//[^\n]*|/\*.*?\*/)*", re.S)
_CLOSERS = {'"': '"', "'": "'", "“": '”“"', "„": '“”"', "‘": "’‘'"}
_STOP = {opener: re.compile(rf"[\\{closers}]") for opener, closers in _CLOSERS.items()}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_PLAIN = frozenset("\"'\\/“”„‘’`")
_AFTER_KEY = re.compile(r"\s*(?::|\Z)")
_AFTER_VALUE = re.compile(
    r"""\s*(?:\Z|[}\]]|//|/\*|,\s*(?:\Z|//|/\*|["'“„‘{\[}\],]|[-+.]?\d|[A-Za-z_]\w*\s*(?:[:,}\]]|\Z)))
    |[ \t]*\n\s*["'“„‘{\[]""",
    re.X,
)
_WORD = re.compile(r"""[^\s,:{}\[\]"'“”„]+""")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WORDS = {"true": True, "false": False} | dict.fromkeys(
    ("null", "none", "nil", "undefined", "nan", "infinity", "-infinity", "inf", "-inf")
)
_LONGEST_NUMBER = 300


class Unreadable(Exception):
    """No JSON, even forgivingly read; `at` is the character where reading ended."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


class Found(NamedTuple):
    """A value, the place after it, and whether the text broke off within it."""

    value: Any
    end: int
    cut: bool


def value_at(text: str, at: int) -> Found:
    """Return the object or list that begins at a bracket. Raises Unreadable.

    >>> value_at("{'a': [1, None, 'it\\\\'s', {b: tru", 0)
    Found(value={'a': [1, None, "it's"]}, end=32, cut=True)
    """
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return _Forgiving(text, at).read()
    return Found(_sound(value, at, 0), end, False)


def _sound(value: Any, at: int, depth: int) -> Any:
    """Return a value with half surrogates replaced and infinite numbers as null."""
    if depth > DEEPEST:
        raise Unreadable(f"brackets nested deeper than {DEEPEST}", at)
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, list):
        return [_sound(v, at, depth + 1) for v in value]
    if isinstance(value, dict):
        return {_whole(k): _sound(v, at, depth + 1) for k, v in value.items()}
    return None if isinstance(value, float) and value in (float("inf"), -float("inf")) else value


def _whole(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Forgiving:
    def __init__(self, text: str, at: int) -> None:
        self._text, self._at, self._cut = text, at, False

    def read(self) -> Found:
        value = self._value(0)
        return Found(_sound(value, self._at, 0), self._at, self._cut)

    def _value(self, depth: int) -> Any:
        """Read a value; where the text breaks off in a string, number or word, what is cut."""
        if depth > DEEPEST:
            raise Unreadable(f"brackets nested deeper than {DEEPEST}", self._at)
        match self._next(_BLANK):
            case "{":
                return self._object(depth)
            case "[":
                return self._list(depth)
            case "":
                self._cut = True
                return None
            case quote if quote in _CLOSERS:
                return self._string(quote, _AFTER_VALUE)
            case _:
                return self._word()

    def _next(self, gap: re.Pattern[str]) -> str:
        """Skip a gap and return the character after it, "" at the end of the text."""
        match = gap.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._text[self._at : self._at + 1]

    def _object(self, depth: int) -> dict[str, Any]:
        self._at += 1
        found: dict[str, Any] = {}
        while (char := self._next(_GAP)) not in ("}", "]", ""):
            key = self._string(char, _AFTER_KEY) if char in _CLOSERS else self._bare_key()
            if self._cut:
                return found
            if (colon := self._next(_BLANK)) == "":
                break
            if colon != ":":
                raise Unreadable("expected a colon", self._at)
            self._at += 1
            value = self._value(depth + 1)
            if not self._cut or isinstance(value, dict | list):
                found[key] = value
            if self._cut:
                return found
        self._close(char="}", depth=depth)
        return found

    def _list(self, depth: int) -> list[Any]:
        self._at += 1
        found: list[Any] = []
        while self._next(_GAP) not in ("}", "]", ""):
            value = self._value(depth + 1)
            if self._cut:
                return found
            found.append(value)
        self._close(char="]", depth=depth)
        return found

    def _close(self, *, char: str, depth: int) -> None:
        """Step over a bracket; one that belongs to what is around stays, for ours is missing."""
        here = self._text[self._at : self._at + 1]
        self._cut = self._cut or here == ""
        if here == char or (here and depth == 0):
            self._at += 1

    def _bare_key(self) -> str:
        match = _WORD.match(self._text, self._at)
        if match is None:
            raise Unreadable("expected a name", self._at)
        self._at = match.end()
        return match.group()

    def _string(self, quote: str, after: re.Pattern[str]) -> str:
        """Read a string; a quote that nothing fitting follows belongs to its words."""
        parts: list[str] = []
        at = self._at + 1
        while stop := _STOP[quote].search(self._text, at):
            parts.append(self._text[at : stop.start()])
            at = stop.end()
            if stop.group() == "\\":
                escape = _ESCAPE.match(self._text, stop.start())
                parts.append(_unescaped(escape) if escape else "")
                at = escape.end() if escape else at
            elif after.match(self._text, at):
                self._at = at
                return "".join(parts)
            else:
                parts.append(stop.group())
        self._at, self._cut = len(self._text), True
        return ""

    def _word(self) -> Any:
        match = _WORD.match(self._text, self._at)
        word = match.group() if match else ""
        self._cut = bool(word) and self._at + len(word) == len(self._text)
        if not self._cut:
            if word.lower() not in _WORDS and not _is_number(word):
                raise Unreadable("expected a value", self._at)
            self._at += len(word)
            return _number(word) if _is_number(word) else _WORDS[word.lower()]
        self._at = len(self._text)
        return None


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    char = escape[2]
    return _ESCAPED.get(char, char if char in _PLAIN else escape[0])


def _is_number(word: str) -> bool:
    return len(word) <= _LONGEST_NUMBER and _NUMBER.fullmatch(word) is not None


def _number(word: str) -> int | float:
    return int(word) if word.lstrip("+-").isdigit() else float(word)
