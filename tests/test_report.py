"""The HTML report."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from mmem import Memory
from mmem.report import Entry, write
from mmem.schemas import Answer, Citation, Evidence, Sentence, Trace

NASTY = "</script><img src=x onerror=alert(1)> \"'&\x1b\u202e"
CHAT = """\
17/11/2025, 08:44 - </script><b>Eve</b>: </title></style></script><script>alert(1)</script>
17/11/2025, 08:52 - Elena Rossi: Two boats arrived for berth B17 on Saturday
"""
FETCHES = {"src", "href", "srcset", "data", "action", "poster", "background"}


class Tags(HTMLParser):
    """Collects start tags with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("report")
    chat = folder / "a&b <chat>.txt"
    chat.write_text(CHAT, encoding="utf-8")
    memory = Memory(folder / "memory")
    memory.add(chat)
    return memory


def answer(**cited: object) -> Answer:
    """An answer whose every text tries to break out."""
    citation = Citation.model_validate(
        {
            "atom_id": NASTY,
            "unit_id": "p-1",
            "source_id": "s-1",
            "source_title": NASTY,
            "kind": "turn",
            "speaker": NASTY,
            "quote": NASTY,
            "file": f"/x/{NASTY}.txt",
            "at": "2025-11-17T08:44:00",
            **cited,
        }
    )
    return Answer(
        question=NASTY,
        found=True,
        short=NASTY,
        text=NASTY,
        sentences=(Sentence(text="said", citations=(0,)),),
        citations=(citation,),
        near_misses=(citation,),
        evidence=Evidence(question=NASTY, trace=Trace(question=NASTY)),
    )


def written(memory: Memory, folder: Path, *entries: Entry) -> str:
    path = folder / "report.html"
    write(path, memory, entries, title=NASTY, lead=NASTY)
    return path.read_text(encoding="utf-8")


def test_content_cannot_leave_its_place(memory: Memory, tmp_path: Path) -> None:
    """Whatever messages, names and answers hold, the page has its own tags only."""
    html = written(memory, tmp_path, Entry(answer(), NASTY, note=NASTY))
    tags = [tag for tag, _ in Tags(html).found]
    assert tags.count("script") == 1 and tags.count("img") == 0 and tags.count("style") == 1
    assert not any(name.startswith("on") for _, attrs in Tags(html).found for name in attrs)
    assert "\x1b" not in html


def test_an_answer_that_was_not_found_shows_the_nearest(memory: Memory, tmp_path: Path) -> None:
    """Without an answer the page says so and keeps the nearest misses folded away."""
    html = written(memory, tmp_path, Entry(answer().model_copy(update={"found": False})))
    assert "Not in this memory." in html and "<details>" in html


def test_nothing_is_fetched(memory: Memory, tmp_path: Path) -> None:
    """Every reference is inside the page, inside its data, or a recording beside it."""
    html = written(memory, tmp_path, Entry(answer()))
    for _, attrs in Tags(html).found:
        for name in FETCHES & set(attrs):
            assert re.match(r"#|data:image/jpeg;base64,", attrs[name] or ""), attrs
    assert "url(" not in html and "@import" not in html and "http" not in html.split("</head>")[1]
    assert "default-src 'none'" in html


def test_sources_are_drawn(memory: Memory, tmp_path: Path) -> None:
    """Each source has a card with its file, its people and its messages over time."""
    html = written(memory, tmp_path)
    assert "a&amp;b &lt;chat&gt;.txt" in html
    assert "2 messages" in html and 'aria-label="messages over time"' in html
    assert "Elena Rossi" in html
