"""Sources, and what became of them: outcomes, costs, receipts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mmem.schemas.clock import Clock, Span, microseconds
from mmem.schemas.record import Record

SourceKind = Literal["conversation", "transcript", "recording"]
ANCHOR_SECONDS = (10, 30, 60)
"""How long the anchors of a recording may be (EM²Mem has 30, and 10 for short films)."""
Status = Literal["ok", "empty", "partial", "failed", "skipped", "pending"]


class Revision(Record):
    """One file that a source was read from; `period` is the wall stretch that it covers.

    `locations` are the paths under which the same bytes were seen, sorted; `imported_us` is the
    wall instant of the first import. Neither is part of the state digest.
    """

    digest: str
    reader: str
    period: Span | None = None
    count: int = Field(ge=0)
    locations: tuple[str, ...] = ()
    imported_us: int = 0


class Source(Record):
    """A conversation, a transcript or a recording.

    `keyed_by` says what `key` is: a digest of bytes, a platform's own id, a normalised title, or a
    title that the user stated (which is never taken for another one);
    `aliases` are the keys of other exports that turned out to be the same conversation.
    `about` is the recording that a transcript transcribes. `clock` places media offset 0 on the
    wall. `duration_us` is None for conversations. `cuts` are anchor stretches that the file itself
    prescribes (clips of a day), else empty: the fixed grid. `anchor_us` is how long the anchors of
    a recording are; prescribed ones are cut to it or joined. `notes` are the reader's remarks.
    """

    id: str
    kind: SourceKind
    key: str
    keyed_by: Literal["bytes", "platform", "title", "stated"] = "bytes"
    aliases: tuple[str, ...] = ()
    format: str
    title: str
    revisions: tuple[Revision, ...] = Field(min_length=1)
    about: str | None = None
    clock: Clock = Clock()
    duration_us: int | None = None
    participants: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    language: str | None = None
    cuts: tuple[Span, ...] = ()
    anchor_us: int = Field(default=microseconds(30), gt=0)
    notes: tuple[str, ...] = ()


class Cost(Record):
    """What a stage used: wall seconds, and calls and tokens of a language model.

    `money` is in the currency of the prices that were set, None where none was.
    """

    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    money: float | None = None


class Outcome(Record):
    """How one stage of one source ended.

    `location` is the file, and `options` what the caller said of it (JSON), where it is not read
    yet: `retry` reads it with them.
    """

    source_id: str
    stage: str
    status: Status
    reason: str = ""
    count: int = 0
    cost: Cost = Cost()
    location: str = ""
    options: str = ""


class ReceiptLine(Record):
    """One layer of a forgetting: rows found by the proof before and after, and the verdict."""

    layer: str
    found_before: int
    found_after: int
    verdict: Literal["erased", "nothing_there", "residue", "not_checked"]
    note: str = ""


class Receipt(Record):
    """Proof of a forgetting; `complete` only if every layer was searched and found clean."""

    source_id: str
    title: str
    lines: tuple[ReceiptLine, ...]
    pending: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Tell whether every layer that could be checked is clean."""
        return all(line.verdict != "residue" for line in self.lines)
