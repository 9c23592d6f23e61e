"""What the pictures of a recording show: names of things over a few frames, and colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np

from mmem.derive.colours import colours_of
from mmem.errors import DamagedFile, MissingExtra
from mmem.ingestors.clips import ClipReader, Frames, clips
from mmem.ports import FloatArray, Labeller
from mmem.schemas import Keyframe
from mmem.schemas.atoms import Label
from mmem.schemas.clock import MICROSECONDS
from mmem.stores.library import Library

_A_WRITE = 16
_FRAMES = 4
_STRETCH_US = 4 * MICROSECONDS
_LEAST, _MOST = 0.05, 5


def name_pictures(
    library: Library,
    keyframes: Sequence[Keyframe],
    *,
    recording: Path | None,
    labeller: Labeller | None,
    told: Callable[[int], None],
) -> str:
    """Store keyframes with their colours and labels (none without a labeller); tell what read them.

    `recording` is opened for its frames; `told` gets the media offset that is done. Raises
    DamagedFile.
    """
    opened = clips(recording) if recording is not None and labeller is not None else nullcontext()
    bodies: Counter[str] = Counter()
    with opened as reader:
        for start in range(0, len(keyframes), _A_WRITE):
            batch = []
            for keyframe in keyframes[start : start + _A_WRITE]:
                frames = None if reader is None else frames_of(keyframe, reader)
                labels = () if frames is None or labeller is None else labels_of(frames, labeller)
                bodies[frames.body if frames else ""] += 1
                colours = _colours(library.media.path(keyframe.file))
                batch.append(keyframe.model_copy(update={"labels": labels, "colours": colours}))
                told(keyframe.shown.end_us)
            library.put_atoms(batch)
    unread = bodies.pop("", 0)
    parts = [f"frames by {' and '.join(sorted(bodies))}"] if bodies else []
    parts += [f"{unread} could not be decoded again"] if unread and recording else []
    return ", ".join(parts)


def installed(labeller: Callable[[], Labeller] | None) -> tuple[Labeller | None, str]:
    """Return what names things, None where it is not installed, with the reason."""
    try:
        return (labeller() if labeller else None), ""
    except MissingExtra as missing:
        return None, str(missing)


def frames_of(keyframe: Keyframe, reader: ClipReader) -> Frames | None:
    """Return frames of the first seconds in which a picture stayed; None where none is left."""
    stretch_us = min(keyframe.shown.end_us - keyframe.time_us, _STRETCH_US)
    times = [keyframe.time_us + number * stretch_us // _FRAMES for number in range(_FRAMES)]
    try:
        return reader.frames_at(times)
    except DamagedFile:
        return None


def labels_of(frames: Frames, labeller: Labeller) -> tuple[Label, ...]:
    """Return the likeliest names over some frames; one that was asked for twice counts once."""
    kept = sorted({at_us: row for row, at_us in enumerate(frames.times_us)}.values())
    return _best(labeller.label(frames.pixels[kept]).mean(axis=0), labeller.names)


def _best(probabilities: FloatArray, names: Sequence[str]) -> tuple[Label, ...]:
    """Return at most five names of at least 0.05, rounded, so that last bits leave no trace."""
    rounded = np.round(probabilities.astype(np.float64), 2)
    order = sorted(range(len(names)), key=lambda row: (-rounded[row], row))[:_MOST]
    return tuple(
        Label(name=names[row], probability=float(rounded[row]))
        for row in order
        if rounded[row] >= _LEAST
    )


def _colours(picture: Path) -> tuple[str, ...]:
    from PIL import Image

    with Image.open(picture) as image:
        return colours_of(np.asarray(image.convert("RGB"), np.uint8))
