"""Text vectors of any server that has OpenAI's `/v1/embeddings`: OpenAI, vLLM, Ollama, llama.cpp.

There are no token vectors, so late interaction is off. A server may round a text's vector otherwise
beside other texts, and may change its model under one name: neither can be seen from here.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import json
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mmem.config import Settings
from mmem.errors import ModelMismatch, ReplyUnusable
from mmem.models.llm_budget import Budget, Prices, Tokens
from mmem.models.llm_endpoint import Endpoint, address_of
from mmem.models.llm_errors import NO_JSON, shown, stop_or_say
from mmem.models.text_parts import (
    RememberedQuestions,
    chunk_spans,
    of_length_1,
    without_halves,
)
from mmem.ports import Encoded, FloatArray, QueryVectors, Spent, VectorSpace
from mmem.ports.texts import ENDPOINT

if TYPE_CHECKING:
    import openai

TEXTS_A_CALL = 32
"""What every server takes: 32 is the limit of Hugging Face's text-embeddings-inference."""
NO_WORDS = "."
"""Sent in the place of a text without words, which servers refuse."""
_LEAST_WIDTH = 8
_CONNECT_S = 5.0
_TRIES = 2
_PIECE = re.compile(r"[A-Za-z\u00c0-\u024f]{1,4}|\d{1,3}|\S")
"""About a token, rather less: what a tokeniser is not at hand for."""


