"""Tables of messages or of spoken lines: CSV and its kin (RFC 4180), by names of columns."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.conversation import Heading, Message, conversation, title_of
from mmem.ingestors.cues import Line, transcript, until_next
from mmem.ingestors.dates import DateOrder, Stamp, date_order, moment_of
from mmem.ingestors.offsets import counts_from_zero, media_offset
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, read_text, remark, tidy

# The better name of a column comes first.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "text": (
        *("text", "message", "content", "body", "message text", "message body", "transcript"),
        *("utterance", "transcription", "sentence", "dialogue", "msg", "line"),
    ),
    "speaker": (
        *("speaker", "speaker name", "sender", "sender name", "author", "from", "name"),
        *("participant", "who", "nickname", "username", "user name", "user", "role"),
    ),
    "start": (
        *("start", "start time", "begin", "start s", "start sec", "start seconds", "start ms"),
        *("starts at", "offset", "timecode", "time s", "from s", "start timecode"),
    ),
    "end": (
        *("end", "end time", "stop", "end s", "end sec", "end seconds", "end ms", "ends at"),
        *("to s", "end timecode"),
    ),
    "time": (
        *("timestamp", "datetime", "date time", "time", "sent at", "created at", "sent"),
        *("created", "when", "ts", "date sent", "time sent"),
    ),
    "date": ("date", "day"),
    "talk": (
        *("conversation id", "conversation", "chat id", "chat", "channel", "thread id", "thread"),
    ),
    "id": ("message id", "id"),
}
_DELIMITERS = ",;\t|"
_SUFFIXES = (".csv", ".tsv")


@dataclasses.dataclass(frozen=True, slots=True)
class Layout:
    """A table's delimiter and where its columns are, by what they hold."""

    delimiter: str
    columns: Mapping[str, int]
    header: tuple[str, ...]

    @property
    def usable(self) -> bool:
        """Tell whether there is text, and who or when."""
        return "text" in self.columns and bool(
            self.columns.keys() & {"speaker", "time", "date", "start"}
        )

    @property
    def milliseconds(self) -> bool:
        """Tell whether starts are in milliseconds."""
        return "start" in self.columns and self.header[self.columns["start"]].endswith(" ms")


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A row of the table, from 1 under the header; cells by what they hold."""

    number: int
    cells: Mapping[str, str]

    @property
    def written(self) -> str:
        """The time as written, date first."""
        return f"{self.cells.get('date', '')} {self.cells.get('time', '')}".strip()


class TableReader:
    """Reads tables with a header that names a text column and who spoke or when."""

    name = "csv"
    version = 1
    summary = "CSV and TSV with columns such as speaker, text, time, start, end"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is such a table: its header decides."""
        text = head_text(head.data)
        layout = layout_of(text)
        if layout.usable and "\n" in text.strip():
            return 0.9
        return 0.5 if len(layout.header) > 1 and head.path.suffix.lower() in _SUFFIXES else 0.0

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield a transcript if rows have starts, else a conversation for each that is named.

        Raises DamagedFile, AmbiguousDate.
        """
        decoded = read_text(path)
        layout = layout_of(decoded.text)
        if not layout.usable:
            columns = ", ".join(layout.header) or "none"
            raise DamagedFile(
                f"{path.name}: no columns for the text and for who spoke or when ({columns})",
                hint="name columns in the first row, such as speaker, text and time",
            )
        rows, broken = rows_of(decoded.text, layout, path.name)
        notes = (*decoded.notes, *not_read("row", broken, "it has no text"))
        if _is_media(rows):
            lines, untimed = lines_of(rows, milliseconds=layout.milliseconds)
            notes = (*notes, *not_read("row", untimed, "its start cannot be read"))
            yield transcript(self, context, title=path.stem, lines=lines, notes=notes)
            return
        yield from _conversations(self, path, context, rows, notes)


def layout_of(text: str, names: Mapping[str, tuple[str, ...]] = _NAMES) -> Layout:
    """Return the layout in which most columns of the header are known; `names`, best first."""
    body = _without_hint(text)
    layouts = []
    for delimiter in _DELIMITERS:
        header = next(_cells(body[:10_000], delimiter), [])
        found = tuple(_column_name(cell) for cell in header)
        columns = {
            role: found.index(known[0])
            for role, wanted in names.items()
            if (known := [name for name in wanted if name in found])
        }
        layouts.append(Layout(delimiter, columns, found))
    return max(layouts, key=lambda layout: (layout.usable, len(layout.columns), len(layout.header)))


def _without_hint(text: str) -> str:
    """Return a table without the "sep=;" line that Excel reads."""
    return re.sub(r"\A\s*(?:sep=.\n)?\s*", "", text)


def _column_name(cell: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tidy(cell))
    return " ".join(re.sub(r"[\W_]+", " ", spaced).split()).casefold()


def _cells(text: str, delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    while True:
        try:
            yield next(reader)
        except (StopIteration, csv.Error):
            return


def rows_of(text: str, layout: Layout, name: str) -> tuple[list[Row], list[int]]:
    """Return the rows with text, and the numbers of those without. Raises DamagedFile."""
    body = io.StringIO(_without_hint(text), newline="")
    table = csv.reader(body, delimiter=layout.delimiter)
    rows, broken = [], []
    try:
        next(table, None)
        for number, cells in enumerate(filter(any, table), 1):
            row = _row(number, cells, layout)
            if row.cells.get("text"):
                rows.append(row)
            else:
                broken.append(number)
    except csv.Error as error:
        raise DamagedFile(
            f"{name}: the table cannot be read at line {table.line_num}: {error}",
            hint="look for a quotation mark that is not closed there",
        ) from error
    return rows, broken


def _row(number: int, cells: Sequence[str], layout: Layout) -> Row:
    """Return a row; what an unquoted delimiter split off a last text column is put back."""
    place = layout.columns["text"]
    if len(cells) > len(layout.header) == place + 1:
        cells = [*cells[:place], layout.delimiter.join(cells[place:])]
    found = {role: tidy(cells[at]) for role, at in layout.columns.items() if at < len(cells)}
    return Row(number, found)


def _is_media(rows: Sequence[Row]) -> bool:
    """Tell whether rows have starts on a media clock, or times that count from zero."""
    starts = [row.cells["start"] for row in rows if row.cells.get("start")]
    if starts:
        return 2 * sum(media_offset(start) is not None for start in starts) >= len(starts)
    times = [row.cells.get("time", "") for row in rows]
    if any(row.cells.get("date") for row in rows) or not rows:
        return False
    return counts_from_zero(times)


def lines_of(rows: Sequence[Row], *, milliseconds: bool) -> tuple[list[Line], list[int]]:
    """Return rows as spoken lines in order of time, and the numbers of rows without a start."""
    scale = 1000 if milliseconds else 1
    lines, untimed = [], []
    ended = True
    for row in rows:
        start = media_offset(row.cells.get("start") or row.cells.get("time", ""))
        end = media_offset(row.cells.get("end", ""))
        if start is None:
            untimed.append(row.number)
            continue
        start //= scale
        ended = ended and end is not None
        last = start if end is None else max(start, end // scale)
        speaker = row.cells.get("speaker") or None
        lines.append(Line(start, last, speaker, row.cells["text"], f"row {row.number}"))
    lines.sort(key=lambda line: line.start_us)
    return (lines if ended else until_next(lines)), untimed


def _conversations(
    reader: TableReader,
    path: Path,
    context: ReadContext,
    rows: Sequence[Row],
    notes: tuple[str, ...],
) -> Iterator[Reading]:
    times = {row.number: moment_of(row.written) if row.written else None for row in rows}
    stamps = [time for time in times.values() if isinstance(time, Stamp)]
    order = date_order(stamps, name=path.name, stated=context.day_first)
    untimed = [row.number for row in rows if row.written and times[row.number] is None]
    notes = (*notes, *order.notes, *remark("row", untimed, "without a time that can be read"))
    talks: dict[str, list[Message]] = {}
    for row in rows:
        at = _moment(times[row.number], order)
        talks.setdefault(row.cells.get("talk", ""), []).append(_message(row, at))
    title = title_of(path, context)
    for key, messages in (talks or {"": []}).items():
        own = f"{title} {key}" if len(talks) > 1 and key else title
        heading = Heading(title=own, key=key or None, notes=notes)
        yield conversation(reader, context, heading=heading, messages=messages)


def _moment(time: dt.datetime | Stamp | None, order: DateOrder) -> dt.datetime | None:
    return time.read(day_first=order.day_first) if isinstance(time, Stamp) else time


def _message(row: Row, at: dt.datetime | None) -> Message:
    return Message(
        speaker=row.cells.get("speaker") or None,
        text=row.cells["text"],
        locator=f"row {row.number}",
        at=at,
        written=row.written,
        reference=row.cells.get("id") or None,
    )


READER = TableReader()
