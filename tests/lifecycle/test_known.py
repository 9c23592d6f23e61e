"""Facts and entities as a reader may know them: at a moment, and behind labels."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmem import Memory
from mmem.schemas import Entity, Fact
from tests.bodies import quick
from tests.lifecycle.conftest import START, Said

YARD: list[Said] = [
    (0, "Kit", "Kit sold kayak."),
    (60, "Lou", "Kit sold kayak."),
    (120, "Ada", "Ada painted fence."),
]
CREW: list[Said] = [(30, "Kit Nair", "Boss visited yard."), (90, "Ada", "Kit sold kayak.")]


def at(minutes: int) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def support(facts: list[Fact]) -> dict[str, int]:
    return {f"{f.subject} {f.relation} {f.object}": f.support for f in facts}


def names(entities: list[Entity]) -> set[str]:
    return {name for e in entities for name in (e.name, *(alias.name for alias in e.aliases))}


def test_support_is_that_of_the_moment(chat: Callable, fresh: Callable) -> None:
    """Law 6: how many had said so by then, and nobody who came later."""
    memory = fresh()
    memory.add(chat("Yard", YARD), chat("Crew", CREW))
    counts = [support(memory.facts("kayak", as_of=at(n)))["Kit sold kayak"] for n in (10, 70, 100)]
    assert counts == [1, 2, 3]
    assert "Ada" not in names(memory.entities(as_of=at(70)))


def test_a_name_is_joined_only_by_what_may_be_seen(chat: Callable, fresh: Callable) -> None:
    """Laws 6 and 7: the whole name that a hidden or a later source has joins nothing."""
    memory = fresh()
    memory.add(chat("Yard", YARD))
    memory.add(chat("Crew", CREW), labels=["crew"])
    (kit,) = memory.entities("Kit")
    assert kit.name == "Kit Nair" and [alias.name for alias in kit.aliases] == ["Kit"]
    (earlier,) = memory.entities("Kit", as_of=at(10))
    stranger = Memory(memory.folder, labels=[], **quick())
    (seen,) = stranger.entities("Kit")
    assert (earlier.name, earlier.aliases) == (seen.name, seen.aliases) == ("Kit", ())
    assert support(stranger.facts("kayak")) == {"Kit sold kayak": 2}
    assert "Kit Nair" not in names(stranger.entities())


tellings = st.lists(
    st.tuples(
        st.integers(0, 300),
        st.sampled_from(["Kit", "Kit Nair", "Lou"]),
        st.sampled_from(["Kit sold kayak.", "Lou sold kayak.", "Kit Nair met Lou.", "ok"]),
    ),
    min_size=1,
    max_size=6,
)


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(tellings, tellings, st.integers(0, 300))
def test_what_is_known_is_that_of_a_memory_that_ends_then(
    chat: Callable, fresh: Callable, yard: list[Said], crew: list[Said], moment: int
) -> None:
    """Law 6: facts, entities and frames at a moment are those of a memory that ends there.

    Law 5: after forgetting one of two, those of a memory that never had it.
    """
    mark = (0, "Zed", "hello")  # so that the two exports differ and none is empty
    memory = fresh()
    memory.add(
        chat("Yard", [mark, *sorted(yard)]), chat("Crew", [*sorted(crew), (400, "Zed", "x")])
    )
    short = fresh()
    by_then = [said for said in sorted(crew) if said[0] <= moment]
    short.add(chat("Yard", [mark, *(said for said in sorted(yard) if said[0] <= moment)]))
    if by_then:
        short.add(chat("Crew", by_then))
    then = at(moment)
    assert support(memory.facts(as_of=then)) == support(short.facts())
    assert names(memory.entities(as_of=then)) == names(short.entities())
    fused = [[len(f.members), f.summary] for f in memory.frames(as_of=then)]
    assert fused == [[len(f.members), f.summary] for f in short.frames()]
    memory.forget(source="Crew")
    alone = fresh()
    alone.add(chat("Yard", [mark, *sorted(yard)]))
    assert support(memory.facts()) == support(alone.facts())
    assert names(memory.entities()) == names(alone.entities())
    assert memory.state_digest() == alone.state_digest()


def test_before_anything_was_said_nothing_is_known(chat: Callable, fresh: Callable) -> None:
    """Law 6: no fact, nobody, no frame."""
    memory = fresh()
    memory.add(chat("Yard", YARD))
    early = at(-5)
    assert memory.facts("kayak") and memory.entities("Lou")
    assert memory.facts(as_of=early) == memory.entities(as_of=early) == []
    assert memory.frames(as_of=early) == []
