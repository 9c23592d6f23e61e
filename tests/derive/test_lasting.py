"""Semantic memory: what becomes one fact, what ends another, what makes a habit."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.derive.claims import Claim
from mmem.derive.lasting import CONSOLIDATION_COSINE, lasting_of
from mmem.ports import FloatArray
from mmem.recall.facts import ONE_AT_A_TIME
from mmem.schemas import Quadruple, SemanticFact
from mmem.words import name_key
from tests.bodies import HashedWords

ENCODER = HashedWords()
LONG = " ".join([*(f"word{n}" for n in range(30)), "coffee"])


def claim(
    number: int,
    subject: str,
    relation: str,
    value: str,
    *,
    day: str | None = None,
    at: int | None = -1,
    known: int | None = None,
    person: bool = True,
    **fields: object,
) -> Claim:
    plain = {
        "id": f"q-{number}",
        "source_id": "s-1",
        "unit_id": f"p-{number}",
        "subject": subject,
        "relation": relation,
        "object": value,
        "kind": "semantic",
        "atom_ids": (f"m-{number}",),
        "chars": (0, 1),
        "confidence": 0.9,
        "extractor": "grammar 3, x",
    }
    said = number if at == -1 else at
    told = Quadruple.model_validate({**plain, **fields})
    return Claim(
        told=told,
        subject=name_key(subject),
        value=name_key(value),
        said_us=said,
        known_us=known or said,
        day=day or f"day {number}",
        by_person=person,
    )


def vector(text: str) -> FloatArray | None:
    return ENCODER.encode_query(text).pooled


def lasting(claims: Iterable[Claim], vectors: bool = True) -> list[SemanticFact]:
    found = lasting_of(claims, vector if vectors else lambda _: None, one_at_a_time=ONE_AT_A_TIME)
    return [one.fact for one in found]


def test_what_several_units_tell_is_one_fact() -> None:
    """Law: evidence is united, support counts units, days are told apart, confidence grows."""
    told = [
        claim(1, "Ann", "like", "coffee", day="mon", known=10),
        claim(2, "ann", "love", "Coffee", day="mon", known=10),
        claim(3, "Ann", "enjoy", "the coffee", day="tue", known=20),
    ]
    (fact,) = lasting(told)
    assert (fact.support, fact.days, fact.kind, fact.basis) == (3, 2, "semantic", "said")
    assert (fact.unit_ids, fact.atom_ids) == (("p-1", "p-2", "p-3"), ("m-1", "m-2", "m-3"))
    assert (fact.first_us, fact.last_us, fact.confidence) == (1, 3, 0.57)
    assert (fact.valid.start_us, fact.valid.end_us, fact.current) == (10, None, True)
    assert (fact.relation, fact.object) == ("enjoy", "the coffee")  # as it was said last
    usual = [*told, claim(4, "Ann", "like", "coffee"), claim(5, "Ann", "adore", "coffee")]
    assert lasting(usual)[0].relation == "like"  # as it was said the oftenest
    many = [claim(n, "Ann", "like", "coffee") for n in range(30)]
    assert lasting(many)[0].confidence == 0.77


def test_near_words_are_one_where_their_vectors_are_near() -> None:
    """Law: cosine at least 0.6 and one object within the other; without vectors names decide."""
    told = [claim(1, "Ann", "like", "coffee"), claim(2, "Ann", "like", "black coffee")]
    near = vector("Ann like coffee"), vector("Ann like black coffee")
    assert near[0] is not None and near[1] is not None
    assert float(np.dot(near[0], near[1])) >= CONSOLIDATION_COSINE
    assert [fact.support for fact in lasting(told)] == [2]
    assert [fact.support for fact in lasting(told, vectors=False)] == [1, 1]
    for value in ("coffee machines", "tea"):
        other = [claim(1, "Ann", "like", "coffee"), claim(2, "Ann", "like", value)]
        assert len(lasting(other)) == 2
    far = [claim(1, "Ann", "like", "coffee"), claim(2, "Ann", "like", LONG)]
    assert len(lasting(far)) == 2


def test_other_subjects_are_other_facts() -> None:
    """Law: what Ann likes bears nothing out of Lou."""
    assert len(lasting([claim(1, "Ann", "like", "tea"), claim(2, "Lou", "like", "tea")])) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("like", "tea", "positive"), ("like", "tea", "negative")),
        (("love", "tea", "positive"), ("hate", "tea", "positive")),
        (("have", "a car", "negative"), ("own", "the car", "positive")),
        (("live in", "Oslo", "positive"), ("reside in", "Rome", "positive")),
        (("work at", "a bank", "positive"), ("work for", "a bakery", "positive")),
    ],
)
def test_what_contradicts_takes_the_place(
    old: tuple[str, str, str], new: tuple[str, str, str]
) -> None:
    """Law: the newer ends the older, both are kept, each with its dates."""
    told = [
        claim(1, "Ann", old[0], old[1], known=10, polarity=old[2]),
        claim(2, "Ann", new[0], new[1], known=20, polarity=new[2]),
    ]
    first, second = sorted(lasting(told), key=lambda fact: fact.last_us or 0)
    assert (first.current, first.superseded_by) == (False, second.id) and second.current
    assert (first.valid.start_us, first.valid.end_us) == (10, 20)
    assert (second.valid.start_us, second.valid.end_us) == (20, None)


def test_what_does_not_contradict_stands_beside() -> None:
    """Law: one may like tea and coffee, and not live in Rome and live in Oslo."""
    told = [
        claim(1, "Ann", "like", "tea"),
        claim(2, "Ann", "like", "coffee"),
        claim(3, "Ann", "live in", "Rome", polarity="negative"),
        claim(4, "Ann", "live in", "Oslo"),
    ]
    assert all(fact.current for fact in lasting(told)) and len(lasting(told)) == 4


def test_what_is_said_again_after_its_end_is_a_new_version() -> None:
    """Law: Oslo, Rome, Oslo are three versions; only the last one holds."""
    told = [claim(n, "Ann", "live in", place) for n, place in enumerate(("Oslo", "Rome", "Oslo"))]
    found = sorted(lasting(told), key=lambda fact: fact.last_us or 0)
    assert [(f.object, f.current) for f in found] == [
        ("Oslo", False),
        ("Rome", False),
        ("Oslo", True),
    ]
    assert len({fact.id for fact in found}) == 3
    assert [fact.superseded_by for fact in found] == [found[1].id, found[2].id, None]


def test_without_a_later_time_nothing_ends() -> None:
    """Law: only what is known to have been said later takes a place."""
    for first, second in ((1, 1), (None, 2), (1, None)):
        told = [
            claim(1, "Ann", "live in", "Oslo", at=first),
            claim(2, "Ann", "live in", "Rome", at=second),
        ]
        assert all(fact.current for fact in lasting(told))


def test_only_what_is_asserted_lasts() -> None:
    """Law: plans, wishes and questions are no knowledge."""
    meant = ("planned", "wished", "supposed", "reported", "asked", "ordered")
    assert lasting([claim(n, "Ann", "like", "tea", modality=m) for n, m in enumerate(meant)]) == []


def act(number: int, day: str, value: str = "the plants", **fields: object) -> Claim:
    return claim(number, "Ann", "water", value, day=day, kind="episodic", **fields)


def test_an_act_of_three_days_is_a_habit() -> None:
    """Law: support is the days, evidence is all of them, known from the third day's group on."""
    twice = [act(1, "mon"), act(2, "mon"), act(3, "tue")]
    assert lasting(twice) == []
    (fact,) = lasting([*twice, act(4, "wed", "her plants", known=40), act(5, "thu", known=50)])
    assert (fact.subject, fact.relation, fact.object) == ("Ann", "usually water", "plants")
    assert (fact.basis, fact.support, fact.days) == ("done", 4, 4)
    assert (fact.valid.start_us, fact.first_us, fact.last_us) == (40, 1, 5)
    assert len(fact.unit_ids) == 5 and fact.confidence == 0.61


