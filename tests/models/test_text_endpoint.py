"""Text vectors of a server: what is sent, what is made of any reply, and what fails how."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from mmem.config import Settings
from mmem.errors import BudgetExceeded, ConfigError, MmemError, ModelMismatch, ReplyUnusable
from mmem.models.llm_budget import Budget, Prices
from mmem.models.llm_endpoint import Endpoint
from mmem.models.text_choice import text_encoder
from mmem.models.text_endpoint import TEXTS_A_CALL, EndpointText
from tests.endpoint import Act, hangs, refuses, sends, serving, slowly
from tests.models.embedding import WIDTH, embeds, encoder, vector


def expected(text: str) -> np.ndarray:
    found = np.array(vector(text), np.float32)
    return found / np.linalg.norm(found)


def test_many_texts_go_in_batches_several_at_once_and_come_back_in_order() -> None:
    """Law: no call has more texts than every server takes, no more calls at once than allowed."""
    texts = [f"text number {n}" for n in range(10 * TEXTS_A_CALL + 1)]
    with serving(slowly(embeds(), 0.02)) as server, encoder(server, concurrency=3) as served:
        found = served.encode(texts)
        sizes = [len(body["input"]) for body in server.bodies]
        assert sorted(sizes)[-1] == TEXTS_A_CALL and sum(sizes) == len(texts) + 1  # and the width
        assert 1 < server.most_at_once <= 3
    for row in (0, TEXTS_A_CALL, len(texts) - 1):
        assert found.pooled[row] == pytest.approx(expected(texts[row]), abs=1e-6)


def test_entries_are_put_in_order_by_their_index() -> None:
    """Law: a server may answer in any order; without any index the order is that of the texts."""

    def turned(reply: dict[str, Any]) -> dict[str, Any]:
        return {**reply, "data": reply["data"][::-1]}

    def bare(reply: dict[str, Any]) -> dict[str, Any]:
        return {"data": [{"embedding": entry["embedding"]} for entry in reply["data"]]}

    for change in (turned, bare):
        with serving(embeds(change=change)) as server, encoder(server) as served:
            found = served.encode(["one", "two", "three"])
            assert found.pooled[2] == pytest.approx(expected("three"), abs=1e-6)


def _with(embedding: Any) -> Callable[[dict[str, Any]], Any]:
    def change(reply: dict[str, Any]) -> dict[str, Any]:
        reply["data"][-1]["embedding"] = embedding
        return reply

    return change


def _indexed(*places: Any) -> Callable[[dict[str, Any]], Any]:
    def change(reply: dict[str, Any]) -> dict[str, Any]:
        for entry, place in zip(reply["data"], places, strict=True):
            entry["index"] = place
        return reply

    return change


HOSTILE: dict[str, tuple[Act, str]] = {
    "too few": (embeds(change=lambda r: {**r, "data": r["data"][:1]}), "1 vectors for 2 texts"),
    "too many": (embeds(change=lambda r: {**r, "data": r["data"] * 2}), "4 vectors for 2 texts"),
    "none": (embeds(change=lambda r: {**r, "data": []}), "0 vectors for 2 texts"),
    "no list": (embeds(change=lambda r: {**r, "data": {}}), "no list of vectors"),
    "no object": (embeds(change=lambda r: [1, 2]), "no list of vectors"),
    "null": (embeds(change=lambda r: None), "no list of vectors"),
    "an error in a good reply": (embeds(change=lambda r: {"error": "x"}), "no list of vectors"),
    "an index twice": (embeds(change=_indexed(0, 0)), "whose they are"),
    "an index too large": (embeds(change=_indexed(0, 2)), "whose they are"),
    "an index that is none": (embeds(change=_indexed(True, "a")), "whose they are"),
    "NaN": (embeds(change=_with([float("nan")] * WIDTH)), "of no numbers"),
    "infinity": (embeds(change=_with([float("inf")] * WIDTH)), "of no numbers"),
    "zeros": (embeds(change=_with([0.0] * WIDTH)), "zeros"),
    "another width": (embeds(change=_with([1.0] * (WIDTH + 1))), "different widths"),
    "empty": (embeds(change=_with([])), "of 0 numbers"),
    "words": (embeds(change=_with(["1"] * WIDTH)), "is none"),
    "truths": (embeds(change=_with([True] * WIDTH)), "is none"),
    "a whole number too large": (embeds(change=_with([10**400] * WIDTH)), "decoded"),
    "no base64": (embeds(change=_with("§§§")), "decoded"),
    "half a number": (embeds(change=_with("AAAA")), "decoded"),
    "no JSON": (sends(b"<html>busy</html>"), "no JSON"),
    "deep": (sends(b"[" * 100_000), "no JSON"),
    "no bytes": (sends(b""), "no JSON"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_reply_that_is_no_use_is_said_in_one_line(name: str) -> None:
    """Law: it is asked for once more, then the address and the reason are told; nothing is kept."""
    act, reason = HOSTILE[name]
    with serving(act) as server, encoder(server, width=WIDTH) as served:
        with pytest.raises(ReplyUnusable, match=reason) as caught:
            served.encode(["one", "two"])
        assert server.base_url in str(caught.value) and "\n" not in str(caught.value)
        assert len(server.asked) == 2


def test_a_bad_reply_may_be_followed_by_a_good_one() -> None:
    """Law: what is asked once more and answered well is as if it had been well at once."""
    with serving(sends(b"{"), embeds()) as server, encoder(server) as served:
        assert served.encode_query("one").pooled == pytest.approx(expected("one"), abs=1e-6)


@pytest.mark.parametrize(
    ("act", "kind", "reason"),
    [
        (refuses(401, "Incorrect API key sk-local"), ConfigError, "refuses the key (HTTP 401)"),
        (refuses(404, "model 'small' not found"), ConfigError, "has no model 'small'"),
        (refuses(402, "Insufficient credits"), BudgetExceeded, "is used up"),
        (refuses(400, "input is too long: 9000 tokens"), ReplyUnusable, "too long: 9000 tokens"),
        (refuses(413, "batch too large"), ReplyUnusable, "batch too large"),
        (refuses(500, "out of memory"), ReplyUnusable, "out of memory"),
        (hangs(5.0), ReplyUnusable, "no answer in time"),
    ],
)
def test_what_a_server_refuses_is_told_in_its_words(
    act: Act, kind: type[MmemError], reason: str
) -> None:
    """Law: the line names the address and the reason, never the key; nobody asks twice."""
    with serving(act) as server, encoder(server, width=WIDTH, timeout_s=0.5) as served:
        with pytest.raises(kind) as caught:
            served.encode(["one"])
        assert reason in str(caught.value) and server.base_url in str(caught.value)
        assert "sk-local" not in str(caught.value) and len(server.asked) == 1


def test_nobody_at_the_address_is_said_with_the_variable_to_set() -> None:
    """Law: the variable is the one of embeddings, not of language models."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/v1"
    endpoint = Endpoint("small", address, "none", url_name="MMEM_EMBED_BASE_URL", retries=0)
    with pytest.raises(ConfigError, match=address) as caught:
        _ = EndpointText(endpoint).identity
    assert "MMEM_EMBED_BASE_URL" in caught.value.hint


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    """Law: Retry-After is kept; what was busy is no failure."""
    busy = refuses(429, "slow down", headers={"Retry-After": "0.1"})
    with serving(busy, busy, embeds()) as server, encoder(server, retries=3) as served:
        assert served.encode(["one"]).pooled.shape == (1, WIDTH)
        assert len(server.asked) == 3


