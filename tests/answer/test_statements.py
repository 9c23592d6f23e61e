"""A reply is cut into the same statements, in whatever pieces it comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.answer.statements import Statement, statements

REPLIES = [
    (
        "Ana moved to Lisbon. [3] She left at 9 a.m. [4][5] Bob stayed [2, 3].\nAnswer: Lisbon",
        [
            Statement("sentence", "Ana moved to Lisbon.", (3,)),
            Statement("sentence", "She left at 9 a.m.", (4, 5)),
            Statement("sentence", "Bob stayed.", (2, 3)),
            Statement("answer", "Lisbon"),
        ],
    ),
    (
        "```\n1. Ana moved [1].\n- **Bob** stayed. [2-4]\n```",
        [
            Statement("sentence", "Ana moved.", (1,)),
            Statement("sentence", "Bob stayed.", (2, 3, 4)),
        ],
    ),
    ("Not in this memory.", [Statement("absent", "")]),
    (
        "Ana moved [1].\nNot in this memory: the price",
        [Statement("sentence", "Ana moved.", (1,)), Statement("absent", "the price")],
    ),
    (
        "Nobody at the U.S. Navy said it [3].",
        [Statement("sentence", "Nobody at the U.S. Navy said it.", (3,))],
    ),
    (
        "Ana moved. Bob stayed. [2]",
        [Statement("sentence", "Ana moved."), Statement("sentence", "Bob stayed.", (2,))],
    ),
    ("I'm sorry, I can't help.", [Statement("sentence", "I'm sorry, I can't help.")]),
    ("Ana moved [99999] [x] [-1].", [Statement("sentence", "Ana moved [99999] [x] [-1].")]),
    ("\x1b[31mAna\x1b[0m moved [1].", [Statement("sentence", "[31mAna[0m moved.", (1,))]),
]


@pytest.mark.parametrize(("reply", "wanted"), REPLIES)
@given(size=st.integers(min_value=1, max_value=40))
def test_pieces_do_not_matter(reply: str, wanted: list[Statement], size: int) -> None:
    """Marks before or after the full stop, bullets, fences and bold are read; the rest is words."""
    pieces = (reply[i : i + size] for i in range(0, len(reply), size))
    assert list(statements(pieces)) == wanted


@given(st.text(alphabet="Ab1 .[],-\n*`é", max_size=60), st.integers(min_value=1, max_value=9))
def test_any_reply_is_cut_the_same_way(reply: str, size: int) -> None:
    """No text is too odd: in pieces it gives what it gives whole."""
    pieces = (reply[i : i + size] for i in range(0, len(reply), size))
    assert list(statements(pieces)) == list(statements([reply]))


def test_a_statement_comes_before_the_next_one_ends() -> None:
    """It is yielded as soon as another one has begun."""
    read: list[str] = []

    def pieces() -> object:
        for piece in ("Ana moved. [1]", " Bob", " stayed. [2]"):
            read.append(piece)
            yield piece

    first = next(iter(statements(pieces())))  # type: ignore[arg-type]
    assert first.text == "Ana moved." and len(read) == 2
