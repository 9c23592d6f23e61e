"""Answers that a language model writes, through `Memory.ask`: proven, streamed, remembered."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from mmem.errors import ConfigError
from mmem.schemas import Sentence
from mmem.schemas.html import answer_html
from tests.answer.conftest import CHAT, QUESTION
from tests.bodies import quick
from tests.endpoint import (
    Handler,
    ModelServer,
    chunk,
    says,
    serving,
)

pytestmark = pytest.mark.usefixtures("called")
GOOD = "Ana adopted a dog on 8 March 2024. [1]\nAnswer: Ana"


def records(server: ModelServer) -> list[dict[str, Any]]:
    """Return the numbered records that the model was handed."""
    asked = server.bodies[-1]["messages"][1]["content"]
    data = json.loads(asked[asked.index("<data>") + 6 : asked.rindex("</data>")])
    found: list[dict[str, Any]] = data["records"]
    return found


def test_a_proven_answer(ask: Callable[..., Any]) -> None:
    """It is the model's, with citations of atoms; one call is streamed, told every record."""
    with serving(says(GOOD)) as server:
        answer, heard = ask(server, now="2024-03-20")
        assert answer.found and answer.short == "Ana"
        assert answer.written_by == "small, temperature 0" and answer.struck == 0
        assert answer.text == "Ana\nAna adopted a dog on 8 March 2024. [1]"
        assert heard == list(answer.sentences)
        (cited,) = answer.citations
        assert (cited.speaker, cited.quote) == ("Ana", "I adopted a dog last Friday")
        assert cited.source_title == "Ana" and cited.at == "2024-03-14T09:00:00"
        assert answer.notes == ("written by small, temperature 0, 1 call, 120 tokens",)
        assert len(server.asked) == 1 and server.bodies[0]["stream"] is True
        lines = [r for r in records(server) if r["kind"] == "message"]
        assert [(r["n"], r["speaker"]) for r in lines] == [
            (1, "Ana"),
            (2, "Bob"),
            (3, "Ana"),
            (4, "Bob"),
            (5, "Ana"),
        ]
        assert lines[0]["dates"] == {"last Friday": "8 March 2024"}
        readings = [r for r in records(server) if r["kind"] in ("frame", "fact")]
        assert readings and all(r["from"] == [5] for r in readings)


def test_what_is_not_borne_out_is_struck_and_counted(ask: Callable[..., Any]) -> None:
    """Chatter, a false name and a number that no record has go; the rest stays, renumbered."""
    said = (
        "Sure, here is what I found!\n"
        "Zoe adopted a dog. [1]\n"
        "The vet costs 95 euros. [4]\n"
        "Bob says the vet costs 85 euros. [4][77]\n"
        "Ana adopted a dog. [1]\n"
        "Not in this memory: who"
    )
    with serving(says(said)) as server:
        answer, heard = ask(server)
        assert [s.text for s in answer.sentences] == [
            "Bob says the vet costs 85 euros.",
            "Ana adopted a dog.",
        ]
        assert [s.citations for s in heard] == [(0,), (1,)]
        assert answer.struck == 3 and answer.confidence == pytest.approx(2 / 5)
        assert any("3 sentences" in note and "no record" in note for note in answer.notes)
        shown = answer_html(answer)
        assert "3 sentences" in shown and "Bob says the vet costs 85 euros." in shown


def test_it_may_say_that_it_is_not_there(ask: Callable[..., Any]) -> None:
    """Abstention is the model's, with what comes nearest."""
    with serving(says("Not in this memory.")) as server:
        answer, heard = ask(server)
        assert not answer.found and not answer.citations and not heard
        assert answer.written_by == "small, temperature 0" and answer.near_misses
        assert answer.text.startswith("Not in this memory.")