def test_another_width_than_before_is_another_model() -> None:
    """Law: a server that changes its model under one name is found out where widths differ."""
    with serving(embeds(width=24)) as server, encoder(server, width=WIDTH) as served:
        with pytest.raises(ModelMismatch, match="24 numbers") as caught:
            served.encode(["one"])
        assert "mmem reembed" in caught.value.hint


def test_calls_and_tokens_are_counted_and_priced() -> None:
    """Law: where the server tells no usage, the calls are counted as uncounted."""
    budget = Budget(prices=Prices(1_000_000.0, 0.0))
    with serving(embeds()) as server, encoder(server, budget=budget) as served:
        served.encode(["two words", "and three more"])
        assert (served.spent.calls, served.spent.prompt_tokens, served.spent.money) == (1, 5, 5.0)
    with serving(embeds(usage=False)) as server, encoder(server) as served:
        served.encode(["two words"])
        assert (served.spent.calls, served.spent.uncounted) == (1, 1)


def test_texts_are_sent_as_servers_take_them() -> None:
    """Law: prefixed, cut where they are too long, never empty."""
    with serving(embeds()) as server:
        with encoder(
            server, width=WIDTH, prefix="passage: ", query_prefix="query: ", max_tokens=20
        ) as served:
            served.encode(["one", "", "word " * 100])
            served.encode_query("who?")
        one, empty, long = server.bodies[0]["input"]
        assert (one, empty) == ("passage: one", "passage: .")
        assert long == "passage: " + "word " * 20
        assert server.bodies[1]["input"] == ["query: who?"]


def test_a_question_is_asked_for_once() -> None:
    """Law: recall and answer share the vectors of one question."""
    with serving(embeds()) as server, encoder(server, width=WIDTH) as served:
        assert served.encode_query("who?") is served.encode_query("who?")
        assert len(server.asked) == 1


def made(**fields: Any) -> Settings:
    return Settings.model_validate({"text_model": "endpoint:small", **fields})


def test_settings_name_the_endpoint() -> None:
    """Law: a key only goes to the address that it was set with."""
    secret = SecretStr("sk-openai")
    with serving(embeds()) as server:
        for fields, sent in (
            ({"embed_base_url": server.base_url, "OPENAI_API_KEY": secret}, "Bearer none"),
            ({"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": secret}, "Bearer sk-openai"),
            ({"embed_base_url": server.base_url, "embed_api_key": "sk-own"}, "Bearer sk-own"),
            ({"embed_base_url": server.base_url, "llm_api_key": "sk-llm"}, "Bearer none"),
        ):
            served = text_encoder(made(**fields))
            assert isinstance(served, EndpointText)
            assert served.identity.width == WIDTH and served.identity.model == "small"
            served.close()
            assert server.asked[-1].authorization == sent
            assert server.asked[-1].path == "/v1/embeddings"


def test_the_width_of_a_memory_is_not_asked_for() -> None:
    """Law: to open a memory nothing is sent."""
    with serving(embeds()) as server:
        first = text_encoder(made(embed_base_url=server.base_url))
        space = first.identity
        asked = len(server.asked)
        again = text_encoder(made(embed_base_url=server.base_url), stored=lambda: space)
        assert again.identity == space and len(server.asked) == asked


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"embed_base_url": "localhost:11434"}, "no address of a model server"),
        ({"text_model": "endpoint:", "embed_base_url": "http://h/v1"}, "names no model"),
        ({"text_model": " "}, "is empty"),
        ({"OPENAI_BASE_URL": "", "OPENAI_API_KEY": None}, "needs a key"),
    ],
)
def test_settings_that_cannot_be_right_are_refused_at_once(
    fields: dict[str, Any], reason: str
) -> None:
    """Law: before anything is sent."""
    with pytest.raises(ConfigError, match=reason):
        text_encoder(made(**fields))
