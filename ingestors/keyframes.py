"""Keyframes: few pictures that tell what a recording showed, and how long each stayed.

A picture that differs from the one before (glances.py says where to look) opens a new shown span;
of the pictures that begin in a 30-second anchor at most three are kept, and a picture that fills a
later anchor is always kept, so that every anchor with pictures has one. The stretch of one that is
not kept goes to the neighbour that looks more like it: spans have no holes. Pictures are dropped as
they pass: memory does not grow.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from mmem.ingestors.container import opened
from mmem.ingestors.glances import Glance, glances
from mmem.ingestors.picture import (
    Reduced,
    Thumb,
    Thumbnailer,
    difference,
    jpeg,
    perceptual_hash,
    turn_of,
)
from mmem.ingestors.probe import Probe, probe
from mmem.ingestors.reading import Damage, Picture
from mmem.schemas import Keyframe, Span
from mmem.schemas.clock import MICROSECONDS
from mmem.schemas.identity import keyframe_id

if TYPE_CHECKING:
    from av import VideoFrame
    from PIL.Image import Transpose

ANCHOR_US = 30 * MICROSECONDS
MOST_AN_ANCHOR = 3
# Of more that begin in one anchor the briefest go at once, so that memory stays flat.
_MOST_HELD = 16
# A picture that has just come is still being drawn, and sharpened by the encoder.
_SETTLING_US = MICROSECONDS
# Beyond these a picture is simply another one, and simply stays: they weigh no more.
_FULL_CHANGE = 40.0
_FULL_STAY_US = 5 * MICROSECONDS
_FULL_SPREAD_US = ANCHOR_US // MOST_AN_ANCHOR


@dataclasses.dataclass(slots=True)
class _Shown:
    """A picture and the stretch in which it stayed; `at_us` is when it was first there.

    `reduced` is None for one that was let go.
    """

    at_us: int
    end_us: int
    thumb: Thumb
    reduced: Reduced | None


def pictures(
    path: Path, source_id: str, *, found: Probe | None = None, damage: Damage | None = None
) -> Iterator[Picture]:
    """Yield a recording's keyframes in time order, or nothing when it has no video.

    A keyframe's time is the presentation time of the first picture looked at that shows what it
    shows; its pixels may be those of a near-duplicate of the second after. Consecutive
    near-duplicates are one keyframe with a longer shown span; a picture that comes back later is a
    new one. Shown spans follow each other from the first picture to the end. Packets that cannot
    be decoded are passed over. Raises DamagedFile.
    """
    found = found or probe(path)
    if found.video is None:
        return
    stream = found.video.index
    for ordinal, (shown, span) in enumerate(_kept(_shown(path, found, stream, damage))):
        yield _picture(shown, span, source_id=source_id, stream=stream, ordinal=ordinal)


def _picture(shown: _Shown, span: Span, *, source_id: str, stream: int, ordinal: int) -> Picture:
    assert shown.reduced is not None
    image = shown.reduced.upright()
    identity = keyframe_id(source_id, stream, shown.at_us)
    keyframe = Keyframe(
        id=identity,
        source_id=source_id,
        ordinal=ordinal,
        locator=f"stream {stream} at {shown.at_us / MICROSECONDS:.3f} s",
        stream=stream,
        time_us=shown.at_us,
        shown=span,
        file=f"{identity}.jpg",
        width=image.width,
        height=image.height,
        perceptual_hash=perceptual_hash(image),
    )
    return Picture(keyframe=keyframe, jpeg=jpeg(image))


def _shown(path: Path, found: Probe, index: int, damage: Damage | None) -> Iterator[_Shown]:
    """Yield every different picture once its end is known."""
    aspect, turn = _aspect(path, index), None
    current: _Current | None = None
    thumbs = Thumbnailer()
    for glance in glances(path, index, origin_us=found.origin_us, damage=damage or Damage()):
        if current is None:
            turn = turn_of(glance.frame)
            current = _Current.of(glance, glance.at_us)
        elif glance.at_us > current.seen_us and not current.goes_on(glance):
            begin_us = _first_like(glance, thumbs, after_us=current.seen_us)
            yield current.ended(begin_us, aspect=aspect, turn=turn)
            current = _Current.of(glance, begin_us)
    if current is not None:
        end_us = max(found.duration_us, current.last_us, current.at_us + 1)
        yield current.ended(end_us, aspect=aspect, turn=turn)


def _aspect(path: Path, index: int) -> Fraction | None:
    """Return the width of a pixel of a stream over its height, None where it does not say."""
    with opened(path) as container:
        stream = next(one for one in container.streams.video if one.index == index)
        return stream.sample_aspect_ratio or None


@dataclasses.dataclass(slots=True)
class _Current:
    """The picture that is there: since when, when last seen, and how it looked once settled."""

    at_us: int
    seen_us: int
    last_us: int
    thumb: Thumb
    frame: VideoFrame

    @classmethod
    def of(cls, glance: Glance, at_us: int) -> _Current:
        """Begin with a glance at a picture that was first there at `at_us`."""
        return cls(at_us, glance.at_us, glance.end_us, glance.thumb, glance.frame)

    def goes_on(self, glance: Glance) -> bool:
        """Tell whether a later glance shows the same picture still; take it in if so."""
        if difference(self.thumb, glance.thumb) >= 1:
            return False
        self.seen_us, self.last_us = glance.at_us, glance.end_us
        if glance.at_us - self.at_us <= _SETTLING_US:
            self.thumb, self.frame = glance.thumb, glance.frame
        return True

    def ended(self, end_us: int, *, aspect: Fraction | None, turn: Transpose | None) -> _Shown:
        """Return it as one that was shown until `end_us`."""
        reduced = Reduced.of(self.frame, aspect=aspect, turn=turn)
        return _Shown(self.at_us, end_us, self.thumb, reduced)


def _first_like(glance: Glance, thumbs: Thumbnailer, *, after_us: int) -> int:
    """Return the time of the first picture, of those right before, that looks like a glance."""
    begin_us = glance.at_us
    for at_us, frame in reversed(glance.before):
        if not after_us < at_us < begin_us:
            break
        if difference(thumbs.thumb_of(frame), glance.thumb) >= 1:
            break
        begin_us = at_us
    return begin_us


def _kept(shown: Iterator[_Shown]) -> Iterator[tuple[_Shown, Span]]:
    """Yield at most three pictures of those that begin in one anchor, and their stretches."""
    begin_us: int | None = None
    kept: _Shown | None = None
    left: list[_Shown] = []
    for picture, is_kept in _judged(shown):
        begin_us = picture.at_us if begin_us is None else begin_us
        if not is_kept:
            left.append(picture)
            continue
        if kept is not None:
            border_us = _border(kept, left, picture)
            yield kept, Span(start_us=begin_us, end_us=border_us)
            begin_us = border_us
        kept, left = picture, []
    if kept is not None and begin_us is not None:
        yield kept, Span(start_us=begin_us, end_us=[kept, *left][-1].end_us)


def _border(before: _Shown, left: list[_Shown], after: _Shown) -> int:
    """Return where the stretch of one kept picture ends and that of the next begins."""
    for one in left:
        if difference(one.thumb, after.thumb) < difference(one.thumb, before.thumb):
            return one.at_us
    return after.at_us


def _judged(shown: Iterator[_Shown]) -> Iterator[tuple[_Shown, bool]]:
    """Yield every picture, in time order, with whether it is kept."""
    held: list[_Shown] = []
    for picture in shown:
        if held and _anchor(picture.at_us) != _anchor(held[0].at_us):
            yield from _chosen(held, following=_anchor(picture.at_us))
            held = []
        held.append(picture)
        _let_go(held)
    if held:
        yield from _chosen(held, following=_anchor(held[-1].end_us - 1) + 1)


def _let_go(held: list[_Shown]) -> None:
    """Drop the pixels of the briefest picture where too many are held; the last one stays."""
    whole = [one for one in held if one.reduced is not None]
    if len(whole) > _MOST_HELD:
        min(whole[:-1], key=_stay).reduced = None


def _chosen(held: list[_Shown], *, following: int) -> Iterator[tuple[_Shown, bool]]:
    best = {id(one) for one in _best([o for o in held if o.reduced], following=following)}
    for one in held:
        yield one, id(one) in best


def _stay(one: _Shown) -> int:
    return one.end_us - one.at_us


def _anchor(at_us: int) -> int:
    return at_us // ANCHOR_US


def _best(held: list[_Shown], *, following: int) -> list[_Shown]:
    """Choose by visual change: each next pick is the one least like those already picked, that
    stays, and is far from them in time.

    `following` is the next anchor in which a picture begins. The last picture is picked first if
    it alone fills an anchor before that.
    """
    fills = following > _anchor(held[0].at_us) + 1
    picks = [held[-1] if fills else max(held, key=_stay)]
    while len(picks) < min(MOST_AN_ANCHOR, len(held)):
        best = max(held, key=lambda one: _novelty(one, picks))
        if not _novelty(best, picks):
            break
        picks.append(best)
    return sorted(picks, key=lambda one: one.at_us)


def _novelty(one: _Shown, picks: list[_Shown]) -> float:
    change = min(difference(one.thumb, pick.thumb) for pick in picks)
    if change < 1:
        return 0.0
    stay = min(1.0, _stay(one) / _FULL_STAY_US)
    apart = min(abs(one.at_us - pick.at_us) for pick in picks)
    spread = 0.25 + 0.75 * min(1.0, apart / _FULL_SPREAD_US)
    return min(change, _FULL_CHANGE) * stay * spread
