"""A reply held against what was wanted: whole, partial, or to be asked for once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mmem.errors import ReplyUnusable
from mmem.models.llm_answer import Answered
from mmem.models.llm_dialect import schema_words
from mmem.models.llm_schema import schema_of
from mmem.ports import Message, Request
from mmem.reply import read, salvage, spoken

_REPEATED = 8000
"""Characters of an unusable reply that are shown to the model again."""
_OPENERS = ("<think>", "<thinking>", "<thought>", "<reasoning>")
_LONGEST_OPENER = max(map(len, _OPENERS))


@dataclass(frozen=True)
class Judged:
    """What a reply is worth: its value, why it is not whole, and whether asking again may help."""

    value: Any
    partial: str = ""
    again: bool = False


def judge(said: Answered, request: Request[Any]) -> Judged:
    """Read a reply as wanted. One that ran out of tokens would run out of them again."""
    out_of_tokens = said.finish == "length"
    cut = f"cut off at {request.max_tokens} tokens"
    if said.trouble:
        return Judged(None, said.trouble)
    if not spoken(said.text):
        if out_of_tokens:
            why = "all of them were thoughts: MMEM_LLM_THINKING_TOKENS gives it more"
            return Judged(None, f"{cut} before the first word; {why}")
        return Judged(None, "the reply is empty", again=True)
    if request.wanted is str:
        return Judged(spoken(said.text), cut if out_of_tokens else "")
    try:
        found = read(said.text, request.wanted)
    except ReplyUnusable as error:
        if out_of_tokens:
            return Judged(None, f"{cut}: {error.message}")
        return Judged(None, error.message, again=True)
    broken = cut if out_of_tokens else "the reply broke off"
    return Judged(found.value, broken if found.cut else "")


def once_more(request: Request[Any], text: str, reason: str) -> Request[Any]:
    """Return the request that shows the model its reply and says what is wrong with it."""
    told = f"That reply cannot be used: {reason}."
    if request.wanted is not str:
        told = f"{told} {schema_words(schema_of(request.wanted))}"
    shown = (Message("assistant", text[:_REPEATED]),) if text.strip() else ()
    last = request.messages[-1]
    if not shown and last.role == "user":
        messages = (*request.messages[:-1], replace(last, text=f"{last.text}\n\n{told}"))
    else:
        messages = (*request.messages, *shown, Message("user", told))
    return replace(request, messages=messages)


def saved(request: Request[Any], texts: Sequence[str], reason: str) -> tuple[str, Judged]:
    """Return what can be kept of the first of these replies that holds something."""
    for text in texts if request.wanted is not str else ():
        try:
            kept = salvage(text, request.wanted)
        except ReplyUnusable:
            continue
        left = f"; left out: {'; '.join(kept.dropped[:3])}" if kept.dropped else ""
        return text, Judged(kept.value, f"{reason}{left}")
    return texts[0], Judged(None, reason)


def without_thoughts(pieces: Iterator[str]) -> Iterator[str]:
    """Yield the pieces of a stream from where its thoughts, if it begins with some, have ended."""
    held = ""
    for piece in pieces:
        held += piece
        if not _is_thinking(held):
            break
    if begun := spoken(held):
        yield begun + held[len(held.rstrip()) :]
    yield from pieces


def _is_thinking(text: str) -> bool:
    """Tell whether no word of a beginning is the reply's, as far as can be seen."""
    begun = text.lstrip().lower()
    if len(begun) < _LONGEST_OPENER and any(mark.startswith(begun) for mark in _OPENERS):
        return True
    return begun.startswith(_OPENERS) and not spoken(text)
