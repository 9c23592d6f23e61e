"""What answers in words or records: language models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

Asked = TypeVar("Asked")

_CHAT_MARK = re.compile(r"[<>]|\[(?=/?[A-Z][A-Z_ ]{2,}\])")


@dataclass(frozen=True)
class SentPicture:
    """A picture as a model is sent it: the bytes of a JPEG, and its sides in pixels."""

    jpeg: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True)
class Message:
    """Words to a language model: rules of ours ("system"), or a task with its data ("user").

    Words of a file only ever stand in a user's message, and there as `with_data` writes them.
    `pictures`, of a user's message, are for models that see.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[SentPicture, ...] = ()

    @classmethod
    def with_data(cls, task: str, data: object) -> Message:
        """Return a user's message of a task and its data, JSON between marks.

        No text in the data can close its string, the marks, or a turn of the chat: quotes are
        escaped by JSON, and what opens a mark of a chat format ("<|", "[INST]") is written as its
        JSON escape, which reads as the same character.
        """
        written = json.dumps(data, ensure_ascii=False, indent=1)
        written = _CHAT_MARK.sub(lambda m: f"\\u{ord(m.group()):04x}", written)
        return cls("user", f"{task}\n<data>\n{written}\n</data>")


@dataclass(frozen=True)
class Request(Generic[Asked]):
    """What is asked of a language model.

    `wanted` is the record that the reply is read as, or `str` for plain words. `max_tokens` bounds
    the reply, thoughts included. `atom_ids` are the atoms whose words or pictures are in the
    messages: forgetting one of them forgets the reply.
    """

    messages: tuple[Message, ...]
    wanted: type[Asked]
    max_tokens: int = 2000
    atom_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply(Generic[Asked]):
    """What a language model answered, and what that took.

    `value` is the reply as wanted, None where it could not be read. `partial` says why a reply is
    not whole (cut off, elements left out, unreadable, no reply), "" for a whole one. `calls` is 0
    for one from the cache. Tokens are as the endpoint counts them, None where it does not.
    `money` is in the currency of the prices, None where no price is set; where the endpoint
    counts no tokens it is the most that the call can have cost.
    """

    text: str
    value: Asked | None
    partial: str = ""
    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    money: float | None = None
    cached: bool = False


@dataclass(frozen=True)
class Spent:
    """What a language model has used up since it was built; `money` None where no price is set.

    `uncounted` are the calls for which the endpoint told no tokens; `cached` are replies that
    took no call.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    money: float | None = None


class LanguageModel(Protocol):
    """Answers in words or records."""

    @property
    def identity(self) -> str:
        """Model and parameters: what answers depend on beside the request."""
        ...

    @property
    def spent(self) -> Spent:
        """What was used up so far."""
        ...

    def ask(self, request: Request[Asked]) -> Reply[Asked]:
        """Answer one request.

        Raises ConfigError where no request can succeed (address, key, model), and BudgetExceeded
        before a call that could pass a cap; what fails for this request alone is in `partial`.
        """
        ...

    def ask_all(self, requests: Iterable[Request[Asked]]) -> Iterator[Reply[Asked]]:
        """Yield replies in the order of the requests, several asked at once. Raises as `ask`."""
        ...

    def stream(self, request: Request[str]) -> Iterator[str]:
        """Yield a reply's words as they come.

        Raises as `ask`, and ReplyUnusable where the reply breaks off.
        """
        ...
