"""Messages of assistants: role and content, as OpenAI's and like interfaces write them."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.content_parts import Content, content_of
from mmem.ingestors.conversation import Heading, Message, conversation, title_of
from mmem.ingestors.dates import moment_of
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, parse_json, read_text, remark, tidy, words

_ROLES = frozenset(words("user assistant system developer tool function human ai model bot"))
_UNSPOKEN = frozenset(("system", "developer"))
_LISTS = ("messages", "conversations", "data")
_TIMES = ("created_at", "timestamp", "time", "createdAt", "create_time", "date", "datetime")
_IDS = ("conversation_id", "id", "thread_id", "session_id")
_START = re.compile(
    r'(?:\{\s*(?:"\w+"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\d.]+|null|true|false)\s*,\s*)*'
    r'"(?:messages|conversations|data)"\s*:\s*)?\[?\s*'
)
_CUT = re.compile(
    _START.pattern + r'\{\s*"role"\s*:\s*"(?:user|assistant|system|developer)"\s*,'
    r'\s*"content"\s*:\s*["[]'
)


@dataclasses.dataclass(frozen=True, slots=True)
class _Talk:
    """Raw messages of one conversation, each with its place in the file."""

    key: str | None
    title: str | None
    messages: list[tuple[int, Mapping[str, object]]]


class RoleMessagesReader:
    """Reads a list of messages, {"messages": […]}, a list of such, or JSON lines of either."""

    name = "messages"
    version = 1
    summary = "role/content messages of assistants (.json, .jsonl)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file holds role/content messages, by the first entry."""
        text = head_text(head.data).lstrip()
        if text[:1] not in ("[", "{"):
            return 0.0
        return 0.9 if _is_message(_first_entry(text)) or _CUT.match(text) else 0.0

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one conversation for each in the file. Raises DamagedFile."""
        decoded = read_text(path)
        values, broken = _values(decoded.text, path.name)
        talks, foreign = _talks(values)
        if not talks:
            raise DamagedFile(
                f"{path.name}: no message with a role and a content in this file",
                hint='a message looks like {"role": "user", "content": "…"}',
            )
        remarks = (
            *decoded.notes,
            *not_read("line", broken, "it is not JSON"),
            *not_read("entry", foreign, "it is no message"),
        )
        for talk, title in zip(talks, _titles(talks, path, context), strict=True):
            messages, notes = _messages(talk)
            heading = Heading(title=title, key=talk.key, notes=(*remarks, *notes))
            yield conversation(self, context, heading=heading, messages=messages)


def _titles(talks: Sequence[_Talk], path: Path, context: ReadContext) -> list[str]:
    """Return each conversation's title; no two are the same."""
    title = title_of(path, context)
    if len(talks) == 1:
        return [context.title or talks[0].title or title]
    titles: list[str] = []
    for place, talk in enumerate(talks, 1):
        own = talk.title or f"{title} {talk.key or place}"
        titles.append(f"{own} {place}" if own in titles else own)
    return titles


def _first_entry(text: str) -> object:
    """Return the first message-like value of a head, which may be cut off inside a later one."""
    opening = _START.match(text)
    for start in (0, opening.end() if opening else 0):
        try:
            value, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        while (inner := _listed(value)) is not None:
            value = inner[0] if inner else None
        return value
    return None


def _listed(value: object) -> list[object] | None:
    """Return the list that a value is, or that it holds under one of the usual names."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or _is_message(value):
        return None
    return next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or not value.keys() & {"content", "tool_calls"}:
        return False
    role = value.get("role")
    content = value.get("content")
    return (
        isinstance(role, str)
        and role.casefold() in _ROLES
        and (content is None or isinstance(content, (str, list)))
    )


def _values(text: str, name: str) -> tuple[list[object], list[int]]:
    """Return the value of a JSON file, or those of JSON lines and the lines that are none."""
    try:
        return [parse_json(text, name)], []
    except DamagedFile as error:
        whole = error
    values, broken = [], []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                values.append(parse_json(line, name))
        except DamagedFile:
            broken.append(number)
    if not values or len(broken) >= len(values):
        raise whole
    return values, broken


def _talks(entries: Sequence[object]) -> tuple[list[_Talk], list[int]]:
    """Return the conversations in entries, in order, and the places of entries that are neither.

    Messages that lie side by side are one conversation, or one for each of their conversation ids.
    """
    loose: dict[str | None, _Talk] = {}
    talks: list[_Talk] = []
    foreign: list[int] = []
    for place, entry in enumerate(entries, 1):
        if isinstance(entry, dict) and _is_message(entry):
            key = _own_id(entry, _IDS[:1])
            if key not in loose:
                loose[key] = _Talk(key, None, [])
                talks.append(loose[key])
            loose[key].messages.append((place, entry))
            continue
        found, bad = _talks(_listed(entry) or ())
        foreign += bad if found else [place]
        talks += [_labelled(talk, entry) for talk in found] if len(found) == 1 else found
    return talks, foreign


def _labelled(talk: _Talk, holder: object) -> _Talk:
    if not isinstance(holder, dict):
        return talk
    title = holder.get("title") or holder.get("name")
    return dataclasses.replace(
        talk,
        key=talk.key or _own_id(holder, _IDS),
        title=talk.title or (tidy(title) if isinstance(title, str) else None),
    )


def _own_id(entry: Mapping[str, object], names: Sequence[str]) -> str | None:
    value = next((entry[name] for name in names if entry.get(name) not in (None, "")), None)
    return tidy(str(value)) if isinstance(value, (str, int)) else None


def _messages(talk: _Talk) -> tuple[list[Message], tuple[str, ...]]:
    messages: list[Message] = []
    empty: list[int] = []
    untimed: list[int] = []
    unknown: list[int] = []
    for place, raw in talk.messages:
        content = content_of(raw.get("content"))
        if content.unknown:
            unknown.append(place)
        if not content.text and not content.attachments:
            empty.append(place)
            continue
        written = next((raw[name] for name in _TIMES if raw.get(name) not in (None, "")), None)
        at = moment_of(written)
        if written is not None and not isinstance(at, dt.datetime):
            untimed.append(place)
        messages.append(_message(raw, content, place, at if isinstance(at, dt.datetime) else None))
    return messages, (
        *remark("message", empty, "empty"),
        *not_read("message", unknown, "a part of it is of an unknown kind"),
        *remark("message", untimed, "without a time that can be read"),
    )


def _message(
    raw: Mapping[str, object], content: Content, place: int, at: dt.datetime | None
) -> Message:
    role = str(raw["role"]).casefold()
    names = (attachment.name or attachment.kind for attachment in content.attachments)
    return Message(
        speaker=None if role in _UNSPOKEN else _speaker(raw, role),
        text=content.text,
        identity=" ".join([content.text, *names]),
        locator=f"message {place}",
        at=at,
        role="system" if role in _UNSPOKEN else "message",
        citable=bool(content.text) and role not in _UNSPOKEN,
        attachments=content.attachments,
        reference=_own_id(raw, ("id",)),
    )


def _speaker(raw: Mapping[str, object], role: str) -> str:
    name = raw.get("name")
    if role in ("tool", "function"):
        return "tool"
    return (tidy(name) if isinstance(name, str) else "") or role


READER = RoleMessagesReader()