def test_other_acts_of_other_people_are_no_habit() -> None:
    """Law: the same person, the same act, done; small movements are left out."""
    days = ("mon", "tue", "wed")
    assert lasting([act(n, d, f"plant {n}") for n, d in enumerate(days)]) == []
    assert lasting([act(n, d, polarity="negative") for n, d in enumerate(days)]) == []
    assert lasting([act(n, d, person=False) for n, d in enumerate(days)]) == []
    assert lasting([act(n, d, modality="planned") for n, d in enumerate(days)]) == []
    walked = [claim(n, "Ann", "see", "it", day=d, kind="episodic") for n, d in enumerate(days)]
    assert lasting(walked) == []
    gone = [claim(n, "Ann", "go to", "the gym", day=d, kind="episodic") for n, d in enumerate(days)]
    assert [(fact.relation, fact.object) for fact in lasting(gone)] == [("usually go to", "gym")]


def test_a_caption_in_the_present_tense_tells_an_act() -> None:
    """Law: "I open the box" in a caption is what happens then, "I like boxes" is not."""
    captioned = claim(1, "Ann", "open", "the box", atom_ids=("c-1",))
    assert captioned.is_act and not claim(1, "Ann", "open", "the box").is_act
    assert not claim(1, "Ann", "like", "boxes", atom_ids=("c-1",)).is_act
    by_model = claim(1, "Ann", "open", "the box", atom_ids=("c-1",), extractor="notes 1, small")
    assert not by_model.is_act


CLAIMS = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Lou"]),
        st.sampled_from(["like", "hate", "live in", "have", "water"]),
        st.sampled_from(["Oslo", "Rome", "black tea", "tea"]),
        st.sampled_from(["positive", "negative"]),
        st.sampled_from(["semantic", "episodic"]),
    ),
    max_size=14,
)


@settings(deadline=None)
@given(CLAIMS, st.integers(0, 14))
def test_what_was_held_does_not_depend_on_what_came_later(
    told: list[tuple[str, str, str, str, str]], cut: int
) -> None:
    """Law 6: every fact of a beginning is, but for its end and more support, one of the whole."""
    claims = [
        claim(n, subject, relation, value, polarity=polarity, kind=kind, known=n)
        for n, (subject, relation, value, polarity, kind) in enumerate(told, 1)
    ]
    whole = {fact.id: fact for fact in lasting(claims)}
    for fact in lasting(claims[:cut]):
        later = whole[fact.id]
        assert later.valid.start_us == fact.valid.start_us
        assert later.unit_ids[: len(fact.unit_ids)] == fact.unit_ids
        assert later.current <= fact.current
    assert len({fact.id for fact in whole.values()}) == len(lasting(claims))
    for fact in whole.values():
        assert fact.superseded_by is None or fact.superseded_by in whole
        if fact.valid.start_us is not None and fact.valid.end_us is not None:
            assert fact.valid.start_us <= fact.valid.end_us