def test_sentences_come_before_the_reply_ends(folder: Path, ask: Callable[..., Any]) -> None:
    """A proven sentence is told while the model is still writing the next."""
    told = threading.Event()
    in_time: list[bool] = []

    def act(handler: Handler, _: dict[str, Any]) -> None:
        handler.begin_stream()
        handler.piece(chunk("Ana adopted a dog. [1] Bob"))
        in_time.append(told.wait(10))
        handler.piece(chunk(" says the vet costs 85 euros. [4]", "stop"))
        handler.end_stream()

    heard: list[str] = []

    def listen(sentence: Sentence) -> None:
        heard.append(sentence.text)
        told.set()

    with serving(act) as server:
        ask(server, written=False)
        with Memory(folder, **quick()) as memory:
            answer = memory.ask(QUESTION, listener=listen)
    assert in_time == [True]
    assert heard == ["Ana adopted a dog.", "Bob says the vet costs 85 euros."]
    assert [s.text for s in answer.sentences] == heard


def test_a_cap_is_kept(ask: Callable[..., Any]) -> None:
    """No call is made that could pass the cap; a cap without prices is refused."""
    prices = {"MMEM_LLM_PRICE_IN": "1000", "MMEM_LLM_PRICE_OUT": "1000"}
    with serving(says(GOOD)) as server:
        answer, _ = ask(server, env=prices, max_cost=0.001)
        assert not server.asked and answer.written_by is None and "cap" in answer.notes[0]
        assert ask(server, env=prices, max_cost=1000)[0].written_by


def test_a_cap_without_prices_is_refused(ask: Callable[..., Any]) -> None:
    """A setting that cannot be right is an error, not a quoted answer."""
    with serving(says(GOOD)) as server, pytest.raises(ConfigError, match="needs prices"):
        ask(server, max_cost=1.0)


def test_asking_writes_nothing(folder: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    """Law 10: the store is as it was; the reply is remembered beside it, by its atoms."""
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    with serving(says(GOOD)) as server:
        first, _ = ask(server, now="2024-03-20T10:00")
        again, heard = ask(server, now="2024-03-20T11:00")
        assert len(server.asked) == 1
        assert again.sentences == first.sentences == tuple(heard)
        assert "remembered" in again.notes[0]
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    (entry,) = (tmp_path / "replies").rglob("*.json")
    with Memory(folder, **quick()) as memory:
        assert set(json.loads(entry.read_text())["atoms"]) == {a.id for a in memory.atoms("Ana")}


def test_forgetting_forgets_the_replies(
    ask: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 5: an answer that was written from a forgotten source is not remembered."""
    path = tmp_path / "WhatsApp Chat with Bob.txt"
    path.write_text(CHAT)
    with serving(says(GOOD)) as server:
        ask(server, written=False)
        monkeypatch.delenv("MMEM_LLM_MODEL")
        with Memory(tmp_path / "m", **quick()) as memory:
            memory.add(path)
            monkeypatch.setenv("MMEM_LLM_MODEL", "small")
            assert memory.ask(QUESTION).written_by
            assert list((tmp_path / "replies").rglob("*.json"))
            memory.forget(source="Bob")
            assert not list((tmp_path / "replies").rglob("*.json"))
            assert not memory.ask(QUESTION).found and len(server.asked) == 1


def test_without_evidence_no_model_is_asked(ask: Callable[..., Any]) -> None:
    """Law 8: an empty memory says so itself."""
    with serving(says(GOOD)) as server:
        answer, _ = ask(server, since="2030-01-01")
        assert not answer.found and not answer.notes and not server.asked


def test_a_model_sees_what_the_reader_may_see(ask: Callable[..., Any]) -> None:
    """Laws 6 and 7: `as_of` and the people asked for bound what is sent."""
    with serving(says(GOOD)) as server:
        ask(server, as_of="2024-03-14T09:01:30")
        assert {r["text"] for r in records(server) if r["kind"] == "message"} == {
            "I adopted a dog last Friday",
            "What's its name?",
        }


def test_a_choice_is_one_of_the_options(ask: Callable[..., Any]) -> None:
    """The direct answer may be an option's words, or the records'; nobody else's."""
    with serving(says("Ana adopted a dog. [1]\nAnswer: Ana the vet")) as server:
        assert ask(server, options=["Ana the vet", "Bob"])[0].short == "Ana the vet"
    with serving(says("Ana adopted a dog. [1]\nAnswer: Zoe")) as server:
        answer, _ = ask(server, question="Who has a dog now?")
        assert answer.short is None and answer.sentences
