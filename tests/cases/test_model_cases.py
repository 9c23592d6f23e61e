"""Every way in which a model's reply goes wrong, through a whole memory: add, retry, ask."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mmem import Memory
from mmem.schemas import Outcome
from tests.bodies import quick
from tests.endpoint import (
    Act,
    ModelServer,
    hangs,
    only_this_machine,
    refuses,
    says,
    serving,
    slowly,
)

CHAT = """\
25/03/2024, 10:00 - Dana: I am moving to the Lisbon office in April
25/03/2024, 10:01 - Omar: Great. I keep the Porto desk
25/03/2024, 10:02 - Dana: My badge number stays 5512
"""
NOTED = {
    "moving": ("Dana", "move to", "the Lisbon office"),
    "Porto": ("Omar", "keep", "the Porto desk"),
    "badge": ("Dana", "have badge number", "5512"),
    "manager": ("Omar", "have new manager", "Ruta"),
    "walnuts, please": ("Dana", "can eat", "walnuts"),
}


@pytest.fixture(autouse=True)
def called() -> Iterator[list[str]]:
    """Law: whatever a model does, nothing talks to another machine."""
    with only_this_machine() as hosts:
        yield hosts


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Point the environment at a server, without remembered replies; other settings by name."""

    def point(server: ModelServer, **more: str) -> None:
        named = {
            "MMEM_LLM_MODEL": "small",
            "MMEM_LLM_BASE_URL": server.base_url,
            "MMEM_LLM_API_KEY": "none",
            "MMEM_LLM_RETRIES": "0",
            "MMEM_LLM_CACHE": "off",
        }
        for name, value in {**named, **more}.items():
            monkeypatch.setenv(name, value)

    return point


def asked_about(body: dict[str, Any]) -> str:
    """Return the lines of the unit that a request asks about."""
    asked = body["messages"][1]["content"]
    data = json.loads(asked[asked.index("<data>") + 6 : asked.rindex("</data>")])
    return " ".join(line["text"] for line in data["lines"])


def note_of(body: dict[str, Any]) -> str:
    """Return the reply that a well-behaved model gives."""
    lines = asked_about(body)
    facts = [_fact(*told, "no" in key) for key, told in _told(lines)]
    return json.dumps({"summary": "", "events": [], "facts": facts})


def _told(lines: str) -> list[tuple[str, tuple[str, str, str]]]:
    found = [(key, told) for key, told in NOTED.items() if key in lines]
    return [("no" if "cannot" in lines else "", told) for _, told in found]


def _fact(subject: str, relation: str, value: str, denied: bool) -> dict[str, Any]:
    return {
        "subject": subject,
        "relation": relation,
        "object": value,
        "time": None,
        "polarity": "negative" if denied else "positive",
        "modality": "asserted",
        "kind": "semantic",
        "certainty": "stated",
        "lines": [1],
    }


def spoilt(text: str, way: dict[str, Any]) -> str:
    """Return a reply spoilt in one of the case's ways."""
    text = f"{way.get('before', '')}{text}{way.get('after', '')}"
    if way.get("trailing_comma"):
        end = max(text.rfind("}"), text.rfind("]"))
        text = f"{text[:end]},{text[end:]}"
    return text


def remembered(memory: Memory) -> set[tuple[str, str, str, str]]:
    return {(f.subject, f.relation, f.object, f.polarity) for f in memory.facts()}


def frames_of(memory: Memory) -> Outcome:
    (found,) = [outcome for outcome in memory.outcomes() if outcome.stage == "frames"]
    return found


WAYS = (
    "plain",
    "json fence",
    "bare fence",
    "chatty",
    "thinking block with braces",
    "byte order mark",
    "trailing comma",
)


