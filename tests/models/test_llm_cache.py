"""Replies that are remembered, and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmem.models.llm_budget import Budget, Prices
from mmem.models.llm_cache import ReplyCache
from tests.endpoint import says, serving
from tests.models.asking import GOOD, facts, model


def test_the_same_request_is_asked_once(tmp_path: Path) -> None:
    """Law: a whole reply is remembered across processes; what it depends on is in its key."""
    cache = ReplyCache(tmp_path / "replies")
    prices = Budget(prices=Prices(1.0, 1.0))
    with serving(says(GOOD)) as server:
        with model(server, cache=cache) as llm:
            first = llm.ask(facts())
        with model(server, cache=ReplyCache(tmp_path / "replies"), budget=prices) as llm:
            again = llm.ask(facts())
            assert again.cached and again.value == first.value and again.calls == 0
            assert again.money == 0.0 and llm.spent.cached == 1 and llm.spent.calls == 0
            assert not llm.ask(facts("other")).cached
        assert len(server.asked) == 2
        with model(server, cache=None) as llm:
            assert not llm.ask(facts()).cached
    assert (tmp_path / "replies").stat().st_mode & 0o077 == 0
    assert all(f.stat().st_mode & 0o077 == 0 for f in (tmp_path / "replies").glob("*/*"))


def test_a_partial_reply_is_not_remembered(tmp_path: Path) -> None:
    """Law: what failed is asked again by the next run."""
    cache = ReplyCache(tmp_path)
    with serving(says("no"), says("no"), says(GOOD)) as server, model(server, cache=cache) as llm:
        assert llm.ask(facts()).partial
        assert not list(tmp_path.rglob("*.json"))
        assert not llm.ask(facts()).partial


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"null",
        b'{"version": 1, "key": "0", "atoms": [], "text": "{\\"facts\\": []}"}',
        b"__import__('os').abort()",
        b"\xff\xfe\x00",
        b'{"version": 2, "key": "0", "atoms": [], "text": "{}", "more": 1}',
    ],
)
def test_a_damaged_entry_is_no_entry(tmp_path: Path, damage: bytes) -> None:
    """Law: it is asked again and written anew; forgetting removes what can't be read."""
    cache = ReplyCache(tmp_path)
    with serving(says(GOOD)) as server, model(server, cache=cache) as llm:
        llm.ask(facts(atoms=("a",)))
        (file,) = tmp_path.rglob("*.json")
        sound = file.read_bytes()
        file.write_bytes(damage)
        assert not llm.ask(facts(atoms=("a",))).cached and len(server.asked) == 2
        assert file.read_bytes() == sound
        file.write_bytes(damage)
        assert cache.forget_atoms(["else"]) == (b'{"version": 1' not in damage)
    assert cache.get("../../etc/passwd") is None


def test_forgetting_an_atom_forgets_what_was_said_of_it(tmp_path: Path) -> None:
    """Law: exactly the replies whose prompt held one of the atoms go; none holds a prompt."""
    cache = ReplyCache(tmp_path)
    with serving(says(GOOD)) as server, model(server, cache=cache) as llm:
        for words, atoms in (("one", ("a", "b")), ("two", ("b",)), ("three", ("c",))):
            llm.ask(facts(words, atoms=atoms))
            assert words not in "".join(f.read_text() for f in tmp_path.rglob("*.json"))
        (tmp_path / "00").mkdir(exist_ok=True)
        (tmp_path / "00" / "left.part").write_text("half a wri")
        assert cache.forget_atoms([]) == 0
        assert cache.forget_atoms(["b", "z"]) == 3
        assert not list(tmp_path.rglob("*.part"))
        assert llm.ask(facts("three", atoms=("c",))).cached
        assert not llm.ask(facts("two", atoms=("b",))).cached


def test_a_folder_that_cannot_be_written_costs_no_reply(tmp_path: Path) -> None:
    """Law: caching is a convenience: without it the answer is the same."""
    (tmp_path / "file").write_text("")
    cache = ReplyCache(tmp_path / "file" / "replies")
    with serving(says(GOOD)) as server, model(server, cache=cache) as llm:
        assert llm.ask(facts()).partial == ""
        assert cache.forget_atoms(["a"]) == 0
