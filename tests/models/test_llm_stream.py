"""Replies that come piece by piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmem.errors import ReplyUnusable
from mmem.models.llm_budget import Budget, Prices
from mmem.models.llm_cache import ReplyCache
from tests.endpoint import Act, breaks_off, refuses, says, sends, serving
from tests.models.asking import GOOD, WORDS, model, picky


def test_words_come_as_they_are_said(tmp_path: Path) -> None:
    """Law: a stream is its reply in pieces, counted at its end, and remembered when whole."""
    cache, budget = ReplyCache(tmp_path), Budget(prices=Prices(1e6, 1e6))
    with (
        serving(says("It is in the café. [1]", usage=(7, 5))) as server,
        model(server, cache=cache, budget=budget) as llm,
    ):
        pieces = list(llm.stream(WORDS))
        assert "".join(pieces) == "It is in the café. [1]" and len(pieces) > 3
        assert llm.spent.money == 12.0 and llm.spent.uncounted == 0
        assert server.bodies[0]["stream_options"] == {"include_usage": True}
        assert list(llm.stream(WORDS)) == ["It is in the café. [1]"]
        assert llm.ask(WORDS).cached and len(server.asked) == 1


def test_thoughts_are_not_streamed() -> None:
    """Law: what a reasoning model thinks before its reply is not the reply."""
    with serving(says("<think>\nhm <b> </think>\n\n<b>Yes</b>")) as server, model(server) as llm:
        assert "".join(llm.stream(WORDS)) == "<b>Yes</b>"
        assert llm.ask(WORDS).value == "<b>Yes</b>"
    with serving(says("<think>never ending")) as server, model(server) as llm:
        with pytest.raises(ReplyUnusable, match="no words"):
            list(llm.stream(WORDS))
        assert "empty" in llm.ask(WORDS).partial


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (breaks_off(["It is ", "in"]), "broke off, after 8 characters"),
        (says("It is in", finish="length"), "cut off at 50 tokens, after 8 characters"),
        (says("It is in", finish=None), "broke off"),
        (says(""), "no words"),
        (refuses(500, "boom"), "HTTP 500: boom"),
        (sends(b"data: {oops\n\n", kind="text/event-stream"), "broke off, after 0"),
        (sends(b'data: {"error": {"message": "x"}}\n\n', kind="text/event-stream"), "broke off"),
    ],
)
def test_a_stream_that_breaks_says_so(act: Act, reason: str, tmp_path: Path) -> None:
    """Law: half a reply never passes for a whole one, nor is it remembered."""
    with serving(act) as server, model(server, cache=ReplyCache(tmp_path)) as llm:
        with pytest.raises(ReplyUnusable, match=reason):
            list(llm.stream(WORDS))
        assert not list(tmp_path.rglob("*.json"))


def test_a_stream_may_be_left_and_others_asked_meanwhile() -> None:
    """Law: a stream that is read slowly holds up nobody, and one that is left is counted."""
    with serving(says("It is in the café.")) as server, model(server, concurrency=1) as llm:
        stream = llm.stream(WORDS)
        next(stream)
        assert llm.ask(WORDS).value == "It is in the café."
        stream.close()  # type: ignore[attr-defined]
        assert (llm.spent.calls, llm.spent.uncounted) == (2, 1)


def test_stream_options_are_left_out_where_refused() -> None:
    """Law: an endpoint that can't count a stream still streams."""
    with serving(by=picky("stream_options")) as server, model(server) as llm:
        assert "".join(llm.stream(WORDS)) == GOOD
        assert "stream_options" not in server.bodies[-1]
