"""Answers and evidence as HTML for notebooks: everything escaped, colours of the page around it."""

from __future__ import annotations

import datetime as dt
from html import escape
from pathlib import PurePath

from mmem.schemas.clock import microseconds, offset
from mmem.schemas.pictures import data_uri
from mmem.schemas.results import Answer, Citation, Evidence, Hit, Sentence

_PICTURES = 6
_HITS = 10
_STYLE = """
<style>
.mmem{max-width:46rem;line-height:1.45;font-family:system-ui,sans-serif}
.mmem *{text-align:left}
.mmem .mmem-short{font-size:1.35em;font-weight:650;margin:.2em 0 .4em}
.mmem p{margin:.35em 0}
.mmem ol{margin:.6em 0;padding:0;list-style:none;font-size:.92em}
.mmem li{margin:0;padding:.45em 0;border-top:1px solid;
border-color:color-mix(in srgb,currentColor 18%,transparent)}
.mmem .mmem-place{opacity:.72}
.mmem q,.mmem .mmem-quote{quotes:"\\201c" "\\201d"}
.mmem sup{font-weight:600;margin-left:.15em}
.mmem img{display:block;max-width:100%;width:18rem;margin:.4em 0 .1em;border-radius:6px}
</style>
"""


def answer_html(answer: Answer) -> str:
    """Return an answer as an HTML fragment: the answer, its citations, their pictures."""
    pictures = _Pictures()
    if not answer.found:
        misses = "".join(
            _item(miss, "", pictures, quote=_flat(miss.quote)) for miss in answer.near_misses
        )
        nearest = f"<p>Nearest:</p><ol>{misses}</ol>" if misses else ""
        return _block(f'<div class="mmem-short">Not in this memory.</div>{nearest}{_notes(answer)}')
    short = f'<div class="mmem-short" dir="auto">{text(answer.short)}</div>' if answer.short else ""
    said = "".join(f'<p dir="auto">{sentence_html(s)}</p>' for s in answer.sentences)
    cited = "".join(
        _item(citation, str(place + 1), pictures, quote=unsaid(answer, place))
        for place, citation in enumerate(answer.citations)
    )
    return _block(f"{short}{said}<ol>{cited}</ol>{_notes(answer)}")


def evidence_html(evidence: Evidence) -> str:
    """Return the best hits as an HTML fragment, with the pictures of their time."""
    pictures = _Pictures()
    found = "".join(_hit(hit, pictures) for hit in evidence.hits[:_HITS])
    more = len(evidence.hits) - _HITS
    rest = f"<p>and {more} more</p>" if more > 0 else ""
    return _block(f"<ol>{found}</ol>{rest}" if found else "<p>Nothing found.</p>")


def text(value: str) -> str:
    """Return text as HTML text: escaped, control characters as their escapes, line ends kept."""
    shown = "".join(
        c if c.isprintable() or c in "\n\t" or ord(c) > 0x9F else f"\\x{ord(c):02x}" for c in value
    )
    clean = shown.encode("utf-8", "replace").decode("utf-8")
    return escape(clean).replace("\n", "<br>")


def sentence_html(sentence: Sentence) -> str:
    """Return a sentence with its citations' numbers behind it."""
    marks = "".join(f"<sup>[{number + 1}]</sup>" for number in sentence.citations)
    return f"<bdi>{text(sentence.text)}</bdi>{marks}"


def unsaid(answer: Answer, place: int) -> str:
    """Return the quote of a citation (by index), "" if a sentence that cites it says it."""
    quote = _flat(answer.citations[place].quote)
    said = any(quote in _flat(s.text) for s in answer.sentences if place in s.citations)
    return "" if said else quote


def _flat(value: str) -> str:
    return " ".join(value.split())


def place_text(citation: Citation) -> str:
    """Return who, when and in which file, as plain text."""
    who = {"keyframe": "picture", "screen": "on the screen"}.get(citation.kind, citation.speaker)
    return ", ".join(part for part in (who, moment_text(citation), file_name(citation)) if part)


def moment_text(citation: Citation) -> str:
    """Return a citation's media offset and wall time as plain text."""
    media = "" if citation.start_s is None else offset(microseconds(max(0.0, citation.start_s)))
    if citation.at is None:
        return media
    at = dt.datetime.fromisoformat(citation.at)
    wall = f"{at.day} {at:%b %Y, %H:%M}"
    assumed = " (assumed)" if citation.at_confidence == "assumed" else ""
    return f"{media} · {wall}{assumed}" if media else f"{wall}{assumed}"


def file_name(citation: Citation) -> str:
    """Return the name of the cited file, else its source's title."""
    if citation.file is None:
        return citation.source_title
    return PurePath(citation.file.replace("\\", "/")).name


class _Pictures:
    """Hands out pictures, each once, as long as the page may hold more."""

    def __init__(self) -> None:
        self._left = _PICTURES
        self._shown: set[str] = set()

    def html(self, path: str | None) -> str:
        if path is None or self._left <= 0 or path in self._shown:
            return ""
        uri = data_uri(path)
        if uri is None:
            return ""
        self._left -= 1
        self._shown.add(path)
        return f'<img alt="what was on the screen" src="{uri}">'


def _block(inner: str) -> str:
    return f'{_STYLE}<div class="mmem">{inner}</div>'


def _notes(answer: Answer) -> str:
    return "".join(f'<p class="mmem-place" dir="auto">{text(note)}</p>' for note in answer.notes)


def _item(citation: Citation, mark: str, pictures: _Pictures, *, quote: str) -> str:
    head = f"<b>[{mark}]</b> " if mark else ""
    place = f'<span class="mmem-place"><bdi>{text(place_text(citation))}</bdi></span>'
    said = f'<br><q dir="auto">{text(quote)}</q>' if quote else ""
    return f"<li>{head}{place}{said}{pictures.html(citation.picture)}</li>"


def _hit(hit: Hit, pictures: _Pictures) -> str:
    lines = "".join(
        f'<br><span class="mmem-place"><bdi>{text(place_text(line.citation))}</bdi></span>'
        f' <q dir="auto">{text(_flat(line.text))}</q>'
        f"{pictures.html(line.citation.picture) if line.citation.kind == 'turn' else ''}"
        for line in hit.lines
    )
    caption = f"<br>{text(hit.caption)}" if hit.caption and not hit.lines else ""
    shown = "".join(pictures.html(picture.picture) for picture in hit.keyframes[:1])
    title = f"<b>{text(hit.source_title)}</b> {hit.score:.2f}"
    return f"<li>{title}{lines}{caption}{shown}</li>"
