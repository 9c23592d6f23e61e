"""What is printed is safe and plain."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.cli.door import Format
from mmem.cli.page import one_line, print_json, print_table, print_text, visible


@given(st.text())
def test_visible_text_cannot_move_a_cursor_or_reorder_a_line(text: str) -> None:
    """No control and no reordering character is left but the line end; other text is untouched."""
    shown = visible(text)
    assert not any(c for c in shown if c != "\n" and (c < " " or "\x7f" <= c <= "\x9f"))
    assert not any("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in shown)
    if text.isprintable():
        assert shown == text


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    """Whatever the text holds, a row stays one row."""
    assert len(one_line(text).splitlines()) <= 1


def test_escapes_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that tries to clear the screen or to reorder a line is seen doing it."""
    print_text("\x1b[2J\u202egnp.exe")
    assert capsys.readouterr().out == "\\x1b[2J\\u202egnp.exe\n"


def test_cells_are_text_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    """Brackets in a cell stay brackets; when piped nothing is folded, coloured or cut."""
    long = "[bold]x[/bold] :smile: " + "y" * 300
    print_table(["name", "text"], [["a", long]])
    assert capsys.readouterr().out == f"name  text\na     {long}\n"


def test_json_keeps_every_letter(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON is printed unescaped and reads back equal; jsonl is one line."""
    value = {"text": "Grüße,\n世界 \x1b"}
    print_json(value, Format.jsonl)
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1 and json.loads(printed) == value and "世界" in printed