@pytest.mark.parametrize("name", WAYS)
def test_o12_fenced_reply(
    name: str, shared: Path, tmp_path: Path, use: Callable[..., None], called: list[str]
) -> None:
    """Each way gives the same five memories as the plain reply, with one call a passage."""
    case = shared / "cases" / "o12-fenced-reply"
    ways = {way["name"]: way for way in json.loads((case / "spoil.json").read_text())}
    assert set(ways) == set(WAYS)
    want = json.loads((case / "expected.json").read_text())["expect"]
    with serving(by=lambda body: says(spoilt(note_of(body), ways[name]))) as server:
        use(server)
        with Memory(tmp_path / "m", **quick()) as memory:
            (report,) = memory.add(case / "WhatsApp Chat with Omar.txt")
            assert not report.failed
            units = [unit for source in memory.sources() for unit in memory.units(source.id)]
            assert len(units) == len(server.asked) == want["passages_stored"]
            expected = {(*told, "positive") for told in NOTED.values()}
            expected ^= {(*NOTED["walnuts, please"], p) for p in ("positive", "negative")}
            assert remembered(memory) == expected
            assert len(expected) == len(want["memories_contain"])
    assert set(called) == {"127.0.0.1"}


HALF = 60
"""Characters of a note after which it is cut: in the middle of its first fact."""


def cut(body: dict[str, Any]) -> Act:
    return says(note_of(body)[:HALF], finish="length")


HOSTILE: dict[str, tuple[Callable[[dict[str, Any]], Act], int, str]] = {
    "fenced": (lambda body: says(f"```json\n{note_of(body)}\n```"), 3, "ok"),
    "prose": (lambda body: says(f"Sure!\n\n{note_of(body)}\n\nAnything else?"), 3, "ok"),
    "bare array": (lambda body: says(f"[{note_of(body)}]"), 3, "ok"),
    "truncated": (cut, 3, "partial"),
    "wrong types": (lambda _: says('{"summary": 3, "events": "none", "facts": 7}'), 6, "partial"),
    "empty": (lambda _: says(""), 6, "partial"),
    "refusal": (lambda _: says(None, refusal="I can't help with that."), 3, "partial"),
    "500": (lambda _: refuses(500, "boom"), 3, "partial"),
    "timeout": (lambda _: hangs(5), 3, "partial"),
    "slow": (lambda body: slowly(says(note_of(body)), 0.15), 3, "ok"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_reply_loses_a_unit(
    kind: str, tmp_path: Path, use: Callable[..., None], called: list[str]
) -> None:
    """Laws 1 and 9: every message is stored and found; what a reply spoils, `retry` makes good."""
    answer, calls, status = HOSTILE[kind]
    path = tmp_path / "WhatsApp Chat with Omar.txt"
    path.write_text(CHAT)
    whole = {(*NOTED[key], "positive") for key in ("moving", "Porto", "badge")}
    with Memory(tmp_path / "m", **quick()) as memory:
        with serving(by=answer) as server:
            use(server, MMEM_LLM_TIMEOUT_S="0.6" if kind == "timeout" else "20")
            (report,) = memory.add(path)
            assert report.failed == (status != "ok")
            assert (frames_of(memory).status, len(server.asked)) == (status, calls)
        (source,) = memory.sources()
        assert len(memory.units(source.id)) == len(memory.atoms(source.id)) == 3
        assert memory.search("badge number").hits
        assert remembered(memory) == (whole if status == "ok" else set())
        with serving(by=lambda body: says(note_of(body))) as server:
            use(server)
            memory.retry()
            assert len(server.asked) == (0 if status == "ok" else 3)
        assert frames_of(memory).status == "ok" and remembered(memory) == whole
    assert set(called) == {"127.0.0.1"}


def test_too_many_requests_are_sent_again_later(tmp_path: Path, use: Callable[..., None]) -> None:
    """A 429 is waited for as long as Retry-After says; no reading is lost."""
    path = tmp_path / "WhatsApp Chat with Omar.txt"
    path.write_text(CHAT)
    left = [refuses(429, "slow down", headers={"Retry-After": "0.1"})]
    with serving(by=lambda body: left.pop() if left else says(note_of(body))) as server:
        use(server, MMEM_LLM_RETRIES="1", MMEM_LLM_CONCURRENCY="1")
        with Memory(tmp_path / "m", **quick()) as memory:
            assert not memory.add(path)[0].failed
            assert len(server.asked) == 4 and len(remembered(memory)) == 3
