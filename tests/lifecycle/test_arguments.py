"""What a caller writes is read, or said to be wrong in one line."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from mmem import Memory
from mmem.errors import ConfigError, UnknownId
from mmem.lifecycle.arguments import as_of_us, limits_of, moment_us, question_of, until_us
from mmem.lifecycle.voices import spoken_by
from mmem.schemas.clock import wall_us

DAY = dt.datetime(2026, 3, 4)
NEXT = dt.datetime(2026, 3, 5)


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\u200b", "\u00a0 \ufeff"])
def test_an_empty_question_is_an_error(text: str) -> None:
    """Nothing that can be seen is asked: one line with a hint, for ask and search alike."""
    with pytest.raises(ConfigError, match="empty") as caught:
        question_of(text, {}, None, k=1)
    assert caught.value.hint


@pytest.mark.parametrize("text", ["?", "🎉", "它在哪里"])
def test_what_can_be_seen_is_a_question(text: str) -> None:
    """No letters of one script are needed."""
    assert question_of(text, {}, None, k=1).text == text


@pytest.mark.parametrize("day", ["2026-03-04", " 2026-03-04 ", "20260304", DAY.date()])
def test_a_date_is_a_whole_day(day: dt.date | str) -> None:
    """From its beginning as a start, to its end as an end, by its end as the state of then."""
    limits = limits_of({"since": day, "until": day, "as_of": day}, None, None)
    assert (limits.since_us, limits.until_us) == (wall_us(DAY), wall_us(NEXT))
    assert limits.as_of_us == wall_us(NEXT) - 1


@pytest.mark.parametrize("moment", ["2026-03-04T00:00", "2026-03-04T00:00Z", DAY])
def test_a_moment_is_that_moment(moment: dt.datetime | str) -> None:
    """Midnight that is written as a time is no day."""
    assert until_us(moment, None) == as_of_us(moment, None) == moment_us(moment, None)


def test_a_day_is_that_of_the_zone() -> None:
    """A day has 23 hours when the clock goes forward."""
    begin = moment_us("2026-03-29", "Europe/Berlin")
    end = until_us("2026-03-29", "Europe/Berlin")
    assert begin is not None and end is not None
    assert end - begin == 23 * 3600 * 1_000_000


def test_the_last_day_there_is_has_an_end() -> None:
    """ "until 9999-12-31" means for ever."""
    assert (until_us("9999-12-31", None) or 0) > wall_us(dt.datetime(9999, 12, 31))


def test_an_end_before_its_beginning_is_an_error() -> None:
    """An empty stretch is said, not answered with nothing."""
    with pytest.raises(ConfigError, match="2026-03-05"):
        limits_of({"since": "2026-03-05", "until": "2026-03-04"}, None, None)


def test_the_day_of_asking_is_the_as_of_day() -> None:
    """ "today" in a question as of a day is that day; `now` goes before it."""
    asked = question_of("who?", {"as_of": "2026-03-04"}, None, k=1)
    assert asked.now_us == wall_us(NEXT) - 1
    asked = question_of("who?", {"as_of": "2026-03-04", "now": "2026-03-01"}, None, k=1)
    assert asked.now_us == wall_us(dt.datetime(2026, 3, 1))


VOICES = [("Ada Lovelace",), ("Zoë Lee", "Ben"), ()]
ALL = np.array([True, True, True])


@pytest.mark.parametrize(
    ("people", "rows"),
    [
        ((), [True, True, True]),
        (("ada",), [True, False, False]),
        (("Ada Lovelace", "ben"), [True, True, False]),
        (("zoe",), [False, True, False]),
    ],
)
def test_a_person_is_meant_by_one_of_his_names(people: tuple[str, ...], rows: list[bool]) -> None:
    """In any case, with or without accents."""
    assert spoken_by(VOICES, people, ALL).tolist() == rows


@pytest.mark.parametrize(
    ("name", "hint"),
    [("Adda", "near it: Ada Lovelace"), ("Xaver", "here speak: Ada Lovelace, Ben, Zoë Lee")],
)
def test_a_person_whom_nobody_knows_is_named(name: str, hint: str) -> None:
    """With names that are near, else with those that there are."""
    with pytest.raises(UnknownId, match=name) as caught:
        spoken_by(VOICES, ["Ben", name], ALL)
    assert caught.value.hint == hint


def test_names_that_may_not_be_known_are_not_told() -> None:
    """Rows that the reader may not know of are nobody's, for the name asked and for the hint."""
    with pytest.raises(UnknownId) as caught:
        spoken_by(VOICES, ["Zoë"], np.array([True, False, True]))
    assert caught.value.hint == "here speak: Ada Lovelace"
    with pytest.raises(UnknownId):
        spoken_by(VOICES, ["Ada"], np.array([False, False, False]))


CHAT = """03/03/2026, 23:50 - Ada: the boat leaves at six
04/03/2026, 00:00 - Zoe: the boat leaves at seven
04/03/2026, 23:59 - Ada: the boat leaves at eight
05/03/2026, 00:00 - Ada: the boat leaves at nine
"""


def test_limits_hold_in_a_memory(tmp_path: Path) -> None:
    """Days are whole in search and in facts; an unknown person, one not heard yet, is an error."""
    (tmp_path / "WhatsApp Chat with Boat.txt").write_text(CHAT)
    with Memory(tmp_path / "m") as memory:
        memory.add(tmp_path / "WhatsApp Chat with Boat.txt")

        def hours(**limits: str) -> set[str]:
            hits = memory.search("when does the boat leave?", **limits).hits  # type: ignore[arg-type]
            return {line.text.split()[-1] for hit in hits for line in hit.lines}

        assert hours(until="2026-03-04") == {"six", "seven", "eight"}
        assert hours(since="2026-03-04") == {"seven", "eight", "nine"}
        assert hours(as_of="2026-03-04") == {"six", "seven", "eight"}
        assert hours(since="2026-03-04", until="2026-03-04", people="zoe") == {"seven"}
        with pytest.raises(UnknownId, match="Zoey"):
            hours(people="Zoey")
        with pytest.raises(UnknownId, match="Zoe"):
            hours(people="Zoe", as_of="2026-03-03")
        with pytest.raises(ConfigError, match="empty"):
            memory.ask(" ")
