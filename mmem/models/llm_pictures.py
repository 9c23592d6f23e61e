"""Pictures in a request to `/v1/chat/completions`: how they are sent, and what they may cost."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from typing import Any

from mmem.models.llm_budget import Tokens
from mmem.ports import Message, Request, SentPicture

_TEMPLATE_TOKENS = 200
"""What a chat template may add to a prompt, over one token a byte."""
_TILE_PX, _TILE_TOKENS, _PICTURE_TOKENS = 512, 5667, 2833
"""The dearest count that is known, gpt-4o-mini's (OpenAI, guide "Images and vision"): others take
a tenth of it, or a token a patch of 28 or 32 pixels."""
_HEAD = "data:image/jpeg;base64,"


def content_of(message: Message, text: str) -> str | list[dict[str, Any]]:
    """Return a message's content as it is sent: `text` alone, or with the pictures after it."""
    if not message.pictures:
        return text
    urls = (_HEAD + base64.b64encode(one.jpeg).decode("ascii") for one in message.pictures)
    parts = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return [{"type": "text", "text": text}, *parts]


def key_parts(message: Message) -> list[str]:
    """Return what of a message a reply depends on."""
    digests = (hashlib.sha256(one.jpeg).hexdigest() for one in message.pictures)
    return [message.role, message.text, *digests]


def most(body: dict[str, Any], request: Request[Any]) -> Tokens:
    """Return the most tokens that a call can use.

    No tokeniser makes more of a text than bytes; pictures are counted by their sides.
    """
    pictures = [one for message in request.messages for one in message.pictures]
    sent = len(json.dumps(body, ensure_ascii=False).encode())
    words = sent - sum(len(_HEAD) + 4 * math.ceil(len(one.jpeg) / 3) for one in pictures)
    return Tokens(words + _TEMPLATE_TOKENS + sum(map(_tokens, pictures)), request.max_tokens)


def _tokens(picture: SentPicture) -> int:
    tiles = math.ceil(picture.width / _TILE_PX) * math.ceil(picture.height / _TILE_PX)
    return _PICTURE_TOKENS + _TILE_TOKENS * tiles
