"""Acts in words, taken apart, and the relations that they mean."""

from __future__ import annotations

import pytest

from mmem.derive.acts import Act, act_of, thing
from mmem.derive.relations import COMPOUNDS, ENDS, RULES, verb_key


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("put the cup", Act("put", "cup")),
        ("put the cup on the table", Act("put", "cup", (("on", "table"),))),
        ("take the milk out of the fridge", Act("take", "milk", (("out", "fridge"),))),
        ("take out the milk", Act("take out", "milk")),
        ("ask Tasha about the cake", Act("ask", "Tasha", (("about", "cake"),))),
        ("turn the light on", Act("turn on", "light")),
        (
            "drink a cup of coffee in the kitchen",
            Act("drink", "cup of coffee", (("in", "kitchen"),)),
        ),
        ("walk to the kitchen and sit", Act("walk", "", (("to", "kitchen"),))),
        ("hold it", Act("hold")),
        ("wash the cup, the plate", Act("wash", "cup")),
        ("", Act("")),
        ("go", Act("go")),
    ],
)
def test_an_act_is_a_verb_a_thing_and_what_stands_beside(words: str, act: Act) -> None:
    """Law: particles go with the verb, articles and owners go, what names nothing is left out."""
    assert act_of(words) == act


def test_forms_of_a_verb_are_one() -> None:
    """Law: a language model may leave a verb inflected; the table is by its base."""
    for forms in (
        "put",
        "place placed places placing",
        "give gave given gives",
        "hold held holding",
    ):
        assert len({verb_key(form) for form in forms.split()}) == 1
    assert verb_key("picked up") == verb_key("pick up") != verb_key("pick")


def test_every_relation_has_a_predicate_and_ends() -> None:
    """Law: the 19 relations of EM²Mem are all there; where events lie comes from their places."""
    meant = {rule.relation for rules in RULES.values() for rule in rules}
    assert len(ENDS) == 19
    assert ENDS.keys() - meant == {"occurs_in"}
    assert "tak out" in COMPOUNDS


def test_a_long_or_empty_phrase_names_nothing() -> None:
    """Law: a node is a name, not a sentence."""
    assert thing("the one that she bought in the big old market") == ""
    assert thing("the") == thing("") == thing("something") == thing("53") == ""
    assert thing("both of Ann's cups") == "cups"
