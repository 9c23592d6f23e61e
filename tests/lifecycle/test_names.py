"""Names that are close: stored by the one law, compared once, forgotten, seen through one mask."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from mmem import Memory
from mmem.ports import Encoded, FactGraph
from mmem.recipes import SEEM
from mmem.stores.library import Library
from mmem.stores.snapshot import load
from tests.bodies import HashedWords, quick
from tests.lifecycle.conftest import Said

ANA: list[Said] = [(0, "Ana", "Wren painted boats"), (2, "Ana", "Wren sold paintings")]
BOB: list[Said] = [(1, "Bob", "Lena repaired boat"), (9, "Bob", "Lena missed painting")]
CLEO: list[Said] = [(5, "Cleo", "Marta cleaned boating")]


class Stems(HashedWords):
    """Takes words of the same four first letters for one, and counts what it encoded."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> Encoded:
        self.encoded += texts
        return super().encode([" ".join(w[:4] for w in text.split()) for text in texts])


def names_in(folder: Path) -> dict[tuple[str, str], list[str]]:
    """Return the close names in each row, by source and name."""
    rows = Library.open(folder).table("names").read().to_pylist()
    return {(row["source_id"], row["name"]): row["near"] for row in rows}


def linked(graph: FactGraph) -> int:
    """Count the edges between names that are no fact's, each once."""
    weights = graph.shares * np.repeat(graph.strengths, np.diff(graph.offsets))
    facts = 6 * len(graph.subjects)
    return (len(weights) - facts) // 2


@pytest.fixture
def files(chat: Callable[..., Path]) -> list[Path]:
    return [chat(title, said) for title, said in (("Ana", ANA), ("Bob", BOB), ("Cleo", CLEO))]


def test_the_order_of_arrival_cannot_be_seen(files: list[Path], tmp_path: Path) -> None:
    """One law: however the chats come, rows and digest are those of all at once."""
    found = set()
    for number, order in enumerate(itertools.permutations(files)):
        with Memory(tmp_path / f"m{number}", **quick(Stems())) as memory:
            for path in order:
                memory.add(path)
            found.add((memory.state_digest(), str(sorted(names_in(memory.folder).items()))))
    with Memory(tmp_path / "once", **quick(Stems())) as memory:
        memory.add(*files)
        found.add((memory.state_digest(), str(sorted(names_in(memory.folder).items()))))
        near = {name: close for (_, name), close in names_in(memory.folder).items()}
    assert len(found) == 1
    assert near["boats"] == ["boat", "boating"] and near["boat"] == []
    assert near["paintings"] == ["painting"]


def test_only_new_names_are_encoded(files: list[Path], tmp_path: Path) -> None:
    """What a name was encoded for is not encoded again by the next file, nor by `retry`."""
    encoder = Stems()
    with Memory(tmp_path / "m", **quick(encoder)) as memory:
        memory.add(files[0])
        encoder.encoded.clear()
        memory.add(files[1])
        assert {"boat", "lena"} <= set(encoder.encoded) and "boats" not in encoder.encoded
        encoder.encoded.clear()
        memory.retry()
        assert encoder.encoded == []


def test_forgetting_takes_names_and_what_was_close_to_them(
    files: list[Path], tmp_path: Path
) -> None:
    """No row of another source names a forgotten name; the digest is that of a memory without."""
    with Memory(tmp_path / "never", **quick(Stems())) as memory:
        memory.add(files[0], files[2])
        without, kept = memory.state_digest(), names_in(memory.folder)
    with Memory(tmp_path / "m", **quick(Stems())) as memory:
        memory.add(*files)
        receipt = memory.forget(source="Bob")
        assert names_in(memory.folder) == kept
        (line,) = [line for line in receipt.lines if line.layer == "names"]
        assert (line.verdict, line.found_before) == ("erased", 3)
        memory.retry()
        assert memory.state_digest() == without
    assert {"boat", "painting"}.isdisjoint({name for near in kept.values() for name in near})


def test_a_memory_that_had_no_names_gets_them_with_retry(files: list[Path], tmp_path: Path) -> None:
    """Names are made anew where an older mmem wrote none; the state is as if it had."""
    with Memory(tmp_path / "m", **quick(Stems())) as memory:
        memory.add(*files)
        digest = memory.state_digest()
        table = Library.open(memory.folder).table("names")
        table.delete_ids(table.read(["id"])["id"].to_pylist())
        assert memory.state_digest() != digest
        memory.retry()
        assert memory.state_digest() == digest


def test_edges_lead_to_visible_names_only(files: list[Path], tmp_path: Path) -> None:
    """A reader without the label has the edges, and the ranks, of a memory without that chat."""
    recipe = dataclasses.replace(
        SEEM, propagation=dataclasses.replace(SEEM.propagation, synonyms=5, recognition=0.1)
    )
    folder, alone = tmp_path / "m", tmp_path / "alone"
    with Memory(folder, **quick(Stems())) as memory:
        memory.add(files[0], files[2])
        memory.add(files[1], labels=["secret"])
    with Memory(alone, **quick(Stems())) as memory:
        memory.add(files[0], files[2])
    asked = []
    for place, labels in ((folder, ()), (alone, ()), (folder, ("secret",))):
        with Memory(place, labels=labels, recipe=recipe, **quick(Stems())) as memory:
            hits = memory.search("Wren painted boats").hits
            asked.append([(h.lines[0].text, h.score, dict(h.channels)) for h in hits])
    assert asked[0] == asked[1] != asked[2]
    found = load(Library.open(folder)).index
    whole = linked(found.fact_graph(synonyms=5))
    shown = np.array([s in ("Ana", "Cleo") for s in _speakers(folder)])
    part = linked(found.restricted(shown).fact_graph(synonyms=5))
    assert (whole, part) == (4, 1)


def _speakers(folder: Path) -> list[str]:
    columns = load(Library.open(folder)).index.columns
    return [columns.speakers[n] for n in columns.speaker]
