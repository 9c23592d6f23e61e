"""Language models over OpenAI's protocol: OpenAI, Ollama, llama.cpp, vLLM, LM Studio and others."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from mmem.config import Settings
from mmem.errors import BudgetExceeded, ReplyUnusable
from mmem.models.llm_answer import Answered, answered, delta_finish, delta_text, tokens_of
from mmem.models.llm_budget import Bill, Budget, Cap, Tokens
from mmem.models.llm_cache import ReplyCache, key_of
from mmem.models.llm_dialect import Dialect, Manner
from mmem.models.llm_endpoint import Endpoint, budget_of, cache_of, endpoint_of
from mmem.models.llm_errors import NO_JSON, shown, stop_or_say, stream_errors
from mmem.models.llm_judge import Judged, judge, once_more, saved, without_thoughts
from mmem.models.llm_pictures import key_parts, most
from mmem.models.llm_schema import schema_of
from mmem.ports import Asked, Reply, Request, Spent

if TYPE_CHECKING:
    import openai

_CONNECT_S = 5.0


def language_model(
    settings: Settings,
    *,
    max_cost: float | None = None,
    max_calls: int | None = None,
    cap: Cap | None = None,
) -> ChatModel | None:
    """Return the language model that the settings name, None where they name none.

    `cap` is shared with other models, in the place of one of its own. Nothing is sent before the
    first request. Raises ConfigError.
    """
    endpoint = endpoint_of(settings)
    if endpoint is None:
        return None
    budget = budget_of(settings, max_cost=max_cost, max_calls=max_calls, cap=cap)
    return ChatModel(endpoint, budget=budget, cache=cache_of(settings))


class ChatModel:
    """A language model behind `/v1/chat/completions`; threads may share it.

    How the endpoint wants to be asked is found out by its first refusals. A reply that cannot be
    read is asked for once more with the reason; then the request is partial. Retries, with jitter
    and Retry-After, are the `openai` client's.
    """

    def __init__(
        self, endpoint: Endpoint, *, budget: Budget | None = None, cache: ReplyCache | None = None
    ) -> None:
        self._endpoint = endpoint
        self._budget = budget or Budget()
        self._cache = cache
        self._dialect = Dialect()
        self._slots = threading.BoundedSemaphore(endpoint.concurrency)
        self._building = threading.Lock()

    def __enter__(self) -> ChatModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        if "_client" in self.__dict__:
            self._client.close()

    @property
    def identity(self) -> str:
        """Model and parameters: what answers depend on beside the request."""
        return f"{self._endpoint.model}, temperature {self._endpoint.temperature:g}"

    @property
    def spent(self) -> Spent:
        """What was used up so far."""
        return self._budget.spent

    def ask(self, request: Request[Asked]) -> Reply[Asked]:
        """Answer one request, from the cache where it was answered before.

        Raises ConfigError, and BudgetExceeded before a call that could pass a cap.
        """
        request = self._with_thoughts(request)
        begun, key = time.monotonic(), self._key(request)
        if (known := self._known(key, request)) is not None:
            return known
        bill = Bill(self._budget)
        text, judged = self._asked(request, bill)
        if not judged.partial and self._cache:
            self._cache.put(key, text, request.atom_ids)
        return Reply(
            text=text,
            value=judged.value,
            partial=judged.partial,
            calls=bill.calls,
            prompt_tokens=bill.told.prompt if bill.told else None,
            completion_tokens=bill.told.completion if bill.told else None,
            seconds=time.monotonic() - begun,
            money=bill.money,
        )

    def ask_all(self, requests: Iterable[Request[Asked]]) -> Iterator[Reply[Asked]]:
        """Yield replies in the order of the requests, several asked at once. Raises as `ask`.

        Requests are drawn as they are needed; what was answered before an error is in the cache.
        """
        waiting: deque[Future[Reply[Asked]]] = deque()
        left, ahead = iter(requests), 2 * self._endpoint.concurrency
        with ThreadPoolExecutor(self._endpoint.concurrency) as pool:
            try:
                while True:
                    for request in itertools.islice(left, ahead - len(waiting)):
                        waiting.append(pool.submit(self.ask, request))
                    if not waiting:
                        return
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    def stream(self, request: Request[str]) -> Iterator[str]:
        """Yield a reply's words as they come, thoughts left out.

        Raises ConfigError, BudgetExceeded, and ReplyUnusable where the reply breaks off.
        """
        request = self._with_thoughts(request)
        key = self._key(request)
        if (known := self._known(key, request)) is not None:
            yield known.text
            return
        parts: list[str] = []
        for part in without_thoughts(self._pieces(request)):
            parts.append(part)
            yield part
        if not "".join(parts).strip():
            raise ReplyUnusable(f"{shown(self._endpoint.base_url)} sent no words")
        if self._cache:
            self._cache.put(key, "".join(parts), request.atom_ids)

    @cached_property
    def _client(self) -> openai.OpenAI:
        import openai

        return openai.OpenAI(
            api_key=self._endpoint.key,
            base_url=self._endpoint.base_url,
            timeout=openai.Timeout(self._endpoint.timeout_s, connect=_CONNECT_S),
            max_retries=self._endpoint.retries,
        )

    def _with_thoughts(self, request: Request[Asked]) -> Request[Asked]:
        return replace(request, max_tokens=request.max_tokens + self._endpoint.thinking_tokens)

    def _key(self, request: Request[Any]) -> str:
        return key_of(
            {
                "endpoint": self._endpoint.base_url,
                "model": self._endpoint.model,
                "temperature": self._endpoint.temperature,
                "max_tokens": request.max_tokens,
                "messages": [key_parts(message) for message in request.messages],
                "schema": None if request.wanted is str else schema_of(request.wanted),
            }
        )

    def _known(self, key: str, request: Request[Asked]) -> Reply[Asked] | None:
        text = self._cache.get(key) if self._cache else None
        if text is None or (judged := judge(Answered(text), request)).partial:
            return None
        self._budget.note_cached()
        return Reply(text, judged.value, money=self._budget.money(Tokens(0, 0)), cached=True)

    def _asked(self, request: Request[Any], bill: Bill) -> tuple[str, Judged]:
        """Ask, and once more with the reason where the reply can't be read."""
        first = self._exchange(request, bill)
        judged = judge(first, request)
        if not judged.again:
            return first.text, judged
        try:
            second = self._exchange(once_more(request, first.text, judged.partial), bill)
        except BudgetExceeded as error:
            reason = f"{judged.partial}; not asked again: {error.message}"
            return saved(request, [first.text], reason)
        again = judge(second, request)
        if again.value is None:
            return saved(request, [second.text, first.text], again.partial)
        self._dialect.spell_out()
        return second.text, again

    def _exchange(self, request: Request[Any], bill: Bill) -> Answered:
        """Send a request in the way that the endpoint takes."""
        import openai

        while True:
            manner = self._dialect.manner
            body = self._body(manner, request)
            with self._slots, self._budget.hold(most(body, request)) as hold:
                try:
                    found = answered(self._create(body))
                except openai.OpenAIError as error:
                    if self._learnt(manner, error):
                        continue
                    return Answered("", trouble=self._stop_or_say(error))
                except NO_JSON:
                    found = answered(None)
                hold.settle(found.used)
            bill.add(hold)
            return found

    def _pieces(self, request: Request[str]) -> Iterator[str]:
        """Yield the words of a streamed reply; while it runs it is counted as the most it can be.

        It takes no slot of the concurrent calls: whoever reads it may ask meanwhile.
        """
        stream, longest = self._opened(request)
        used: Tokens | None = None
        finish, length = "", 0
        try:
            for chunk in stream:
                used = tokens_of(getattr(chunk, "usage", None)) or used
                finish = delta_finish(chunk) or finish
                if text := delta_text(chunk):
                    length += len(text)
                    yield text
        except stream_errors():
            finish = ""
        finally:
            stream.close()
            self._budget.correct(longest, used)
        if finish in ("", "length"):
            why = f"cut off at {request.max_tokens} tokens" if finish else "broke off"
            raise ReplyUnusable(f"the reply {why}, after {length} characters")

    def _opened(self, request: Request[str]) -> tuple[Any, Tokens]:
        import openai

        while True:
            manner = self._dialect.manner
            body = self._body(manner, request) | {"stream": True}
            if manner.usage:
                body["stream_options"] = {"include_usage": True}
            with self._budget.hold(most(body, request)) as hold:
                try:
                    stream = self._create(body)
                except openai.OpenAIError as error:
                    if self._learnt(manner, error):
                        continue
                    raise ReplyUnusable(self._stop_or_say(error)) from error
                hold.settle(None)
            return stream, hold.most

    def _body(self, manner: Manner, request: Request[Any]) -> dict[str, Any]:
        endpoint = self._endpoint
        return manner.body(request, model=endpoint.model, temperature=endpoint.temperature)

    def _create(self, body: dict[str, Any]) -> Any:
        with self._building:
            create = cast(Any, self._client.chat.completions.create)
        return create(**body)

    def _learnt(self, manner: Manner, error: openai.OpenAIError) -> bool:
        status = getattr(error, "status_code", 0)
        return self._dialect.learn(manner, status, f"{error} {getattr(error, 'body', '')}")

    def _stop_or_say(self, error: openai.OpenAIError) -> str:
        return stop_or_say(
            error,
            base_url=self._endpoint.base_url,
            model=self._endpoint.model,
            key_name=self._endpoint.key_name,
            url_name=self._endpoint.url_name,
        )
