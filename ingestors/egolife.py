"""EgoLife: captions and speech of a wearer's day, in 30-second clips (Yang et al. 2025).

Times are numbers HHMMSS of the day, a clip's start is HHMMSSFF in its file name, FF being a frame
at 20 a second. The days have numbers, no dates: day 1 is taken to be 2024-01-01.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.conversation import participants
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, read_json, tidy
from mmem.schemas import CaptionLine, Clock, Revision, Source, Span, Utterance
from mmem.schemas.clock import MICROSECONDS, local_datetime, wall_us
from mmem.schemas.identity import source_id, span_ids

FIRST_DAY = dt.date(2024, 1, 1)
_CLIP_US = 30 * MICROSECONDS
_DAY_US = 86_400 * MICROSECONDS
_FRAME_US = MICROSECONDS // 20
_VIDEO = re.compile(r"(?:.*/)?DAY(?P<day>\d+)_A\d+_(?P<wearer>[A-Za-z]+)_(?P<clock>\d{8})\.\w+")
_CLIP = re.compile(r'"video_file"\s*:\s*"[^"]*DAY\d+_A\d+_[A-Za-z]+_\d{8}\.\w+"')
_SPEAKER = re.compile(r"(?P<name>[^:\uff1a()\n]{1,40}) ?[:\uff1a]\s*(?P<text>.+)", re.DOTALL)


@dataclasses.dataclass(frozen=True, slots=True)
class _Line:
    """A caption (speaker None) or a spoken line, in microseconds since the first midnight."""

    start_us: int
    end_us: int
    speaker: str | None
    text: str
    spoken: bool
    place: int


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
        source = _source(self, context, path, lines=lines, cuts=cuts, notes=notes)
        speakers = (wearer, *(line.speaker for line in lines))
        clock = _clock(first, context)
        source = source.model_copy(update={"participants": participants(speakers), "clock": clock})
        yield Reading(source=source, atoms=_atoms(lines, source.id, context))


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
        start = _since_midnight(int(match["clock"]) // 100) if match else None
        if match is None or start is None:
            unnamed.append(number)
            continue
        wearer = wearer or match["wearer"].capitalize()
        start += int(match["clock"]) % 100 * _FRAME_US
        clip = found.setdefault((int(match["day"]), start), _Clip(int(match["day"]), start, []))
        clip.rows += listed
    return list(found.values()), wearer, unnamed


def _since_midnight(written: object) -> int | None:
    """Return HHMMSS, a number or text, as microseconds of the day; None when it is no time.

    >>> _since_midnight(90501) == (9 * 3600 + 5 * 60 + 1) * 1_000_000
    True
    """
    try:
        number = int(written) if isinstance(written, (int, str)) else -1
    except ValueError:
        return None
    hours, minutes, seconds = number // 10_000, number // 100 % 100, number % 100
    if not (0 <= hours < 48 and minutes < 60 and seconds < 60):
        return None
    return ((hours * 60 + minutes) * 60 + seconds) * MICROSECONDS


def _cuts(clips: Sequence[_Clip], first: int) -> list[Span]:
    """Return each clip's stretch: 30 s, or to the next clip's start."""
    starts = [(clip.day - first) * _DAY_US + clip.start_us for clip in clips]
    ends = [min(start + _CLIP_US, later) for start, later in itertools.pairwise(starts)]
    ends.append(starts[-1] + _CLIP_US)
    return [Span(start_us=start, end_us=end) for start, end in zip(starts, ends, strict=True)]


def _lines(
    clips: Sequence[_Clip], cuts: Sequence[Span], first: int
) -> tuple[list[_Line], list[int]]:
    """Return what the clips list, each line inside its clip's stretch, and the places of bad rows.

    The listing clip owns a line, also one that begins after the clip's end.
    """
    lines, broken = [], []
    for clip, cut in zip(clips, cuts, strict=True):
        for place, row in clip.rows:
            line = _line(row, cut, (clip.day - first) * _DAY_US, place)
            if line is None:
                broken.append(place)
            else:
                lines.append(line)
    return lines, broken


def _line(row: object, cut: Span, midnight_us: int, place: int) -> _Line | None:
    if not isinstance(row, dict):
        return None
    start, end = _since_midnight(row.get("start")), _since_midnight(row.get("end"))
    text = tidy(row["text"]) if isinstance(row.get("text"), str) else ""
    if start is None or not text:
        return None
    start_us = max(cut.start_us, min(start + midnight_us, cut.end_us - 1))
    end_us = max(start_us, min((start if end is None else end) + midnight_us, cut.end_us))
    spoken = row.get("type") == "transcript"
    match = _SPEAKER.fullmatch(text) if spoken else None
    if match is None:
        return _Line(start_us, end_us, None, text, spoken, place)
    return _Line(start_us, end_us, match["name"].strip(), match["text"], spoken, place)


def _source(
    reader: EgoLifeReader,
    context: ReadContext,
    path: Path,
    *,
    lines: Sequence[_Line],
    cuts: Sequence[Span],
    notes: tuple[str, ...],
) -> Source:
    revision = Revision(
        digest=context.digest, reader=f"{reader.name}@{reader.version}", count=len(lines)
    )
    return Source(
        id=source_id("recording", context.digest),
        kind="recording",
        key=context.digest,
        format=reader.name,
        title=context.title or tidy(path.stem),
        revisions=(revision,),
        duration_us=cuts[-1].end_us,
        cuts=tuple(cuts),
        notes=notes,
    )


def _clock(first: int, context: ReadContext) -> Clock:
    """Return the wall instant of the first midnight: of the stated day, else of an assumed one."""
    if context.recorded_us is None:
        date = FIRST_DAY + dt.timedelta(days=first - 1)
        basis = f"day 1 is taken to be {FIRST_DAY}: the file numbers its days"
    else:
        date = local_datetime(context.recorded_us, context.zone).date()
        basis = f"day {first} was stated to be {date}"
    midnight = dt.datetime.combine(date, dt.time())
    return Clock(
        at_us=wall_us(midnight, context.zone),
        zone=context.zone,
        confidence="assumed" if context.recorded_us is None else "stated",
        basis=basis,
    )


def _atoms(
    lines: Sequence[_Line], source: str, context: ReadContext
) -> tuple[Utterance | CaptionLine, ...]:
    keys = [(line.start_us, line.end_us, line.text) for line in lines]
    ids = {
        spoken: iter(
            span_ids(
                source,
                "utterance" if spoken else "caption",
                (key for key, line in zip(keys, lines, strict=True) if line.spoken == spoken),
            )
        )
        for spoken in (True, False)
    }
    atoms: list[Utterance | CaptionLine] = []
    for ordinal, line in enumerate(lines):
        shared = {
            "id": next(ids[line.spoken]),
            "source_id": source,
            "ordinal": ordinal,
            "locator": f"line {line.place}",
            "revisions": (context.digest,),
            "text": line.text,
            "span": Span(start_us=line.start_us, end_us=line.end_us),
        }
        if line.spoken:
            atoms.append(Utterance.model_validate(shared | {"speaker": line.speaker}))
        else:
            atoms.append(CaptionLine.model_validate(shared))
    return tuple(atoms)


READER = EgoLifeReader()
