"""An answer quotes what was found, or says that it is not there."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.answer import compose
from mmem.ports import Encoded, QueryVectors, VectorSpace
from mmem.schemas import Evidence, Trace
from tests.answer.making import Told, chat, hit, message, recording

LATER = dt.datetime(2023, 6, 4, 10, 0)

text = st.text(max_size=60) | st.sampled_from(
    [
        "I did. You too?",
        "No, not Friday.",
        "\x1b[31mred [1]",
        "ok 🎉",
        "它在这里。",
        "called \u202eX",
    ]
)
speaker = st.none() | st.sampled_from(["Ada", "Ben Carter", "ß", ""])
moment = st.none() | st.datetimes(dt.datetime(1980, 1, 1), dt.datetime(2040, 1, 1))
lines = st.lists(st.tuples(speaker, text, moment, st.floats(-2, 2)), max_size=6)
questions = st.text(max_size=40) | st.sampled_from(
    [
        "Who did it, and what was on the screen then?",
        "When? Where? Why?",
        "Did Ada go now?",
        "How many?",
    ]
)


@settings(max_examples=150, deadline=None)
@given(questions, lines)
def test_citations_are_of_what_was_given_and_quotes_are_verbatim(
    question: str, told: list[tuple[str | None, str, dt.datetime | None, float]]
) -> None:
    """Any evidence at all: no error, ids among those given, quotes at their place, one text."""
    hits = [hit(message(i, who, what, at), score) for i, (who, what, at, score) in enumerate(told)]
    evidence = Evidence(
        question=question,
        hits=tuple(hits[:4]),
        context=tuple(hits[4:]),
        trace=Trace(question=question),
    )
    answer = compose(question, evidence)
    given_texts = {line.citation.atom_id: line.text for each in hits for line in each.lines}
    for citation in (*answer.citations, *answer.near_misses):
        assert citation.chars is not None
        assert given_texts[citation.atom_id][slice(*citation.chars)] == citation.quote
    assert all(0 <= i < len(answer.citations) for s in answer.sentences for i in s.citations)
    assert answer.found == bool(answer.sentences) == bool(answer.citations)
    assert not any(character in answer.text for character in "\x1b\u202e\r")
    assert compose(question, evidence) == answer


def test_a_question_is_never_its_own_answer() -> None:
    """The turn that asks is passed over for the one that replies."""
    question = "Which cake does Priya bake?"
    evidence = chat(question, ("Tomas", "Which cake does Priya bake?"), ("Priya", "Lemon it is."))
    answer = compose(question, evidence)
    assert [c.quote for c in answer.citations] == ["Lemon it is."]


def test_now_means_the_newest_good_match_alone() -> None:
    """shared/cases/o14: the old code is not said beside the new one."""
    question = "What is the boiler code now?"
    evidence = chat(
        question, ("Lou", "the boiler code is 8-1-3"), ("Lou", "new boiler code: 2-2-7", LATER)
    )
    answer = compose(question, evidence)
    assert (answer.short, len(answer.citations)) == ("2-2-7", 1)


def test_denial_after_statement_wins() -> None:
    """shared/cases/os4: the little word is not lost."""
    question = "Are visitors allowed in hall 3?"
    evidence = chat(
        question,
        ("Hana", "Visitors are allowed in hall 3"),
        ("Hana", "Visitors are not allowed in hall 3", LATER),
    )
    answer = compose(question, evidence)
    assert answer.short == "No"


def test_several_hits_answer_together() -> None:
    """What takes two messages to say is quoted from both."""
    question = "Which pets do Ada and Ben both have?"
    evidence = chat(
        question, ("Ada", "My pets are two cats."), ("Ben", "Our pets are a cat and a dog.")
    )
    assert {c.atom_id for c in compose(question, evidence).citations} == {"m-0", "m-1"}


def test_the_screen_is_cited_at_the_cited_second() -> None:
    """ "Then" is when the quoted sentence was said: the picture shown at that second."""
    question = "Who promised the fix, and what was on the screen then?"
    evidence = recording(
        question,
        [(5.0, "Maya", "We start with the bug."), (31.0, "Priya", "I promise the fix.")],
        [(0.0, "Agenda"), (12.0, "Ticket 482"), (44.0, "Log")],
    )
    answer = compose(question, evidence)
    assert answer.short == "Priya"
    assert [c.atom_id for c in answer.citations] == ["u-31.0", "t-12.0", "k-12.0"]


def test_words_on_the_screen_can_answer() -> None:
    """A number that is only on a slide is found, and the picture cited."""
    question = "How many bookings does the dashboard show?"
    evidence = recording(
        question, [(62.0, "Maya", "Here it is.")], [(62.0, "Week 46\nBookings\n1,864")]
    )
    answer = compose(question, evidence)
    assert answer.short == "1,864"
    assert [c.kind for c in answer.citations] == ["screen"]


def test_what_is_not_there_is_said_with_the_nearest_misses() -> None:
    """Honest absence: no short answer, no citation, a few places to look."""
    question = "When was the Webb telescope launched into space?"
    evidence = chat(question, ("Ben", "The door is locked."), ("Ada", "We saw a film about space."))
    answer = compose(question, evidence)
    assert (answer.found, answer.short, answer.citations) == (False, None, ())
    assert answer.text.startswith("Not in this memory.")
    assert answer.near_misses


def test_what_another_did_is_not_what_was_asked() -> None:
    """A swapped speaker is no answer (LoCoMo, category 5)."""
    question = "What did Gina receive from the contest?"
    evidence = chat(
        question, ("Jon", "I received a trophy from the contest!"), ("Gina", "My shop opens soon.")
    )
    assert not compose(question, evidence).found


def test_no_evidence_is_no_answer() -> None:
    """An empty memory has no misses either."""
    answer = compose("Who?", Evidence(question="Who?", trace=Trace(question="Who?")))
    assert (answer.found, answer.text) == (False, "Not in this memory.")


FIX: list[Told] = [
    ("Priya", "I promise the fix by Wednesday evening."),
    ("Priya", "The fix is live!", LATER),
]


def test_what_the_question_states_is_cited_too() -> None:
    """A background sentence is a claim: the line that says so stands beside the answer."""
    question = "The fix was promised for Wednesday. On which day did it go live?"
    answer = compose(question, chat(question, *FIX))
    assert answer.short == "Sunday, 4 June 2023"
    assert [c.atom_id for c in answer.citations] == ["m-1", "m-0"]


def test_a_claim_that_no_line_supports_is_named() -> None:
    """The answer is given, and it is said which part of the question nothing supports."""
    question = "The fix was promised for Wednesday. On which day did it go live?"
    answer = compose(question, chat(question, *FIX[1:]))
    assert answer.short == "Sunday, 4 June 2023"
    assert "Not in this memory: The fix was promised for Wednesday." in answer.text


def test_each_clause_is_answered_or_named() -> None:
    """With one of two sources left out, its clause is said to be missing, not filled by others."""
    question = "Who promised the fix, and on which day did it go live?"
    whole = compose(question, chat(question, *FIX))
    assert whole.short == "Priya; Sunday, 4 June 2023"
    early = compose(question, chat(question, FIX[0], ("Tomas", "The soup place was full.")))
    assert early.short == "Priya"
    assert "Not in this memory: on which day did it go live?" in early.text


CHANGED: list[tuple[str, list[Told], str]] = [
    (
        "When does the pilot in Hamburg start?",
        [
            ("Maya", "The pilot in Hamburg starts on the 1 December."),
            ("Maya", "The Hamburg pilot moves to 8 December.", LATER),
        ],
        "8 December 2023 (earlier: 1 December 2023)",
    ),
    (
        "In which room is the customer demo?",
        [
            ("Maya", "The customer demo is in the Lighthouse."),
            ("Maya", "Change of plan: the demo is in the Boathouse.", LATER),
        ],
        "the Boathouse (earlier: the Lighthouse)",
    ),
]


@pytest.mark.parametrize(("question", "told", "short"), CHANGED)
def test_a_later_correction_wins_and_both_are_cited(
    question: str, told: list[Told], short: str
) -> None:
    """What was said before is given beside what is true now, in either order of the evidence."""
    for lines in (told, told[::-1]):
        answer = compose(question, chat(question, *lines))
        assert answer.short == short
        assert len(answer.citations) == 2


JOBS: list[Told] = [
    ("Priya", "First week at Corvid Labs done, I love it.", dt.datetime(2023, 1, 15)),
    ("Priya", "I left Corvid Labs, I start at Halden Marine on Monday.", dt.datetime(2023, 9, 22)),
    ("Ewan", "I am still at the museum.", dt.datetime(2023, 9, 22, 1)),
]


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Where does Priya work now?", "Halden Marine"),
        ("Where did Priya work in March 2023?", "Corvid Labs"),
        ("Where does Ewan work?", "the museum"),
    ],
)
def test_a_place_of_work_is_known_by_what_people_say_of_it(question: str, short: str) -> None:
    """shared/cases/o13: nobody says "work", and each job was true in its time."""
    answer = compose(question, chat(question, *JOBS))
    assert answer.short == short
    assert len(answer.citations) == 1


def test_how_it_was_before_is_not_how_it_is() -> None:
    """The first of the good matches is told for "before", the newest for "now"."""
    question = "What was the boiler code before?"
    evidence = chat(
        question, ("Lou", "the boiler code is 8-1-3"), ("Lou", "new boiler code: 2-2-7", LATER)
    )
    assert compose(question, evidence).short == "8-1-3"


def test_a_change_of_something_else_changes_nothing() -> None:
    """Only a change of the thing asked about takes its place."""
    question = "Who reviews the change?"
    evidence = chat(
        question,
        ("Ben", "I can review the change."),
        ("Maya", "The pilot moves to 8 December, I have changed the calendar.", LATER),
    )
    assert compose(question, evidence).short == "Ben"


class Counting:
    """An encoder that counts the texts it is given; all have one vector."""

    def __init__(self) -> None:
        self.texts = 0

    @property
    def identity(self) -> VectorSpace:
        """Any space."""
        return VectorSpace("test", "test", "1", 1, "none", "none")

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Count and return one direction for all."""
        self.texts += len(texts)
        return Encoded(pooled=np.ones((len(texts), 1), np.float32), codes=[])

    def encode_query(self, text: str) -> QueryVectors:
        """Return the same direction."""
        one = np.ones(1, np.float32)
        return QueryVectors(one, np.zeros((0, 1), np.float32), np.zeros((0, 2), np.int32))

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        """Return the whole text."""
        return [(0, len(text))]


@pytest.mark.parametrize(("cosine", "most"), [(0.5, 0), (None, 2)])
def test_few_sentences_are_encoded(cosine: float | None, most: int) -> None:
    """None that recall compared itself, and of others only two that could come first."""
    question = "What did Ada paint?"
    told = chat(question, *[("Ada", f"I did paint picture {n}.") for n in range(9)])
    hits = tuple(each.model_copy(update={"cosine": cosine}) for each in told.hits)
    encoder = Counting()
    assert compose(question, told.model_copy(update={"hits": hits}), encoder=encoder).found
    assert encoder.texts == most
