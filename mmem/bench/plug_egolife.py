"""Event recall through `Memory`, as the EgoLifeQA harness asks for it.

The harness loads the module `mmem.bench.plug_egolife`. Clips go in as one EgoLife sync file;
a question is `Memory.search` with `as_of` at the end of the last whole clip before it, since the
harness knows no part of a clip.
"""

from __future__ import annotations

import bisect
import dataclasses
import datetime as dt
import functools
import json
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mmem.bench.remembering import Remembering
from mmem.memory import Memory
from mmem.models.text import MiniLM

_DAY_S = 86_400
_FIRST_DAY = dt.datetime(2024, 1, 1)
"""The date that the EgoLife reader assumes for day 1."""

Clip = Mapping[str, object]


@dataclasses.dataclass(frozen=True)
class Index:
    """A memory of the clips by start, in hundredths of a second; `ends` ascend, in seconds."""

    memory: Memory
    clip_at: Mapping[int, Clip]
    ends: Sequence[float]


def build(clips: Sequence[Clip]) -> Index:
    """Return a memory of the clips."""
    folder = Path(tempfile.mkdtemp(prefix="mmem-bench-"))
    path = folder / "A1_JAKE.json"
    path.write_text(json.dumps([_sync(clip) for clip in clips]), encoding="utf-8")
    memory = Memory(folder / "memory", encoder=_encoder())
    (report,) = memory.add(path)
    if report.failed:
        raise RuntimeError(f"the clips could not be added: {report}")
    first_day = min(int(str(clip["day"])) for clip in clips)
    midnight = first_day * _DAY_S
    starts = {_hundredths(_start(clip) - midnight): clip for clip in clips}
    index = Index(memory, starts, sorted(_end(clip) for clip in clips))
    weakref.finalize(index, shutil.rmtree, folder, ignore_errors=True)
    return index


@functools.cache
def _encoder() -> Remembering:
    """Return one encoder for all builds: `--prefix-check` builds memories of the same clips."""
    return Remembering(MiniLM(threads=2))


def search(index: Index, query: str, query_time: float, k: int) -> list[tuple[str, float]]:
    """Return (clip id, 1 / place), best first; `query.choices` are possible answers, if there.

    The harness ranks by what is returned with a clip, and a hit that was chosen may come before
    one of a higher score.
    """
    visible = bisect.bisect_right(index.ends, query_time)
    if not visible:
        return []
    options = [str(option) for option in getattr(query, "choices", ())]
    evidence = index.memory.search(
        str(query),
        k=k,
        as_of=_moment(index.ends[visible - 1]),
        now=_moment(query_time),
        options=options,
    )
    found = [index.clip_at[_hundredths(hit.start_s or 0.0)] for hit in evidence.hits]
    places = enumerate((clip for clip in found if _end(clip) <= query_time), start=1)
    return [(str(clip["id"]), 1 / place) for place, clip in places]


def _sync(clip: Clip) -> dict[str, object]:
    captions = [
        {"start": _clock(s), "end": _clock(e), "text": text, "type": "caption"}
        for s, e, text in _rows(clip, "caption")
    ]
    spoken = [
        {"start": _clock(s), "end": _clock(e), "text": f"{who}: {text}", "type": "transcript"}
        for s, e, who, text in _rows(clip, "transcript")
    ]
    return {"video_file": f"{clip['id']}.mp4", "data": [*captions, *spoken]}


def _rows(clip: Clip, name: str) -> list[tuple[Any, ...]]:
    rows = clip[name]
    assert isinstance(rows, list)
    return rows


def _clock(seconds: float) -> int:
    """Return absolute seconds as the number HHMMSS that sync files hold."""
    of_day = int(seconds) % _DAY_S
    return of_day // 3600 * 10_000 + of_day // 60 % 60 * 100 + of_day % 60


def _start(clip: Clip) -> float:
    return float(str(clip["start"]))


def _end(clip: Clip) -> float:
    return float(str(clip["end"]))


def _moment(seconds: float) -> dt.datetime:
    """Return absolute seconds (day 1 begins at 86,400) as the wall time that the reader assumes."""
    return _FIRST_DAY + dt.timedelta(seconds=seconds - _DAY_S)


def _hundredths(seconds: float) -> int:
    """Return seconds as whole hundredths: clips start at frames, 20 a second."""
    return round(seconds * 100)
