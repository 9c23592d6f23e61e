"""A server of `/v1/embeddings` that does what a test scripts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from mmem.models.llm_budget import Budget
from mmem.models.llm_endpoint import Endpoint
from mmem.models.text_endpoint import EndpointText
from tests.endpoint import Act, Handler, ModelServer

WIDTH = 16


def vector(text: str, width: int = WIDTH) -> list[float]:
    """Return a text's vector: words that two texts share bring them near."""
    words = [int.from_bytes(hashlib.sha256(w.encode()).digest()[:8], "big") for w in text.split()]
    rows = [np.random.default_rng(word).standard_normal(width) for word in words or [0]]
    return [float(n) for n in np.sum(rows, axis=0)]


def embeds(
    *,
    width: int = WIDTH,
    form: str = "float",
    usage: bool = True,
    change: Callable[[dict[str, Any]], Any] = lambda reply: reply,
) -> Act:
    """Answer with the vectors of the texts; `change` spoils the reply."""

    def act(handler: Handler, body: dict[str, Any]) -> None:
        texts = body["input"]
        made: dict[str, Any] = {
            "object": "list",
            "model": body["model"],
            "data": [
                {"object": "embedding", "index": n, "embedding": _written(text, width, form)}
                for n, text in enumerate(texts)
            ],
        }
        if usage:
            tokens = sum(len(text.split()) for text in texts)
            made["usage"] = {"prompt_tokens": tokens, "total_tokens": tokens}
        handler.send(200, change(made))

    return act


def _written(text: str, width: int, form: str) -> Any:
    found = vector(text, width)
    return found if form == "float" else base64.b64encode(np.array(found, "<f4").tobytes()).decode()


@contextmanager
def encoder(
    server: ModelServer,
    *,
    retries: int = 0,
    timeout_s: float = 20.0,
    concurrency: int = 4,
    width: int | None = None,
    prefix: str = "",
    query_prefix: str = "",
    max_tokens: int = 512,
    budget: Budget | None = None,
) -> Iterator[EndpointText]:
    endpoint = Endpoint(
        "small",
        server.base_url,
        "sk-local",
        key_name="MMEM_EMBED_API_KEY",
        url_name="MMEM_EMBED_BASE_URL",
        timeout_s=timeout_s,
        retries=retries,
        concurrency=concurrency,
    )
    made = EndpointText(
        endpoint,
        width=width,
        prefix=prefix,
        query_prefix=query_prefix,
        max_tokens=max_tokens,
        budget=budget,
    )
    try:
        yield made
    finally:
        made.close()
