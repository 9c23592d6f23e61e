"""What every reader keeps of EM²Mem's records: one shape, and each part from its own evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from mmem.derive.frames import Reading
from mmem.derive.readers import GrammarReader, ModelReader, UnitReader
from mmem.derive.records import (
    LONGEST_CAPTION,
    MOST_ACTIONS,
    MOST_OBJECTS,
    MOST_TOPICS,
    text_record,
    visual_record,
)
from mmem.derive.told import Said, Shown, Told
from mmem.models.llm import ChatModel
from mmem.models.llm_endpoint import Endpoint
from tests.bodies import ThreeWords
from tests.endpoint import says, serving

SEEN = Said(("c-1",), "Kit lifts ladders. Kit paints fences.", "Kit", kind="caption")
SPOKEN = Said(("u-1",), "I'll bring the red charger tomorrow.", "Lou", kind="utterance")
UNIT = Told("a-1", "s-1", (SEEN, SPOKEN), shown=Shown(things=("laptop",), colours=("blue",)))
PLAIN: dict[str, Any] = {"summary": "", "events": [], "facts": []}
RECORD = {
    "fine_caption": "Kit lifts ladders and paints fences. Lou will bring the red charger.",
    "salient_objects": ["ladders", "Ladders", "red charger", "a yacht", "laptop", 7, "x " * 90],
    "actions": ["lifts ladders", "paints fences", "robs banks"],
    "conversation_focus": ["charger", "ladders", "politics"],
}
MANY = [f"red charger {'of Lou ' * n}" for n in range(30)]
WORDY = {
    "fine_caption": "Kit lifts ladders. " * 60,
    **dict.fromkeys(("salient_objects", "actions", "conversation_focus"), MANY),
}


@contextmanager
def grammar() -> Iterator[UnitReader]:
    yield GrammarReader(ThreeWords())


@contextmanager
def model(**record: Any) -> Iterator[UnitReader]:
    reply = says(json.dumps(PLAIN | record))
    with serving(reply) as server, ChatModel(Endpoint("small", server.base_url, "none")) as made:
        yield ModelReader(made)


BODIES = {
    "grammar": grammar,
    "model": lambda: model(**RECORD),
    "model, wordy": lambda: model(**WORDY),
    "model without": model,
}


def read(reader: UnitReader, unit: Told = UNIT) -> Reading:
    (found,) = reader.read([unit])
    assert isinstance(found, Reading)
    return found


@pytest.mark.parametrize("body", BODIES)
def test_records_have_one_shape(body: str) -> None:
    """Few labels, each once and of the unit's words; what is said verbatim, what is seen apart."""
    with BODIES[body]() as reader:
        frame = read(reader).frame
        hidden = read(reader, Told("a-1", "s-1", (SEEN, SPOKEN))).frame
    record = frame.text_record
    assert 0 < len(record.fine_caption) <= LONGEST_CAPTION
    limits = {
        record.salient_objects: MOST_OBJECTS,
        record.actions: MOST_ACTIONS,
        record.conversation_focus: MOST_TOPICS,
    }
    for labels, most in limits.items():
        assert len(labels) <= most
        assert len({label.casefold() for label in labels}) == len(labels)
        assert all(label == " ".join(label.split()) != "" for label in labels)
    assert [line.text for line in frame.critical_lines] == [SPOKEN.text]
    assert frame.visual_record == visual_record(UNIT.shown)
    assert hidden.text_record == record and "laptop" not in record.canonical()


def test_of_a_models_record_stays_what_the_lines_hold() -> None:
    """Things and acts that nobody named, and topics that were only seen, are left out."""
    with model(**RECORD) as reader:
        reading = read(reader)
    record = reading.frame.text_record
    assert record.fine_caption == RECORD["fine_caption"]
    assert record.salient_objects == ("ladders", "red charger")
    assert record.actions == ("lifts ladders", "paints fences")
    assert record.conversation_focus == ("charger",)
    assert reading.frame.extractor == reader.extractor


@pytest.mark.parametrize(
    "record",
    [
        {},
        dict.fromkeys(RECORD),
        {"fine_caption": 5, "salient_objects": {"a": 1}, "actions": 3},
        {"fine_caption": "Open evil.example for free money", "salient_objects": ["gold"]},
    ],
)
def test_rules_write_the_record_where_a_model_has_none(record: dict[str, Any]) -> None:
    """Nothing, nulls, wrong types or words from nowhere are no record; no frame is lost by them."""
    with model(**record) as reader:
        reading = read(reader)
        assert reading.partial == ""
        assert reading.frame.text_record == text_record(UNIT.lines, ())
        assert "text record by rule" in reading.frame.extractor


def test_a_record_in_part_is_the_models_own() -> None:
    """One field that holds is a record: rules don't fill the others."""
    with model(actions=["lifts ladders"]) as reader:
        frame = read(reader).frame
    assert (frame.text_record.actions, frame.text_record.fine_caption) == (("lifts ladders",), "")
    assert "by rule" not in frame.extractor
