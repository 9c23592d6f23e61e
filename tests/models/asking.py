"""Requests and models that the tests of language models share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel

from mmem.models.llm import ChatModel
from mmem.models.llm_budget import Budget
from mmem.models.llm_cache import ReplyCache
from mmem.models.llm_endpoint import Endpoint
from mmem.ports import Message, Request
from tests.endpoint import Act, ModelServer, refuses, says


class Fact(BaseModel):
    subject: str
    count: int | None = None


class Facts(BaseModel):
    facts: list[Fact]


GOOD = '{"facts": [{"subject": "Ann", "count": 2}]}'
WORDS = Request((Message("user", "Say it."),), str, max_tokens=50)


def facts(words: str = "Ann has two", *, atoms: tuple[str, ...] = ()) -> Request[Facts]:
    rules = Message("system", "List the facts.")
    asked = Message.with_data("These lines:", {"text": words})
    return Request((rules, asked), Facts, max_tokens=100, atom_ids=atoms)


@contextmanager
def model(
    server: ModelServer,
    *,
    retries: int = 0,
    timeout_s: float = 20.0,
    concurrency: int = 4,
    budget: Budget | None = None,
    cache: ReplyCache | None = None,
) -> Iterator[ChatModel]:
    endpoint = Endpoint(
        "small",
        server.base_url,
        "sk-local",
        timeout_s=timeout_s,
        retries=retries,
        concurrency=concurrency,
    )
    with ChatModel(endpoint, budget=budget, cache=cache) as made:
        yield made


def picky(*unknown: str) -> Callable[[dict[str, Any]], Act]:
    """Refuse what is named, one at a time, as servers word it."""
    worded = {
        "json_schema": (400, "Invalid parameter: 'response_format' of type 'json_schema' ..."),
        "json_object": (422, "response_format: extra fields not permitted"),
        "max_tokens": (
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
        ),
        "temperature": (400, "Unsupported value: 'temperature' does not support 0.0"),
        "system": (400, "System role not supported"),
        "stream_options": (400, "Unrecognized request argument supplied: stream_options"),
    }

    def act(body: dict[str, Any]) -> Act:
        form = body.get("response_format", {}).get("type", "text")
        roles = {m["role"] for m in body["messages"]}
        for name in unknown:
            if name in body or name == form or name in roles:
                return refuses(*worded[name])
        return says(GOOD)

    return act