class EndpointText:
    """A text encoder behind `/v1/embeddings`; threads may share it.

    `width` is how many numbers a vector has, None where that is yet to be asked. `prefix` stands
    before stored texts, `query_prefix` before questions; of a text at most `max_tokens` guessed
    tokens are sent. Nothing is sent before the first text, or question for the width.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        width: int | None = None,
        prefix: str = "",
        query_prefix: str = "",
        max_tokens: int = 512,
        budget: Budget | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._width = width
        self._prefix, self._query_prefix = prefix, query_prefix
        self._max_tokens = max_tokens
        self._budget = budget or Budget()
        self._asked = RememberedQuestions()

    @property
    def identity(self) -> VectorSpace:
        """The vector space. The server is asked for its width if that isn't known.

        Raises ConfigError, ReplyUnusable.
        """
        prefixes = json.dumps([self._prefix, self._query_prefix])
        return VectorSpace(
            provider=ENDPOINT,
            model=self._endpoint.model,
            revision="",
            width=self._width or self._vectors([NO_WORDS]).shape[1],
            pooling="the server's",
            preprocessing=f"max={self._max_tokens} guessed;prefixes={prefixes}",
        )

    @property
    def spent(self) -> Spent:
        """What was used up so far."""
        return self._budget.spent

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return pooled vectors f32[n, d] of length 1; the codes are empty.

        Texts go in batches, several at once. Raises ConfigError (address, key, model),
        BudgetExceeded (the account is used up), ModelMismatch (another width), and ReplyUnusable
        where a reply is no use.
        """
        sent = [self._made_ready(self._prefix, text) for text in texts]
        batches = [sent[i : i + TEXTS_A_CALL] for i in range(0, len(sent), TEXTS_A_CALL)]
        if len(batches) > 1:
            _ = self._width or self._vectors([NO_WORDS])
            _ = self._create
            with ThreadPoolExecutor(self._endpoint.concurrency) as pool:
                found = list(pool.map(self._vectors, batches))
        else:
            found = [self._vectors(batch) for batch in batches]
        width = self.identity.width
        pooled = np.concatenate(found) if found else np.zeros((0, width), np.float32)
        return Encoded(pooled=pooled, codes=[np.zeros((0, width // 8), np.uint8)] * len(texts))

    def encode_query(self, text: str) -> QueryVectors:
        """Return the pooled vector of one question; it has no token vectors. Raises as `encode`."""
        return self._asked.get(text, self._query_vectors)

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        """Return character spans that cover a text's sentences, each of some `max_tokens`."""
        return chunk_spans(text, _pieces, max_tokens=max_tokens)

    def close(self) -> None:
        """Close the connections."""
        if "_client" in self.__dict__:
            self._client.close()

    def _query_vectors(self, text: str) -> QueryVectors:
        pooled = self._vectors([self._made_ready(self._query_prefix, text)])[0]
        return QueryVectors(
            pooled=pooled,
            tokens=np.zeros((0, len(pooled)), np.float32),
            spans=np.zeros((0, 2), np.int32),
        )

    def _made_ready(self, prefix: str, text: str) -> str:
        """Return a text as it is sent: not too long, never empty, no half characters."""
        pieces = list(itertools.islice(_PIECE.finditer(text), self._max_tokens + 1))
        kept = text if len(pieces) <= self._max_tokens else text[: pieces[-1].start()]
        words = kept if pieces else NO_WORDS
        return without_halves(prefix + words)

    def _vectors(self, texts: Sequence[str]) -> FloatArray:
        """Return f32[n, d] of length 1. A reply that is no use is asked for once more."""
        why = ""
        for _ in range(_TRIES):
            try:
                return self._of_known_width(vectors_of(self._reply(texts), len(texts)))
            except _Refused:
                raise
            except ReplyUnusable as error:
                why = error.message
        raise ReplyUnusable(f"{shown(self._endpoint.base_url)} {why}")

    def _of_known_width(self, found: FloatArray) -> FloatArray:
        self._width = self._width or found.shape[1]
        if found.shape[1] != self._width:
            raise ModelMismatch(
                f"{shown(self._endpoint.base_url)} sends vectors of {found.shape[1]} numbers for "
                f"{self._endpoint.model!r}, not of {self._width}",
                hint="serve the model that made the memory, or make all anew: `mmem reembed`",
            )
        return found

    def _reply(self, texts: Sequence[str]) -> Any:
        """Send one request; return its JSON. Raises ReplyUnusable, and what `stop_or_say` does."""
        import openai

        most = Tokens(sum(len(text.encode()) for text in texts), 0)
        with self._budget.hold(most) as hold:
            try:
                content = self._create(model=self._endpoint.model, input=list(texts)).content
                reply = json.loads(content)
            except openai.OpenAIError as error:
                raise _Refused(self._stop_or_say(error)) from error
            except NO_JSON as error:
                raise ReplyUnusable("sent what is no JSON") from error
            hold.settle(_used(reply))
        return reply

    def _stop_or_say(self, error: openai.OpenAIError) -> str:
        return stop_or_say(
            error,
            base_url=self._endpoint.base_url,
            model=self._endpoint.model,
            key_name=self._endpoint.key_name,
            url_name=self._endpoint.url_name,
        )

    @cached_property
    def _create(self) -> Callable[..., Any]:
        """Send texts and return the raw reply: what is in it is judged here, not by the client."""
        create: Callable[..., Any] = self._client.embeddings.with_raw_response.create
        return create

    @cached_property
    def _client(self) -> openai.OpenAI:
        import openai

        return openai.OpenAI(
            api_key=self._endpoint.key,
            base_url=self._endpoint.base_url,
            timeout=openai.Timeout(self._endpoint.timeout_s, connect=_CONNECT_S),
            max_retries=self._endpoint.retries,
        )


class _Refused(ReplyUnusable):
    """The server or the way to it failed, after the client's own retries."""


def endpoint_text(settings: Settings, model: str, *, width: int | None = None) -> EndpointText:
    """Return the encoder of a model behind the address that the settings name.

    Raises ConfigError.
    """
    base_url, key, key_name = address_of(
        settings, settings.embed_base_url, settings.embed_api_key, "MMEM_EMBED"
    )
    endpoint = Endpoint(
        model=model,
        base_url=base_url,
        key=key,
        key_name=key_name,
        url_name="MMEM_EMBED_BASE_URL",
        timeout_s=settings.llm_timeout_s,
        retries=settings.llm_retries,
        concurrency=settings.llm_concurrency,
    )
    price = settings.embed_price
    return EndpointText(
        endpoint,
        width=width,
        prefix=settings.text_prefix or "",
        query_prefix=settings.text_query_prefix or "",
        max_tokens=settings.embed_max_tokens,
        budget=Budget(prices=None if price is None else Prices(price, 0.0)),
    )


def vectors_of(reply: object, count: int) -> FloatArray:
    """Return f32[count, d] of length 1, in the order of the texts, from a reply's JSON.

    Entries are put in order by their `index`; where none has one, they are in order. Vectors are
    lists of numbers or base64 of little-endian float32. Raises ReplyUnusable.
    """
    data = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise ReplyUnusable("sent no list of vectors")
    if len(data) != count:
        raise ReplyUnusable(f"sent {len(data)} vectors for {count} texts")
    places = [entry.get("index") for entry in data]
    if any(place is not None for place in places):
        if sorted(map(str, places)) != sorted(map(str, range(count))):
            raise ReplyUnusable("sent vectors that do not say whose they are")
        data = sorted(data, key=lambda entry: int(entry["index"]))
    rows = [_vector(entry.get("embedding")) for entry in data]
    if len({len(row) for row in rows}) > 1:
        raise ReplyUnusable("sent vectors of different widths")
    return of_length_1(np.stack(rows))


def _vector(found: object) -> FloatArray:
    """Return one vector f32[d], checked."""
    try:
        if isinstance(found, str):
            vector = np.frombuffer(base64.b64decode(found, validate=True), "<f4")
        elif isinstance(found, list) and all(type(n) in (int, float) for n in found):
            vector = np.array(found, np.float64)
        else:
            raise ReplyUnusable("sent a vector that is none")
    except (binascii.Error, ValueError, OverflowError) as error:
        raise ReplyUnusable("sent a vector that can't be decoded") from error
    if len(vector) < _LEAST_WIDTH:
        raise ReplyUnusable(f"sent a vector of {len(vector)} numbers")
    longest = np.abs(vector).max()
    if not np.isfinite(longest) or longest == 0:
        raise ReplyUnusable("sent a vector of zeros or of no numbers")
    scaled: FloatArray = (vector / longest).astype(np.float32)
    return scaled


def _used(reply: object) -> Tokens | None:
    usage = reply.get("usage") if isinstance(reply, dict) else None
    told = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return Tokens(told, 0) if type(told) is int and told > 0 else None


def _pieces(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _PIECE.finditer(text)]
