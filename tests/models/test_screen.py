from __future__ import annotations

import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from mmem.derive.screens import merged
from mmem.ingestors.keyframes import pictures
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


NAMES = "Harbour Budget Kitchen Station Library Museum Airport Workshop Market School".split()
TABLE = [[str(1042 + 37 * row), NAMES[row], f"{row + 3}:{10 + 4 * row}"] for row in range(10)]


def _table(path: Path, *, size: int, rows: int = 10) -> str:
    """A page of three columns, small light words on dark."""
    page = Image.new("RGB", (960, 540), "#14181f")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=size)
    for row, cells in enumerate(TABLE[:rows]):
        for column, cell in enumerate(cells):
            pen.text((40 + 300 * column, 30 + 50 * row), cell, font=font, fill="#e8e8e8")
    page.save(path, quality=85)
    return str(path)


@pytest.mark.parametrize("size", [13, 18, 30])
def test_every_cell_of_a_dense_screen_is_read(tmp_path: Path, size: int) -> None:
    """Short words are read as well as long ones, at the sizes of screens."""
    pytest.importorskip("rapidocr")
    found = RapidScreen().read(_table(tmp_path / "table.jpg", size=size))
    assert sorted(line.text for line in found) == sorted(cell for row in TABLE for cell in row)


def test_pages_do_not_depend_on_each_other(tmp_path: Path) -> None:
    """Lines of several pages are read side by side; every page is as when read alone."""
    pytest.importorskip("rapidocr")
    reader = RapidScreen()
    files = [_table(tmp_path / f"{size}.png", size=size, rows=4) for size in (13, 30, 18)]
    alone = [reader.read(file) for file in files]
    assert list(reader.read_all(files)) == alone
    assert list(reader.read_all(reversed(files))) == alone[::-1]


REAL = {
    "hindsight_screen_documents-table.mp4": (
        70,
        "Manage documents and retain new memories.|95 total documents|Filter by tag..."
        "|+ Add Document|#source:chat|#harness:claude-code|165.5 KB|Updated 20h ago"
        "|repo=vipershell|455.2 KB|git:c5759e865b4cc2cfb903f001ebb16ce2ea042677|441.3 KB",
    ),
    "hindsight_release-notes.mp4": (
        10,
        "Multi-LLM Failover & Routing|round-robin|Four new ways to tune what recall returns"
        "|PER-STAGE SCORES|RECENCY_DECAY|Maya → checkout|trigger.refresh_cron|02:00 UTC",
    ),
}


@pytest.mark.parametrize("name", REAL)
def test_real_dense_screens(shared: Path, tmp_path: Path, name: str) -> None:
    """What a person reads on screens that were filmed for other ends is found."""
    pytest.importorskip("rapidocr")
    most_lines, words = REAL[name]
    files = _keyframes(shared / "media" / "video" / name, tmp_path)
    pages = list(RapidScreen().read_all(files))
    said = "\n".join(line.text for page in pages for line in page)
    assert [one for one in words.split("|") if one not in said] == []
    assert max(map(len, pages)) >= most_lines


SLIDES = (
    "1. Bug from the marina|2. Night import|3. Numbers of last week|4. Roadmap and demo|HARBOR-482"
    "|Two boats get the same berth|berth B17 is already taken|02:15:11 error: 1240 rows skipped"
    "|Bookings|1,864|Failed payments|23|99.4 %|1.8 s|1 December: pilot in Hamburg"
    "|Friday, 21 November, 14:00|Room: Lighthouse, third floor|Guests: six harbor masters"
)


def test_slides_of_the_sample(tmp_path: Path) -> None:
    """Every line of interest on the sample's slides is read as it is written."""
    pytest.importorskip("rapidocr")
    files = _keyframes(Path(__file__).parents[2] / "samples" / "standup.mp4", tmp_path)
    lines = {line.text for page in RapidScreen().read_all(files) for line in page}
    assert set(SLIDES.split("|")) - lines == set()


def _keyframes(recording: Path, folder: Path) -> list[str]:
    files = []
    for picture in pictures(recording, "s-test"):
        files.append(folder / picture.keyframe.file)
        files[-1].write_bytes(picture.jpeg)
    return [str(file) for file in files]


def test_a_picture_that_is_not_there(tmp_path: Path) -> None:
    """A missing file is an error, not an empty screen."""
    pytest.importorskip("rapidocr")
    with pytest.raises(Exception, match="nothing"):
        RapidScreen().read(str(tmp_path / "nothing.png"))


def test_a_very_narrow_picture_is_read_within_bounds(tmp_path: Path) -> None:
    """A strip of 16 by 2,000 pixels is not blown up to a width of 92,000."""
    from PIL import Image

    path = tmp_path / "strip.png"
    Image.new("RGB", (16, 2000), "white").save(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (lines,) = RapidScreen().read_all([str(path)])
    assert lines == []
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_500_000
