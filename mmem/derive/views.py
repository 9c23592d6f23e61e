"""Context views from the frames of their units, without a key (EM²Mem section 3.2, appendix B).

A view is a function of its units and their frames alone: made anew from what a reader may see, it
is the view of a memory that holds no more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from mmem.derive.critical import most_telling
from mmem.derive.extracts import telling
from mmem.derive.records import DULL, MICRO_ACTIONS
from mmem.derive.timeline import Placed
from mmem.schemas import (
    CriticalLine,
    EventFrame,
    Scale,
    Scenes,
    SceneShare,
    Span,
    Thread,
    View,
    Voice,
)
from mmem.schemas.identity import view_id
from mmem.words import sentences, terms

VIEWS = "views 3"
"""The version of the rules below."""


@dataclass(frozen=True)
class _Kept:
    """Which threads of one kind a view keeps: least support, least coverage, how many."""

    support: int
    coverage: float
    most: int


@dataclass(frozen=True)
class Sizes:
    """How much a view of one scale holds."""

    actions: _Kept
    objects: _Kept
    topics: _Kept
    visible: _Kept
    scene_share: float
    scenes: int
    speakers: int
    speaker_support: int
    critical: int
    sentences: int
    longest: int
    """Characters of the text summary."""


_FINE = Sizes(
    actions=_Kept(1, 0.0, 10),
    objects=_Kept(1, 0.0, 12),
    topics=_Kept(1, 0.0, 10),
    visible=_Kept(1, 0.0, 8),
    scene_share=0.08,
    scenes=4,
    speakers=8,
    speaker_support=1,
    critical=10,
    sentences=4,
    longest=600,
)
_MIDDLE = Sizes(
    actions=_Kept(2, 0.34, 8),
    objects=_Kept(2, 0.34, 10),
    topics=_Kept(1, 0.25, 8),
    visible=_Kept(2, 0.34, 6),
    scene_share=0.10,
    scenes=4,
    speakers=6,
    speaker_support=1,
    critical=8,
    sentences=6,
    longest=900,
)
_COARSE = Sizes(
    actions=_Kept(3, 0.25, 6),
    objects=_Kept(3, 0.25, 8),
    topics=_Kept(2, 0.20, 6),
    visible=_Kept(3, 0.25, 5),
    scene_share=0.12,
    scenes=3,
    speakers=5,
    speaker_support=2,
    critical=8,
    sentences=8,
    longest=1200,
)
SIZES: Mapping[Scale, Sizes] = {
    "3min": _FINE,
    "10min": _MIDDLE,
    "1h": _COARSE,
    "exchange": _FINE,
    "session": _MIDDLE,
    "day": _COARSE,
    "week": _COARSE,
}
"""EM²Mem appendix B, the table of filters, by level; conversations take those of the level
that is as coarse. Numbers of sentences are our own: its summaries are written by a model."""
_PART = re.compile(r"(?<=\.) (?=On screen: “|Looks like: |Colours: )")
_PRIORITY_COVERAGE = 0.2
"""EM²Mem: labels of critical lines survive with any support and this coverage, or the level's."""


def view_of(
    scale: Scale,
    place: str,
    units: Sequence[Placed],
    frames: Mapping[str, EventFrame],
    children: Mapping[str, Sequence[str]],
) -> View:
    """Return the view of a stretch.

    `units` are in order of time; `frames` holds theirs, by unit; `children` names, for each unit,
    the finer views that hold it (at the finest scale none: a unit is a part by itself).
    """
    sizes = SIZES[scale]
    parts = {unit.unit_id: tuple(children.get(unit.unit_id, (unit.unit_id,))) for unit in units}
    told = [frames[unit.unit_id] for unit in units if unit.unit_id in frames]
    critical = [line for frame in told for line in frame.critical_lines]
    threads = _Threads(told, parts, {term for line in critical for term in terms(line.text)})
    known = [_known_at(unit, frames.get(unit.unit_id)) for unit in units]
    return View(
        id=view_id(scale, place),
        scale=scale,
        source_ids=tuple(sorted({unit.source_id for unit in units})),
        unit_ids=tuple(unit.unit_id for unit in units),
        child_ids=tuple(dict.fromkeys(i for u in units for i in children.get(u.unit_id, ()))),
        wall=_hull(unit.wall for unit in units),
        span=None if any(unit.wall for unit in units) else _hull(unit.media for unit in units),
        text_summary=_summary(
            (s for frame in told for s in sentences(frame.text_record.fine_caption)),
            sizes,
            {term for frame in told for name in frame.speakers for term in terms(name)},
        ),
        visual_summary=_summary((part for f in told for part in _seen(f)), sizes),
        actions=threads.of(_acts_of if sizes is _FINE else _larger_acts_of, sizes.actions),
        objects=threads.of(lambda frame: frame.text_record.salient_objects, sizes.objects),
        topics=threads.of(lambda frame: frame.text_record.conversation_focus, sizes.topics),
        visible=threads.of(lambda frame: frame.visual_record.visible_objects, sizes.visible),
        scene=_scenes(told, sizes),
        speakers=_voices(told, sizes),
        critical_lines=_critical(critical, sizes.critical),
        known_at_us=None if None in known else max(at for at in known if at is not None),
    )


