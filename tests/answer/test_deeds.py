"""Who did something: only where just that is said to be done."""

from __future__ import annotations

import pytest

from mmem.answer import compose
from mmem.answer.verbs import verb_of
from tests.answer.making import Told, chat

PARTY: list[Told] = [
    ("Nina", "I bought the cake yesterday"),
    ("Rob", "It was delicious!"),
    ("Nina", "Rob paid for the taxi"),
    ("Tess", "I paid for the flowers and the candles"),
    ("Rob", "Tess booked the room, the boss will pay for the drinks"),
    ("Nina", "I lent Rob my tent"),
    ("Rob", "Tess baked the bread for Nina"),
    ("Nina", "The projector was repaired by Tess"),
    ("Tess", "Who can drive the van?"),
    ("Rob", "I can."),
]


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who paid for the cake?", None),
        ("Who ate the cake?", None),
        ("Who borrowed the tent?", None),
        ("Who sold the projector?", None),
        ("Who painted the room?", None),
        ("Who bought the cake?", "Nina"),
        ("Who paid for the taxi?", "Rob"),
        ("Who paid for the flowers?", "Tess"),
        ("Who pays for the flowers?", "Tess"),
        ("Who paid for the drinks?", "the boss"),
        ("Who booked the room?", "Tess"),
        ("Who lent the tent?", "Nina"),
        ("Who did Nina lend the tent to?", "Rob"),
        ("Who baked the bread?", "Tess"),
        ("Who repaired the projector?", "Tess"),
        ("Who can drive the van?", "Rob"),
    ],
)
def test_another_deed_names_nobody(question: str, short: str | None) -> None:
    """Who bought a thing is not who paid for it; a verb counts in all its forms."""
    assert compose(question, chat(question, *PARTY)).short == short


@pytest.mark.parametrize(
    ("question", "verb"),
    [
        ("Who paid for the cake?", "pay"),
        ("Who will bring the drinks?", "bring"),
        ("Who has already eaten?", "eat"),
        ("Who else is coming?", "com"),
        ("Which person drove the van?", "driv"),
        ("Who is the mayor?", None),
        ("Who was late?", None),
        ("Who has the key?", None),
        ("Who did Nina call?", None),
        ("Whose idea was it?", None),
    ],
)
def test_the_verb_of_a_who_question(question: str, verb: str | None) -> None:
    """Helping verbs are none, and what one did to whom is not asked of the doer."""
    assert verb_of(question) == verb


def test_a_second_sentence_is_cited_only_for_a_part_that_is_missing() -> None:
    """What says the same again is not cited; what adds a word of the question is."""
    question = "What did Tess bake for the party at the lake?"
    once = chat(
        question,
        ("Tess", "I baked a nut bread for the party at the lake."),
        ("Tess", "My bread for the party at the lake was a success, I baked all night."),
    )
    assert len(compose(question, once).citations) == 1
    listed = "List the cakes that Tess baked."
    both = chat(listed, ("Tess", "I baked a nut cake."), ("Tess", "I baked a plum cake too."))
    assert len(compose(listed, both).citations) == 2
