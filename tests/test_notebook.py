"""Answers in notebooks, and the notebooks themselves."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from PIL import Image

from mmem.schemas import Answer, Citation, Evidence, Hit, Line, Sentence, Trace
from mmem.schemas.html import answer_html, evidence_html
from mmem.schemas.pictures import data_uri

HOUSE = Path(__file__).parents[1]
NOTEBOOKS = sorted((HOUSE / "notebooks").glob("*.ipynb"))
NASTY = "<script>alert(1)</script>&\x1b[31m"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "k.jpg"
    Image.new("RGB", (1600, 900), "teal").save(path, "JPEG")
    return path


def citation(**changed: object) -> Citation:
    fields = {
        "atom_id": "k-1",
        "unit_id": "a-1",
        "source_id": "s-1",
        "source_title": NASTY,
        "kind": "utterance",
        "speaker": NASTY,
        "quote": NASTY,
        "start_s": 72.9,
        "at": "2025-11-18T09:31:12",
    }
    return Citation.model_validate({**fields, **changed})


def answer(*citations: Citation, found: bool = True) -> Answer:
    return Answer(
        question="?",
        found=found,
        short=NASTY,
        text=NASTY,
        sentences=(Sentence(text=NASTY, citations=(0,)),),
        citations=citations,
        near_misses=citations,
        evidence=evidence(*citations),
    )


def evidence(*citations: Citation) -> Evidence:
    lines = tuple(Line(citation=each, text=each.quote) for each in citations)
    hit = Hit(unit_id="a-1", kind="anchor", source_id="s-1", source_title="t", score=1, lines=lines)
    return Evidence(question="?", hits=(hit,), trace=Trace(question="?"))


def test_everything_is_escaped() -> None:
    """Content of a file is never markup in a notebook."""
    shown = answer(citation())
    for html in (shown._repr_html_(), answer(citation(), found=False)._repr_html_()):
        assert "<script>" not in html and "\x1b" not in html
    assert "&lt;script&gt;" in evidence(citation())._repr_html_()


def test_a_citation_says_who_when_and_where() -> None:
    """A line has the speaker, the media offset, the wall time and the file's name, not its path."""
    html = answer_html(answer(citation(speaker="Ada", file="/private/ada/a.mp4")))
    assert "Ada, 01:12 · 18 Nov 2025, 09:31, a.mp4" in html
    assert "/private" not in html


def test_a_quote_that_was_said_is_not_said_again() -> None:
    """A citation repeats its quote only when no sentence above holds it, whatever its line ends."""
    shown = answer(citation(quote="HARBOR\n482"))
    for sentence in ("On the screen: HARBOR 482", "Something else"):
        said = shown.model_copy(update={"sentences": (Sentence(text=sentence, citations=(0,)),)})
        assert said._repr_html_().count("HARBOR 482") == 1


def test_a_picture_is_small_and_inside(picture: Path) -> None:
    """A cited keyframe is shown as a thumbnail; one that is gone leaves its text."""
    shown = answer_html(answer(citation(kind="keyframe", picture=str(picture))))
    assert shown.count('src="data:image/jpeg;base64,') == 1
    assert len(shown) < 20_000
    gone = answer_html(answer(citation(kind="keyframe", picture=str(picture) + "x")))
    assert "<img" not in gone and "01:12" in gone


def test_pictures_are_capped(picture: Path) -> None:
    """However many pictures are cited, a notebook stays small, and shows none twice."""
    many = []
    for number in range(20):
        copy = shutil.copy(picture, picture.with_name(f"{number}.jpg"))
        many += [citation(kind="keyframe", picture=str(copy))] * 2
    assert answer_html(answer(*many)).count("<img") == 6


def test_a_damaged_picture_does_not_break_the_page(tmp_path: Path) -> None:
    """A file that is no picture is embedded as it is, and the page goes on."""
    broken = tmp_path / "b.jpg"
    broken.write_bytes(b"no jpeg")
    assert data_uri(broken) == "data:image/jpeg;base64,bm8ganBlZw=="


def test_no_hits_are_said() -> None:
    """Evidence without hits says so."""
    assert "Nothing found." in evidence_html(Evidence(question="?", trace=Trace(question="?")))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_outputs_name_no_machine(path: Path) -> None:
    """A committed notebook is executed, without errors, and holds no path of a machine."""
    book = nbformat.read(path, as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert cells and all(cell.execution_count for cell in cells)
    assert not re.search(r"/(work|tmp|root|home|Users)/", path.read_text(encoding="utf-8"))
    assert all(output.output_type != "error" for cell in cells for output in cell.outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, tmp_path: Path) -> None:
    """Every cell of every notebook runs in a fresh copy of samples/ and notebooks/."""
    shutil.copytree(HOUSE / "samples", tmp_path / "samples")
    (tmp_path / "notebooks").mkdir()
    book = nbformat.read(path, as_version=4)
    context = {"metadata": {"path": str(tmp_path / "notebooks")}}
    NotebookClient(book, timeout=300, kernel_name="python3", resources=context).execute()
