"""Which transcript belongs to which recording: files of one stem in one folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from mmem.ingestors.narration import NARRATION
from mmem.schemas import Clock, Source

_INHERITED = "its recording: "
_LANGUAGE = re.compile(r"\.[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$")


def stem_key(location: str) -> tuple[str, str]:
    """Return (folder, stem) of a file, without a language ending such as ".en".

    >>> stem_key("talks/standup.en.vtt") == stem_key("talks/standup.mp4")
    True
    """
    path = Path(location)
    return str(path.parent), _LANGUAGE.sub("", path.stem)


def related(sources: Sequence[Source]) -> list[Source]:
    """Return the transcripts whose `about` or clock is not what the live sources say.

    A transcript is about the recording that lies beside it, the first by id where several do, and
    its times count from that recording's start. The result depends on the set of sources alone.
    """
    recordings = [source for source in sources if source.kind == "recording"]
    beside: dict[tuple[str, str], Source] = {}
    for recording in sorted(recordings, key=lambda source: source.id, reverse=True):
        for key in _keys(recording):
            beside[key] = recording
    changed = []
    for source in sources:
        if source.kind == "transcript":
            fresh = _about(source, [beside[key] for key in _keys(source) if key in beside])
            if fresh != source:
                changed.append(fresh)
    return changed


def shown_beside(sources: Iterable[Source]) -> dict[str, tuple[str, ...]]:
    """Return recording id -> ids of what lies beside it and whose lines its anchors hold.

    That is one transcript and one narration at most.
    """
    best: dict[tuple[str, bool], Source] = {}
    for source in sources:
        if source.about is not None:
            key = (source.about, is_narration(source))
            rival = best.get(key)
            if rival is None or _rank(source) > _rank(rival):
                best[key] = source
    found: dict[str, tuple[str, ...]] = {}
    for (recording, _), source in sorted(best.items()):
        found[recording] = (*found.get(recording, ()), source.id)
    return found


def is_narration(source: Source) -> bool:
    """Tell whether the lines of a source say what is seen, not what is said."""
    return source.format == NARRATION


def _rank(source: Source) -> tuple[int, int, str]:
    """Order transcripts of one recording: most voices, then most lines, then id."""
    return (len(source.participants), sum(r.count for r in source.revisions), source.id)


def _keys(source: Source) -> Iterable[tuple[str, str]]:
    return sorted({stem_key(place) for r in source.revisions for place in r.locations})


def _inherited(clock: Clock) -> Clock:
    return clock.model_copy(update={"basis": f"{_INHERITED}{clock.basis}"})


def _about(transcript: Source, recordings: Sequence[Source]) -> Source:
    recording = min(recordings, key=lambda source: source.id, default=None)
    clock = transcript.clock
    if clock.basis.startswith(_INHERITED) or clock.confidence != "stated":
        clock = Clock() if recording is None else _inherited(recording.clock)
    return transcript.model_copy(
        update={"about": recording.id if recording else None, "clock": clock}
    )
