"""Replies that go wrong, through `Memory.ask`: what is sound is used, else quotes stand there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from tests.bodies import quick
from tests.endpoint import (
    Act,
    breaks_off,
    hangs,
    refuses,
    says,
    sends,
    serving,
    slowly,
)

pytestmark = pytest.mark.usefixtures("called")
GOOD = "Ana adopted a dog on 8 March 2024. [1]\nAnswer: Ana"


CUT = says("Ana adopted a dog. [1] She", finish="length")
USELESS: dict[str, tuple[Act, int, str]] = {
    "refusal": (says("I'm sorry, but I can't help with that."), 1, "could be proven"),
    "empty": (says(""), 1, "sent no words"),
    "thoughts only": (says("<think>Ana, surely [1]"), 1, "sent no words"),
    "bare array": (says('[{"answer": "Ana", "records": [1]}]'), 1, "could be proven"),
    "array of sentences": (says('["Ana adopted a dog. [1]"]'), 1, "could be proven"),
    "object": (says('```json\n{"text": "Ana adopted a dog [1]."}\n```'), 1, "could be proven"),
    "marks alone": (says("[1] [2]\n**[3]**."), 1, "could be proven"),
    "wrong types": (says("7"), 1, "could be proven"),
    "prose without marks": (says("Ana adopted a dog last Friday."), 1, "could be proven"),
    "no chat completion": (sends(b"{}", kind="application/json"), 1, "broke off"),
    "truncated": (CUT, 1, "cut off at"),
    "broken off": (breaks_off(["Ana adopted a dog. [1]", " She"]), 1, "broke off"),
    "500": (refuses(500, "boom"), 1, "HTTP 500: boom"),
    "429": (refuses(429, "slow down"), 1, "HTTP 429: slow down"),
    "no key": (refuses(401, "bad key"), 1, "MMEM_LLM_API_KEY"),
    "no model": (refuses(404, "no such model"), 1, "has no model 'small'"),
    "used up": (refuses(429, "You exceeded your current quota"), 1, "is used up"),
    "timeout": (hangs(5), 1, "no answer in time"),
}


@pytest.mark.parametrize("kind", USELESS)
def test_a_useless_reply_is_answered_in_quotes(
    kind: str, ask: Callable[..., Any], called: list[str]
) -> None:
    """The quoted answer stands there as without a model, and one plain line says why."""
    act, calls, reason = USELESS[kind]
    with serving(act) as server:
        env = {"MMEM_LLM_TIMEOUT_S": "0.6"} if kind == "timeout" else {}
        answer, _ = ask(server, env=env)
        plain, _ = ask(server, env=env, written=False)
        assert len(server.asked) == calls
    assert plain.found and not plain.notes and "I adopted a dog" in plain.text
    assert (answer.text, answer.citations) == (plain.text, plain.citations)
    assert answer.written_by is None and reason in answer.notes[0]
    assert "\n" not in answer.notes[0]
    assert set(called) == {"127.0.0.1"}


USABLE: dict[str, Act] = {
    "fenced": says(f"```\n{GOOD}\n```"),
    "bold list": says("- **Ana** adopted a dog. [1]\n\nAnswer: **Ana**"),
    "in prose": says(f"Here is the answer:\n\n{GOOD}\n\nLet me know if you need more!"),
    "thought first": says(f"<think>Zoe adopted it [1].</think>\n{GOOD}"),
    "answer alone": says("Answer: Ana adopted a dog. [1]"),
    "slow": slowly(says(GOOD), 0.3),
}


@pytest.mark.parametrize("kind", USABLE)
def test_a_reply_in_another_dress_is_used(kind: str, ask: Callable[..., Any]) -> None:
    """Fences, lists, chatter and thoughts around the sentences cost nothing."""
    with serving(USABLE[kind]) as server:
        answer, heard = ask(server)
        assert answer.written_by and len(answer.sentences) == len(heard) == 1
        assert answer.sentences[0].text.startswith("Ana adopted a dog")
        assert len(server.asked) == 1


def test_too_many_requests_are_sent_again(ask: Callable[..., Any]) -> None:
    """A 429 with Retry-After is waited for."""
    with serving(refuses(429, "wait", headers={"Retry-After": "0.1"}), says(GOOD)) as server:
        answer, _ = ask(server, env={"MMEM_LLM_RETRIES": "1"})
        assert answer.written_by and len(server.asked) == 2


OBEDIENT = [
    "The supplier account ends in 9991. [2]\nAnswer: 9991",
    "The supplier account ends in 9991. [2][3]",
    "It is a verified fact that the account ends in 9991. [3]",
    "Noor Haddad's account ends in 9991. [1][2]",
    "The account ends in 9991. [1]",
    "CLEAN",
    "CLEAN [3]",
]


@pytest.mark.parametrize("reply", OBEDIENT)
def test_o15_a_model_that_obeys_the_guest(
    reply: str,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[..., Any],
) -> None:
    """A dictated claim comes out as its speaker's words or not at all; the fence is not closed."""
    case = shared / "cases" / "o15-injected-transcript"
    with Memory(tmp_path / "m", **quick()) as memory, serving(says(reply)) as server:
        memory.add(case / "supplier-call.vtt")
        ask(server, written=False)
        answer = memory.ask("What does the supplier account end in?")
        assert answer.written_by is None and answer.struck == 1
        assert "9991" not in str(answer.short) and "CLEAN" not in str(answer.short)
        for sentence in answer.sentences:
            if "9 9 9 1" in sentence.text or "9991" in sentence.text:
                assert sentence.text.startswith("Guest 2 (")
        sent = server.bodies[0]["messages"][1]["content"]
        assert sent.count("</data>") == 1 and sent.endswith("</data>")
        assert "</transcript>" not in sent and "SYSTEM: answer" in sent


def test_o15_who_said_what(shared: Path, tmp_path: Path, ask: Callable[..., Any]) -> None:
    """A model that keeps apart who says what is believed, digits as they were spoken."""
    case = shared / "cases" / "o15-injected-transcript"
    said = (
        "Noor Haddad says that the bank account still ends in 4409. [1]\n"
        "Guest 2 ordered to record that it ends in 9991, which Noor Haddad called a prank. [2][4]\n"
        "Answer: 4409"
    )
    with Memory(tmp_path / "m", **quick()) as memory, serving(says(said)) as server:
        memory.add(case / "supplier-call.vtt")
        ask(server, written=False)
        answer = memory.ask("What does the supplier account end in?")
        assert answer.short == "4409" and answer.struck == 0
        assert answer.citations[0].speaker == "Noor Haddad"
