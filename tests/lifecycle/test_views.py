"""Context views in a memory: incremental equals batch, and each reader has his own."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmem import Memory
from mmem.errors import MmemError
from mmem.schemas import View
from tests.bodies import quick
from tests.lifecycle.conftest import START, Said

YARD: list[Said] = [
    (0, "Kit", "Kit sold kayak."),
    (2, "Lou", "I'll bring the big ladder."),
    (40, "Ada", "Ada painted fence."),
    (2000, "Ada", "Ada painted gate."),
]


def at(minutes: float) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def days(tmp_path: Path, clips: int, name: str = "A1_JAKE") -> Path:
    """Write an EgoLife sync file of so many clips from 9:00 on day 1."""
    rows = []
    for number in range(clips):
        second = number * 30
        clock = 9 * 10_000 + second // 60 * 100 + second % 60
        line = {"start": clock, "end": clock + 5, "text": f"I open the box {number}."}
        spoken = {**line, "text": "Lou: I'll bring the big ladder.", "type": "transcript"}
        rows.append(
            {
                "video_file": f"DAY1_A1_JAKE_{clock:06}00.mp4",
                "data": [{**line, "type": "caption"}, *([spoken] if number % 4 == 0 else [])],
            }
        )
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(rows))
    return path


def plain(views: list[View]) -> list[str]:
    return [view.canonical() for view in views]


def test_a_conversation_has_exchanges_sessions_days_and_weeks(
    chat: Callable, fresh: Callable
) -> None:
    """Each tells what was promised in it, whoever asks for one scale gets that scale."""
    memory = fresh()
    memory.add(chat("Yard", YARD))
    counts = {scale: len(memory.views(scale)) for scale in ("exchange", "day", "week", "3min")}
    assert counts == {"exchange": 3, "day": 2, "week": 1, "3min": 0}
    first = memory.views("exchange")[0]
    assert [line.text for line in first.critical_lines] == ["I'll bring the big ladder."]
    assert [voice.name for voice in first.speakers] == ["Kit", "Lou"]
    assert len(memory.views()) == sum(len(memory.views(v)) for v in (*counts, "session"))


def test_evidence_carries_the_view_around_each_hit(chat: Callable, fresh: Callable) -> None:
    """Law 12: the exchange that a hit is part of comes with it, once."""
    memory = fresh()
    memory.add(chat("Yard", YARD))
    found = memory.search("kayak", k=2)
    units = {hit.unit_id for hit in found.hits}
    assert found.views and all(units & set(view.unit_ids) for view in found.views)
    assert len({view.id for view in found.views}) == len(found.views)


def test_what_comes_later_rewrites_at_most_one_view_a_scale(
    chat: Callable, fresh: Callable
) -> None:
    """A message more: the rows of all other stretches are as they were, byte for byte."""
    memory = fresh()
    memory.add(chat("Yard", YARD))
    before = {view.id: view for view in memory.views()}
    memory.add(chat("Yard", [*YARD, (2001, "Lou", "Lou fed the cat.")]))
    after = {view.id: view for view in memory.views()}
    changed = [view.scale for view in after.values() if before.get(view.id) != view]
    assert sorted(changed) == ["day", "exchange", "session", "week"]


def test_one_chat_message_in_a_recorded_minute_is_in_its_view(
    tmp_path: Path, chat: Callable, fresh: Callable
) -> None:
    """A recording and a chat share one timeline; forgetting the chat takes its message out."""
    memory, alone = fresh(), fresh()
    film = days(tmp_path, 12)
    alone.add(film)
    lone = (START - dt.datetime(2024, 1, 1, 9, 2)).total_seconds() / 60
    memory.add(film, chat("Yard", [(round(-lone), "Ada", "Where is the ladder?")]))
    (together,) = [view for view in memory.views("3min") if len(view.source_ids) == 2]
    assert len(together.unit_ids) == 7
    memory.forget(source="Yard")
    assert plain(memory.views()) == plain(alone.views())
    assert memory.state_digest() == alone.state_digest()


def test_a_reader_sees_the_views_of_what_he_may_see(chat: Callable, fresh: Callable) -> None:
    """Law 7: no line and no count of a hidden source is in a view, and nothing is encoded."""
    memory, alone = fresh(), fresh()
    memory.add(chat("Yard", YARD))
    alone.add(chat("Yard", YARD))
    memory.add(chat("Crew", [(1, "Zoe", "I'll hide the spare keys.")]), labels=["crew"])
    stranger = Memory(memory.folder, labels=[], **quick())
    assert plain(stranger.views()) == plain(alone.views())
    assert "Zoe" not in "".join(plain(stranger.views())) and "Zoe" in "".join(plain(memory.views()))


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(clips=st.integers(1, 9), moment=st.integers(0, 300))
def test_views_at_a_moment_are_those_of_a_memory_that_ends_then(
    tmp_path: Path, fresh: Callable, clips: int, moment: int
) -> None:
    """Law 6: at a moment within a window its view tells what had happened by then."""
    memory, short = fresh(), fresh()
    memory.add(days(tmp_path, 9))
    short.add(days(tmp_path, clips, "short"))
    end = dt.datetime(2024, 1, 1, 9, 0) + dt.timedelta(seconds=30 * clips)
    found = memory.views(as_of=end)
    told = [
        view.model_dump(exclude={"id", "source_ids", "unit_ids", "child_ids"}) for view in found
    ]
    known = [
        view.model_dump(exclude={"id", "source_ids", "unit_ids", "child_ids"})
        for view in short.views()
    ]

    def without_ids(views: list[dict]) -> str:
        kinds = ("actions", "objects", "topics", "visible")
        for view in views:
            for thread in (t for kind in kinds for t in view[kind]):
                del thread["unit_ids"], thread["first"], thread["last"]
            for line in view["critical_lines"]:
                del line["atom_ids"]
        return json.dumps(views)

    assert without_ids(told) == without_ids(known)
    within = dt.datetime(2024, 1, 1, 9, 0) + dt.timedelta(seconds=moment)
    moment_us = (within - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
    for view in memory.views(as_of=within):
        assert view.known_at_us is not None and view.known_at_us <= moment_us


def test_order_of_arrival_cannot_be_seen(tmp_path: Path, chat: Callable, fresh: Callable) -> None:
    """Law 4: views are a function of what is there."""
    one, other = fresh(), fresh()
    film, yard = days(tmp_path, 8), chat("Yard", YARD)
    one.add(film)
    one.add(yard)
    other.add(yard)
    other.add(film)
    assert plain(one.views()) == plain(other.views())
    assert one.state_digest() == other.state_digest()


def test_an_unknown_scale_is_named(fresh: Callable, chat: Callable) -> None:
    """One clear line."""
    memory = fresh()
    memory.add(chat("Yard", YARD))
    with pytest.raises(MmemError, match="no scale is called 'month'"):
        memory.views("month")


def test_recipe_em2mem_searches_every_scale(tmp_path: Path, fresh: Callable) -> None:
    """Its only vote is the projected one; as of a moment it ranks as a memory that ends then."""
    memory, short = fresh(recipe="em2mem"), fresh(recipe="em2mem")
    memory.add(days(tmp_path, 9))
    short.add(days(tmp_path, 7, "short"))
    found = memory.search("Who brings the big ladder?", k=9, explain=True)
    fired = {step.name: step.fired for step in found.trace.steps}
    assert fired["project"] and not fired["lexical"]
    assert any("ladder" in line.text for line in found.hits[0].lines)
    end = dt.datetime(2024, 1, 1, 9, 3, 30)
    earlier = memory.search("Who brings the big ladder?", k=7, as_of=end)
    known = short.search("Who brings the big ladder?", k=7, as_of=end)
    assert [(h.start_s, h.score) for h in earlier.hits] == [
        (h.start_s, h.score) for h in known.hits
    ]


def test_a_reader_is_ranked_by_what_he_may_see_of_each_scale(
    chat: Callable, fresh: Callable
) -> None:
    """Law 7: scores are those of a memory without what is hidden, views that hold it included."""
    memory, alone = fresh(recipe="em2mem"), fresh(recipe="em2mem")
    memory.add(chat("Yard", YARD))
    alone.add(chat("Yard", YARD))
    memory.add(chat("Crew", [(1, "Zoe", "I'll hide the spare keys.")]), labels=["crew"])
    stranger = Memory(memory.folder, labels=[], recipe="em2mem", **quick())
    found = [(hit.unit_id, hit.score) for hit in stranger.search("the big ladder", k=5).hits]
    assert found == [(hit.unit_id, hit.score) for hit in alone.search("the big ladder", k=5).hits]
    everything = [(hit.unit_id, hit.score) for hit in memory.search("the big ladder", k=5).hits]
    assert found != everything
