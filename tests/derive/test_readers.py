"""Readers of units: what both bodies keep."""

from __future__ import annotations

import dataclasses

from mmem.derive.readers import GrammarReader, Unread
from mmem.derive.told import Said, Told
from tests.bodies import ThreeWords


def told(text: str, *, start: int = 0) -> Told:
    said = Said(atom_ids=("m-1",), text=text, speaker="Ann", start=start)
    return Told(unit_id="p-1", source_id="s-1", lines=(said,))


def test_characters_are_counted_in_the_whole_atom() -> None:
    """A unit that is the second half of a long turn says where in the turn its facts stand."""
    reader = GrammarReader(ThreeWords())
    whole, later = reader.read([told("Bo bakes bread."), told("Bo bakes bread.", start=1000)])
    assert not isinstance(whole, Unread) and not isinstance(later, Unread)
    assert whole.frame.events and whole.quadruples
    for one, other in zip(
        (*whole.frame.events, *whole.quadruples),
        (*later.frame.events, *later.quadruples),
        strict=True,
    ):
        assert other.chars == (one.chars[0] + 1000, one.chars[1] + 1000)


def test_a_reading_names_its_rules_and_its_parser() -> None:
    """Another parser, or other rules, make another reading."""
    reader = GrammarReader(ThreeWords())
    (reading,) = reader.read([told("Bo bakes bread.")])
    assert not isinstance(reading, Unread)
    assert reading.frame.extractor == reader.extractor
    assert dataclasses.astuple(reader.spent)[:2] == (0, 0)
