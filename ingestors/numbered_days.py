"""Recordings of days that have numbers and no dates: DAY1, DAY2, … (EgoLife, WorldMM, EM²Mem).

Offset 0 of such a recording is the midnight that begins the first day of its file. Clocks are
written HHMMSS or HHMMSSFF, FF being a frame at 20 a second.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Sequence
from pathlib import Path

from mmem.ingestors.conversation import participants
from mmem.ingestors.reading import ReadContext, Reader, Reading
from mmem.ingestors.text import tidy
from mmem.schemas import CaptionLine, Clock, Revision, Source, Span, Utterance
from mmem.schemas.clock import MICROSECONDS, local_datetime, wall_us
from mmem.schemas.identity import source_id, span_ids

FIRST_DAY = dt.date(2024, 1, 1)
"""What day 1 is taken to be where nobody says."""
DAY_US = 86_400 * MICROSECONDS
FRAME_US = MICROSECONDS // 20
"""EgoLife's clips have 20 frames a second (Yang et al. 2025)."""
_FRAMES = 20
CLIP = re.compile(r"DAY(?P<day>\d{1,4})_A\d+_(?P<wearer>[A-Za-z]+)_(?P<clock>\d{8})(?!\d)")
_SPEAKER = re.compile(r"(?P<name>[^:\uff1a()\n]{1,40}) ?[:\uff1a]\s*(?P<text>.+)", re.DOTALL)
_STATED = re.compile(r"day (\d+) was stated to be (\d{4}-\d\d-\d\d)")


@dataclasses.dataclass(frozen=True, slots=True)
class DayLine:
    """A caption (speaker None) or a spoken line, in microseconds since the first midnight.

    `locator` says where in the file it stands.
    """

    start_us: int
    end_us: int
    speaker: str | None
    text: str
    spoken: bool
    locator: str


@dataclasses.dataclass(frozen=True, slots=True)
class DayFile:
    """What a file holds: its first day's number, lines in reading order, cuts, who wears it."""

    first: int
    lines: Sequence[DayLine]
    cuts: Sequence[Span]
    wearer: str | None
    notes: tuple[str, ...]


def since_midnight(written: object) -> int | None:
    """Return HHMMSS, a number or text, as microseconds of the day; None when it is no time.

    >>> since_midnight(90501) == (9 * 3600 + 5 * 60 + 1) * 1_000_000
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


def to_the_frame(written: object) -> int | None:
    """Return HHMMSSFF, a number or text, as microseconds of the day; None when it is no time.

    A frame beyond the second's last is taken for the last.

    >>> to_the_frame("09050110"), to_the_frame("noon")
    (32701500000, None)
    """
    try:
        number = int(written) if isinstance(written, (int, str)) else -1
    except ValueError:
        return None
    whole = since_midnight(number // 100)
    return None if whole is None else whole + min(number % 100, _FRAMES - 1) * FRAME_US


def written_clock(us: int) -> str:
    """Return microseconds of a day as HHMMSSFF, rounded down to a frame.

    >>> written_clock(32_701_549_999)
    '09050110'
    """
    seconds, rest = divmod(us, MICROSECONDS)
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours:02d}{minutes:02d}{seconds % 60:02d}{rest // FRAME_US:02d}"


def day_number(written: object) -> int | None:
    """Return the number of a day that is written DAY7, Day 7 or 7; None when it is none.

    >>> day_number("DAY10"), day_number("Day1"), day_number("today")
    (10, 1, None)
    """
    match = re.fullmatch(r"\s*(?:day)?[\s_]*(\d{1,4})\s*", str(written), re.IGNORECASE)
    return int(match[1]) if match else None


def split_speaker(text: str) -> tuple[str | None, str]:
    """Return who speaks in "Name: words", and the words; None where nobody is named.

    >>> split_speaker("Jake: Okay."), split_speaker("Okay.")
    (('Jake', 'Okay.'), (None, 'Okay.'))
    """
    match = _SPEAKER.fullmatch(text)
    return (match["name"].strip(), match["text"]) if match else (None, text)


def day_reading(reader: Reader, context: ReadContext, path: Path, file: DayFile) -> Reading:
    """Return a recording of numbered days with one revision."""
    revision = Revision(
        digest=context.digest, reader=f"{reader.name}@{reader.version}", count=len(file.lines)
    )
    source = Source(
        id=source_id("recording", context.digest),
        kind="recording",
        key=context.digest,
        format=reader.name,
        title=context.title or tidy(path.stem),
        revisions=(revision,),
        clock=numbered_clock(file.first, context),
        duration_us=file.cuts[-1].end_us,
        participants=participants((file.wearer, *(line.speaker for line in file.lines))),
        cuts=tuple(file.cuts),
        notes=file.notes,
    )
    return Reading(source=source, atoms=_atoms(file.lines, source.id, context))


def numbered_clock(first: int, context: ReadContext) -> Clock:
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


def day_one(clock: Clock) -> dt.date | None:
    """Return the date of day 1 of a recording whose file numbers its days, None for any other.

    >>> day_one(Clock()) is None
    True
    """
    if match := _STATED.fullmatch(clock.basis):
        return dt.date.fromisoformat(match[2]) - dt.timedelta(days=int(match[1]) - 1)
    numbered = clock.basis.startswith(f"day 1 is taken to be {FIRST_DAY}")
    return FIRST_DAY if numbered else None


def _atoms(
    lines: Sequence[DayLine], source: str, context: ReadContext
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
            "locator": line.locator,
            "revisions": (context.digest,),
            "text": line.text,
            "span": Span(start_us=line.start_us, end_us=line.end_us),
        }
        if line.spoken:
            atoms.append(Utterance.model_validate(shared | {"speaker": line.speaker}))
        else:
            atoms.append(CaptionLine.model_validate(shared))
    return tuple(atoms)
