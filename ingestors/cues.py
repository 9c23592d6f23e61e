"""Timed lines of speech: the cue, who speaks in it, captions that scroll, and the transcript."""

from __future__ import annotations

import collections
import dataclasses
import html
import itertools
import re
from collections.abc import Iterable, Sequence
from html.entities import html5

from mmem.ingestors.conversation import participants
from mmem.ingestors.reading import ReadContext, Reader, Reading
from mmem.ingestors.speakers import names_of, split_prefix
from mmem.ingestors.text import tidy
from mmem.schemas import Clock, Revision, Source, Span, Utterance
from mmem.schemas.identity import source_id, span_ids

_TAG = re.compile(
    r"<(?P<close>/?)(?:(?P<voice>v)(?:\.[^\s>]*)?(?:\s+(?P<name>[^>]*))?"
    r"|(?:c|i|b|u|s|ruby|rt|lang|font|span|p)(?:[.\s][^>]*)?|(?P<line>br)\s*/?"
    r"|(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})>|\{\\[^}\n]*\}",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{2,31});")
_DASH = re.compile(r"^[-\u2013\u2014] ?(?=\S)")


@dataclasses.dataclass(frozen=True, slots=True)
class Cue:
    """A stretch of the media clock in microseconds, its raw payload, and its place in the file."""

    start_us: int
    end_us: int
    payload: str
    number: int


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """What one voice says in a stretch of the media clock."""

    start_us: int
    end_us: int
    speaker: str | None
    text: str
    locator: str


def plain(payload: str) -> str:
    """Return a payload without markup and with entities resolved; other brackets are text.

    >>> plain("<i>R&amp;D</i>{\\\\an8} 4 &lt; x <laughs>")
    'R&D 4 < x <laughs>'
    """
    bare = _TAG.sub(lambda tag: "\n" if tag["line"] else "", payload)
    return _ENTITY.sub(_character, bare)


def _character(entity: re.Match[str]) -> str:
    """Return what an entity stands for; one that does not exist is text."""
    name = entity[0][1:]
    return html.unescape(entity[0]) if name[0] == "#" else html5.get(name, entity[0])


def spoken(cues: Sequence[Cue]) -> list[Line]:
    """Return what is said in cues, in order of time.

    Voice tags name the speakers; in a file without any, "Name:" prefixes do where they recur, and
    captions that scroll are told once.
    """
    if any(tag["voice"] for cue in cues for tag in _TAG.finditer(cue.payload)):
        lines = [line for cue in cues for line in _voices(cue)]
    else:
        shown = [(cue, _rows(plain(cue.payload))) for cue in cues]
        said = unrolled([(cue, rows) for cue, rows in shown if rows])
        names = _names([rows for _, rows in said])
        lines = [line for cue, rows in said for line in _parts(cue, rows, names)]
    return sorted(lines, key=lambda line: line.start_us)


def transcript(
    reader: Reader,
    context: ReadContext,
    *,
    title: str,
    lines: Sequence[Line],
    notes: tuple[str, ...] = (),
) -> Reading:
    """Return spoken lines, in order of time, as a transcript with one revision."""
    record = timed_source(reader, context, title=title, lines=lines, notes=notes)
    keys = ((line.start_us, line.end_us, line.text) for line in lines)
    ids = span_ids(record.id, "utterance", keys)
    atoms = tuple(
        Utterance(
            id=identity,
            source_id=record.id,
            ordinal=ordinal,
            locator=line.locator,
            revisions=(context.digest,),
            speaker=line.speaker,
            text=line.text,
            span=Span(start_us=line.start_us, end_us=line.end_us),
        )
        for ordinal, (identity, line) in enumerate(zip(ids, lines, strict=True))
    )
    return Reading(source=record, atoms=atoms)


def timed_source(
    reader: Reader,
    context: ReadContext,
    *,
    title: str,
    lines: Sequence[Line],
    notes: tuple[str, ...] = (),
) -> Source:
    """Return the source of lines on a media clock, with one revision."""
    revision = Revision(
        digest=context.digest, reader=f"{reader.name}@{reader.version}", count=len(lines)
    )
    return Source(
        id=source_id("transcript", context.digest),
        kind="transcript",
        key=context.digest,
        format=reader.name,
        title=context.title or tidy(title),
        revisions=(revision,),
        clock=stated_clock(context),
        duration_us=max((line.end_us for line in lines), default=0),
        participants=participants(line.speaker for line in lines),
        notes=notes,
    )


_LONGEST_US = 30_000_000


def until_next(lines: Sequence[Line]) -> list[Line]:
    """Return lines without an end of their own, each lasting until the next, 30 s at most."""
    ends = [later.start_us for later in lines[1:]] + [line.start_us for line in lines[-1:]]
    return [
        dataclasses.replace(line, end_us=max(line.start_us, min(end, line.start_us + _LONGEST_US)))
        for line, end in zip(lines, ends, strict=True)
    ]


