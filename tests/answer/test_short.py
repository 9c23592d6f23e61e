"""The direct answer, where a question asks for one."""

from __future__ import annotations

import datetime as dt

import pytest

from mmem.answer import compose
from tests.answer.making import Told, chat

NOISE: list[Told] = [("Tomas", "The soup place was full again.")]

SHORTS: list[tuple[str, list[Told], str | None]] = [
    ("Who promised the fix?", [("Priya", "I promise to have the fix ready soon.")], "Priya"),
    ("Who has the key?", [("Maya", "Tomas has the key, he went for coffee.")], "Tomas"),
    (
        "Who can review the change?",
        [("Maya", "Who can review the change?"), ("Ben", "I can.")],
        "Ben",
    ),
    ("Who tested the lock?", [("Ben", "Tested the lock with two boats.")], "Ben"),
    ("Who moved to Ghent?", [("Wren", "My sister moved to Ghent.")], "Wren's sister"),
    (
        "How many bookings did we have?",
        [("Ben", "We had 1,864 bookings on 3 days.")],
        "1,864 bookings",
    ),
    ("How much did the trip cost?", [("Maya", "The trip did cost 4,000 euros.")], "4,000 euros"),
    (
        "How many payments failed?",
        [("Ben", "Twenty three payments failed.")],
        "Twenty three payments",
    ),
    ("How long did the call last?", [("Ben", "The call did last two hours.")], "two hours"),
    ("How old is Ben's dog?", [("Ben", "My dog is 7 years old.")], "7 years old"),
    ("What is the boiler code?", [("Lou", "the boiler code is 8-1-3")], "8-1-3"),
    (
        "What is the door code?",
        [("Ilse", "The door code is seven one one two.")],
        "seven one one two",
    ),
    ("What is the door code?", [("Ilse", "The door code is 5 5 5 0")], "5 5 5 0"),
    ("Where is the tent?", [("Lena", "Remember the tent, it is at Ada's house")], "Ada's house"),
    ("Where did Tomas hide?", [("Tomas", "I did hide in amber fields")], "amber fields"),
    ("Where does Ada work?", [("Ada", "I'm still with the post office")], "the post office"),
    ("Where does Ada work?", [("Ada", "I work for the Salus clinic now")], "the Salus clinic"),
    ("What is the ticket number?", [("Lou", "The ticket number is HARBOR-482.")], "HARBOR-482"),
    (
        "Where is the demo?",
        [("Maya", "The demo is in the Boathouse, ground floor.")],
        "the Boathouse",
    ),
    ("Where did Tomas fly?", [("Tomas", "I did fly to New York last spring.")], "New York"),
    ("What is the name of the boat?", [("Elena", "The boat is called Sea Rose.")], "Sea Rose"),
    ("Does Ben take sugar?", [("Ben", "I don't take sugar any more")], "No"),
    ("Does Ben take sugar?", [("Ben", "I take sugar, always")], "Yes"),
    (
        "Did we lose data?",
        [("Priya", "Did we lose any data?"), ("Tomas", "No, all is there.")],
        "No",
    ),
    ("May dogs come in?", [("Olga", "Dogs may come in")], "Yes"),
    ("Are dogs allowed in the hall?", [("Olga", "Dogs may not come into the hall")], "No"),
    ("Is smoking allowed inside?", [("Olga", "Smoking is forbidden inside")], "No"),
    ("Is smoking forbidden inside?", [("Olga", "Smoking is forbidden inside")], "Yes"),
    ("Will it rain?", [("Olga", "It may rain")], None),
    ("Did the test pass?", [("Ben", "Nobody said the test passed")], None),
    ("Did we cancel the event?", [("Ana", "If it rained we would cancel the event")], None),
    ("Why did the import stop?", [("Tomas", "The import did stop, the disk was full.")], None),
]


@pytest.mark.parametrize(("question", "told", "short"), SHORTS)
def test_short_answer_by_kind(question: str, told: list[Told], short: str | None) -> None:
    """People, numbers, places, names, yes and no are said directly, or not at all."""
    answer = compose(question, chat(question, *told, *NOISE))
    assert answer.found
    assert answer.short == short


def test_both_readings_of_a_relative_date_are_given() -> None:
    """The words stay as spoken; the day that they meant stands beside them."""
    question = "When did Wren see the eye doctor?"
    answer = compose(question, chat(question, ("Wren", "I did see the eye doctor last Friday.")))
    assert answer.short == "19 May 2023 (“last Friday”, said 24 May 2023)"
    assert answer.citations[0].quote == "I did see the eye doctor last Friday."


def test_a_month_or_year_asked_for_is_given_as_such() -> None:
    """The answer has the grain of the question."""
    question = "In which year did Tobias quit smoking?"
    evidence = chat(question, ("Tobias", "I quit smoking last year.", dt.datetime(2024, 1, 1, 9)))
    assert (compose(question, evidence).short or "").startswith("2023 ")


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I finally adopted the puppy!", "by Wednesday, 24 May 2023"),
        ("My puppy is here, just adopted!", "by Wednesday, 24 May 2023"),
        ("The puppy I adopt is here!", "Wednesday, 24 May 2023"),
        ("I will adopt the puppy.", None),
        ("I adopted the puppy forty years ago, in this month.", None),
        ("The year before last I adopted the puppy.", None),
        ("I adopted the puppy when I was a student.", None),
    ],
)
def test_an_event_told_without_a_date_is_dated_by_its_telling(said: str, day: str | None) -> None:
    """The present is of the day of telling, the past had happened by then, a plan has no date."""
    question = "When did Wren adopt the puppy?"
    assert compose(question, chat(question, ("Wren", said))).short == day


def test_the_day_of_telling_has_the_grain_of_the_question() -> None:
    """Which month asks for no weekday."""
    question = "In which month did Wren adopt the puppy?"
    evidence = chat(question, ("Wren", "I finally adopted the puppy!"))
    assert compose(question, evidence).short == "by May 2023"


def test_the_best_supported_option_is_chosen() -> None:
    """Of given choices, the one that the evidence speaks for."""
    question = "What did Ben paint?"
    evidence = chat(question, ("Ben", "I did paint a sunset over the lake."))
    answer = compose(question, evidence, options=["A portrait", "A sunset", "A ship", "A horse"])
    assert answer.short == "A sunset"
