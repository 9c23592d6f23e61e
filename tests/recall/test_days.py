"""Days that a question numbers: a golden list, days counted from Monday 1 January 2024."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mmem.recall.days import DayCount, may_name_days
from mmem.recall.plan import make_plan
from mmem.recall.times import windows
from mmem.recipes import MMEM

UTC = DayCount(dt.date(2024, 1, 1), dt.UTC, recorded=True)
CHATS = DayCount(dt.date(2024, 1, 1), dt.UTC, recorded=False)

GOLDEN = [
    ("Who gave us the gloves on day3", "03 00:00", "04 00:00"),
    ("On the first day, who did Tasha ask to bring her a cup?", "01 00:00", "02 00:00"),
    ("what did I cook on the second day?", "02 00:00", "03 00:00"),
    ("on the 10th day", "10 00:00", "11 00:00"),
    ("What was on DAY 12?", "12 00:00", "13 00:00"),
    ("DAY10", "10 00:00", "11 00:00"),
    ("DAY3 around 14:00", "03 13:58", "03 14:02"),
    ("day 3 at 2pm", "03 13:55", "03 14:05"),
    ("at 2 p.m. on day 3", "03 13:55", "03 14:05"),
    ("day 3 at 12 am", "02 23:55", "03 00:05"),
    ("DAY3 at 14:00", "03 13:59", "03 14:01"),
    ("DAY2 between 10:00 and 11:30", "02 10:00", "02 11:30"),
    ("between 10:00 and 11:30 on DAY2", "02 10:00", "02 11:30"),
    ("from 2:00 to 3:30 pm on day 2", "02 14:00", "02 15:30"),
    ("DAY2 from 23:30 to 00:30", "02 23:30", "03 00:30"),
    ("DAY1 23:50:00 - DAY2 00:10:00", "01 23:50", "02 00:10"),
    ("between DAY9 10:00 and DAY11 11:00", "09 10:00", "11 11:00"),
    ("on the morning of day 3", "03 05:00", "03 12:00"),
    ("day 3 in the evening", "03 17:00", "03 23:00"),
    ("day 3 at midnight", "03 23:00", "04 01:00"),
    ("after 20:00 on day 3", "03 20:00", "04 00:00"),
    ("day 3 before 9:15", "03 00:00", "03 09:15"),
    ("between day 2 and day 4", "02 00:00", "05 00:00"),
    ("DAY9 - DAY11", "09 00:00", "12 00:00"),
    ("before day 3", "01 00:00", "03 00:00"),
    ("by DAY3", "01 00:00", "04 00:00"),
]


@pytest.mark.parametrize(("text", "start", "end"), GOLDEN)
def test_a_numbered_day_is_a_stretch_of_time(text: str, start: str, end: str) -> None:
    """Each form gives exactly one window; an end before its beginning is the next day's."""
    (window,) = windows(text, now_us=None, days=UTC)
    assert window.counted and window.words in text
    assert (shown(window.start_us), shown(window.end_us)) == (start, end)


@pytest.mark.parametrize(("text", "start"), [("after DAY3", "04"), ("since day 3", "03")])
def test_days_after_one_have_no_end(text: str, start: str) -> None:
    """All that comes later is asked for, whenever it is asked."""
    (window,) = windows(text, now_us=None, days=UTC)
    assert shown(window.start_us) == f"{start} 00:00" and window.end_us > 1e15 * 8


def test_several_days_are_several_windows() -> None:
    """Both are asked for."""
    found = windows("was it the same cup on DAY1 and DAY3?", now_us=None, days=UTC)
    assert [shown(window.start_us) for window in found] == ["01 00:00", "03 00:00"]


def test_a_clock_with_seconds_is_met_to_the_second() -> None:
    """The more exactly a clock is told, the closer one looks."""
    (window,) = windows("DAY10 11:09:43", now_us=None, days=UTC)
    assert (window.end_us - window.start_us) // 1_000_000 == 30
    assert shown(window.start_us, "%d %H:%M:%S") == "10 11:09:28"


OTHER_WORDS = [
    *("one day", "the day 3 of us met", "a day 2 men came", "every day 3 people call"),
    *("the first day of school", "on the second day of her trip", "on the first day I met her"),
    *("a 5 day 3 night trip", "New Year's Day 2024", "Earth Day 2023", "Monday 3 people came"),
    *("birthday 30", "on day 3 of the course", "some day 12 of them will", "D-day 6", "2 days ago"),
    *("how many days", "on day 0", "DAY12345", "before DAY1"),
]


@pytest.mark.parametrize("text", OTHER_WORDS)
def test_other_words_number_no_day(text: str) -> None:
    """What is counted in them are people, nights, years, or the days of something else."""
    assert not any(w.counted for w in windows(text, now_us=None, days=UTC))


def test_in_chats_alone_the_second_day_is_one_of_a_journey() -> None:
    """A number beside the word still means the memory's own day."""
    assert windows("What did we do on the second day?", now_us=None, days=CHATS) == []
    (window,) = windows("what was said on DAY2", now_us=None, days=CHATS)
    assert shown(window.start_us) == "02 00:00"
    assert windows("what was said on DAY2", now_us=None) == []


@pytest.mark.parametrize(
    ("text", "hours", "start"),
    [
        ("DAY2", 23, "2024-03-30T23:00"),  # 31 March 2024: 2:00 to 3:00 is left out
        ("DAY3", 24, "2024-03-31T22:00"),
        ("DAY212", 25, "2024-10-26T22:00"),  # 27 October 2024: 2:00 to 3:00 comes twice
        ("DAY2 between 1:00 and 4:00", 2, "2024-03-31T00:00"),
        ("DAY212 between 1:00 and 4:00", 4, "2024-10-26T23:00"),
        ("DAY212 between 2:00 and 2:30", 1.5, "2024-10-27T00:00"),
    ],
)
def test_days_and_clocks_are_those_of_the_zone(text: str, hours: float, start: str) -> None:
    """A day has 23 or 25 hours where clocks change; an hour that comes twice is meant twice."""
    berlin = DayCount(dt.date(2024, 3, 30), ZoneInfo("Europe/Berlin"), recorded=True)
    (window,) = windows(text, now_us=None, days=berlin)
    assert (window.end_us - window.start_us) / 3.6e9 == hours
    assert shown(window.start_us, "%Y-%m-%dT%H:%M") == start


def test_a_numbered_day_is_no_word_to_look_for() -> None:
    """Rows tell no such numbers: only what is left of the question is matched."""
    plan = make_plan("Who held the cup on DAY3 around 14:00?", MMEM, days=UTC)
    assert set(plan.weights) == set(make_plan("Who held the cup?", MMEM).weights)
    assert "14" not in plan.dense_text and len(plan.windows) == 1
    alone = make_plan("DAY3 around 14:00", MMEM, days=UTC)
    assert alone.dense_text == "DAY3 around 14:00"


def test_questions_of_chats_are_not_touched(shared: object) -> None:
    """No question of LoCoMo names a day by its number, even were its days counted."""
    import json

    samples = json.loads((shared / "data" / "locomo" / "locomo.json").read_text())
    asked = [qa["question"] for sample in samples for qa in sample["qa"]]
    assert len(asked) > 500
    assert [q for q in asked if any(w.counted for w in windows(q, now_us=None, days=UTC))] == []
    assert sum(map(may_name_days, asked)) == 0


def shown(us: int, form: str = "%d %H:%M") -> str:
    return dt.datetime.fromtimestamp(us / 1e6, dt.UTC).strftime(form)
