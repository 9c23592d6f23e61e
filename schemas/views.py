"""Context views: longer stretches of time around a unit, told at several scales (EM²Mem C_i)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mmem.schemas.clock import Span
from mmem.schemas.events import CriticalLine
from mmem.schemas.record import Record

Scale = Literal["3min", "10min", "1h", "exchange", "session", "day", "week"]
"""Stretches of recordings (EM²Mem appendix A), and those of conversations."""

SCALES: tuple[Scale, ...] = ("3min", "10min", "1h", "exchange", "session", "day", "week")
"""Every scale, those of recordings first, the finer before the coarser."""


class Thread(Record):
    """Something that runs through a view: an act, a thing, a topic, or what is seen.

    `label` is its commonest wording and `aliases` the others. `support` counts the units that hold
    it, `coverage` is the share of the view's parts in which it occurs, from 0 to 1. `first` and
    `last` are the first and last unit that hold it.
    """

    label: str
    aliases: tuple[str, ...] = ()
    support: int = Field(ge=1)
    coverage: float = Field(gt=0.0, le=1.0)
    first: str
    last: str
    unit_ids: tuple[str, ...] = Field(min_length=1)


class Voice(Record):
    """How often somebody speaks in a view: in how many of its units."""

    name: str
    units: int = Field(ge=1)


class SceneShare(Record):
    """A scene, and the share of the units of known scene that lie in it, from 0 to 1."""

    label: str
    share: float = Field(gt=0.0, le=1.0)


class Scenes(Record):
    """Where a view's units were recorded: the commonest scene, and those that count for much.

    `distribution` leaves out scenes of small shares; its shares need not add up to 1.
    """

    dominant: str
    distribution: tuple[SceneShare, ...] = ()


class View(Record):
    """What a stretch of time tells at one scale.

    `unit_ids` are its units in order of time, `child_ids` the views of the next finer scale that
    share some of them, `source_ids` where they are from. `wall` is the stretch in UTC
    microseconds from the first unit's start to the last one's end, None where no time is known;
    `span` the same on the media clock of a recording that has no wall time. `text_summary` is made
    of what is said and told, `visual_summary` of what pictures show. `scene` is None where no
    unit's scene is known. `known_at_us` is the wall instant at which all of it had ended. The
    summaries are sentences of the units' records, unchanged.
    """

    id: str
    scale: Scale
    source_ids: tuple[str, ...] = Field(min_length=1)
    unit_ids: tuple[str, ...] = Field(min_length=1)
    child_ids: tuple[str, ...] = ()
    wall: Span | None = None
    span: Span | None = None
    text_summary: str = ""
    visual_summary: str = ""
    actions: tuple[Thread, ...] = ()
    objects: tuple[Thread, ...] = ()
    topics: tuple[Thread, ...] = ()
    visible: tuple[Thread, ...] = ()
    scene: Scenes | None = None
    speakers: tuple[Voice, ...] = ()
    critical_lines: tuple[CriticalLine, ...] = ()
    known_at_us: int | None = None
