"""The sources of a report: a recording as film and speech, a conversation as bars over time."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from mmem.derive.captions import plain_caption
from mmem.memory import Memory
from mmem.report.page import COLOURS
from mmem.schemas import Atom, CaptionLine, Keyframe, Source, Turn, Utterance
from mmem.schemas.clock import MICROSECONDS, local_datetime, offset
from mmem.schemas.html import text
from mmem.schemas.pictures import data_uri

_THUMB_PX = 200
_FILM = 16
_BINS = 72
_WIDTH = 1000


@dataclasses.dataclass(frozen=True)
class Media:
    """Where recordings lie as seen from the report: source id -> (link, file name)."""

    links: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, sources: Iterable[Source], report: Path) -> Media:
        """Return the links of recordings, also for the transcripts about them."""
        known = {source.id: source for source in sources}
        links = {}
        for source in known.values():
            recording = known.get(source.about or "", source)
            place = location(recording)
            if recording.kind == "recording" and place is not None:
                links[source.id] = (_link(place, report), Path(place).name)
        return cls(links)

    def opening(self, source_id: str, at_s: float) -> str:
        """Return the attributes of a link that plays a source from a second, "" when none does."""
        if source_id not in self.links:
            return ""
        link, name = self.links[source_id]
        at = f"{max(0.0, at_s):.2f}"
        return f'href="{text(link)}#t={at}" data-at="{at}" data-name="{text(name)}"'


def location(source: Source) -> str | None:
    """Return where a source's newest file was seen."""
    places = [place for revision in source.revisions for place in revision.locations]
    return places[-1] if places else None


def colours_of(sources: Iterable[Source]) -> dict[str, int]:
    """Return a colour number for each person, the same in all sources."""
    names = dict.fromkeys(name for source in sources for name in source.participants)
    return {name: number % COLOURS for number, name in enumerate(names)}


def sources_html(memory: Memory, media: Media) -> str:
    """Return a card for each source; a transcript is shown in its recording's card."""
    sources = memory.sources()
    colours = colours_of(sources)
    recordings = {source.id for source in sources if source.kind == "recording"}
    cards = []
    for source in sources:
        if source.about in recordings:
            continue
        about = [s for s in sources if s.about == source.id]
        cards.append(_card(memory, source, about, colours, media))
    return "\n".join(cards)


def _card(
    memory: Memory,
    source: Source,
    transcripts: Sequence[Source],
    colours: Mapping[str, int],
    media: Media,
) -> str:
    atoms = [atom for s in (source, *transcripts) for atom in memory.atoms(s.id)]
    people = dict.fromkeys(name for s in (source, *transcripts) for name in s.participants)
    if source.kind == "conversation":
        picture = _bars([a for a in atoms if isinstance(a, Turn)], source, colours)
    else:
        film = _film(memory, [a for a in atoms if isinstance(a, Keyframe)], media)
        picture = _lane(atoms, source, colours) + film
    names = [location(s) for s in (source, *transcripts)]
    files = " + ".join(Path(name).name for name in names if name)
    counted = _counted(atoms)
    return (
        f'<section class="card"><div class="row"><h3><bdi>{text(source.title)}</bdi></h3>'
        f'<span class="badge">{source.kind}</span></div>'
        f'<div class="meta">{text(files)} · {counted}{text(_began(source, atoms))}</div>'
        f"{picture}{_legend(people, colours)}</section>"
    )


def _counted(atoms: Sequence[Atom]) -> str:
    nouns = {"turn": "message", "utterance": "spoken line", "caption": "caption line"}
    counts = {kind: sum(atom.kind == kind for atom in atoms) for kind in (*nouns, "keyframe")}
    parts = [_many(counts[kind], noun) for kind, noun in {**nouns, "keyframe": "picture"}.items()]
    worded = sum(atom.kind == "screen" for atom in atoms)
    with_words = f" ({worded} with words)" if worded else ""
    return ", ".join(part for part in parts if part) + with_words or "empty"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}" if count else ""


def _began(source: Source, atoms: Sequence[Atom]) -> str:
    walls = [a.wall_us for a in atoms if isinstance(a, Turn) and a.wall_us is not None]
    start = source.clock.at_us if source.clock.at_us is not None else min(walls, default=None)
    if start is None:
        return " · time not known"
    assumed = " (assumed)" if source.clock.confidence == "assumed" else ""
    at = local_datetime(start, source.clock.zone)
    return f" · {at.day} {at:%b %Y, %H:%M}{assumed}"


def _legend(people: Iterable[str], colours: Mapping[str, int]) -> str:
    names = "".join(
        f'<li><i class="fill{colours[name]}"></i><bdi>{text(name)}</bdi></li>' for name in people
    )
    return f'<ul class="people">{names}</ul>' if names else ""


