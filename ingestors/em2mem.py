"""EM²Mem: event records of a wearer's days, 30 seconds each (its build, step 3).

What was seen and said is taken in: the raw entries of a record, else its caption_text and
transcript_text. What a model made of them (fine_caption, scene, objects, …) is taken only where a
record has nothing else: mmem makes its own.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.numbered_days import (
    CLIP,
    DAY_US,
    DayFile,
    DayLine,
    day_number,
    day_reading,
    since_midnight,
    split_speaker,
    to_the_frame,
)
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, read_json, remark, tidy
from mmem.ingestors.worldmm import cuts_of, ending
from mmem.schemas import Span

_ID = re.compile(r"DAY(?P<day>\d{1,4})_(?P<start>\d{3,8})_(?P<end>\d{3,8})", re.IGNORECASE)
_SNIFFED = re.compile(rf'"doc_id"\s*:\s*"{_ID.pattern}"', re.IGNORECASE)
_LAST_SECOND = 475_959
"""The largest HHMMSS; a larger number has frames."""
_TOLD = "without captions and speech: what a model told"


@dataclasses.dataclass(frozen=True, slots=True)
class _Event:
    """A record: its day, its clocks in microseconds of that day, its fields, its place."""

    day: int
    start_us: int
    end_us: int
    fields: Mapping[str, object]
    place: int


class Em2memReader:
    """Reads a list of event records: one recording, whose records are its cuts."""

    name = "em2mem"
    version = 1
    summary = "EM²Mem event records of numbered days (.json)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is EM²Mem's: ids such as DAY1_start_end decide."""
        text = head_text(head.data).lstrip()
        return 0.97 if text[:1] in ("[", "{") and _SNIFFED.search(text) else 0.0

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one recording. Raises DamagedFile."""
        events, unplaced = _events(read_json(path))
        first = min((event.day for event in events), default=0)
        events.sort(key=lambda event: (event.day, event.start_us, event.place))
        spans = [
            (event.start_us + midnight, event.end_us + midnight)
            for event in events
            for midnight in [(event.day - first) * DAY_US]
        ]
        cuts = cuts_of(spans)
        lines, notes = _lines(events, {cut.start_us: cut for cut in cuts}, first)
        if not lines:
            raise DamagedFile(
                f"{path.name}: no event record in it has a time and a text",
                hint="a record has doc_id (DAY1_start_end) and raw_entries or caption_text",
            )
        notes = (*not_read("record", unplaced, "it has no day or no start"), *notes)
        wearer = next(filter(None, map(_wearer, events)), None)
        yield day_reading(self, context, path, DayFile(first, lines, cuts, wearer, notes))


def _events(value: object) -> tuple[list[_Event], list[int]]:
    """Return the records that have a time, and the places of the others."""
    found: list[_Event] = []
    unplaced: list[int] = []
    for place, entry in enumerate(_listed(value), 1):
        event = _event(entry, place) if isinstance(entry, dict) else None
        if event is None:
            unplaced.append(place)
        else:
            found.append(event)
    return found, unplaced


def _listed(value: object) -> Sequence[object]:
    """Return the records of a list, of an object that holds them by name, or of a single one."""
    if isinstance(value, dict):
        return [value] if "doc_id" in value else list(value.values())
    return value if isinstance(value, list) else []


def _event(entry: Mapping[str, object], place: int) -> _Event | None:
    match = _ID.fullmatch(str(entry.get("doc_id")))
    day = day_number(entry.get("date"))
    start = to_the_frame(entry.get("start_time", entry.get("start")))
    end = to_the_frame(entry.get("end_time", entry.get("end")))
    if match:
        day = int(match["day"]) if day is None else day
        start = to_the_frame(match["start"]) if start is None else start
        end = to_the_frame(match["end"]) if end is None else end
    if day is None or start is None:
        return None
    return _Event(day, start, max(start, ending(start, end)), entry, place)


def _wearer(event: _Event) -> str | None:
    for name in ("video_file", "video_path"):
        if match := CLIP.search(str(event.fields.get(name))):
            return match["wearer"].capitalize()
    return None


def _lines(
    events: Sequence[_Event], cuts: Mapping[int, Span], first: int
) -> tuple[list[DayLine], tuple[str, ...]]:
    """Return what the records hold, each line in its record's cut, and remarks on the rest."""
    lines: list[DayLine] = []
    torn: list[int] = []
    rewritten: list[int] = []
    silent: list[int] = []
    lost = 0
    for event in events:
        midnight = (event.day - first) * DAY_US
        cut = cuts[event.start_us + midnight]
        found, unread = _raw(event, cut, midnight)
        lost += unread
        torn += [event.place] if unread else []
        found = found or _texts(event, cut)
        if not found and (told := _told(event, cut)):
            rewritten.append(event.place)
            found = [told]
        if not found:
            silent.append(event.place)
        lines += found
    entries = "1 raw entry that has" if lost == 1 else f"{lost} raw entries that have"
    return lines, (
        *remark("record", sorted(torn), f"read without {entries} no text or no start"),
        *remark("record", sorted(rewritten), f"{_TOLD} is taken"),
        *not_read("record", sorted(silent), "it holds no text"),
    )


