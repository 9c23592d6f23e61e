"""A language model over OpenAI's protocol, against a server that misbehaves as real ones do."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from mmem.models.llm import ChatModel
from mmem.models.llm_budget import Budget, Prices
from mmem.models.llm_endpoint import Endpoint
from tests.endpoint import Act, ModelServer, hangs, refuses, says, sends, serving
from tests.models.asking import GOOD, Fact, Facts, facts, model, picky


def forms(server: ModelServer) -> list[str]:
    return [body.get("response_format", {}).get("type", "text") for body in server.bodies]


def test_a_record_is_asked_for_by_its_schema_and_counted() -> None:
    """Law: the schema goes out closed and strict, the reply comes back as the record."""
    prices = Budget(prices=Prices(2.0, 10.0))
    with serving(says(GOOD, usage=(1000, 50))) as server, model(server, budget=prices) as llm:
        reply = llm.ask(facts())
        assert reply.value == Facts(facts=[Fact(subject="Ann", count=2)])
        assert (reply.partial, reply.calls, reply.cached) == ("", 1, False)
        assert (reply.prompt_tokens, reply.completion_tokens) == (1000, 50)
        assert reply.money == pytest.approx(0.0025)
        assert llm.spent.calls == 1 and llm.spent.money == reply.money
        (body,) = server.bodies
        wanted = body["response_format"]["json_schema"]
        assert (wanted["name"], wanted["strict"]) == ("Facts", True)
        assert wanted["schema"]["required"] == ["facts"]
        assert wanted["schema"]["properties"]["facts"]["items"]["required"] == ["subject", "count"]
        assert (body["max_tokens"], body["temperature"], body["model"]) == (100, 0.0, "small")
        assert server.asked[0].authorization == "Bearer sk-local"


def test_what_an_endpoint_refuses_is_found_out_once() -> None:
    """Law: after the first refusals, further requests go out right at once."""
    refused = ("json_schema", "json_object", "max_tokens", "temperature", "system")
    with serving(by=picky(*refused)) as server, model(server) as llm:
        assert llm.ask(facts()).value is not None
        assert len(server.asked) == 6 and llm.spent.calls == 1
        assert forms(server)[-1] == "text"
        assert all(llm.ask(facts(f"line {n}")).value for n in range(3))
        assert len(server.asked) == 9
        last = server.bodies[-1]
        assert last["max_completion_tokens"] == 100 and "temperature" not in last
        assert [m["role"] for m in last["messages"]] == ["user"]
        assert "JSON Schema" in last["messages"][0]["content"]


def test_threads_find_out_one_manner() -> None:
    """Law: refusals that come at the same time step down once, not once each."""
    with serving(by=picky("json_schema")) as server, model(server, concurrency=8) as llm:
        replies = list(llm.ask_all(facts(f"line {n}") for n in range(24)))
        assert all(reply.value and not reply.partial for reply in replies)
        assert set(forms(server)) == {"json_schema", "json_object"}


@pytest.mark.parametrize(
    "act",
    [
        says(f"Sure! Here it is:\n```json\n{GOOD}\n```\nAnything else?"),
        says(f"<think>Facts... {{'facts': []}}</think>\n{GOOD}"),
        says(GOOD.replace('"', "'").replace("2}", "None,},")),
        says('[{"subject": "Ann", "count": 2}]'),
        says(f'{{"name": "Facts", "arguments": {json.dumps(GOOD)}}}'),
        says(None, finish="tool_calls", tool_calls=[{"function": {"arguments": GOOD}}]),
        says(None, reasoning_content=GOOD),
        says([{"type": "text", "text": GOOD}]),  # type: ignore[arg-type]
        says(GOOD, usage=None, finish=None),
        says(GOOD + "\n" * 5000, finish="length"),
        says(GOOD, finish="banana", refusal=7, tool_calls="no"),
    ],
)
def test_what_real_endpoints_send_is_read(act: Act) -> None:
    """Law: fences, thoughts, wrappers, odd fields and missing counts cost no second call."""
    with serving(act) as server, model(server) as llm:
        reply = llm.ask(facts())
        assert reply.value is not None and reply.value.facts[0].subject == "Ann"
        assert reply.partial == "" and len(server.asked) == 1


def test_an_unusable_reply_is_asked_for_once_more_with_the_reason() -> None:
    """Law: the second request shows the reply and what is wrong; both calls are counted."""
    with serving(says('{"facts": [{"count": 1}]}'), says(GOOD)) as server, model(server) as llm:
        reply = llm.ask(facts())
        assert reply.value is not None and reply.partial == ""
        assert (reply.calls, reply.prompt_tokens) == (2, 200)
        told = server.bodies[1]["messages"]
        assert told[-2] == {"role": "assistant", "content": '{"facts": [{"count": 1}]}'}
        assert "facts.0.subject: Field required" in told[-1]["content"]


def test_an_endpoint_that_ignores_the_schema_is_told_in_words() -> None:
    """Law: where only the second asking, which spells the schema out, worked, all later ones do."""

    def deaf(body: dict[str, Any]) -> Act:
        spelled = "JSON Schema" in json.dumps(body["messages"])
        return says(GOOD if spelled else "Ann has two.")

    with serving(by=deaf) as server, model(server) as llm:
        assert llm.ask(facts()).calls == 2
        assert llm.ask(facts("more")).calls == 1
        assert forms(server) == ["json_schema"] * 3


@pytest.mark.parametrize(
    ("acts", "reason", "calls", "kept"),
    [
        ([says("I'd rather not.")], "no JSON in the reply", 2, None),
        ([says("")], "the reply is empty", 2, None),
        ([says('{"facts": [{"subject": "A"}, {"count": 1}]}')], "left out: facts.1", 2, ["A"]),
        ([says('{"facts": [{"subject": "A"}, {"subj', finish="length")], "cut off at", 1, ["A"]),
        ([says('{"facts": [{"subject": "A"}, {"subj')], "broke off", 1, ["A"]),
        ([says("", finish="length", reasoning_content="hm")], "all of them were thoughts", 1, None),
        ([says(None, refusal="I can't help")], "declines: I can't help", 1, None),
        ([says("", finish="content_filter")], "content filter", 1, None),
        ([sends(b"<html>hi</html>", kind="text/html")], "no chat completion", 1, None),
        ([sends(b'{"choices": [], "usage": "lots"}')], "no chat completion", 1, None),
        ([sends(b'{"choices": 5}')], "no chat completion", 1, None),
        ([sends(b'[[["')], "no chat completion", 1, None),
        ([sends(b"[" * 50_000)], "no chat completion", 1, None),
        ([sends(b"null")], "no chat completion", 1, None),
        ([sends(b'["choices"]')], "no chat completion", 1, None),
        ([sends(b'{"choices": [null]}')], "empty", 2, None),
        ([sends(b'{"choices": [{"message": [4], "finish_reason": {}}]}')], "empty", 2, None),
        ([sends(b"\xff\xfe")], "no chat completion", 1, None),
        ([sends(b"", status=204)], "no chat completion", 1, None),
        ([sends(b"[4]", status=400)], "HTTP 400", 0, None),
        ([says("x" * 1_100_000)], "more than 1,000,000", 2, None),
        ([refuses(400, "maximum context length is 10")], "HTTP 400: maximum context", 0, None),
        ([refuses(500, "boom\n\x1b[31mred")], "HTTP 500: boom [31mred", 0, None),
        ([refuses(429, "slow down")], "HTTP 429: slow down", 0, None),
    ],
)
def test_what_fails_for_one_request_is_partial_with_the_reason(
    acts: list[Act], reason: str, calls: int, kept: list[str] | None
) -> None:
    """Law: nothing is raised, whole elements are kept, the reason is one line, none is cached."""
    with serving(*acts) as server, model(server) as llm:
        reply = llm.ask(facts())
        assert reason in reply.partial and reply.partial.isprintable() and reply.partial
        assert reply.calls == calls
        assert (reply.value and [f.subject for f in reply.value.facts]) == kept


def test_thoughts_have_tokens_of_their_own() -> None:
    """Law: what a reasoning model may think is added to what a reply may take."""
    with serving(says(GOOD)) as server:
        endpoint = Endpoint("small", server.base_url, "none", thinking_tokens=900)
        with ChatModel(endpoint) as llm:
            llm.ask(facts())
        assert server.bodies[0]["max_tokens"] == 1000


def test_retries_wait_as_long_as_the_server_says() -> None:
    """Law: 429 with Retry-After and 5xx are sent again, and then are as if nothing was."""
    hasty = refuses(429, "slow down", headers={"Retry-After": "0.3"})
    with (
        serving(
            hasty, refuses(503, "busy", headers={"retry-after-ms": "10"}), says(GOOD)
        ) as server,
        model(server, retries=3) as llm,
    ):
        begun = time.monotonic()
        assert llm.ask(facts()).partial == ""
        assert time.monotonic() - begun >= 0.3
        assert len(server.asked) == 3 and llm.spent.calls == 1


def test_a_server_that_hangs_or_drops_is_not_waited_for() -> None:
    """Law: one call takes no longer than its time limit."""
    with serving(hangs(30)) as server, model(server, timeout_s=0.4) as llm:
        begun = time.monotonic()
        assert "no answer in time" in llm.ask(facts()).partial
        assert time.monotonic() - begun < 5
    with serving(hangs(0)) as server, model(server) as llm:
        assert "broke off" in llm.ask(facts()).partial
