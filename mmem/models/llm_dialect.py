"""How one endpoint wants to be asked: found out by its first refusals, then remembered.

OpenAI's reasoning models refuse `max_tokens` and `temperature`; others know JSON mode but no JSON
Schema, or neither; chat templates of some local models have no system role. Of ways that work
everywhere nothing has to be found out.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, replace
from typing import Any

from mmem.models.llm_pictures import content_of
from mmem.models.llm_schema import is_strict, schema_of
from mmem.ports import Message, Request

_FORMAT = re.compile(
    r"response_?format|json_?schema|json_?object|structured.?output|guided|grammar"
    r"|requested parameters"
)
_TOKENS = re.compile(
    r"max_completion_tokens|max_tokens.{0,40}not (?:supported|permitted)"
    r"|(?:un(?:supported|recognized|known|expected)|not permitted|extra).{0,80}max_tokens"
)
_SYSTEM = re.compile(r"system.{0,20}(?:role|message|prompt)|roles?\b.{0,60}system|roles must alter")
_REFUSALS = frozenset({400, 404, 415, 422, 500, 501})
_NEXT = {"json_schema": "json_object", "json_object": "text"}


@dataclass(frozen=True)
class Manner:
    """A way to ask. `form` is json_schema, json_object or text; `tokens` names the length cap.

    `temperature` and `usage` (token counts of a stream) may be asked for, rules have a message of
    their own (`system`), and the schema is also written out in words (`spelled`).
    """

    form: str = "json_schema"
    tokens: str = "max_tokens"
    temperature: bool = True
    usage: bool = True
    system: bool = True
    spelled: bool = False

    def after(self, refusal: str) -> Manner:
        """Return the way to ask after a refusal in these words; itself where they name none."""
        said = refusal.lower()
        if self.form != "text" and _FORMAT.search(said):
            return replace(self, form=_NEXT[self.form], spelled=True)
        if self.tokens == "max_tokens" and _TOKENS.search(said):
            return replace(self, tokens="max_completion_tokens")
        if self.temperature and "temperature" in said:
            return replace(self, temperature=False)
        if self.usage and re.search(r"stream_options|include_usage", said):
            return replace(self, usage=False)
        if self.system and _SYSTEM.search(said):
            return replace(self, system=False)
        return self

    def body(self, request: Request[Any], *, model: str, temperature: float) -> dict[str, Any]:
        """Return the request as `/v1/chat/completions` takes it."""
        messages = request.messages
        made: dict[str, Any] = {"model": model, self.tokens: request.max_tokens}
        if self.temperature:
            made["temperature"] = temperature
        if request.wanted is not str:
            schema = schema_of(request.wanted)
            messages = _spelled(messages, schema) if self.spelled else messages
            if self.form != "text":
                made["response_format"] = self._format(request.wanted.__name__, schema)
        made["messages"] = [
            {"role": m.role, "content": content_of(m, _sendable(m.text))}
            for m in (messages if self.system else _merged(messages))
        ]
        return made

    def _format(self, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        if self.form == "json_object":
            return {"type": "json_object"}
        named = {"name": name, "schema": schema, "strict": is_strict(schema)}
        return {"type": "json_schema", "json_schema": named}


class Dialect:
    """The manner of one endpoint, shared by all threads that ask it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._manner = Manner()

    @property
    def manner(self) -> Manner:
        """The way that works, as far as is known."""
        return self._manner

    def learn(self, used: Manner, status: int, refusal: str) -> bool:
        """Take in a refusal of a request asked in manner `used`; tell whether to ask again.

        What another thread has learnt since then counts as learnt.
        """
        if status not in _REFUSALS or used.after(refusal) == used:
            return False
        with self._lock:
            self._manner = self._manner.after(refusal) if self._manner == used else self._manner
            return self._manner != used

    def spell_out(self) -> None:
        """Write the schema out in words from now on: the endpoint does not hold to it."""
        with self._lock:
            self._manner = replace(self._manner, spelled=True)


def schema_words(schema: dict[str, Any]) -> str:
    """Return the sentence that asks for a record in words."""
    written = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with one JSON object and nothing else. It fits this JSON Schema:\n{written}"


def _spelled(messages: tuple[Message, ...], schema: dict[str, Any]) -> tuple[Message, ...]:
    words = schema_words(schema)
    if messages and messages[0].role == "system":
        return (Message("system", f"{messages[0].text}\n\n{words}"), *messages[1:])
    return (Message("system", words), *messages)


def _merged(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Put the rules at the head of the first user's message."""
    rules = [m.text for m in messages if m.role == "system"]
    rest = [m for m in messages if m.role != "system"]
    return (replace(rest[0], role="user", text="\n\n".join([*rules, rest[0].text])), *rest[1:])


def _sendable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