@dataclass(frozen=True)
class _Threads:
    """Finds threads in frames; `parts` names the parts of the view that hold each unit."""

    frames: Sequence[EventFrame]
    parts: Mapping[str, tuple[str, ...]]
    critical: set[str]

    @cached_property
    def _parts_in_all(self) -> int:
        return len({part for parts in self.parts.values() for part in parts})

    def of(self, labels: Callable[[EventFrame], Iterable[str]], kept: _Kept) -> tuple[Thread, ...]:
        """Return the threads of one kind of label, the widest and best supported first."""
        wordings: dict[str, Counter[str]] = {}
        units: dict[str, dict[str, None]] = {}
        for frame in self.frames:
            for label in labels(frame):
                key = " ".join(terms(label))
                if key:
                    wordings.setdefault(key, Counter())[label] += 1
                    units.setdefault(key, {})[frame.unit_ids[0]] = None
        found = [self._thread(wordings[key], list(units[key])) for key in wordings]
        ranked = sorted(found, key=lambda one: (-one.coverage, -one.support))
        return tuple(one for one in ranked if self._survives(one, kept))[: kept.most]

    def _thread(self, wordings: Counter[str], unit_ids: Sequence[str]) -> Thread:
        label, *aliases = (wording for wording, _ in wordings.most_common())
        held = {part for unit_id in unit_ids for part in self.parts[unit_id]}
        return Thread(
            label=label,
            aliases=tuple(aliases),
            support=len(unit_ids),
            coverage=round(len(held) / self._parts_in_all, 4),
            first=unit_ids[0],
            last=unit_ids[-1],
            unit_ids=tuple(unit_ids),
        )

    def _survives(self, thread: Thread, kept: _Kept) -> bool:
        if thread.support >= kept.support and thread.coverage >= kept.coverage:
            return True
        is_priority = set(terms(thread.label)) <= self.critical
        return is_priority and thread.coverage >= min(_PRIORITY_COVERAGE, kept.coverage)


def _known_at(unit: Placed, frame: EventFrame | None) -> int | None:
    if frame is not None:
        return frame.known_at_us
    return unit.wall.end_us if unit.wall else None


def _hull(spans: Iterable[Span | None]) -> Span | None:
    known = [span for span in spans if span is not None]
    if not known:
        return None
    return Span(
        start_us=min(span.start_us for span in known), end_us=max(span.end_us for span in known)
    )


def _seen(frame: EventFrame) -> Sequence[str]:
    """Return what pictures show, part by part: a screen that stays is told once."""
    return _PART.split(frame.visual_record.keyframe_caption)


def _acts_of(frame: EventFrame) -> Sequence[str]:
    return frame.text_record.actions


def _larger_acts_of(frame: EventFrame) -> Sequence[str]:
    """Return the acts of a frame without the smallest movements, which coarser views drop."""
    acts = frame.text_record.actions
    return [act for act in acts if act.split()[0].casefold() not in MICRO_ACTIONS]


def _summary(found: Iterable[str], sizes: Sizes, names: Set[str] = frozenset()) -> str:
    different = list(dict.fromkeys(filter(None, found)))
    kept = telling(different, most=sizes.sentences, longest=sizes.longest, dull=DULL | names)
    return " ".join(different[place] for place in kept)


def _scenes(frames: Sequence[EventFrame], sizes: Sizes) -> Scenes | None:
    """Return where units were recorded, the commonest scene first; None where it is not known."""
    counts = Counter(filter(None, (frame.visual_record.scene for frame in frames)))
    if not counts:
        return None
    shares = [(label, count / counts.total()) for label, count in counts.most_common()]
    kept = [one for one in shares if one[1] >= sizes.scene_share][: sizes.scenes]
    return Scenes(
        dominant=shares[0][0],
        distribution=tuple(SceneShare(label=n, share=round(share, 4)) for n, share in kept),
    )


def _voices(frames: Sequence[EventFrame], sizes: Sizes) -> tuple[Voice, ...]:
    counts = Counter(name for frame in frames for name in frame.speakers)
    return tuple(
        Voice(name=name, units=units)
        for name, units in counts.most_common(sizes.speakers)
        if units >= sizes.speaker_support
    )


def _critical(lines: Sequence[CriticalLine], most: int) -> tuple[CriticalLine, ...]:
    return tuple(lines[place] for place in most_telling([line.text for line in lines], most))