def _raw(event: _Event, cut: Span, midnight_us: int) -> tuple[list[DayLine], int]:
    """Return the raw entries of a record as lines, and how many could not be read."""
    rows = event.fields.get("raw_entries")
    listed = rows if isinstance(rows, list) else []
    found = []
    for number, row in enumerate(listed, 1):
        line = _raw_line(row, cut, midnight_us, f"record {event.place} entry {number}")
        found += [line] if line else []
    return found, len(listed) - len(found)


def _raw_line(row: object, cut: Span, midnight_us: int, locator: str) -> DayLine | None:
    if not isinstance(row, dict):
        return None
    start, end = _either_clock(row.get("start")), _either_clock(row.get("end"))
    text = tidy(row["text"]) if isinstance(row.get("text"), str) else ""
    if start is None or not text:
        return None
    end = ending(start, end)
    shift = midnight_us + (DAY_US if start + midnight_us + DAY_US // 2 < cut.start_us else 0)
    start_us = max(cut.start_us, min(start + shift, cut.end_us - 1))
    end_us = max(start_us, end + shift)
    spoken = row.get("type") == "transcript"
    speaker, words = _voice(row, text) if spoken else (None, text)
    return DayLine(start_us, end_us, speaker, words, spoken, locator)


def _voice(row: Mapping[str, object], text: str) -> tuple[str | None, str]:
    """Return who speaks, and the words; a field "speaker" goes before what the text begins with."""
    if "speaker" not in row:
        return split_speaker(text)
    given = row["speaker"]
    speaker = tidy(given) if isinstance(given, str) else ""
    words = text.removeprefix(f"{speaker}: ") if speaker else text
    return speaker or None, words or text


def _either_clock(written: object) -> int | None:
    """Return HHMMSS (as sync files have it) or HHMMSSFF as microseconds of the day.

    >>> _either_clock(90501) == _either_clock("09050100")
    True
    """
    digits = str(written)
    has_frames = len(digits) > 6 or (digits.isdecimal() and int(digits) > _LAST_SECOND)
    return to_the_frame(written) if has_frames else since_midnight(written)


def _texts(event: _Event, cut: Span) -> list[DayLine]:
    """Return caption_text as one line, and each row of transcript_text as one."""
    where = f"record {event.place}"
    seen = _text(event, "caption_text")
    lines = [_whole(event, cut, seen, where)] if seen else []
    for row in map(tidy, _text(event, "transcript_text").split("\n")):
        if row:
            speaker, words = split_speaker(row)
            spoken = _whole(event, cut, words, where)
            lines.append(dataclasses.replace(spoken, speaker=speaker, spoken=True))
    return lines


def _told(event: _Event, cut: Span) -> DayLine | None:
    text = _text(event, "fine_caption") or _text(event, "keyframe_caption")
    return _whole(event, cut, text, f"record {event.place}") if text else None


def _whole(event: _Event, cut: Span, text: str, locator: str) -> DayLine:
    length = event.end_us - event.start_us
    return DayLine(cut.start_us, cut.start_us + length, None, text, False, locator)


def _text(event: _Event, field: str) -> str:
    value = event.fields.get(field)
    return tidy(value) if isinstance(value, str) else ""


READER = Em2memReader()
