"""Plain text: a chat is known by how its lines begin, and prose is no chat."""

from __future__ import annotations

import pytest

from mmem.errors import AmbiguousDate, DamagedFile
from mmem.ingestors.plain_chat import READER


def _read(desk, text, **stated):
    return desk.rows(desk.one(READER, desk.write("team.txt", text), **stated))


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("[2024-03-13 10:15] ", "2024-03-13T10:15:00"),
        ("[2024-03-13, 10:15] ", "2024-03-13T10:15:00"),
        ("(2024-03-13 10:15:20) ", "2024-03-13T10:15:20"),
        ("2024-03-13 10:15 ", "2024-03-13T10:15:00"),
        ("2024-03-13T10:15:00 ", "2024-03-13T10:15:00"),
        ("2024-03-13T10:15:00Z ", "2024-03-13T10:15:00+00:00"),
        ("2024-03-13 10:15:00 +0200: ", "2024-03-13T10:15:00+02:00"),
        ("13.03.2024 10:15 - ", "2024-03-13T10:15:00"),
        ("3/13/2024, 10:15 PM | ", "2024-03-13T22:15:00"),
        ("[10:15 PM, 3/13/2024] ", "2024-03-13T22:15:00"),
    ],
)
def test_dated_lines(desk, stamp, at):
    """Date, time and name are read; lines below continue the message, empty ones too."""
    text = f"{stamp}Ann Lee: hi\n\nthere\n{stamp}bo_9: note to self: milk\n"
    assert READER.sniff(desk.head(text)) > 0.8
    assert _read(desk, text) == [(at, "Ann Lee", "hi\n\nthere"), (at, "bo_9", "note to self: milk")]


def test_names_without_times(desk):
    """`Name: text` lines of a few recurring people are a chat."""
    text = "Ann Lee: hi\nso\nBo: yes\n\nAnn Lee: Remember this: milk\nBo: 10:30 then\n"
    assert READER.sniff(desk.head(text)) > 0.6
    assert _read(desk, text) == [
        (None, "Ann Lee", "hi\nso"),
        (None, "Bo", "yes"),
        (None, "Ann Lee", "Remember this: milk"),
        (None, "Bo", "10:30 then"),
    ]
    assert (
        READER.sniff(desk.head("User: what is it?\n\nAssistant: A tree.\n\nUser: thanks\n")) > 0.6
    )


def test_times_of_day(desk):
    """Without a date there is no wall time, unless the day was stated; midnight passes."""
    text = "[23:50] <ann> late\n[23:55] <bo> yes\n[00:10] <ann> so\n"
    path = desk.write("irc.txt", text)
    reading = desk.one(READER, path)
    assert desk.rows(reading)[0] == (None, "ann", "late")
    assert reading.source.notes == ("messages have a time of day but no date",)
    stated = desk.one(READER, path, recorded_us=1_709_251_200_000_000)
    assert [row[0] for row in desk.rows(stated)] == [
        "2024-03-01T23:50:00",
        "2024-03-01T23:55:00",
        "2024-03-02T00:10:00",
    ]


@pytest.mark.parametrize("first", ["00:00:02", "0:00:02", "[00:00:02]", "00:02"])
def test_times_from_zero_are_a_transcript(desk, first):
    """Times that count from zero are offsets into a recording, not times of a day."""
    later = first.replace("02", "09")
    text = f"{first} Ann Lee: hi\n{later} Bo: yo\n"
    reading = desk.one(READER, desk.write("call.txt", text))
    assert reading.source.kind == "transcript"
    assert desk.lines(reading) == [(2.0, 9.0, "Ann Lee", "hi"), (9.0, 9.0, "Bo", "yo")]


def test_times_of_day_are_no_transcript(desk):
    """Times that begin in the morning, or that go back, are times of a day."""
    for text in ("10:15 Ann: hi\n10:16 Bo: yo\n", "00:00:09 Ann: hi\n00:00:02 Bo: yo\n"):
        assert desk.one(READER, desk.write("x.txt", text)).source.kind == "conversation"


def test_stamped_notes_are_kept(desk):
    """A stamped line without a name is words of nobody in particular, and citable."""
    path = desk.write("x.txt", "2024-03-01 10:15 bought milk\n2024-03-01 10:20 Ann: hi\n")
    note, _ = desk.turns(desk.one(READER, path))
    assert (note.speaker, note.text, note.role, note.citable) == (
        None,
        "bought milk",
        "message",
        True,
    )


def test_day_and_month(desk):
    """Dates in numbers are decided over the file, or asked for."""
    path = desk.write("x.txt", "04/03/2024 10:15 Ann: hi\n04/03/2024 10:16 Bo: yo\n")
    with pytest.raises(AmbiguousDate, match=r"x\.txt"):
        desk.one(READER, path)
    assert desk.rows(desk.one(READER, path, day_first=True))[0][0] == "2024-03-04T10:15:00"


PROSE = {
    "story": "It was a dark night. He said: go.\nThen more prose came, and she said: no.\n",
    "mail": "From: Ann\nTo: Bo\nSubject: Lunch\nDate: today\n\nHi Bo,\nlet us eat.\n",
    "front matter": "Title: My trip\nAuthor: Ann Lee\nTags: sea, sun\n\nIt was warm.\n",
    "list": "Apples: 3\nPears: 4\nPlums: 5\n",
    "recipe": "Ingredients: flour and eggs\nMethod: mix it well\nTime: one hour\n",
    "log": "2024-03-01 10:15:02 INFO: started\n2024-03-01 10:15:03 ERROR: failed\n",
    "laravel": "[2024-03-01 10:15:02] prod.INFO: ok\n[2024-03-01 10:15:03] prod.ERROR: bad\n",
    "python": "import os\nclass A:\n    x: int = 1\ntry:\n    pass\nelse:\n    y\n",
    "yaml": "name: test\non: push\njobs: x\nname: y\n",
    "json": '{"Ann": "hi",\n"Bo": "yo"}\n',
    "markdown": "# Plan\n\nGoal: be happy\n\n- one: two\n- three: four\n\nThe end.\n",
    "minutes": "Agenda: budget\n\nWe met at 10:30.\nDecision: none yet.\nAgenda: lunch\n",
}


@pytest.mark.parametrize("kind", PROSE)
def test_prose_is_no_chat(desk, kind):
    """Text with colons is not claimed."""
    assert READER.sniff(desk.head(PROSE[kind])) == 0


def test_prose_is_refused_in_one_line(desk):
    """A forced format that does not fit names the file and how messages look."""
    with pytest.raises(DamagedFile, match=r"poem\.txt: no line begins with a name or a time"):
        desk.one(READER, desk.write("poem.txt", PROSE["story"]))
