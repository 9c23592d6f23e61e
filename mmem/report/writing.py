"""A memory and its answers as one HTML file: nothing is fetched, everything is escaped.

Pictures are inside the page as small JPEGs. Recordings are links to the files where they lie; a
click on a citation plays the recording from that second.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from mmem.memory import Memory
from mmem.report.page import page
from mmem.report.sources import Media, sources_html
from mmem.schemas import Answer, Citation, Sentence
from mmem.schemas.html import place_text, text, unsaid
from mmem.schemas.pictures import data_uri

_PICTURE_PX = 480


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """One answered question; `verdict` and `note` are a check's, if there was one."""

    answer: Answer
    verdict: str = ""
    good: bool = True
    note: str = ""


def write(
    path: Path, memory: Memory, entries: Sequence[Entry], *, title: str = "", lead: str = ""
) -> None:
    """Write a report of a memory's sources and of some answers; the folder must exist."""
    sources = memory.sources()
    media = Media.of(sources, path)
    answered = "\n".join(_answer(number, entry, media) for number, entry in enumerate(entries, 1))
    body = f"<h2>Sources</h2>\n{sources_html(memory, media)}"
    if answered:
        body = f"<h2>Questions</h2>\n{answered}\n{body}"
    count = f"{len(sources)} source{'' if len(sources) == 1 else 's'}"
    html = page(title or f"Memory {memory.folder.name}", lead or count, body)
    path.write_text(html, encoding="utf-8")


def _answer(number: int, entry: Entry, media: Media) -> str:
    answer = entry.answer
    kind = "ok" if entry.good else "miss"
    badge = f'<span class="badge {kind}">{text(entry.verdict)}</span>' if entry.verdict else ""
    note = f'<div class="meta miss">{text(entry.note)}</div>' if entry.note else ""
    inside = _found(number, answer, media) if answer.found else _not_found(answer, media)
    return (
        f'<article class="card" id="q{number}"><div class="row">'
        f"<h3><bdi>{text(answer.question)}</bdi></h3>{badge}</div>{note}{inside}</article>"
    )


def _found(number: int, answer: Answer, media: Media) -> str:
    short = f'<div class="short" dir="auto">{text(answer.short)}</div>' if answer.short else ""
    said = "".join(_sentence(number, sentence) for sentence in answer.sentences)
    pictures = [citation.picture for citation in answer.citations]
    cited = "".join(
        _citation(
            # A picture that is cited twice, for itself and for its words, is shown once.
            citation if citation.picture not in pictures[:place] else _without_picture(citation),
            media,
            quote=unsaid(answer, place),
            anchor=f"q{number}c{place + 1}",
        )
        for place, citation in enumerate(answer.citations)
    )
    return f'{short}{said}<ol class="cites">{cited}</ol>'


def _without_picture(citation: Citation) -> Citation:
    return citation.model_copy(update={"picture": None})


def _not_found(answer: Answer, media: Media) -> str:
    none = '<div class="short none">Not in this memory.</div>'
    if not answer.near_misses:
        return none
    misses = "".join(
        _citation(miss, media, quote=" ".join(miss.quote.split())) for miss in answer.near_misses
    )
    return f'{none}<details><summary>Nearest</summary><ol class="cites">{misses}</ol></details>'


def _sentence(number: int, sentence: Sentence) -> str:
    marks = "".join(
        f'<sup><a href="#q{number}c{place + 1}">[{place + 1}]</a></sup>'
        for place in sentence.citations
    )
    return f'<p class="said" dir="auto"><bdi>{text(sentence.text)}</bdi>{marks}</p>'


def _citation(citation: Citation, media: Media, *, quote: str, anchor: str = "") -> str:
    place = f'<span class="meta"><bdi>{text(place_text(citation))}</bdi></span>'
    opening = media.opening(citation.source_id, citation.start_s or 0.0)
    play = f' <a class="play" {opening}>&#9654; play</a>' if opening else ""
    said = f'<br><q dir="auto">{text(quote)}</q>' if quote else ""
    uri = data_uri(citation.picture, _PICTURE_PX) if citation.picture else None
    picture = f'<img alt="what was on the screen" src="{uri}">' if uri else ""
    if picture and opening:
        picture = f"<a {opening}>{picture}</a>"
    name = f' id="{anchor}"' if anchor else ""
    mark = f"[{anchor.rpartition('c')[2]}]" if anchor else ""
    return f'<li class="cite"{name}><b>{mark}</b><div>{place}{play}{said}{picture}</div></li>'
