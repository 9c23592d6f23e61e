"""Chats typed or copied as text: "Name: text" lines, with or without a time before them."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.conversation import Heading, Message, conversation, title_of
from mmem.ingestors.cues import Line, transcript, until_next
from mmem.ingestors.dates import BETWEEN, CLOCK, DATE, Stamp, date_order, stamp_of
from mmem.ingestors.offsets import counts_from_zero, media_offset
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.speakers import names_nobody, names_of, split_loose, split_prefix
from mmem.ingestors.text import head_text, not_read, plain_spaces, read_text, tidy
from mmem.schemas.clock import local_datetime, zone_of

_ZONE = r"(?P<zone>Z| ?[+-]\d{2}:?\d{2})?"
_DATED = re.compile(
    rf"[\[(]?{DATE}(?:{BETWEEN}|T){CLOCK}{_ZONE}[\])]?"
    r"(?: ?[-\u2013\u2014:|])?(?: +|$)"
)
_CLOCK_FIRST = re.compile(rf"\[{CLOCK}, {DATE}\](?: +|$)")
_CLOCKED = re.compile(
    r"[\[(]?(?P<time>(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)[\])]?"
    r"(?: ?[-\u2013\u2014|])?(?: +|$)"
)
_Split = Callable[[str], tuple[str, str] | None]


@dataclasses.dataclass(slots=True)
class _Entry:
    """A line that begins a message, and the lines under it."""

    number: int
    speaker: str | None
    text: str
    stamp: Stamp | None = None
    zone: str | None = None
    time: str = ""


class PlainChatReader:
    """Reads lines that begin with a name, a time, or both; other lines continue a message."""

    name = "text"
    version = 1
    summary = "plain text chats: `Name: text`, with a time before it or without"

    def sniff(self, head: Head) -> float:
        """Return the confidence that text is a chat: most lines must begin like messages."""
        text = head_text(head.data)
        lines = [line for line in text.split("\n") if line.strip()]
        if not lines or "\ufffd" in text[:1000] or len(text) < 4:
            return 0.0
        entries, _ = _stamped(lines)
        named = sum(entry.speaker is not None for entry in entries)
        if named >= 2 or (named and len(entries) == len(lines)):
            enough = 2 * named >= len(entries) and 4 * len(entries) >= len(lines)
            return 0.85 if enough else 0.0
        return 0.0 if lines[0].lstrip()[:1] in "{[<" else _bare_confidence(lines)

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield a conversation, or a transcript when times count from zero.

        Raises DamagedFile, AmbiguousDate, ConfigError.
        """
        decoded = read_text(path)
        lines = decoded.text.split("\n")
        entries, preamble = _stamped(lines)
        if not entries:
            entries, preamble = _bare(lines)
        if not entries:
            raise DamagedFile(
                f"{path.name}: no line begins with a name or a time",
                hint="write messages as `Name: text` or `[2024-03-01 10:15] Name: text`",
            )
        notes = (*decoded.notes, *not_read("line", preamble, "no message has begun"))
        times = [entry.time for entry in entries if entry.stamp is None]
        if len(times) == len(entries) and all(times) and counts_from_zero(times):
            said = until_next([_line(entry) for entry in entries if tidy(entry.text)])
            yield transcript(self, context, title=path.stem, lines=said, notes=notes)
            return
        yield _conversation(self, path, context, entries, notes)


def _stamped(lines: Sequence[str]) -> tuple[list[_Entry], list[int]]:
    """Return the messages of lines that begin with a date and time or, if none do, with a time."""
    for begin in (_dated, _clocked):
        entries, preamble = _gathered(lines, begin)
        if entries:
            return entries, preamble
    return [], []


def _bare(lines: Sequence[str]) -> tuple[list[_Entry], list[int]]:
    """Return the messages of lines that begin with a speaker's name."""
    names = names_of([line for line in lines if line.strip()])

    def begin(number: int, line: str) -> _Entry | None:
        split = split_prefix(line)
        return _Entry(number, split[0], split[1]) if split and split[0] in names else None

    return _gathered(lines, begin)


