"""A question is read for what it asks."""

from __future__ import annotations

import pytest

from mmem.answer.question import clauses, kind_of, read_question

KINDS = [
    ("Who promised the fix?", "person"),
    ("Whose idea was it?", "person"),
    ("When did Wren see the eye doctor?", "date"),
    ("In which month is the exam?", "date"),
    ("On which day did it go live?", "date"),
    ("What is the new date?", "date"),
    ("What time does it start?", "date"),
    ("How many bookings does the dashboard show?", "number"),
    ("How old is Ben?", "number"),
    ("What is the boiler code now?", "number"),
    ("Where do we meet?", "place"),
    ("Which city did they visit?", "place"),
    ("At which NASA centre is the clean room?", "place"),
    ("What is the name of the boat?", "name"),
    ("Did the test pass?", "polar"),
    ("What was on the screen then?", "screen"),
    ("Who showed the slide?", "person"),
    ("What did he do when it rained?", "open"),
    ("Why did it stop?", "reason"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_the_asking_word_says_the_kind(text: str, kind: str) -> None:
    """The first asking word decides, not one of a clause inside."""
    assert kind_of(text) == kind


def test_clauses_are_asked_apart() -> None:
    """ "and" splits only where a new question begins."""
    assert clauses("Who cut and pasted it, and where?") == ["Who cut and pasted it", "where?"]
    assert clauses("Did Ada and Ben go?") == ["Did Ada and Ben go?"]


def test_dates_and_people_are_no_search_words() -> None:
    """What names a time or a speaker is matched by time and by speaker."""
    asked = read_question("What did Priya eat on 8 May 2023?", ["Priya Nair", "Tomas"])
    assert asked.terms == ("eat",)
    assert asked.about == ("Priya Nair",)
    assert [dated.words for dated in asked.dates] == ["8 May 2023"]
