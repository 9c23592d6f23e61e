"""Decoding: any bytes become text that can be stored, and good text is not changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.ingestors.text import clean, decode, head_text, tidy

plain = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00\r\ufeff"))


@given(text=plain, encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_marked_encodings_give_the_text_back(text, encoding):
    """UTF-8 and everything with a byte order mark is read exactly."""
    if encoding == "utf-8" and "\x00" in text:
        return
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(encoding):
    """Text in which every second byte is NUL is UTF-16."""
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nhello there, é\n"
    assert decode(text.encode(encoding)).text == text


def test_old_encodings_are_said():
    """What is not UTF-8 is read as Windows-1252, and that is said."""
    decoded = decode("naïve café – it’s".encode("cp1252"))
    assert decoded.text == "naïve café – it’s"
    assert "Windows-1252" in decoded.notes[0]


def test_one_broken_byte_does_not_change_the_encoding():
    """UTF-8 with a cut character stays UTF-8; the character is replaced and counted."""
    decoded = decode("你好, c'est déjà vu".encode()[1:])
    assert decoded.text.endswith("好, c'est déjà vu")
    assert "replaced" in decoded.notes[0]


@given(st.binary(max_size=200))
def test_any_bytes_can_be_stored(data):
    """The text of any bytes holds no NUL, no lone surrogate, no CR."""
    for text in (decode(data).text, head_text(data), tidy(decode(data).text)):
        text.encode("utf-8")
        assert "\x00" not in text and "\r" not in text


def test_marks_and_broken_characters():
    """Direction marks go, whole pairs of surrogates are put together, halves are replaced."""
    assert tidy("\u202ashalom \u2067שלום\u2069\u200f ") == "shalom שלום"
    assert clean("\ud83d\ude00 \ud83d x\x00") == "😀 \ufffd x\ufffd"
    assert clean("a\r\nb\rc") == "a\nb\nc"
    assert (
        tidy("  e\u0301 keeps its form\u2028and its line\n")
        == "e\u0301 keeps its form\u2028and its line"
    )