def _gathered(
    lines: Sequence[str], begin: Callable[[int, str], _Entry | None]
) -> tuple[list[_Entry], list[int]]:
    entries: list[_Entry] = []
    preamble = []
    for number, line in enumerate(lines, 1):
        if entry := begin(number, line.lstrip()):
            entries.append(entry)
        elif entries:
            entries[-1].text += "\n" + line
        elif line.strip():
            preamble.append(number)
    return entries, preamble


def _dated(number: int, line: str) -> _Entry | None:
    folded = plain_spaces(line)
    match = _DATED.match(folded) or _CLOCK_FIRST.match(folded)
    if match is None or (stamp := stamp_of(match)).read(day_first=True) is None:
        return None
    zone = match.groupdict().get("zone")
    return _entry(number, line[match.end() :], stamp=stamp, zone=zone and zone.strip())


def _clocked(number: int, line: str) -> _Entry | None:
    match = _CLOCKED.match(plain_spaces(line))
    if match is None or media_offset(match["time"]) is None:
        return None
    return _entry(number, line[match.end() :], time=match["time"])


def _entry(
    number: int,
    rest: str,
    *,
    stamp: Stamp | None = None,
    zone: str | None = None,
    time: str = "",
) -> _Entry:
    speaker, text = split_loose(rest) or (None, rest)
    return _Entry(number, speaker, text, stamp, zone, time)


def _line(entry: _Entry) -> Line:
    start = media_offset(entry.time) or 0
    return Line(start, start, entry.speaker, tidy(entry.text), f"line {entry.number}")


def _bare_confidence(lines: Sequence[str]) -> float:
    """Return how sure it is that lines are "Name: text", and no list, mail head or recipe."""
    entries, _ = _bare(lines)
    speakers = [entry.speaker for entry in entries]
    different = set(speakers)
    others = sum(map(names_nobody, lines))
    if len(different) < 2 or 3 * len(entries) < len(lines) or 2 * others > len(entries):
        return 0.0
    if len(different) < len(speakers):
        return 0.7
    wordy = sum(len(entry.text.split()) > 1 for entry in entries)
    return 0.5 if len(entries) == len(lines) and 2 * wordy >= len(entries) else 0.0


def _conversation(
    reader: PlainChatReader,
    path: Path,
    context: ReadContext,
    entries: Sequence[_Entry],
    notes: tuple[str, ...],
) -> Reading:
    stamps = [entry.stamp for entry in entries if entry.stamp]
    order = date_order(stamps, name=path.name, stated=context.day_first)
    moments = [_moment(entry, day_first=order.day_first) for entry in entries]
    if not stamps and any(entry.time for entry in entries):
        moments, said = _on_stated_day(entries, context)
        notes = (*notes, *said)
    messages = [
        Message(
            speaker=tidy(entry.speaker) if entry.speaker else None,
            text=tidy(entry.text),
            locator=f"line {entry.number}",
            at=at,
            written=entry.time,
            citable=bool(tidy(entry.text)),
        )
        for entry, at in zip(entries, moments, strict=True)
    ]
    heading = Heading(title=title_of(path, context), notes=(*notes, *order.notes))
    return conversation(reader, context, heading=heading, messages=messages)


def _moment(entry: _Entry, *, day_first: bool) -> dt.datetime | None:
    moment = entry.stamp.read(day_first=day_first) if entry.stamp else None
    if moment is None or entry.zone is None:
        return moment
    return moment.replace(tzinfo=dt.UTC if entry.zone == "Z" else zone_of(entry.zone))


def _on_stated_day(
    entries: Sequence[_Entry], context: ReadContext
) -> tuple[list[dt.datetime | None], tuple[str, ...]]:
    """Return times of day as moments from the stated start's day on, none without one."""
    if context.recorded_us is None:
        return [None] * len(entries), ("messages have a time of day but no date",)
    midnight = dt.datetime.combine(local_datetime(context.recorded_us, context.zone), dt.time())
    moments: list[dt.datetime | None] = []
    last = 0
    for entry in entries:
        since = (media_offset(entry.time) or 0) * (60 if entry.time.count(":") == 1 else 1)
        midnight += dt.timedelta(days=since < last)
        last = since
        moments.append(midnight + dt.timedelta(microseconds=since))
    return moments, ("the day of the first message was stated",)


READER = PlainChatReader()