def stated_clock(context: ReadContext) -> Clock:
    """Return the clock of media whose start on the wall was stated, else an unknown one."""
    if context.recorded_us is None:
        return Clock(zone=context.zone)
    return Clock(
        at_us=context.recorded_us,
        zone=context.zone,
        confidence="stated",
        basis="the start was stated",
    )


def unrolled(shown: Sequence[tuple[Cue, list[str]]]) -> list[tuple[Cue, list[str]]]:
    """Return cues with each row where it is first shown, if the file's captions scroll.

    Captions scroll when most cues begin with the last rows of the cue before and some add to them.
    What is really said twice is shown twice and stays (ytdl-org/youtube-dl#21914).
    """
    if not _scrolls(shown):
        return list(shown)
    result: list[tuple[Cue, list[str]]] = []
    before: list[str] = []
    for cue, rows in shown:
        kept = _kept_words(before, rows)
        fresh = _after(rows, kept)
        if fresh and kept and _inside_row(rows, kept) and result:
            last, text = result[-1]
            result[-1] = (
                dataclasses.replace(last, end_us=max(last.end_us, cue.end_us)),
                [*text[:-1], f"{text[-1]} {fresh[0]}"],
            )
            fresh = fresh[1:]
        if fresh:
            result.append((cue, fresh))
        before = rows
    return result


_INSTANT_US = 50_000
_GAP_US = 250_000


def _scrolls(shown: Sequence[tuple[Cue, list[str]]]) -> bool:
    adds = holds = instants = 0
    for (cue, rows), (later, next_rows) in itertools.pairwise(shown):
        kept = _kept_words(rows, next_rows)
        if not kept or later.start_us - cue.end_us > _GAP_US:
            continue
        if _after(next_rows, kept):
            adds += 1
        else:
            holds += 1
            instants += later.end_us - later.start_us <= _INSTANT_US
    enough = adds >= 2 or (adds == 1 and instants > 0)
    return enough and 2 * (adds + holds) >= len(shown) - 1


def _kept_words(before: Sequence[str], rows: Sequence[str]) -> int:
    """Return how many words of `rows` are the last whole rows of the cue before, still shown."""
    words = " ".join(rows).split()
    for first in range(len(before)):
        tail = " ".join(before[first:]).split()
        if words[: len(tail)] == tail:
            return len(tail)
    return 0


def _after(rows: Sequence[str], kept: int) -> list[str]:
    """Return rows without their first `kept` words."""
    fresh = []
    for row in rows:
        words = row.split()
        if kept < len(words):
            fresh.append(" ".join(words[kept:]))
        kept = max(0, kept - len(words))
    return fresh


def _inside_row(rows: Sequence[str], kept: int) -> bool:
    ends, total = set(), 0
    for row in rows:
        total += len(row.split())
        ends.add(total)
    return kept not in ends


def _rows(text: str) -> list[str]:
    return [row for line in text.split("\n") if (row := tidy(line))]


def _voices(cue: Cue) -> list[Line]:
    """Return one line a voice span of a cue; text outside of one has no speaker."""
    pieces: list[tuple[str | None, str]] = [(None, "")]
    place = 0
    for tag in _TAG.finditer(cue.payload):
        speaker, text = pieces[-1]
        pieces[-1] = (speaker, text + cue.payload[place : tag.end()])
        place = tag.end()
        if tag["voice"]:
            name = " ".join(tidy(plain(tag["name"] or "")).split())
            pieces.append((None if tag["close"] else name or None, ""))
    speaker, text = pieces[-1]
    pieces[-1] = (speaker, text + cue.payload[place:])
    said = [(speaker, " ".join(_rows(plain(text)))) for speaker, text in pieces]
    return [_line(cue, speaker, text) for speaker, text in said if text]


def _parts(cue: Cue, rows: Sequence[str], names: frozenset[str]) -> Iterable[Line]:
    """Return one line a speaker of a cue: a known prefix or, on two rows, a dash begins one."""
    dashes = sum(bool(_DASH.match(row)) for row in rows) > 1
    said: list[tuple[str | None, list[str]]] = []
    for row in rows:
        text = _DASH.sub("", row) if dashes else row
        split = split_prefix(text)
        if split and split[0] in names:
            said.append((split[0], [split[1]]))
        elif not said or (dashes and text != row):
            said.append((None, [text]))
        else:
            said[-1][1].append(text)
    joined = ((speaker, " ".join(texts).strip()) for speaker, texts in said)
    return [_line(cue, speaker, text) for speaker, text in joined if text]


def _names(shown: Sequence[list[str]]) -> frozenset[str]:
    """Return who speaks by prefix: at the beginning of cues and, recurring, inside of them."""
    names = names_of([rows[0] for rows in shown])
    inner = collections.Counter(
        split[0] for rows in shown for row in rows[1:] if (split := split_prefix(row))
    )
    return names | {name for name, count in inner.items() if names and count > 1}


def _line(cue: Cue, speaker: str | None, text: str) -> Line:
    return Line(cue.start_us, cue.end_us, speaker, text, f"cue {cue.number}")
