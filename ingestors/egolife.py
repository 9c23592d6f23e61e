"""EgoLife: captions and speech of a wearer's day, in 30-second clips (Yang et al. 2025).

Times are numbers HHMMSS of the day, a clip's start is HHMMSSFF in its file name, FF being a frame
at 20 a second. The days have numbers, no dates: day 1 is taken to be 2024-01-01.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.numbered_days import (
    DAY_US,
    FRAME_US,
    DayFile,
    DayLine,
    day_reading,
    since_midnight,
    split_speaker,
)
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, read_json, tidy
from mmem.schemas import Span
from mmem.schemas.clock import MICROSECONDS

_CLIP_US = 30 * MICROSECONDS
_VIDEO = re.compile(r"(?:.*/)?DAY(?P<day>\d{1,4})_A\d+_(?P<wearer>[A-Za-z]+)_(?P<clock>\d{8})\.\w+")
_CLIP = re.compile(r'"video_file"\s*:\s*"[^"]*DAY\d+_A\d+_[A-Za-z]+_\d{8}\.\w+"')


@dataclasses.dataclass(slots=True)
class _Clip:
    """A clip's day and start, and what it lists; `start_us` counts from midnight of its day."""

    day: int
    start_us: int
    rows: list[tuple[int, object]]


class EgoLifeReader:
    """Reads a sync file: one recording whose clips are its cuts."""

    name = "egolife"
    version = 1
    summary = "EgoLife captions and transcripts in sync (.json)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is EgoLife: its clips' names decide."""
        text = head_text(head.data).lstrip()
        return 0.97 if text[:1] == "[" and _CLIP.search(text) else 0.0

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one recording. Raises DamagedFile."""
        clips, wearer, unnamed = _clips(read_json(path))
        if not clips:
            raise DamagedFile(
                f"{path.name}: no clip in this file has a name such as DAY1_A1_JAKE_11094208.mp4",
                hint="check that it is a file of EgoLifeCap/Sync",
            )
        first = min(clip.day for clip in clips)
        clips.sort(key=lambda clip: (clip.day, clip.start_us))
        cuts = _cuts(clips, first)
        lines, broken = _lines(clips, cuts, first)
        notes = (
            *not_read("clip", unnamed, "its name tells no time"),
            *not_read("line", sorted(broken), "it has no text or no times"),
        )
        yield day_reading(self, context, path, DayFile(first, lines, cuts, wearer, notes))


def _clips(value: object) -> tuple[list[_Clip], str | None, list[int]]:
    """Return the clips, those of one start as one; the wearer; the places of unnamed clips."""
    found: dict[tuple[int, int], _Clip] = {}
    wearer, unnamed, place = None, [], 0
    for number, entry in enumerate(value if isinstance(value, list) else (), 1):
        name = entry.get("video_file") if isinstance(entry, dict) else None
        match = _VIDEO.fullmatch(name) if isinstance(name, str) else None
        rows = entry.get("data") if isinstance(entry, dict) else None
        listed = list(enumerate(rows if isinstance(rows, list) else (), place + 1))
        place += len(listed)
        start = since_midnight(int(match["clock"]) // 100) if match else None
        if match is None or start is None:
            unnamed.append(number)
            continue
        wearer = wearer or match["wearer"].capitalize()
        start += int(match["clock"]) % 100 * FRAME_US
        clip = found.setdefault((int(match["day"]), start), _Clip(int(match["day"]), start, []))
        clip.rows += listed
    return list(found.values()), wearer, unnamed


def _cuts(clips: Sequence[_Clip], first: int) -> list[Span]:
    """Return each clip's stretch: 30 s, or to the next clip's start."""
    starts = [(clip.day - first) * DAY_US + clip.start_us for clip in clips]
    ends = [min(start + _CLIP_US, later) for start, later in itertools.pairwise(starts)]
    ends.append(starts[-1] + _CLIP_US)
    return [Span(start_us=start, end_us=end) for start, end in zip(starts, ends, strict=True)]


def _lines(
    clips: Sequence[_Clip], cuts: Sequence[Span], first: int
) -> tuple[list[DayLine], list[int]]:
    """Return what the clips list, each line inside its clip's stretch, and the places of bad rows.

    The listing clip owns a line, also one that begins after the clip's end.
    """
    lines, broken = [], []
    for clip, cut in zip(clips, cuts, strict=True):
        for place, row in clip.rows:
            line = _line(row, cut, (clip.day - first) * DAY_US, place)
            if line is None:
                broken.append(place)
            else:
                lines.append(line)
    return lines, broken


def _line(row: object, cut: Span, midnight_us: int, place: int) -> DayLine | None:
    if not isinstance(row, dict):
        return None
    start, end = since_midnight(row.get("start")), since_midnight(row.get("end"))
    text = tidy(row["text"]) if isinstance(row.get("text"), str) else ""
    if start is None or not text:
        return None
    start_us = max(cut.start_us, min(start + midnight_us, cut.end_us - 1))
    end_us = max(start_us, min((start if end is None else end) + midnight_us, cut.end_us))
    spoken = row.get("type") == "transcript"
    speaker, words = split_speaker(text) if spoken else (None, text)
    return DayLine(start_us, end_us, speaker, words, spoken, f"line {place}")


READER = EgoLifeReader()
