from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from mmem.derive.screens import merged
from mmem.models.screen import RapidScreen
from mmem.schemas import ScreenLine, ScreenText, Span

WORDS = ["Budget", "Harbour gate", "1,864 boats"]


def _screen(start_s: int, end_s: int, *lines: str, down: float = 0.0) -> ScreenText:
    kept = tuple(
        ScreenLine(
            text=text, box=(0.1, 0.1 * row + down, 0.5, 0.1 * row + 0.08 + down), confidence=1
        )
        for row, text in enumerate(lines)
    )
    return ScreenText(
        id=f"x-{start_s}",
        source_id="s",
        ordinal=start_s,
        locator=f"on screen at {start_s}",
        text="\n".join(lines),
        span=Span(start_us=start_s * 1_000_000, end_us=end_s * 1_000_000),
        lines=kept,
        file=f"{start_s}.jpg",
    )


def _spans(texts: list[ScreenText]) -> list[tuple[str, float, float]]:
    return [(text.id, text.span.start_s, text.span.end_s) for text in texts]


def test_the_same_words_that_stay_are_one_screen() -> None:
    """Case and punctuation are folded, a line may move a little; the first one stays, longer."""
    found = merged(
        [_screen(9, 12, "budget."), _screen(0, 5, "Budget"), _screen(5, 9, "Budget", down=0.01)]
    )
    assert _spans(found) == [("x-0", 0.0, 12.0)]


@pytest.mark.parametrize(
    "after",
    [
        _screen(5, 9, "Budget 2"),
        _screen(5, 9, "Budget", "Hamburg"),
        _screen(6, 9, "Budget"),
        _screen(5, 9, "Budget", down=0.3),
    ],
    ids=["other words", "more words", "another one between", "elsewhere"],
)
def test_what_changed_is_another_screen(after: ScreenText) -> None:
    """Other words, other places and a pause make another atom."""
    before = _screen(0, 5, "Budget")
    assert merged([before, after]) == [before, after]


@given(
    st.lists(st.tuples(st.sampled_from(WORDS), st.integers(1, 3), st.integers(0, 1)), max_size=20)
)
def test_merging_twice_is_merging_once(steps: list[tuple[str, int, int]]) -> None:
    """Merged screens stay; they cover what the screens covered; no two that touch are equal."""
    texts, at = [], 0
    for words, length, gap in steps:
        texts.append(_screen(at + gap, at + gap + length, words))
        at += gap + length
    found = merged(texts)
    assert merged(found) == found
    assert sum(t.span.end_us - t.span.start_us for t in found) == sum(
        t.span.end_us - t.span.start_us for t in texts
    )


@pytest.fixture(scope="module")
def slides(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("slides")
    for place, words in enumerate(WORDS):
        image = Image.new("RGB", (640, 360), "white")
        font = ImageFont.load_default(size=48)
        ImageDraw.Draw(image).text((60, 120), words, font=font, fill="black")
        image.save(folder / f"{place}.png")
    Image.new("RGB", (640, 360), "navy").save(folder / "empty.png")
    return [str(path) for path in sorted(folder.iterdir())]


def test_words_are_read_in_order_by_two_workers(slides: list[str]) -> None:
    """Several pictures are read as one by one, in their order; a plain picture has no words."""
    pytest.importorskip("rapidocr")
    reader = RapidScreen()
    found = list(reader.read_all(slides))
    assert [[line.text for line in lines] for lines in found] == [*([one] for one in WORDS), []]
    assert found == [reader.read(slide) for slide in slides]
    assert all(0 <= side <= 1 for lines in found for line in lines for side in line.box)


def test_leaving_early_stops_the_workers(slides: list[str]) -> None:
    """Who takes one page of many leaves the others unread."""
    pytest.importorskip("rapidocr")
    pages = RapidScreen().read_all(slides[:1] * 50)
    assert [line.text for line in next(pages)] == [WORDS[0]]
    pages.close()


def test_a_picture_that_is_not_there(tmp_path: Path) -> None:
    """A missing file is an error, not an empty screen."""
    pytest.importorskip("rapidocr")
    with pytest.raises(Exception, match="nothing"):
        RapidScreen().read(str(tmp_path / "nothing.png"))