def _lane(atoms: Sequence[Atom], source: Source, colours: Mapping[str, int]) -> str:
    """Return who speaks when over a recording, and where its picture changes."""
    spoken = [a for a in atoms if isinstance(a, Utterance | CaptionLine)]
    cuts = [a for a in atoms if isinstance(a, Keyframe)]
    ends = [a.span.end_us for a in spoken]
    whole = max([source.duration_us or 0, *ends, 1])
    blocks = "".join(
        f'<rect class="fill{colours.get(a.speaker or "", 6)}" x="{_x(a.span.start_us, whole)}" '
        f'width="{max(1.0, _x(a.span.end_us - a.span.start_us, whole))}" y="3" height="20">'
        f"<title>{text(_spoken(a))}</title></rect>"
        for a in spoken
    )
    lines = "".join(
        f'<line class="cut" x1="{_x(k.shown.start_us, whole)}" x2="{_x(k.shown.start_us, whole)}" '
        'y1="0" y2="26"/>'
        for k in cuts
        if k.shown.start_us > 0
    )
    return (
        f'<svg class="lane" viewBox="0 0 {_WIDTH} 26" preserveAspectRatio="none" role="img" '
        f'aria-label="who speaks when">{blocks}{lines}</svg>'
        f'<div class="axis"><span>00:00</span><span>{offset(whole // 2)}</span>'
        f"<span>{offset(whole)}</span></div>"
    )


def _spoken(line: Utterance | CaptionLine) -> str:
    who = f"{line.speaker}: " if line.speaker else ""
    return f"{offset(line.span.start_us)} {who}{line.text}"


def _bars(turns: Sequence[Turn], source: Source, colours: Mapping[str, int]) -> str:
    """Return messages over time as stacked bars, one colour a person."""
    timed = [(t.wall_us, t.speaker or "") for t in turns if t.wall_us is not None]
    if not timed:
        return ""
    first = min(at for at, _ in timed)
    last = max(at for at, _ in timed)
    length = max(1, last - first)
    bins: list[dict[str, int]] = [{} for _ in range(_BINS)]
    for at, speaker in timed:
        held = bins[min(_BINS - 1, (at - first) * _BINS // length)]
        held[speaker] = held.get(speaker, 0) + 1
    tallest = max(sum(held.values()) for held in bins)
    bars = "".join(_bar(number, held, tallest, colours) for number, held in enumerate(bins))
    days = (_day(us, source) for us in (first, first + length // 2, last))
    axis = "".join(f"<span>{text(day)}</span>" for day in days)
    return (
        f'<svg class="lane bars" viewBox="0 0 {_WIDTH} 64" preserveAspectRatio="none" role="img" '
        f'aria-label="messages over time">{bars}</svg><div class="axis">{axis}</div>'
    )


def _bar(number: int, held: Mapping[str, int], tallest: int, colours: Mapping[str, int]) -> str:
    step = _WIDTH / _BINS
    parts = []
    below = 0.0
    for speaker in sorted(held, key=lambda name: colours.get(name, COLOURS)):
        height = held[speaker] / tallest * 60
        below += height
        parts.append(
            f'<rect class="fill{colours.get(speaker, 6)}" x="{number * step + 1:.1f}" '
            f'y="{64 - below:.1f}" width="{step - 2:.1f}" height="{height:.1f}">'
            f"<title>{text(speaker or 'system')}: {held[speaker]}</title></rect>"
        )
    return "".join(parts)


def _film(memory: Memory, frames: Sequence[Keyframe], media: Media) -> str:
    """Return keyframes side by side, evenly chosen when there are many."""
    step = max(1, -(-len(frames) // _FILM))
    shown = []
    for frame in frames[::step]:
        uri = data_uri(memory.picture_path(frame.file), _THUMB_PX)
        if uri is not None:
            opening = media.opening(frame.source_id, frame.time_us / MICROSECONDS)
            until = f"{offset(frame.shown.start_us)} to {offset(frame.shown.end_us)}"
            picture = f'<img alt="the picture at {offset(frame.time_us)}" src="{uri}">'
            known = text(plain_caption((), [frame]))
            shown.append(f"<a {opening}>{picture}{until}{f'<br>{known}' if known else ''}</a>")
    return f'<div class="film">{"".join(shown)}</div>' if shown else ""


def _x(us: int, whole: int) -> float:
    return round(us / whole * _WIDTH, 1)


def _day(us: int, source: Source) -> str:
    at = local_datetime(us, source.clock.zone)
    return f"{at.day} {at:%b %Y}"


def _link(place: str, report: Path) -> str:
    """Return a relative link from a report to a file, or a file URI across drives."""
    try:
        beside = os.path.relpath(place, report.resolve().parent)
    except ValueError:
        return Path(place).as_uri()
    return quote(beside.replace(os.sep, "/"), errors="surrogateescape")
