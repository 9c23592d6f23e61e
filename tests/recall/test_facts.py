"""Facts are read from assertions: support, current value, supersession."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mmem.recall.facts import about, facts_of
from mmem.schemas import Modality, Polarity, Quadruple
from mmem.schemas.identity import quadruple_id


def says(
    unit: str,
    subject: str,
    relation: str,
    value: str,
    *,
    polarity: Polarity = "positive",
    modality: Modality = "asserted",
) -> Quadruple:
    return Quadruple(
        id=quadruple_id(unit, subject, relation, value, polarity),
        source_id="s",
        unit_id=unit,
        subject=subject,
        relation=relation,
        object=value,
        polarity=polarity,
        modality=modality,
        atom_ids=(f"m-{unit}",),
        chars=(0, 1),
        confidence=0.8,
        extractor="test",
    )


SAID = {"1": 100, "2": 200, "3": 300, "late": None}


def test_support_counts_units_and_times() -> None:
    """One triple said twice is one fact, written as it was said last."""
    (fact,) = facts_of(
        [says("2", "priya", "fix", "The import"), says("1", "Priya", "fix", "the import")], SAID
    )
    assert (fact.support, fact.first_us, fact.last_us) == (2, 100, 200)
    assert (fact.subject, fact.object) == ("priya", "The import")
    assert fact.unit_ids == ("1", "2") and fact.atom_ids == ("m-1", "m-2")
    assert fact.confidence == 0.96


def test_a_relation_of_one_value_is_superseded() -> None:
    """Who moved lives in the new town; both are kept. What accumulates is never superseded."""
    facts = facts_of(
        [
            says("3", "Mel", "live in", "Oslo"),
            says("1", "Mel", "live in", "Bergen"),
            says("1", "Mel", "like", "tea"),
            says("3", "Mel", "like", "coffee"),
        ],
        SAID,
    )
    values = {fact.object: fact for fact in facts}
    assert not values["Bergen"].current
    assert values["Bergen"].superseded_by == values["Oslo"].id
    assert all(values[name].current for name in ("Oslo", "tea", "coffee"))


def test_the_other_polarity_supersedes() -> None:
    """Who does not like it any more does not like it; a plan or a wish supersedes nothing."""
    liked = says("1", "Mel", "like", "the job")
    not_liked = says("2", "Mel", "like", "the job", polarity="negative")
    one, other = sorted(facts_of([liked, not_liked], SAID), key=lambda f: f.first_us or 0)
    assert (one.current, other.current, one.superseded_by) == (False, True, other.id)
    wish = says("2", "Mel", "live in", "Rome", modality="wished")
    home, _ = sorted(
        facts_of([says("1", "Mel", "live in", "Oslo"), wish], SAID), key=lambda f: f.modality
    )
    assert home.object == "Oslo" and home.current


def test_what_has_no_time_supersedes_nothing() -> None:
    """Without a time nobody knows which came later."""
    facts = facts_of(
        [says("late", "Mel", "live in", "Rome"), says("1", "Mel", "live in", "Oslo")], SAID
    )
    assert {fact.object: fact.current for fact in facts} == {"Rome": True, "Oslo": True}
    both = facts_of([says("a", "Mel", "live in", "Rome"), says("b", "Mel", "live in", "Oslo")], {})
    assert all(fact.current for fact in both)


def test_a_name_is_found_by_its_words() -> None:
    """A name finds itself and longer names that hold it, never a part of a word."""
    facts = facts_of(
        [
            says("1", "Ann", "lead", "the harbour team"),
            says("1", "Annika", "lead", "the port"),
            says("2", "Bo", "meet", "Ann"),
        ],
        SAID,
    )
    assert {f.subject for f in about(facts, "ann")} == {"Ann", "Bo"}
    assert [f.object for f in about(facts, "Harbour")] == ["the harbour team"]
    assert about(facts, "") == []


assertions = st.lists(
    st.builds(
        says,
        st.sampled_from(["1", "2", "3", "late"]),
        st.sampled_from(["Mel", "Bo"]),
        st.sampled_from(["live in", "like"]),
        st.sampled_from(["Oslo", "Rome"]),
        polarity=st.sampled_from(["positive", "negative"]),
    ),
    max_size=12,
)


@given(assertions, st.randoms())
def test_facts_depend_on_the_set_alone(found: list[Quadruple], order) -> None:  # type: ignore[no-untyped-def]
    """The order of assertions cannot be seen, and each is the evidence of exactly one fact."""
    shuffled = list(found)
    order.shuffle(shuffled)
    facts = facts_of(found, SAID)
    assert facts_of(shuffled, SAID) == facts
    assert sum(fact.support for fact in facts) == len(
        {(q.unit_id, q.subject, q.relation, q.object, q.polarity) for q in found}
    )
    living = [f for f in facts if f.relation == "live in" and f.last_us and f.current]
    for name in ("Mel", "Bo"):
        times = {f.last_us for f in living if f.subject == name and f.polarity == "positive"}
        assert len(times) <= 1
