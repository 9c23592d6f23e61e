"""What chooses, among the units that were found, those that an answer is to be read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

if TYPE_CHECKING:
    from mmem.schemas import EventFrame, Quadruple, View

Family = Literal[
    "action-owner",
    "source-trace",
    "participant-membership",
    "plan-intention-decision",
    "temporal-recall",
    "habit-preference",
    "attribute-content-purpose",
]
"""What a question asks for, by the evidence that answers it (EM²Mem, the selector)."""
FAMILIES: tuple[Family, ...] = get_args(Family)
PoolRole = Literal["global", "trigger", "antecedent", "broader"]
"""Why a unit is in the pool: it ranks high, it fits and is near the best few in time, it comes
before them, or its surroundings were found again and again (EM²Mem, the selector)."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line of a unit: its atom, who says it ("" for nobody), and the words."""

    atom_id: str
    speaker: str
    text: str


@dataclass(frozen=True)
class Account:
    """What a unit tells, and where it lies.

    `start_us` and `end_us` are wall time in `zone`, None when not known; `session` and `position`
    are its place in its source, `stretch` is the finest stretch of time around it, "" for none.
    `view` tells of that stretch and is made of the atoms `around`, which are only named where a
    model is told it. `frame` and `facts` are readings of its own lines. `lasting` counts what bears
    out the best supported of the facts that last, that the question is about and that this unit
    bears out too; 0 where there is none.
    """

    unit_id: str
    session: int
    position: int
    lines: tuple[Spoken, ...] = ()
    start_us: int | None = None
    end_us: int | None = None
    zone: str | None = None
    stretch: str = ""
    frame: EventFrame | None = None
    facts: tuple[Quadruple, ...] = ()
    view: View | None = None
    around: tuple[str, ...] = ()
    lasting: int = 0


@dataclass(frozen=True)
class Candidate:
    """A unit of the pool: its number there, from 1 on in coarse order of each role, and its score.

    `score` is the coarse one, from 0 for the lowest that was looked at to 1 for the best.
    """

    number: int
    role: PoolRole
    score: float
    account: Account


@dataclass(frozen=True, slots=True)
class Pick:
    """A unit that was chosen, and why."""

    number: int
    reason: str


@dataclass(frozen=True)
class Choice:
    """What a selector chose, the best first; `note` says what is to be known of how."""

    family: Family
    picks: tuple[Pick, ...]
    note: str = ""


@dataclass(frozen=True)
class Wanted:
    """What is to be chosen for: the question, its possible answers, and the moment of asking.

    `most` is how many may be chosen.
    """

    question: str
    most: int
    options: tuple[str, ...] = ()
    now_us: int | None = None


class Selector(Protocol):
    """Chooses the units that bear out what exactly is asked, not those that share its topic."""

    def choose(self, wanted: Wanted, pool: Sequence[Candidate]) -> Choice:
        """Return at most `wanted.most` of a pool; fewer where fewer fit, and at least one."""
        ...
