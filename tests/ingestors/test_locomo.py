"""LoCoMo: one conversation a sample, sessions with their dates, pictures with their captions."""

from __future__ import annotations

import json

import pytest

from mmem.errors import DamagedFile
from mmem.ingestors.locomo import READER
from mmem.schemas import Turn

SAMPLE = {
    "qa": [],
    "conversation": {
        "speaker_a": "Wren",
        "speaker_b": "Tobias",
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_10": [{"speaker": "Wren", "dia_id": "D10:1", "text": "last"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Wren", "dia_id": "D2:1", "text": "look", "img_url": ["http://x/a%20b.jpg?s"],
             "blip_caption": "a photo of a dog", "query": "dog"},
            {"speaker": "Tobias", "dia_id": "D2:2", "text": "", "blip_caption": "a cat"},
            {"speaker": "Tobias", "dia_id": "D2:3"},
            "nonsense",
        ],
        "session_3_date_time": "soon",
        "session_3": [{"speaker": "Tobias", "dia_id": "D3:1", "text": "undated"}],
    },
    "sample_id": "fc-1",
}  # fmt: skip


def test_sessions_dates_pictures(desk):
    """Sessions come in number order with their minute; a picture alone can't be cited."""
    reading = desk.one(READER, desk.write("l.json", json.dumps([SAMPLE])))
    assert desk.rows(reading) == [
        ("2023-05-08T13:56:00", "Wren", "look"),
        ("2023-05-08T13:56:00", "Tobias", ""),
        ("2023-05-08T13:56:00", "Tobias", ""),
        (None, "Tobias", "undated"),
        ("2024-01-01T00:05:00", "Wren", "last"),
    ]
    first, second, *_ = desk.turns(reading)
    assert (first.session, first.reference, first.citable) == ("D2", "D2:1", True)
    assert first.attachments[0].model_dump() == {
        "kind": "picture",
        "name": "a b.jpg",
        "description": "a photo of a dog",
        "file": None,
    }
    assert (second.citable, second.attachments[0].description) == (False, "a cat")
    assert (reading.source.key, reading.source.title) == ("fc-1", "Wren and Tobias (fc-1)")
    assert len(reading.source.notes) == 2


def test_a_single_sample_is_read_too(desk):
    """A sample outside of a list is the same conversation."""
    listed = desk.one(READER, desk.write("l.json", json.dumps([SAMPLE])))
    single = desk.one(READER, desk.write("l.json", json.dumps(SAMPLE)))
    assert listed.source.id == single.source.id
    assert [atom.id for atom in listed.atoms] == [atom.id for atom in single.atoms]


def test_broken_characters_are_replaced(desk):
    """Half an emoji in any field does not stop the reading."""
    odd = "\ud83d\x00"
    turn = {"speaker": odd, "dia_id": odd, "text": odd, "blip_caption": odd, "img_url": [odd]}
    talk = {"speaker_a": odd, "session_1": [turn]}
    path = desk.write("l.json", json.dumps({"sample_id": odd, "conversation": talk}))
    assert desk.turns(desk.one(READER, path))[0].reference == "\ufffd\ufffd"


def test_another_file_is_refused(desk):
    """JSON of another shape names the file and the sample."""
    with pytest.raises(DamagedFile, match=r'l\.json: sample 1 has no "session_1"'):
        desk.one(READER, desk.write("l.json", '[{"a": 1}]'))


def test_the_benchmark_is_read_whole(desk, shared):
    """All turns of all samples are there, each with time, speaker and the file's own id."""
    path = shared / "data" / "locomo" / "locomo.json"
    samples = json.loads(path.read_text())
    readings = desk.many(READER, path)
    expected = [
        [turn["dia_id"] for key, turns in sample["conversation"].items()
         if isinstance(turns, list) for turn in turns]
        for sample in samples
    ]  # fmt: skip
    for reading, references, sample in zip(readings, expected, samples, strict=True):
        turns = [atom for atom in reading.atoms if isinstance(atom, Turn)]
        assert sorted(turn.reference or "" for turn in turns) == sorted(references)
        assert all(turn.wall_us and turn.speaker for turn in turns)
        assert turns == sorted(turns, key=lambda turn: turn.wall_us or 0)
        assert len({turn.id for turn in turns}) == len(turns)
        assert reading.source.key == sample["sample_id"]
        assert reading.source.notes == ()
