"""The one place that parses a model's words: what endpoints send becomes a checked record, or not.

Nothing is evaluated. Sound JSON is read as it stands; else a forgiving reader goes over the text:
fences, prose and thoughts around it, trailing and missing commas, comments, single, curly and
unescaped inner quotes, bare keys, Python's literals, NaN (read as null), and replies that were cut
off, of which whole elements are kept and half ones dropped. (The `json-repair` package keeps half
elements and reads `Here {is} it: {"a": 1}` as another record than was sent.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from mmem.errors import ReplyUnusable
from mmem.reply_json import Unreadable, value_at

Wanted = TypeVar("Wanted")
LONGEST = 1_000_000
"""Characters of a reply; a longer one is refused, for no model answers at such length."""
_TRIES = 200
_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.I)
_CLOSING_FENCE = re.compile(r"\s*```\s*\Z")
_BRACKET = re.compile(r"[{\[]")
_WRAPPERS = ("arguments", "parameters", "input", "result", "response", "output", "answer", "data")


@dataclass(frozen=True)
class Read(Generic[Wanted]):
    """A reply as read: `cut` where it broke off; `dropped` names elements that were left out."""

    value: Wanted
    cut: bool = False
    dropped: tuple[str, ...] = ()


def parse(text: str, wanted: type[Wanted]) -> Wanted:
    """Return the record that a reply holds. Raises ReplyUnusable with the reason and the place.

    >>> parse("Sure! ```json\\n{'a': 1, 'b': None,}\\n```", dict)
    {'a': 1, 'b': None}
    """
    return read(text, wanted).value


def read(text: str, wanted: type[Wanted]) -> Read[Wanted]:
    """Return the record that a reply holds, and whether the reply broke off.

    Of several readable records the last that is not empty counts: drafts and examples come first.
    A list stands for a record with one list field, a list of one record for that record, and a
    wrapper ({"result": …}, a tool call) is opened. Raises ReplyUnusable.
    """
    adapter: TypeAdapter[Wanted] = _kind(wanted).adapter
    return _search(text, wanted, lambda value: (adapter.validate_python(value), ()))


def salvage(text: str, wanted: type[Wanted]) -> Read[Wanted]:
    """Like `read`, but leave out list elements that are not as wanted, and name them."""
    adapter: TypeAdapter[Wanted] = _kind(wanted).adapter

    def fit(value: Any) -> tuple[Wanted, tuple[str, ...]]:
        try:
            return adapter.validate_python(value), ()
        except ValidationError as error:
            pruned = _without(value, {place for e in error.errors() if (place := _element(e))})
            if not _holds_elements(pruned):
                raise
            return adapter.validate_python(pruned), tuple(_said(e) for e in error.errors())

    return _search(text, wanted, fit)


def spoken(text: str) -> str:
    """Return a reply without the thoughts that some models send before it.

    >>> spoken("<think>Is it?</think> It is.")
    'It is.'
    """
    thought = _THOUGHT.match(text)
    return (text[thought.end() :] if thought else text).strip()


def one_line(text: str) -> str:
    """Return words of a model or a server fit for one line of a message, 200 characters at most.

    >>> one_line("no\\n such\\x1b[31m model")
    'no such [31m model'
    """
    shown = "".join(c if c.isprintable() else " " for c in text[:200])
    return " ".join(shown.split())


Fit = Callable[[Any], tuple[Wanted, tuple[str, ...]]]


def _search(text: str, wanted: type[Wanted], fit: Fit[Wanted]) -> Read[Wanted]:
    if len(text) > LONGEST:
        raise ReplyUnusable(f"the reply has {len(text):,} characters, more than {LONGEST:,}")
    said = _CLOSING_FENCE.sub("", text)
    thought = _THOUGHT.match(said)
    if thought:
        said = said[thought.end() :]
    seen = _Seen(wanted, fit)
    best = seen.best_of(said)
    if best is None and (ends := list(_THOUGHT_END.finditer(said))):
        best = seen.best_of(said[ends[-1].end() :])
    if best is None:
        raise ReplyUnusable(seen.reason or _nothing(said if said.strip() else text))
    return best


class _Seen(Generic[Wanted]):
    """What was met on the way through a reply: the best record so far, else why there is none."""

    def __init__(self, wanted: type[Wanted], fit: Fit[Wanted]) -> None:
        self._fit = fit
        _, self._list_field, self._wants_list = _kind(wanted)
        self._name = wanted.__name__
        self.reason = ""
        self._longest = -1

    def best_of(self, text: str) -> Read[Wanted] | None:
        best: Read[Wanted] | None = None
        at = tries = walked = end = 0
        loose: list[Any] = []
        while tries < _TRIES and walked <= 8 * len(text) and (start := _BRACKET.search(text, at)):
            at = start.start()
            try:
                value, after, cut = value_at(text, at)
            except Unreadable as error:
                self._note(f"{error.reason} at {_place(text, error.at)}", error.at - at)
                tries, walked, at = tries + 1, walked + error.at - at, at + 1
                continue
            hollow = tries > 0 and not value
            found = None if hollow else self._read(value, text, (at, after), cut)
            if found is not None and (best is None or value not in ({}, [])):
                best, end = found, after
            if found is None and cut:
                tries, walked, at = tries + 1, walked + after - at, at + 1
                continue
            loose += [value] if isinstance(value, dict) else []
            at = after
        if best is None and self._list_field and loose:
            best = self._read({self._list_field: loose}, text, (0, 0), tries > 0)
        if best is not None and _THOUGHT_END.search(text, end):
            self.reason = "the reply holds thoughts only"
            return None
        return best

    def _note(self, reason: str, length: int) -> None:
        """Keep why the longest stretch that looked like the reply is none."""
        if length > self._longest:
            self.reason, self._longest = reason, length

    def _read(
        self, value: Any, text: str, chars: tuple[int, int], cut: bool
    ) -> Read[Wanted] | None:
        for shape in self._shapes(value, 2):
            try:
                fitted, dropped = self._fit(shape)
            except ValidationError as error:
                first = _said(error.errors()[0])
                place = _place(text, chars[0])
                self._note(f"no {self._name} at {place}: {first}", chars[1] - chars[0])
            else:
                return Read(fitted, cut, dropped)
        return None

    def _shapes(self, value: Any, depth: int) -> Iterator[Any]:
        """Yield a value, and what it may stand for: its wrapper opened, its list named."""
        yield value
        if isinstance(value, list):
            if self._list_field:
                yield {self._list_field: value}
            if len(value) == 1 and isinstance(value[0], dict):
                yield value[0]
        elif isinstance(value, dict) and depth:
            inner = [value[key] for key in value if len(value) == 1 or key in _WRAPPERS]
            inner += [v for v in value.values() if self._wants_list and isinstance(v, list)][:1]
            for each in inner:
                opened = _opened(each) if isinstance(each, str) else each
                if isinstance(opened, dict | list):
                    yield from self._shapes(opened, depth - 1)


def _opened(text: str) -> Any:
    """Return the object or list that a string field holds (a call's arguments), else None."""
    start = _BRACKET.match(text.lstrip())
    try:
        return value_at(text.lstrip(), 0).value if start else None
    except Unreadable:
        return None


class _Kind(NamedTuple):
    """What is wanted: `list_field` is the one list field of a record, else ""."""

    adapter: TypeAdapter[Any]
    list_field: str
    is_list: bool


def _kind(wanted: Any) -> _Kind:
    return _kind_of(wanted)


@lru_cache(maxsize=64)
def _kind_of(wanted: Any) -> _Kind:
    adapter = TypeAdapter(wanted)
    schema = adapter.json_schema()
    fields = schema.get("properties", {})
    lists = [name for name, field in fields.items() if field.get("type") == "array"]
    return _Kind(adapter, lists[0] if len(lists) == 1 else "", schema.get("type") == "array")


def _element(error: Any) -> tuple[int | str, ...]:
    """Return the path of the innermost list element that an error is in, () for none."""
    places = [n for n, part in enumerate(error["loc"]) if isinstance(part, int)]
    return tuple(error["loc"][: places[-1] + 1]) if places else ()


def _without(value: Any, places: set[tuple[int | str, ...]], at: tuple[int | str, ...] = ()) -> Any:
    if isinstance(value, dict):
        return {key: _without(v, places, (*at, key)) for key, v in value.items()}
    if isinstance(value, list):
        kept = [(n, v) for n, v in enumerate(value) if (*at, n) not in places]
        return [_without(v, places, (*at, n)) for n, v in kept]
    return value


def _holds_elements(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else ()
    return (isinstance(value, list) and bool(value)) or any(map(_holds_elements, inner))


def _said(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    return one_line(f"{where}: {error['msg']}" if where else error["msg"])


def _nothing(text: str) -> str:
    shown = one_line(text.lstrip()[:60])
    if _THOUGHT.match(text):
        return "the reply holds thoughts only"
    return f"no JSON in the reply, which begins {shown!r}" if shown else "the reply is empty"


def _place(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"
