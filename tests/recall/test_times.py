"""Times named in a question: a golden list, read on Friday 20 October 2023, 15:00 UTC."""

from datetime import UTC, datetime

import pytest

from mmem.recall.times import windows

NOW_US = int(datetime(2023, 10, 20, 15, tzinfo=UTC).timestamp() * 1e6)

GOLDEN = [
    ("Where was it taken on December 1,2023?", "2023-12-01 00:00", "2023-12-02 00:00"),
    ("his injury on 16 November, 2023", "2023-11-16 00:00", "2023-11-17 00:00"),
    ("on 2023-05-08", "2023-05-08 00:00", "2023-05-09 00:00"),
    ("the 3rd of June", "2023-06-03 00:00", "2023-06-04 00:00"),
    ("the 3rd of December", "2022-12-03 00:00", "2022-12-04 00:00"),
    ("their latest project in July 2023", "2023-07-01 00:00", "2023-08-01 00:00"),
    ("camping in June?", "2023-06-01 00:00", "2023-07-01 00:00"),
    ("in 2022", "2022-01-01 00:00", "2023-01-01 00:00"),
    ("in summer 2021", "2021-06-01 00:00", "2021-09-01 00:00"),
    ("during the winter", "2022-12-01 00:00", "2023-03-01 00:00"),
    ("last Friday", "2023-10-13 00:00", "2023-10-14 00:00"),
    ("on Monday morning", "2023-10-16 05:00", "2023-10-16 12:00"),
    ("yesterday", "2023-10-19 00:00", "2023-10-20 00:00"),
    ("Yesterday at noon", "2023-10-19 11:00", "2023-10-19 14:00"),
    ("The afternoon before yesterday", "2023-10-18 12:00", "2023-10-18 18:00"),
    ("Last Night", "2023-10-19 18:00", "2023-10-20 03:00"),
    ("this morning", "2023-10-20 05:00", "2023-10-20 12:00"),
    ("today", "2023-10-20 00:00", "2023-10-20 15:00"),
    ("last week", "2023-10-09 00:00", "2023-10-16 00:00"),
    ("last month", "2023-09-01 00:00", "2023-10-01 00:00"),
    ("this year", "2023-01-01 00:00", "2024-01-01 00:00"),
    ("2 days ago", "2023-10-18 00:00", "2023-10-19 00:00"),
    ("a couple of days ago", "2023-10-18 00:00", "2023-10-19 00:00"),
    ("half an hour ago", "2023-10-20 14:22", "2023-10-20 14:37"),
    ("About 5 and a half hours ago", "2023-10-20 08:07", "2023-10-20 10:52"),
]


@pytest.mark.parametrize(("text", "start", "end"), GOLDEN)
def test_a_time_is_read_as_written(text: str, start: str, end: str) -> None:
    """Each form gives exactly one window, half-open, in the zone asked for."""
    (window,) = windows(text, now_us=NOW_US)
    assert (shown(window.start_us), shown(window.end_us)) == (start, end)


@pytest.mark.parametrize("text", ["may I ask", "mar the decor", "30min", "who won 3 marches", "?"])
def test_words_that_only_look_like_times_are_left_alone(text: str) -> None:
    """Modal verbs, durations and bare numbers name no time."""
    assert windows(text, now_us=NOW_US) == []


@pytest.mark.parametrize("text", ["yesterday", "in June", "3 hours ago", "last week", "on Monday"])
def test_words_that_need_a_present_give_nothing_without_one(text: str) -> None:
    """Without a known moment of asking, relative times stay unread."""
    assert windows(text, now_us=None) == []


def test_a_date_that_does_not_exist_is_no_window() -> None:
    """31 February is skipped, not an error; the year in it is still a year."""
    assert [w.words for w in windows("on 31 February 2023", now_us=NOW_US)] == ["February 2023"]


def shown(us: int) -> str:
    """Minutes are enough here."""
    return datetime.fromtimestamp(us / 1e6, UTC).strftime("%Y-%m-%d %H:%M")


def test_a_month_without_a_year_is_the_last_one_that_the_memory_knows() -> None:
    """Asked years later, "in June" means the newest June that has rows, not this year's."""
    newest = int(datetime(2021, 8, 1, tzinfo=UTC).timestamp() * 1e6)
    (window,) = windows("camping in June", now_us=NOW_US, newest_us=newest)
    assert shown(window.start_us) == "2021-06-01 00:00"


def test_a_weekday_beside_a_date_is_the_one_before_it() -> None:
    """ "the Monday before July 24, 2023" is 17 July, whenever it is asked."""
    monday, date = windows("on the Monday before July 24, 2023", now_us=None)
    assert shown(monday.start_us) == "2023-07-17 00:00"
    assert shown(date.start_us) == "2023-07-24 00:00"
