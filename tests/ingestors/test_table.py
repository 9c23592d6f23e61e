"""Tables: columns are known by name, rows are messages or spoken lines."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.errors import AmbiguousDate, DamagedFile
from mmem.ingestors.table import READER

cells = (
    st.text(st.sampled_from("ab ,;\t|\"'\né你1"), min_size=1, max_size=20)
    .map(str.strip)
    .filter(bool)
)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@settings(max_examples=30, deadline=None)
@given(said=st.lists(st.tuples(st.sampled_from(["Ann", "Bo, Jr."]), cells), min_size=1, max_size=5))
def test_any_dialect_gives_the_rows_back(desk, delimiter, said):
    """Quoted delimiters, quotes and line ends come back as they were."""
    out = io.StringIO(newline="")
    table = csv.writer(out, delimiter=delimiter)
    table.writerows([("Sent at", "Sender", "Message"), *(("2024-03-01 10:15", *r) for r in said)])
    assert READER.sniff(desk.head(out.getvalue())) >= 0.9
    reading = desk.one(READER, desk.write("t.csv", out.getvalue()))
    assert desk.rows(reading) == [("2024-03-01T10:15:00", who, text) for who, text in said]


@pytest.mark.parametrize(
    "header",
    ["speaker,text", "Name,Message", "author,content", "From,Body", "user,message", "role,content",
     "Sender Name,Message Text", "userName,text"],
)  # fmt: skip
def test_names_of_columns(desk, header):
    """Who and what are known by their usual names."""
    reading = desk.one(READER, desk.write("t.csv", f"{header}\nAnn,hi\n"))
    assert desk.rows(reading) == [(None, "Ann", "hi")]


@pytest.mark.parametrize(
    ("header", "row", "at"),
    [
        ("timestamp", "2024-03-01T10:15:00Z", "2024-03-01T10:15:00+00:00"),
        ("timestamp", "1709288100", "2024-03-01T10:15:00+00:00"),
        ("datetime", "2024-03-01 10:15", "2024-03-01T10:15:00"),
        ("Date", "13/03/2024 10:15", "2024-03-13T10:15:00"),
        ("Date", "3/13/24 10:15 PM", "2024-03-13T22:15:00"),
        ("Date", "13.03.2024", "2024-03-13T00:00:00"),
        ("Created At", "March 1, 2024 10:15 AM", "2024-03-01T10:15:00"),
        ("Date;Time", "01/03/2024;10:15", None),
        ("Date;Time", "2024-03-01;10:15", "2024-03-01T10:15:00"),
        ("when", "soon", None),
    ],
)
def test_times(desk, header, row, at):
    """ISO, Unix, numbers and month names are read, date and time in one column or two."""
    text = f"{header};speaker;text\n{row};Ann;hi\n"
    path = desk.write("t.csv", text)
    if row.startswith("01/03"):
        with pytest.raises(AmbiguousDate, match=r"t\.csv"):
            desk.one(READER, path)
        assert desk.rows(desk.one(READER, path, day_first=True))[0][0] == "2024-03-01T10:15:00"
        return
    reading = desk.one(READER, path)
    assert desk.rows(reading) == [(at, "Ann", "hi")]
    assert bool(reading.source.notes) == (at is None)


@pytest.mark.parametrize(
    ("header", "start", "end"),
    [
        ("start,end", "62.5", "64"),
        ("Start (s),End (s)", "62.5", "64"),
        ("start_ms,end_ms", "62500", "64000"),
        ("Start Time,End Time", "00:01:02.5", "00:01:04"),
        ("start,end", "1:02.5", "1:04"),
        ("begin,stop", "00:01:02,5", "00:01:04"),
    ],
)
def test_starts_make_a_transcript(desk, header, start, end):
    """Rows with starts are utterances on the media clock."""
    header, start, end = (text.replace(",", "\t") if "," in header else text
                          for text in (header, start.replace(",", "."), end))  # fmt: skip
    reading = desk.one(
        READER, desk.write("t.tsv", f"{header}\tspeaker\ttext\n{start}\t{end}\tAnn\thi\n")
    )
    assert reading.source.kind == "transcript"
    assert desk.lines(reading) == [(62.5, 64.0, "Ann", "hi")]


def test_times_that_count_from_zero_are_offsets(desk):
    """A time column of h:mm:ss from the beginning is a media clock; each lasts until the next."""
    text = "Time,Speaker,Text\n0:00:03,Ann,hi\n0:00:09,Bo,yo\n0:01:40,Ann,so\n"
    assert desk.lines(desk.one(READER, desk.write("t.csv", text))) == [
        (3.0, 9.0, "Ann", "hi"),
        (9.0, 39.0, "Bo", "yo"),
        (100.0, 100.0, "Ann", "so"),
    ]


def test_rows_of_several_conversations(desk):
    """A column that names the conversation parts them."""
    text = "channel,user,message\nred,Ann,one\nblue,Bo,two\nred,Bo,three\n"
    readings = desk.many(READER, desk.write("t.csv", text))
    assert [(r.source.key, [t.text for t in desk.turns(r)]) for r in readings] == [
        ("red", ["one", "three"]),
        ("blue", ["two"]),
    ]


def test_rows_without_text_are_counted(desk):
    """Short and empty rows are counted; an unquoted comma in a last text column is put back."""
    text = "sep=,\nspeaker,text\nAnn,hi, there\nBo\n,\nBo,yo\n"
    reading = desk.one(READER, desk.write("t.csv", text))
    assert [row[2] for row in desk.rows(reading)] == ["hi, there", "yo"]
    assert reading.source.notes == ("1 row was not read (it has no text), the first is row 2",)


def test_a_table_without_such_columns_is_refused(desk):
    """The message names the file and its columns."""
    path = desk.write("people.csv", "city,size\nRome,3\n")
    with pytest.raises(DamagedFile, match=r"people.csv: no columns for the text .*\(city, size\)"):
        desk.one(READER, path)
    assert READER.sniff(desk.head("city,size\nRome,3\n", "people.csv")) == 0.5
    assert READER.sniff(desk.head("city,size\nRome,3\n", "people.txt")) == 0


def test_prose_is_no_table(desk):
    """Commas do not make a table."""
    assert READER.sniff(desk.head("Dear text, name the day,\nand come.\n")) == 0
