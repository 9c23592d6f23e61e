"""WorldMM: captions of a wearer's days, 30 seconds each (`A1_JAKE_30sec.json`).

An entry holds start_time and end_time (HHMMSSFF), text, date (DAY1, …) and video_path. Files of
coarser scales (3 min, 10 min, 1 h) hold what a model wrote of these: views, not evidence.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mmem.errors import DamagedFile, UnsupportedFormat
from mmem.ingestors.numbered_days import (
    CLIP,
    DAY_US,
    FRAME_US,
    DayFile,
    DayLine,
    day_number,
    day_reading,
    to_the_frame,
)
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, read_json, remark, tidy
from mmem.schemas import Span
from mmem.schemas.clock import MICROSECONDS

_LONGEST_CAPTION_US = 90 * MICROSECONDS
"""Half of the middle length of a file's entries above which they are views: 30 s and 3 min are
the two scales on either side."""
_DATE = re.compile(r'"date"\s*:\s*"\s*day\s?\d{1,4}\s*"', re.IGNORECASE)
_CLOCK = re.compile(r'"start_time"\s*:\s*"?\d{3,8}\b')
_BETWEEN = re.compile(r"[\s,]*")
_SCALES = {180: "3 minutes", 600: "10 minutes", 3600: "an hour"}


@dataclasses.dataclass(frozen=True, slots=True)
class _Entry:
    """One caption: its day, its clocks in microseconds of that day, its place in the file."""

    day: int
    start_us: int
    end_us: int
    text: str
    place: int


class WorldmmReader:
    """Reads a file of captions: one recording, whose captions are its cuts."""

    name = "worldmm"
    version = 1
    summary = "WorldMM captions of numbered days (.json)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is WorldMM's: numbered days and clocks decide."""
        text = head_text(head.data).lstrip()
        is_one = text[:1] == "[" and _DATE.search(text) and _CLOCK.search(text)
        return 0.95 if is_one and '"doc_id"' not in text else 0.0

    def refuse(self, head: Head) -> None:
        """Raise UnsupportedFormat for a file whose beginning is of a coarser scale."""
        _refuse_views(head.path, _entries(list(_whole_values(head_text(head.data))))[0])

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one recording. Raises DamagedFile, and UnsupportedFormat for views."""
        value = read_json(path)
        listed = value if isinstance(value, list) else []
        entries, broken, turned = _entries(listed)
        if not entries:
            raise DamagedFile(
                f"{path.name}: no caption in it has a text, a date such as DAY1 and a start_time",
                hint="check that it is a file such as A1_JAKE_30sec.json",
            )
        _refuse_views(path, entries)
        entries, notes = _on_their_days(entries, listed)
        first = min(entry.day for entry in entries)
        notes = (
            *not_read("caption", broken, "it has no text, no date or no start_time"),
            *remark("caption", turned, "read as an instant: it ends before it begins"),
            *notes,
        )
        entries.sort(key=lambda entry: (entry.day, entry.start_us, entry.place))
        lines = [_line(entry, first) for entry in entries]
        cuts = cuts_of([(line.start_us, line.end_us) for line in lines])
        wearer = next((clip["wearer"] for clip in map(_clip, listed) if clip), None)
        file = DayFile(first, lines, cuts, wearer and wearer.capitalize(), notes)
        yield day_reading(self, context, path, file)


def cuts_of(spans: Iterable[tuple[int, int]]) -> list[Span]:
    """Return the cuts that spans in order of time make: each to its end, or to the next start.

    Those of one start are one, as long as the longest; none is shorter than a frame.
    """
    ends: dict[int, int] = {}
    for start, end in spans:
        ends[start] = max(end, ends.get(start, start + FRAME_US))
    starts = list(ends)
    return [
        Span(start_us=start, end_us=ends[start] if later is None else min(ends[start], later))
        for start, later in itertools.zip_longest(starts, starts[1:])
    ]


def _whole_values(text: str) -> Iterator[object]:
    """Yield the values of a JSON list whose text is cut off, as far as they are whole."""
    decoder, place = json.JSONDecoder(), text.find("[") + 1
    while match := _BETWEEN.match(text, place):
        try:
            value, place = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            return
        yield value


def _entries(listed: Sequence[object]) -> tuple[list[_Entry], list[int], list[int]]:
    """Return the captions; the places of those that cannot be read, and of those that turn back."""
    found: list[_Entry] = []
    broken: list[int] = []
    turned: list[int] = []
    for place, value in enumerate(listed, 1):
        entry = _entry(value, place)
        if entry is None:
            broken.append(place)
        elif entry.end_us < entry.start_us:
            turned.append(place)
            found.append(dataclasses.replace(entry, end_us=entry.start_us))
        else:
            found.append(entry)
    return found, broken, turned


def _entry(value: object, place: int) -> _Entry | None:
    if not isinstance(value, dict):
        return None
    day, start = day_number(value.get("date")), to_the_frame(value.get("start_time"))
    text = tidy(value["text"]) if isinstance(value.get("text"), str) else ""
    if day is None or start is None or not text:
        return None
    return _Entry(day, start, ending(start, to_the_frame(value.get("end_time"))), text, place)


def ending(start_us: int, end_us: int | None) -> int:
    """Return the end of a stretch on its day's clock: its start where there is none.

    An end that lies more than half a day before the start is after midnight.

    >>> ending(10, 5), ending(86_399_000_000, 1_000_000) == 86_401_000_000
    (5, True)
    """
    if end_us is None:
        return start_us
    return end_us + DAY_US if end_us + DAY_US // 2 < start_us else end_us


def _clip(value: object) -> re.Match[str] | None:
    path = value.get("video_path") if isinstance(value, dict) else None
    return CLIP.search(path) if isinstance(path, str) else None


def _refuse_views(path: Path, entries: Sequence[_Entry]) -> None:
    """Raise UnsupportedFormat if the captions are of stretches longer than those that hold them."""
    lengths = [entry.end_us - entry.start_us for entry in entries]
    if not lengths or statistics.median(lengths) <= _LONGEST_CAPTION_US:
        return
    middle = statistics.median(lengths) / MICROSECONDS
    near = min(_SCALES, key=lambda seconds: abs(seconds - middle))
    raise UnsupportedFormat(
        f"{path.name}: captions of {_SCALES[near]} each are views of shorter ones, not evidence",
        hint="mmem makes its own views: add the file of 30 seconds (…_30sec.json)",
    )


def _on_their_days(
    entries: Sequence[_Entry], listed: Sequence[object]
) -> tuple[list[_Entry], tuple[str, ...]]:
    """Return the captions on the days of their clips, and remarks on days that can't be right.

    WorldMM's maker of captions puts DAY1 on every entry; a caption cannot begin on a day before
    that of its clip.
    """
    placed, moved = [], []
    for entry in entries:
        clip = _clip(listed[entry.place - 1])
        if clip and entry.day < int(clip["day"]):
            moved.append(entry.place)
            entry = dataclasses.replace(entry, day=int(clip["day"]))
        placed.append(entry)
    back = [
        later.place
        for before, later in itertools.pairwise(placed)
        if (later.day, later.start_us) < (before.day, before.start_us)
    ]
    said = "dated before its clip: the day in the clip's name is taken"
    why = "earlier than the one above it"
    if len({entry.day for entry in placed}) == 1:
        why += f", and all say DAY{placed[0].day}: days may be missing, they are kept as written"
    return placed, (*remark("caption", moved, said), *remark("caption", back, why))


def _line(entry: _Entry, first: int) -> DayLine:
    midnight = (entry.day - first) * DAY_US
    start, end = entry.start_us + midnight, entry.end_us + midnight
    return DayLine(start, end, None, entry.text, spoken=False, locator=f"caption {entry.place}")


READER = WorldmmReader()
