"""The content of a message: text, or a list of parts of which only some are text."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal

from mmem.ingestors.text import tidy
from mmem.schemas import Attachment

_Kind = Literal["picture", "video", "audio", "document"]
# What OpenAI, Anthropic and Gemini call the kinds of parts.
_KINDS: dict[str, _Kind] = {
    "image_url": "picture",
    "input_image": "picture",
    "image": "picture",
    "image_file": "picture",
    "input_audio": "audio",
    "audio": "audio",
    "video_url": "video",
    "video": "video",
    "file": "document",
    "input_file": "document",
    "document": "document",
}
_SILENT = frozenset(("tool_use", "thinking", "redacted_thinking", "reasoning"))
_NAMES = ("url", "filename", "file_name", "path", "file_path", "name", "file_id", "title")


@dataclasses.dataclass(frozen=True, slots=True)
class Content:
    """A message's text, what it carries, and how many parts were of an unknown kind."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    unknown: int = 0


def content_of(value: object) -> Content:
    """Return a content field; parts of text are joined by line ends, encoded data is left out.

    >>> content_of(["seen", {"type": "text", "text": "twice"}]).text
    'seen\\ntwice'
    """
    texts, attachments, unknown = [], [], 0
    for part in value if isinstance(value, list) else [value]:
        text = _text(part)
        kind = _KINDS.get(str(part.get("type"))) if isinstance(part, dict) else None
        if text:
            texts.append(text)
        elif kind and isinstance(part, dict):
            attachments.append(Attachment(kind=kind, name=_name(part)))
        elif text is None and not (isinstance(part, dict) and part.get("type") in _SILENT):
            unknown += 1
    return Content("\n".join(texts), tuple(attachments), unknown)


def _text(part: object) -> str | None:
    """Return a part's text, "" for an empty one, None when it is not a part of text."""
    if part is None:
        return ""
    if isinstance(part, str):
        return tidy(part)
    if not isinstance(part, dict):
        return None
    if part.get("type") == "tool_result":
        return content_of(part.get("content")).text
    text = part.get("text")
    if isinstance(text, dict):
        text = text.get("value")
    return tidy(text) if isinstance(text, str) else None


def _name(part: Mapping[str, object]) -> str | None:
    """Return a file's name or web address; data addresses have none."""
    inner = next((part[key] for key in part if isinstance(part[key], dict)), None)
    for fields in (part, inner if isinstance(inner, dict) else {}):
        for key in (*_NAMES, "image_url"):
            value = fields.get(key)
            if isinstance(value, str) and value and not value.startswith("data:"):
                return tidy(value)[:300] or None
    return None
