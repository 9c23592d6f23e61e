"""Dates are read as they were meant when they were said."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.dates import find_dates, write_date

WEDNESDAY = dt.datetime(2023, 5, 24, 16, 10)
NEW_YEAR = dt.datetime(2024, 1, 1, 9, 0)

GOLDEN = [
    # shared/cases/o11-relative-dates
    (WEDNESDAY, "I went to the eye doctor last Friday", "19 May 2023"),
    (WEDNESDAY, "I sold the kayak yesterday, finally.", "23 May 2023"),
    (WEDNESDAY, "My sister moved to Ghent two weeks ago.", "about 10 May 2023"),
    (WEDNESDAY, "My exam is next month.", "June 2023"),
    (NEW_YEAR, "Last night I burned the cake.", "31 December 2023"),
    (NEW_YEAR, "I quit smoking last year", "2023"),
    # the rest of the kind
    (WEDNESDAY, "the day before yesterday", "22 May 2023"),
    (WEDNESDAY, "see you the day after tomorrow", "26 May 2023"),
    (WEDNESDAY, "we leave tomorrow", "25 May 2023"),
    (WEDNESDAY, "I just saw it this morning", "24 May 2023"),
    (WEDNESDAY, "three days ago", "21 May 2023"),
    (WEDNESDAY, "10 years ago", "2013"),
    (WEDNESDAY, "a month ago", "April 2023"),
    (NEW_YEAR, "two months ago", "November 2023"),
    (WEDNESDAY, "in 3 days", "27 May 2023"),
    (WEDNESDAY, "last week was hard", "the week of 15 May 2023"),
    (WEDNESDAY, "last weekend", "the weekend of 20 May 2023"),
    (WEDNESDAY, "ready by Wednesday evening, I will", "24 May 2023"),
    (WEDNESDAY, "I will call on Friday", "26 May 2023"),
    (WEDNESDAY, "she left on Monday", "22 May 2023"),
    (WEDNESDAY, "the pilot starts on the first of December", "1 December 2023"),
    (NEW_YEAR, "it was on December 30th", "30 December 2023"),
    (WEDNESDAY, "delivery is on the ninth of July", "9 July 2023"),
    (WEDNESDAY, "I left the shop, I start there on Monday", "29 May 2023"),
    (WEDNESDAY, "I start there soon, they called on Monday", "22 May 2023"),
    (WEDNESDAY, "on 8 May 2021", "8 May 2021"),
    (WEDNESDAY, "on May 8, 2021", "8 May 2021"),
    (WEDNESDAY, "on 2021-05-08", "8 May 2021"),
    (WEDNESDAY, "in March", "March 2023"),
    (WEDNESDAY, "last December", "December 2022"),
    (WEDNESDAY, "since 2016", "2016"),
    (WEDNESDAY, "last summer", "summer 2022"),
]


@pytest.mark.parametrize(("said", "text", "meant"), GOLDEN)
def test_words_mean_the_day_they_were_said_for(said: dt.datetime, text: str, meant: str) -> None:
    """A relative date counts from the wall time of its own line."""
    (dated,) = find_dates(text, said)
    assert dated.day is not None
    assert write_date(dated.day, dated.precision) == meant


def test_next_friday_has_two_readings_in_its_own_week() -> None:
    """Where people mean different days, both are given."""
    (dated,) = find_dates("see you next Friday", WEDNESDAY)
    assert (dated.day, dated.other) == (dt.date(2023, 5, 26), dt.date(2023, 6, 2))


def test_without_a_time_of_telling_relative_words_stay_words() -> None:
    """No day is ever guessed from the day of the run."""
    assert [dated.day for dated in find_dates("yesterday, last Friday and 9 May", None)] == [
        None
    ] * 3


def test_the_29th_of_february_is_no_date_in_other_years() -> None:
    """What no calendar has stays words."""
    assert [dated.day for dated in find_dates("29 February 2023, 31 June", WEDNESDAY)] == [None] * 2


WORDS = st.sampled_from(
    "last next this friday week month may 31 2023 feb in two a few ago days 29 of first -".split()
)


@given(st.lists(WORDS, max_size=8), st.datetimes(dt.datetime(2, 1, 1), dt.datetime(9998, 1, 1)))
def test_any_words_are_read_and_stand_where_they_say(words: list[str], said: dt.datetime) -> None:
    """Reading never fails, and an expression is found again at its place."""
    text = " ".join(words)
    for dated in find_dates(text, said):
        assert text[slice(*dated.chars)] == dated.words
