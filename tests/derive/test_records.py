"""EM²Mem's record of a unit: what its lines tell, what its pictures show, and what must survive."""

from __future__ import annotations

import pytest

from mmem.derive.critical import MOST, critical_lines, kind_of
from mmem.derive.extracts import telling
from mmem.derive.records import text_record, visual_record
from mmem.derive.told import LineKind, Said, Shown
from mmem.schemas import CriticalKind, Event, Modality


def said(text: str, speaker: str | None = "Kit", kind: LineKind = "utterance") -> Said:
    return Said(atom_ids=(f"u-{text[:8]}",), text=text, speaker=speaker, kind=kind)


def event(action: str, who: str = "Kit", modality: Modality = "asserted") -> Event:
    return Event(
        participants=(who,), action=action, modality=modality, atom_ids=("u-1",), chars=(0, 1)
    )


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("I'll bring the big ladder tomorrow.", "commitment"),
        ("Let's paint the fence on Sunday.", "proposal"),
        ("Why don't we ask the harbour master?", "proposal"),
        ("Hand the wrench to Lou, please.", "transfer"),
        ("I put the keys under the doormat.", "placement"),
        ("The spare keys are in the drawer.", "placement"),
        ("This is my water bottle.", "identity"),
        ("The ladder belongs to Ada.", "identity"),
        ("Did you put the keys in the drawer?", None),
        ("The fence was painted green.", None),
        ("I will.", None),
    ],
)
def test_lines_that_must_survive_are_known_by_their_words(
    sentence: str, kind: CriticalKind | None
) -> None:
    """Promises, proposals, who gets what, where it is, whose it is; of questions only proposals."""
    assert kind_of(sentence) == kind


def test_what_is_only_seen_is_no_critical_line_and_there_are_few() -> None:
    """A caption promises nothing; of many lines those that say the most are kept, in order."""
    assert critical_lines([said("I put the keys in the drawer.", kind="caption")]) == ()
    many = [said(f"I'll fix the {'old broken ' if n % 2 else ''}gate {n}.") for n in range(20)]
    kept = critical_lines(many)
    assert len(kept) == MOST and all("old broken" in line.text for line in kept)
    assert [line.text for line in kept] == sorted((line.text for line in kept), key=number)


def number(text: str) -> int:
    return int(text.rstrip(".").rsplit(" ", 1)[1])


def test_a_text_record_says_what_is_handled_done_and_spoken_of() -> None:
    """Things without parts of the body and states, acts without the smallest movements."""
    lines = [
        said("I turn my head to the left.", kind="caption"),
        said("I put the data cable on the oak table.", kind="caption"),
        said("Where is the charger for the drone?", "Lou"),
        said("The drone needs another charger.", "Ada"),
    ]
    events = [
        event("turn Kit's head to the left"),
        event("put the data cable"),
        event("hold the data cable"),
        event("be tired"),
        event("continue walking"),
        event("buy a drone", modality="planned"),
    ]
    record = text_record(lines, events)
    assert record.salient_objects == ("data cable", "drone")
    assert record.actions == ("put the data cable", "hold the data cable")
    assert record.conversation_focus == ("charger", "drone")
    assert "I put the data cable on the oak table." in record.fine_caption
    assert "Ada: The drone needs another charger." in record.fine_caption
    assert "my head" not in record.fine_caption


def test_the_smallest_movements_are_told_where_there_is_nothing_else() -> None:
    """Somebody who only nods has nodded."""
    record = text_record([said("I nod.", kind="caption")], [event("nod")])
    assert (record.actions, record.fine_caption) == (("nod",), "I nod.")


def test_what_is_said_never_enters_the_visual_record() -> None:
    """The visual record is of pictures alone; without any it is empty."""
    shown = Shown(screens=("Release plan\nMay 3",), things=("laptop",), colours=("blue",))
    record = visual_record(shown)
    assert record.visible_objects == ("laptop",)
    assert record.keyframe_caption == (
        "On screen: “Release plan May 3”. Looks like: laptop. Colours: blue."
    )
    assert visual_record(Shown()).keyframe_caption == ""


def test_an_extract_says_each_thing_once_and_in_order() -> None:
    """What was said counts for less after it (SumBasic); the sentences stay verbatim."""
    sentences = [
        "Short.",
        "The pump broke down at noon.",
        "Somebody fed the cat.",
        "The pump broke down again.",
        "Lou repaired the pump with glue.",
    ]
    kept = telling(sentences, most=2, longest=200)
    assert kept == sorted(kept) and 0 not in kept and len(kept) == 2
    assert not {1, 3} <= set(kept)
    assert telling(sentences, most=5, longest=30) != []
    assert telling(["ok", "so"], most=1, longest=50) == [0]
    assert telling([], most=3, longest=50) == []
