"""Assistants' messages: every shape of content, every shape of file, nothing encoded as text."""

from __future__ import annotations

import json

import pytest

from mmem.errors import DamagedFile
from mmem.ingestors.role_messages import READER

TALK = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
PNG = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 400}}


def _texts(desk, value, name="talk.json"):
    text = value if isinstance(value, str) else json.dumps(value)
    return [
        [(turn.speaker, turn.text) for turn in desk.turns(reading)]
        for reading in desk.many(READER, desk.write(name, text))
    ]


@pytest.mark.parametrize(
    ("content", "text", "kinds"),
    [
        ("plain", "plain", []),
        (["one", {"type": "text", "text": "two"}], "one\ntwo", []),
        (
            [{"type": "input_text", "text": "in"}, {"type": "output_text", "text": "out"}],
            "in\nout",
            [],
        ),
        ([{"type": "text", "text": {"value": "thread", "annotations": []}}], "thread", []),
        ([{"type": "text", "text": "see"}, PNG], "see", ["picture"]),
        ([PNG], "", ["picture"]),
        ([{"type": "image", "source": {"type": "base64", "data": "AAAA"}}], "", ["picture"]),
        (
            [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}],
            "",
            ["audio"],
        ),
        (
            [{"type": "file", "file": {"filename": "menu.pdf", "file_data": "data:x"}}],
            "",
            ["document"],
        ),
        ([{"type": "tool_result", "content": [{"type": "text", "text": "42"}]}], "42", []),
        ("half \ud83d here", "half \ufffd here", []),
        ("whole \ud83d\ude00", "whole 😀", []),
        ("nul \x00 and \u202emark\u202c\r\n", "nul \ufffd and mark", []),
    ],
)
def test_content(desk, content, text, kinds):
    """Text is joined, pictures and sounds are attachments, broken characters are replaced."""
    talk = [{"role": "user", "content": content}]
    (turn,) = desk.turns(desk.one(READER, desk.write("t.json", json.dumps(talk))))
    assert turn.text == text
    assert [attachment.kind for attachment in turn.attachments] == kinds
    assert turn.citable == bool(text)
    assert "AAAA" not in turn.model_dump_json() and "base64" not in turn.model_dump_json()


def test_speakers_and_roles(desk):
    """The name speaks, else the role; instructions are nobody's; a tool is a tool."""
    talk = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "name": "Zed", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "t"}]},
        {"role": "tool", "tool_call_id": "t", "content": "42"},
        {"role": "user", "content": ""},
    ]
    reading = desk.one(READER, desk.write("t.json", json.dumps(talk)))
    assert [(t.speaker, t.role, t.citable, t.text) for t in desk.turns(reading)] == [
        (None, "system", False, "be kind"),
        ("Zed", "message", True, "hi"),
        ("tool", "message", True, "42"),
    ]
    assert reading.source.notes == ("2 messages were empty, the first is message 3",)


@pytest.mark.parametrize("key", ["created_at", "timestamp", "time", "createdAt"])
@pytest.mark.parametrize(
    "written",
    [1700000000, 1700000000.0, 1700000000000, "1700000000", "2023-11-14T22:13:20Z",
     "2023-11-14T23:13:20+01:00", "2023-11-14 22:13:20"],
)  # fmt: skip
def test_times(desk, key, written):
    """Unix times of any unit and ISO times are one instant; one without a zone is taken as is."""
    talk = [{"role": "user", "content": "hi", key: written}]
    reading = desk.one(READER, desk.write("t.json", json.dumps(talk)))
    assert reading.atoms[0].wall_us == 1_700_000_000_000_000
    zones = {"2023-11-14T23:13:20+01:00": "+01:00", "2023-11-14 22:13:20": None}
    assert reading.source.clock.zone == zones.get(written, "UTC")


