"""What a reader of grammar is handed: the lines of a unit, who says them to whom, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LineKind = Literal["turn", "utterance", "caption"]


@dataclass(frozen=True, slots=True)
class Said:
    """Words of one voice: the text of `atom_ids` joined by blanks, from character `start` on.

    `kind` tells a spoken line from a written message, and from a caption of what is seen.

    `speaker` is who "I" is, None for a caption or a voice without a name; `others` are the people
    that "you" and "we" may mean. `at_us` is the wall instant (UTC microseconds) against which
    "yesterday" is read, None when it is not known; `zone_us` what to add to it for local time.
    """

    atom_ids: tuple[str, ...]
    text: str
    speaker: str | None
    others: tuple[str, ...] = ()
    at_us: int | None = None
    zone_us: int = 0
    start: int = 0
    kind: LineKind = "turn"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the pictures of a unit show: words on screens, names of things, and colours."""

    screens: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """One unit: its lines in order, and up to three units of the session before it, oldest first.

    What is earlier helps to tell who "she" is; nothing is read out of it.
    """

    unit_id: str
    source_id: str
    lines: tuple[Said, ...]
    before: tuple[tuple[Said, ...], ...] = ()
    known_at_us: int | None = None
    shown: Shown = Shown()
