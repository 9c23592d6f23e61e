"""A question is read for what it asks."""

from __future__ import annotations

import pytest

from mmem.answer.clauses import clauses
from mmem.answer.kinds import kind_of
from mmem.answer.question import read_question

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
    asked = [clause.text for clause in clauses("Who cut and pasted it, and in which room?")]
    assert asked == ["Who cut and pasted it", "in which room?"]
    assert [clause.text for clause in clauses("Did Ada and Ben go?")] == ["Did Ada and Ben go?"]


LEANING = [
    ("Who promised the fix, and when did it go live?", "Who promised the fix", ()),
    ("Where is the demo, and when?", "Where is the demo", ()),
    ("Who cut it, and who sang?", "", ()),
    ("The pilot was moved. To which date?", "The pilot was moved.", ("The pilot was moved.",)),
    ("I forgot. Where is it?", "I forgot.", ()),
    ("Consider all events with Ada. List the dates.", "", ()),
]


@pytest.mark.parametrize(("text", "scene", "claims"), LEANING)
def test_a_clause_that_points_back_leans_on_what_came_before(
    text: str, scene: str, claims: tuple[str, ...]
) -> None:
    """What a question states of the world is a claim; what it says of the asker is not."""
    last = clauses(text)[-1]
    assert (last.scene, last.claims) == (scene, claims)


def test_dates_and_people_are_no_search_words() -> None:
    """What names a time or a speaker is matched by time and by speaker."""
    asked = read_question("What did Priya eat on 8 May 2023?", ["Priya Nair", "Tomas"])
    assert asked.terms == ("eat",)
    assert asked.about == ("Priya Nair",)
    assert [dated.words for dated in asked.dates] == ["8 May 2023"]


def test_how_to_answer_is_no_search_word() -> None:
    """What a question bids to leave out or how to order it says nothing of what is sought."""
    text = "Recall the events at Port Jefferson. Describe them, without mentioning the people."
    asked = read_question(text, [])
    assert (asked.terms, asked.names) == (("port", "jefferson"), ("Port Jefferson",))
