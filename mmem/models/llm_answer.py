"""What came back from `/v1/chat/completions`, whatever shape the endpoint gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mmem.models.llm_budget import Tokens
from mmem.reply import one_line


@dataclass(frozen=True)
class Answered:
    """Words of a completion. `finish` is "stop", "length", …, "" where it is not told.

    `used` is None where tokens were not counted; `trouble` says why there can be no words.
    """

    text: str
    finish: str = ""
    used: Tokens | None = None
    trouble: str = ""


def answered(completion: object) -> Answered:
    """Read a completion. Nothing is taken for granted: servers leave fields out or mistype them.

    Words come from the content; where there is none, from a tool call's arguments, else, of a reply
    that ended by itself, from the field of thoughts (where vLLM puts guided JSON of some models).
    """
    used = tokens_of(getattr(completion, "usage", None))
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list) or not choices:
        return Answered("", used=used, trouble="the answer is no chat completion")
    finish = _string(choices[0], "finish_reason")
    message = getattr(choices[0], "message", None)
    text = _text(message, finish)
    if text.strip():
        return Answered(text, finish, used)
    refusal = _string(message, "refusal")
    if refusal:
        return Answered("", finish, used, f"the model declines: {one_line(refusal)}")
    if finish == "content_filter":
        return Answered("", finish, used, "the endpoint's content filter held the reply back")
    return Answered("", finish, used)


def tokens_of(usage: object) -> Tokens | None:
    """Return the token counts of a reply, None where they are missing or no counts."""
    prompt, completion = (getattr(usage, f"{n}_tokens", None) for n in ("prompt", "completion"))
    if type(prompt) is int and type(completion) is int and prompt >= 0 and completion >= 0:
        return Tokens(prompt, completion)
    return None


def delta_text(chunk: object) -> str:
    """Return the words that one piece of a stream adds."""
    choices = getattr(chunk, "choices", None)
    if not isinstance(choices, list) or not choices:
        return ""
    return _words(getattr(getattr(choices[0], "delta", None), "content", None))


def delta_finish(chunk: object) -> str:
    """Return why a stream ends with this piece, "" where it goes on."""
    choices = getattr(chunk, "choices", None)
    return _string(choices[0], "finish_reason") if isinstance(choices, list) and choices else ""


def _text(message: object, finish: str) -> str:
    content = _words(getattr(message, "content", None))
    if content.strip():
        return content
    calls = getattr(message, "tool_calls", None)
    if isinstance(calls, list) and calls:
        return _string(getattr(calls[0], "function", None), "arguments")
    if finish == "stop":
        return _string(message, "reasoning_content") or _string(message, "reasoning")
    return ""


def _words(content: Any) -> str:
    """Return content as text; some servers send it in parts."""
    if isinstance(content, list):
        return "".join(
            _words(part.get("text") if isinstance(part, dict) else "") for part in content
        )
    return content if isinstance(content, str) else ""


def _string(holder: object, name: str) -> str:
    value = getattr(holder, name, None)
    return value if isinstance(value, str) else ""
