"""Entities: one name for one, and two for two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mmem.recall.entities import Mention, entities_of, entity_named
from mmem.schemas import Entity, Quadruple
from mmem.words import name_key


def assertion(
    unit: str, subject: str, relation: str, value: str, *, source: str = "s", negative: bool = False
) -> Quadruple:
    return Quadruple(
        id=f"q-{unit}-{subject}-{relation}-{value}",
        source_id=source,
        unit_id=unit,
        subject=subject,
        relation=relation,
        object=value,
        polarity="negative" if negative else "positive",
        atom_ids=(f"m-{unit}",),
        chars=(0, 3),
        confidence=0.8,
        extractor="x",
    )


def speaker(name: str, unit: str, source: str = "s") -> Mention:
    return Mention(name, source, unit, (f"m-{unit}",), person=True)


def named(found: list[Entity]) -> dict[str, set[str]]:
    return {entity.name: {alias.name for alias in entity.aliases} for entity in found}


def test_a_first_name_means_the_only_one_who_has_it() -> None:
    """The alias says why and shows where."""
    speakers = [speaker("Priya Nair", "p-1")]
    told = [assertion("p-2", "Priya", "sell", "the boat")]
    (entity, *_) = entities_of(told, speakers, {"p-1": 5})
    (alias,) = entity.aliases
    assert (entity.name, entity.kind, alias.name) == ("Priya Nair", "person", "Priya")
    assert (alias.basis, alias.atom_ids) == ("part of the name", ("m-p-2",))
    assert (entity.unit_ids, entity.first_us) == (("p-1", "p-2"), 5)


def test_two_people_of_one_first_name_stay_apart() -> None:
    """Each is met by the short name in his own source; where both could be meant it is nobody."""
    speakers = [
        speaker("Priya Nair", "p-1", "home"),
        speaker("Priya Shah", "p-2", "work"),
        speaker("Priya Nair", "p-3", "both"),
        speaker("Priya Shah", "p-4", "both"),
    ]
    told = [
        assertion("p-5", "Priya", "sell", "the boat", source="home"),
        assertion("p-6", "Priya", "buy", "the mill", source="work"),
        assertion("p-7", "Priya", "rent", "the barn", source="both"),
    ]
    found = entities_of(told, speakers, {})
    assert {e.name: e.unit_ids for e in found if "Priya" in e.name} == {
        "Priya Nair": ("p-1", "p-3", "p-5"),
        "Priya Shah": ("p-2", "p-4", "p-6"),
        "Priya": ("p-7",),
    }
    assert len(entity_named(found, "Priya")) == 3
    assert [e.name for e in entity_named(found, "nair")] == ["Priya Nair"]


def test_what_was_said_to_be_one_is_one() -> None:
    """ "My sister is Ana" joins two names; a denial, or a thing with an article, joins none."""
    told = [
        assertion("p-1", "Wren's sister", "be", "Ana"),
        assertion("p-2", "Ana", "move to", "Ghent"),
        assertion("p-3", "Wren's boss", "be", "Kim", negative=True),
        assertion("p-4", "Wren's uncle", "be", "a baker"),
        assertion("p-5", "The town", "be", "Ghent"),
    ]
    found = named(entities_of(told, [], {}))
    assert found["Ana"] == {"Wren's sister"}
    assert found["Kim"] == found["Wren's boss"] == found["Wren's uncle"] == found["Ghent"] == set()


names = st.sampled_from(["Ann Lee", "Ann Ray", "Ann", "Lee", "Bo", "Bo's dog", "Rex", "the mill"])
told_by = st.lists(st.tuples(names, names, st.sampled_from(["x", "y"])), min_size=1, max_size=8)


@given(told_by, st.randoms())
def test_order_cannot_be_seen_and_every_mention_is_in_one_entity(
    said: list[tuple[str, str, str]], random: object
) -> None:
    """Law 4; and nothing is in two entities, nothing in none."""
    told = [
        assertion(f"p-{n}", one, "be", other, source=source)
        for n, (one, other, source) in enumerate(said)
    ]
    found = entities_of(told, [], {})
    shuffled = list(told)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert entities_of(shuffled, [], {}) == found
    every = [name for e in found for name in (e.name, *(alias.name for alias in e.aliases))]
    assert {name_key(one) for one in every} == {name_key(n) for pair in said for n in pair[:2]}
    assert len({entity.id for entity in found}) == len(found)
