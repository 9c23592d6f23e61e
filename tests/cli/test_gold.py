"""When the demo counts an answer as right."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmem.cli.gold import (
    Gold,
    Question,
    chat_files,
    lies_in,
    lies_partly_in,
    misses_of,
    questions_of,
    recorded_files,
)
from mmem.schemas import Answer, Citation, Evidence, Sentence, Trace

SAMPLES = Path(__file__).parents[2] / "samples"
MESSAGE = "The fix for 482 is live! B17 can be booked again"


def question(**changed: object) -> Question:
    asked = {
        "id": "q",
        "question": "When did the fix go live?",
        "kind": "date",
        "needs": ["chat"],
        "answerable": True,
        "answer": ["Thursday", "200"],
        "gold": [
            Gold.model_validate(
                {
                    "file": "chat.txt",
                    "speaker": "Priya",
                    "text": "The fix for 482 is live!",
                    "message_at": "2025-11-20T16:42:00Z",
                }
            )
        ],
    }
    return Question.model_validate({**asked, **changed})


def answer(*, said: str = "On Thursday.", found: bool = True, **cited: object) -> Answer:
    whole = {
        "atom_id": "m-1",
        "unit_id": "p-1",
        "source_id": "s-1",
        "source_title": "chat",
        "kind": "turn",
        "speaker": "Priya",
        "quote": "The fix for 482 is live!",
        "at": "2025-11-20T16:42:00",
        "file": "/somewhere/chat.txt",
    }
    return Answer(
        question="?",
        found=found,
        text=said,
        sentences=(Sentence(text=said, citations=(0,)),),
        citations=(Citation.model_validate({**whole, **cited}),),
        evidence=Evidence(question="?", trace=Trace(question="?")),
    )


def misses(asked: Question, given: Answer, text: str = MESSAGE) -> tuple[str, ...]:
    return misses_of(asked, given, lambda _: text)


def test_the_words_and_every_gold_citation_make_it_right() -> None:
    """An answer that says one of the wordings and cites each gold atom misses nothing."""
    assert misses(question(), answer()) == ()


@pytest.mark.parametrize(
    "given",
    [
        answer(said="Soon."),
        answer(said="2000 Thursdays"),
        answer(file="/somewhere/other.txt"),
        answer(speaker="Maya"),
        answer(at="2025-11-20T16:44:00"),
        answer(at=None),
        answer(found=False),
    ],
    ids=["other words", "part of a word", "file", "speaker", "time", "no time", "not found"],
)
def test_anything_else_is_a_miss(given: Answer) -> None:
    """Other words, another file, speaker or time, or no answer, is a miss."""
    assert misses(question(), given)


def test_the_right_time_with_another_text_is_a_miss() -> None:
    """A message is known by its time and its text."""
    assert misses(question(), answer(), text="not now")


def test_what_no_file_says_must_not_be_answered() -> None:
    """For an unanswerable question only "not found" is right."""
    asked = question(answerable=False, answer=[], gold=[])
    assert misses(asked, answer()) and not misses(asked, answer(found=False))


@pytest.mark.parametrize(
    ("at_s", "right"), [(29.1, False), (29.9, True), (36.0, True), (36.2, False)]
)
def test_a_second_counts_within_one_of_the_cited_span(at_s: float, right: bool) -> None:
    """A gold second is met by a citation whose span holds it, give or take one second."""
    asked = question(
        gold=[{"file": "a.mp4", "speaker": None, "text": "x", "at_s": at_s}], answer=["Thursday"]
    )
    cited = answer(file="a.mp4", speaker=None, kind="keyframe", start_s=30.8, end_s=35.04)
    assert (misses(asked, cited) == ()) is right


def test_each_part_must_be_said() -> None:
    """A question that asks two things needs one wording of each."""
    asked = question(parts=[["Thursday"], ["482"]])
    assert misses(asked, answer()) == ("does not say '482'",)


def test_the_samples_ask_what_the_issue_demands() -> None:
    """12 questions with gold, three of them over chat and video, and three unanswerable."""
    questions = questions_of(SAMPLES)
    answerable = [q for q in questions if q.answerable]
    assert (len(answerable), len(questions)) == (12, 15)
    assert sum(set(q.needs) == {"chat", "video"} for q in answerable) >= 3
    for files in (chat_files(questions), recorded_files(questions)):
        assert sum(lies_in(q, files) for q in questions) >= 4
        assert all((SAMPLES / name).is_file() for name in files)


def test_a_question_for_two_sources_loses_a_part_without_one() -> None:
    """Law: its gold lies in both, and each part has its own right wordings."""
    questions = questions_of(SAMPLES)
    both = [q for q in questions if set(q.needs) == {"chat", "video"}]
    assert len(both) == 3
    for question in both:
        assert len(question.parts) == 2
        assert lies_partly_in(question, chat_files(questions))
        assert lies_partly_in(question, recorded_files(questions))
