"""What a reader may see of recordings, as WorldMM's captions and EM²Mem's event records.

Times are a day's number and HHMMSSFF in one zone, FF a frame at 20 a second.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from mmem.derive.captions import spread
from mmem.derive.timeline import WINDOWS_US
from mmem.ingestors.numbered_days import written_clock
from mmem.ingestors.reading import RecordingReader
from mmem.ingestors.registry import reader_named
from mmem.schemas import (
    Anchor,
    Atom,
    CaptionLine,
    EventFrame,
    Keyframe,
    Source,
    Span,
    Utterance,
    View,
)
from mmem.schemas.clock import local_datetime

Json = Mapping[str, object]


@dataclasses.dataclass(frozen=True)
class Days:
    """Counts days from day 1, in a zone; `started` is the wall instant of each recording.

    Recordings that have no wall time count from an instant of their own.
    """

    first: dt.date
    zone: str | None
    started: Mapping[str, int]

    def written(self, wall: Span) -> dict[str, str]:
        """Return a stretch of wall time as WorldMM writes it; one that ends the day after wraps."""
        date, start = self._clock(wall.start_us)
        _, end = self._clock(wall.end_us)
        return {"date": f"DAY{(date - self.first).days + 1}", "start_time": start, "end_time": end}

    def wall(self, source_id: str, span: Span) -> Span:
        """Return a stretch of a recording as wall time."""
        return span.shifted(self.started[source_id])

    def _clock(self, us: int) -> tuple[dt.date, str]:
        at = local_datetime(us, self.zone)
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
        since = (at.replace(tzinfo=None) - midnight) // dt.timedelta(microseconds=1)
        return at.date(), written_clock(since)


@dataclasses.dataclass(frozen=True)
class Told:
    """An anchor with its source, the lines and pictures in it, and what was read from them."""

    anchor: Anchor
    source: Source
    lines: Sequence[CaptionLine | Utterance]
    keyframes: Sequence[Keyframe]
    frame: EventFrame | None

    @classmethod
    def of(
        cls, anchor: Anchor, source: Source, atoms: Mapping[str, Atom], frame: EventFrame | None
    ) -> Told:
        """Put together what an anchor holds of some atoms."""
        held = [atoms[atom_id] for atom_id in anchor.atom_ids if atom_id in atoms]
        lines = [atom for atom in held if isinstance(atom, CaptionLine | Utterance)]
        pictures = [atom for atom in held if isinstance(atom, Keyframe)]
        return cls(anchor, source, lines, pictures, frame)

    @property
    def span(self) -> Span:
        """Its stretch: that of the anchor, of a single caption the caption's own."""
        alone = len(self.lines) == 1 and isinstance(self.lines[0], CaptionLine)
        return self.lines[0].span if alone else self.anchor.span

    @property
    def text(self) -> str:
        """What it tells: its lines in order of time, else the caption of its pictures."""
        return "\n".join(map(spoken, self.lines)) or self.anchor.caption


def spoken(line: CaptionLine | Utterance) -> str:
    """Return a line with who speaks before it."""
    return f"{line.speaker}: {line.text}" if line.speaker else line.text


def captions(told: Sequence[Told], days: Days) -> list[Json]:
    """Return the anchors that tell something as WorldMM's captions of 30 seconds."""
    return [
        {
            **_times(days.written(days.wall(one.source.id, one.span))),
            "text": one.text,
            "video_path": _file_of(one.source),
        }
        for one in told
        if one.text
    ]


def view_captions(views: Sequence[View], days: Days) -> list[Json]:
    """Return the views of recordings that tell something as WorldMM's captions of their scale."""
    found: list[tuple[int, Json]] = []
    for view in views:
        text = view.text_summary or view.visual_summary
        wall = _window(view, days)
        if wall is not None and text:
            found.append((wall.start_us, {**_times(days.written(wall)), "text": text}))
    return [entry for _, entry in sorted(found, key=lambda pair: pair[0])]


def _window(view: View, days: Days) -> Span | None:
    """Return the whole window that a view is of, as wall time."""
    held = view.wall or view.span
    if held is None:
        return None
    width = WINDOWS_US[view.scale]
    start = held.start_us // width * width
    window = Span(start_us=start, end_us=start + width)
    return window if view.wall else days.wall(view.source_ids[0], window)


def event_records(told: Sequence[Told], days: Days, picture: Mapping[str, str]) -> list[Json]:
    """Return anchors as EM²Mem's event records; `picture` gives the path of a keyframe's file."""
    return [_record(one, days, picture) for one in told]


def _record(one: Told, days: Days, picture: Mapping[str, str]) -> Json:
    times = days.written(days.wall(one.source.id, one.anchor.span))
    seen = [line for line in one.lines if isinstance(line, CaptionLine)]
    said = [line for line in one.lines if isinstance(line, Utterance)]
    video = _file_of(one.source)
    kinds = {"caption": seen, "transcript": said}
    return {
        "doc_id": "_".join([times["date"], times["start_time"], times["end_time"]]),
        **_times(times),
        "video_path": video,
        "video_file": PurePath(video).name,
        "caption_text": "\n".join(line.text for line in seen),
        "transcript_text": "\n".join(map(spoken, said)),
        **_readings(one),
        "speakers": list(one.anchor.speakers),
        "source_types": [kind for kind, found in kinds.items() if found],
        "raw_entries": [_raw_entry(line, one.source, days) for line in one.lines],
        "keyframe_paths": [picture[k.file] for k in spread(one.keyframes)],
        "provenance": {
            "source_id": one.source.id,
            "unit_id": one.anchor.id,
            "extractor": one.frame.extractor if one.frame else "",
        },
    }


def _readings(one: Told) -> Json:
    """Return what was read from the lines and pictures."""
    frame = one.frame
    text, seen = (frame.text_record, frame.visual_record) if frame else (None, None)
    return {
        "fine_caption": text.fine_caption if text else "",
        "scene": seen.scene if seen else "",
        "keyframe_caption": seen.keyframe_caption if seen else "",
        "visual_objects": list(seen.visible_objects) if seen else [],
        "salient_objects": list(text.salient_objects) if text else [],
        "main_actions": list(text.actions) if text else [],
        "conversation_focus": list(text.conversation_focus) if text else [],
    }


def _raw_entry(line: CaptionLine | Utterance, source: Source, days: Days) -> Json:
    times = days.written(days.wall(source.id, line.span))
    entry: dict[str, object] = {
        "start": times["start_time"],
        "end": times["end_time"],
        "text": spoken(line),
        "type": "caption" if isinstance(line, CaptionLine) else "transcript",
    }
    return entry if isinstance(line, CaptionLine) else {**entry, "speaker": line.speaker}


def _times(written: Mapping[str, str]) -> dict[str, object]:
    return {name: written[name] for name in ("start_time", "end_time", "date")}


def _file_of(source: Source) -> str:
    """Return the file of a recording that can be played, "" for a file of lines."""
    if not isinstance(reader_named(source.format), RecordingReader):
        return ""
    return next((place for each in source.revisions for place in each.locations), "")