def test_a_time_that_cannot_be_read_is_told(desk):
    """The message is kept without a time and counted."""
    talk = [{"role": "user", "content": "hi", "time": "yesterday"}]
    reading = desk.one(READER, desk.write("t.json", json.dumps(talk)))
    assert reading.atoms[0].wall_us is None
    assert "without a time that can be read" in reading.source.notes[0]


SHAPES = {
    "list": json.dumps(TALK),
    "object": json.dumps({"model": "m", "messages": TALK}),
    "lines": "\n".join(map(json.dumps, TALK)),
    "line of an object": json.dumps({"messages": TALK}) + "\n",
    "api list": json.dumps({"object": "list", "data": TALK}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_one_conversation(desk, shape):
    """The same two messages, however the file wraps them; the file is recognised."""
    assert READER.sniff(desk.head(SHAPES[shape])) >= 0.9
    assert _texts(desk, SHAPES[shape]) == [[("user", "hi"), ("assistant", "hello")]]


def test_several_conversations(desk):
    """Each conversation is a source of its own, by its own id where it has one."""
    several = [
        [{"id": "a", "messages": TALK}, {"id": "b", "messages": TALK}],
        {"conversations": [{"id": "a", "messages": TALK}, {"id": "b", "messages": TALK}]},
        [message | {"conversation_id": key} for key in ("a", "b") for message in TALK],
    ]
    for value in several:
        readings = desk.many(READER, desk.write("t.json", json.dumps(value)))
        assert [reading.source.key for reading in readings] == ["a", "b"]
    nameless = "\n".join(json.dumps({"messages": TALK}) for _ in range(3))
    readings = desk.many(READER, desk.write("t.jsonl", nameless))
    assert len({reading.source.id for reading in readings}) == 3


def test_broken_lines_are_counted(desk):
    """Of JSON lines the readable ones are read; a file of none is refused in one line."""
    text = "\n".join([json.dumps(TALK[0]), "{cut", json.dumps(TALK[1]), json.dumps({"a": 1})])
    reading = desk.one(READER, desk.write("t.jsonl", text))
    assert reading.source.notes == (
        "1 line was not read (it is not JSON), the first is line 2",
        "1 entry was not read (it is no message), the first is entry 3",
    )
    for bad in ("{cut", "[]", '{"a": 1}', "[" * 100_000, "null"):
        with pytest.raises(DamagedFile, match=r"t\.json"):
            desk.one(READER, desk.write("t.json", bad))


def test_a_long_first_message_is_still_recognised(desk):
    """The head may end inside the first message."""
    head = json.dumps([{"role": "user", "content": "x" * 100_000}])[:65_536]
    assert READER.sniff(desk.head(head)) >= 0.9


FOREIGN = {
    "ChatGPT": [{"title": "t", "mapping": {
        "a": {"message": {"author": {"role": "user"}, "content": {}}}}}],
    "Telegram": {"name": "x", "type": "personal_chat", "messages": [
        {"id": 1, "from": "A", "from_id": "user1", "text": "hi", "text_entities": []}]},
    "Slack": [{"type": "message", "user": "U1", "text": "hi", "ts": "1434139102.000002"}],
    "Discord": {"messages": [{"id": "1", "content": "hi", "author": {"name": "a"}}]},
    "Instagram": {"messages": [{"sender_name": "A", "timestamp_ms": 1, "content": "hi"}]},
    "Claude": [{"uuid": "u", "chat_messages": [{"sender": "human", "text": "hi"}]}],
    "people": [{"role": "admin", "content": "x"}],
}  # fmt: skip


@pytest.mark.parametrize("kind", FOREIGN)
def test_other_platforms_are_not_claimed(desk, kind):
    """Exports that need a reader of their own are left to it, not read wrongly."""
    assert READER.sniff(desk.head(json.dumps(FOREIGN[kind]))) == 0
    with pytest.raises(DamagedFile):
        desk.one(READER, desk.write("t.json", json.dumps(FOREIGN[kind])))
