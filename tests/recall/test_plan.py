"""Plan: what is read from the words of a question."""

import pytest

from mmem.recall.plan import make_plan, people_in, without_names
from mmem.recipes import MMEM

SPEAKERS = [(0, "Ann Lee"), (1, "Bo"), (2, "Project Manager"), (3, "Project Lead")]


def test_people_are_found_by_full_name_or_a_first_name_that_one_of_them_has() -> None:
    """ "Project" names nobody, because two speakers begin with it; "bo" in "bonus" is no name."""
    assert [p.speaker for p in people_in("What did Ann tell the Project Manager?", SPEAKERS)] == [
        0,
        2,
    ]
    assert people_in("Which Project got the bonus?", SPEAKERS) == ()


def test_names_leave_the_dense_text_with_their_possessive() -> None:
    """The rest of the question stays as written."""
    question = "When did Ann's dog meet Bo?"
    assert without_names(question, people_in(question, SPEAKERS)) == "When did dog meet?"


@pytest.mark.parametrize(
    ("question", "latest"),
    [
        ("Where did I last see the keys?", True),
        ("What is Ann's current job?", True),
        ("What is her last name?", False),
        ("Who won the race?", False),
    ],
)
def test_words_for_the_newest_are_heard(question: str, latest: bool) -> None:
    """ "last" and "current" ask for the newest match; a last name does not."""
    assert make_plan(question, MMEM).wants_latest is latest


def test_words_of_time_are_not_looked_up() -> None:
    """Function words of time carry no lexical weight; content and numbers do."""
    assert set(make_plan("When was the last time we saw 2 otters?", MMEM).weights) == {
        "saw",
        "2",
        "otter",
    }


def test_options_are_words_or_times_never_both() -> None:
    """An option that is a time becomes a window without words; any other keeps its words."""
    plan = make_plan("When?", MMEM, options=["About 2 hours ago", "two red cats"], now_us=10**15)
    hours, cats = plan.options
    assert hours.windows and not hours.weights
    assert set(cats.weights) == {"two", "red", "cat"} and not cats.windows


def test_an_empty_question_is_a_valid_one() -> None:
    """Nothing asked, nothing read."""
    plan = make_plan("", MMEM, speakers=SPEAKERS)
    assert plan.weights == {} and plan.people == () and plan.windows == ()
