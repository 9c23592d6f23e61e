"""What a long act tells while it runs, and what it reports at the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Literal

from mmem.schemas import Outcome, Source


@dataclasses.dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` in one stage of one file; `unit` "s" means media seconds."""

    file: str
    stage: str
    done: float
    total: float
    unit: str = ""


Listener = Callable[[Progress], None]


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
