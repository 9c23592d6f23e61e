"""What a long act tells while it runs, and what it reports at the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Literal

from mmem.schemas import Outcome, Source
from mmem.schemas.clock import MICROSECONDS


@dataclasses.dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` in one stage of one file; `unit` "s" means media seconds."""

    file: str
    stage: str
    done: float
    total: float
    unit: str = ""


Listener = Callable[[Progress], None]
Counted = Callable[[int, int], None]
"""Hears how many units are done, of how many."""
Told = Callable[[int], None]
"""Hears the media offset (microseconds) up to which a recording is done."""


def nobody(_: Progress) -> None:
    """Listen to nothing."""


FileStatus = Literal[
    "added", "extended", "unchanged", "relabelled", "completed", "failed", "skipped"
]


@dataclasses.dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file: one line for the user.

    `sources` are those read from it, `new_atoms` how many atoms were not there before, `outcomes`
    how the stages ended (the last report of a run has how frames were compared, and names whatever
    source that failed for), `reason` why it failed or was skipped, `hint` the next step, `note` a
    remark on what was taken for what.
    """

    path: str
    status: FileStatus
    sources: tuple[Source, ...] = ()
    new_atoms: int = 0
    outcomes: tuple[Outcome, ...] = ()
    reason: str = ""
    hint: str = ""
    note: str = ""

    @property
    def failed(self) -> bool:
        """Tell whether any part of the file is missing in the memory because something failed."""
        ended = {outcome.status for outcome in self.outcomes}
        return self.status == "failed" or bool(ended & {"failed", "partial", "pending"})


def counting(listener: Listener, title: str, stage: str) -> Counted:
    """Return what hands a number of units that are done, and of all, on to a listener."""
    return lambda done, total: listener(Progress(title, stage, done, total))


def telling(listener: Listener, source: Source, stage: str) -> Told:
    """Return what hands a media offset that is done on to a listener."""

    def told(done_us: int) -> None:
        total = (source.duration_us or done_us) / MICROSECONDS
        done = min(done_us / MICROSECONDS, total)
        listener(Progress(source.title, stage, done, total, unit="s"))

    return told
