"""Narrations of a recording: tables of what is seen when (EPIC-KITCHENS, Ego4D and their kin)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.cues import Line, timed_source
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.table import layout_of, lines_of, rows_of
from mmem.ingestors.text import head_text, not_read, read_text
from mmem.schemas import CaptionLine, Span
from mmem.schemas.identity import span_ids

NARRATION = "narration"
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "text": (
        *("narration", "narration text", "caption", "description", "annotation", "activity"),
        "action",
    ),
    "start": (
        *("start timestamp", "narration timestamp", "timestamp sec", "start", "start time"),
        *("start s", "start sec", "start seconds", "start ms", "timestamp", "time", "time s"),
    ),
    "end": (
        *("stop timestamp", "end timestamp", "end", "end time", "stop", "end s", "end sec"),
        *("end seconds", "end ms"),
    ),
    "video": ("video id", "video uid", "video", "video file"),
}
_HINT = "name columns in the first row, such as start, end and caption"


class NarrationReader:
    """Reads tables with a column of narrations and one of starts on the recording's clock.

    Such a table lies beside its recording, under the same name; its lines are captions.
    """

    name = NARRATION
    version = 1
    summary = "CSV of narrations or captions with their starts, beside its recording"

    def sniff(self, head: Head) -> float:
        """Return 0.95 if the header names narrations and starts."""
        text = head_text(head.data)
        columns = layout_of(text, _COLUMNS).columns
        return 0.95 if {"text", "start"} <= columns.keys() and "\n" in text.strip() else 0.0

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield the captions in order of time. Raises DamagedFile."""
        decoded = read_text(path)
        layout = layout_of(decoded.text, _COLUMNS)
        if not {"text", "start"} <= layout.columns.keys():
            columns = ", ".join(layout.header) or "none"
            raise DamagedFile(
                f"{path.name}: no columns for caption and start ({columns})", hint=_HINT
            )
        rows, broken = rows_of(decoded.text, layout, path.name)
        videos = sorted({row.cells["video"] for row in rows if row.cells.get("video")})
        if len(videos) > 1:
            raise DamagedFile(
                f"{path.name}: narrations of {len(videos)} recordings in one table",
                hint=f"put the rows of {videos[0]} into a table beside it, named as it is",
            )
        lines, untimed = lines_of(rows, milliseconds=layout.milliseconds)
        if not lines:
            reason = f"{path.name}: no narration in it has a start that can be read"
            raise DamagedFile(reason, hint="write starts like 83.5 or 00:01:23.5")
        notes = (
            *decoded.notes,
            *not_read("row", broken, "it has no text"),
            *not_read("row", untimed, "its start cannot be read"),
        )
        yield _narration(context, title=path.stem, lines=lines, notes=notes)


def _narration(
    context: ReadContext, *, title: str, lines: Sequence[Line], notes: tuple[str, ...]
) -> Reading:
    record = timed_source(READER, context, title=title, lines=lines, notes=notes)
    keys = ((line.start_us, line.end_us, line.text) for line in lines)
    atoms = tuple(
        CaptionLine(
            id=identity,
            source_id=record.id,
            ordinal=ordinal,
            locator=line.locator,
            revisions=(context.digest,),
            text=line.text,
            span=Span(start_us=line.start_us, end_us=line.end_us),
        )
        for ordinal, (identity, line) in enumerate(
            zip(span_ids(record.id, "caption", keys), lines, strict=True)
        )
    )
    return Reading(source=record, atoms=atoms)


READER = NarrationReader()
