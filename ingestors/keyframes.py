"""Keyframes: few pictures that tell what a recording showed, and how long each stayed.

One pass over the packets plans what to decode (gops.py), a second decodes it. A picture that
differs from the one before opens a new shown span; of the pictures that begin in a 30-second
anchor at most three are kept, and a picture that fills a later anchor is always kept, so that
every anchor with pictures has one. Pictures are dropped as they pass: memory does not grow.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from mmem.ingestors.gops import Group, Packet, groups
from mmem.ingestors.picture import Thumb, difference, jpeg, perceptual_hash, thumb_of, upright
from mmem.ingestors.probe import Probe, opened, packet_us, probe, readable, to_us
from mmem.ingestors.reading import Picture
from mmem.schemas import Keyframe, Span
from mmem.schemas.clock import MICROSECONDS
from mmem.schemas.identity import keyframe_id

if TYPE_CHECKING:
    from av import VideoFrame
    from av.container import InputContainer
    from av.video.stream import VideoStream
    from PIL.Image import Image

ANCHOR_US = 30 * MICROSECONDS
MOST_AN_ANCHOR = 3
# Of more that begin in one anchor the briefest go at once, so that memory stays flat.
_MOST_HELD = 16
# Beyond these a picture is simply another one, and simply stays: they weigh no more.
_FULL_CHANGE = 40.0
_FULL_STAY_US = 5 * MICROSECONDS
_FULL_SPREAD_US = ANCHOR_US // MOST_AN_ANCHOR


@dataclasses.dataclass(slots=True)
class _Shown:
    """A picture and the stretch in which it stayed; `end_us` is set when the next one comes."""

    at_us: int
    thumb: Thumb
    image: Image
    end_us: int = 0


def pictures(path: Path, source_id: str, *, found: Probe | None = None) -> Iterator[Picture]:
    """Yield a recording's keyframes in time order, or nothing when it has no video.

    A keyframe's time is its packet's presentation time. Consecutive near-duplicates are one
    keyframe with a longer shown span; a picture that comes back later is a new one. Packets that
    cannot be decoded are passed over. Raises DamagedFile.
    """
    found = found or probe(path)
    if found.video is None:
        return
    stream = found.video.index
    for ordinal, shown in enumerate(_kept(_shown(path, found, stream))):
        yield _picture(shown, source_id, stream=stream, ordinal=ordinal)


def _picture(shown: _Shown, source_id: str, *, stream: int, ordinal: int) -> Picture:
    identity = keyframe_id(source_id, stream, shown.at_us)
    keyframe = Keyframe(
        id=identity,
        source_id=source_id,
        ordinal=ordinal,
        locator=f"stream {stream} at {shown.at_us / MICROSECONDS:.3f} s",
        stream=stream,
        time_us=shown.at_us,
        shown=Span(start_us=shown.at_us, end_us=shown.end_us),
        file=f"{identity}.jpg",
        width=shown.image.width,
        height=shown.image.height,
        perceptual_hash=perceptual_hash(shown.image),
    )
    return Picture(keyframe=keyframe, jpeg=jpeg(shown.image))


def _shown(path: Path, found: Probe, index: int) -> Iterator[_Shown]:
    """Yield every different picture once its end is known."""
    current: _Shown | None = None
    with opened(path) as container:
        stream = _stream(container, index)
        aspect = stream.sample_aspect_ratio or None
        end_us = 0
        for frame in _wanted(path, container, stream):
            base = stream.time_base
            at_us = (to_us(frame.pts, base) or 0) - found.origin_us
            end_us = at_us + (to_us(frame.duration, base) or 0)
            thumb = thumb_of(frame)
            if current is not None:
                if at_us <= current.at_us or difference(current.thumb, thumb) < 1:
                    continue
                current.end_us = at_us
                yield current
            current = _Shown(at_us, thumb, upright(frame, aspect))
    if current is not None:
        current.end_us = max(found.duration_us, end_us, current.at_us + 1)
        yield current


def _wanted(path: Path, container: InputContainer, stream: VideoStream) -> Iterator[VideoFrame]:
    """Yield the frames that the plan wants, in presentation order."""
    stream.codec_context.thread_type = "AUTO"
    due: deque[int] = deque()
    for frame in _decoded(container, stream, _plan(path, stream.index), due):
        at_us = to_us(frame.pts, stream.time_base)
        if at_us is None or frame.is_corrupt or not due or at_us < due[0]:
            continue
        while due and due[0] <= at_us:
            due.popleft()
        yield frame


def _plan(path: Path, index: int) -> list[Group]:
    with opened(path) as container:
        return list(groups(_sizes(container, _stream(container, index))))


def _stream(container: InputContainer, index: int) -> VideoStream:
    return next(one for one in container.streams.video if one.index == index)


def _sizes(container: InputContainer, stream: VideoStream) -> Iterator[Packet]:
    first = True
    for packet in readable(container, [stream]):
        at_us = packet_us(packet)
        if at_us is not None:
            key = packet.is_keyframe or first
            yield Packet(at_us=at_us, size=packet.size, key=key, hidden=packet.is_discard)
            first = False


def _decoded(
    container: InputContainer, stream: VideoStream, plan: list[Group], due: deque[int]
) -> Iterator[VideoFrame]:
    """Yield decoded frames, feeding only packets that the plan needs.

    The wanted times of each group are added to `due` as it begins.
    """
    import av

    place, group = -1, Group(wanted=(), whole=False)
    for packet in readable(container, [stream]):
        key = (packet.is_keyframe or place < 0) and packet_us(packet) is not None
        if key:
            place += 1
            group = plan[place] if place < len(plan) else Group(wanted=(), whole=False)
            due.extend(group.wanted)
        if not group.wanted or not (key or _needed(packet.dts, packet.time_base, group)):
            continue
        try:
            yield from stream.decode(packet)
        except av.error.FFmpegError:
            continue
    try:
        yield from stream.codec_context.decode(None)
    except av.error.FFmpegError:
        return


def _needed(dts: int | None, time_base: Fraction, group: Group) -> bool:
    """Tell whether a packet after the key packet must be decoded to reach the last wanted one."""
    at_us = to_us(dts, time_base)
    return group.whole and (at_us is None or at_us <= group.wanted[-1])


def _kept(shown: Iterator[_Shown]) -> Iterator[_Shown]:
    """Yield at most three pictures of those that begin in one anchor, in time order."""
    held: list[_Shown] = []
    for picture in shown:
        if held and _anchor(picture.at_us) != _anchor(held[0].at_us):
            yield from _best(held, following=_anchor(picture.at_us))
            held = []
        held.append(picture)
        if len(held) > _MOST_HELD:
            held.remove(min(held[:-1], key=lambda one: one.end_us - one.at_us))
    if held:
        yield from _best(held, following=_anchor(held[-1].end_us - 1) + 1)


def _anchor(at_us: int) -> int:
    return at_us // ANCHOR_US


def _best(held: list[_Shown], *, following: int) -> list[_Shown]:
    """Choose by visual change: each next pick is the one least like those already picked, that
    stays, and is far from them in time.

    `following` is the next anchor in which a picture begins. The last picture is picked first if
    it alone fills an anchor before that.
    """
    fills = following > _anchor(held[0].at_us) + 1
    picks = [held[-1] if fills else max(held, key=lambda one: one.end_us - one.at_us)]
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
    stay = min(1.0, (one.end_us - one.at_us) / _FULL_STAY_US)
    apart = min(abs(one.at_us - pick.at_us) for pick in picks)
    spread = 0.25 + 0.75 * min(1.0, apart / _FULL_SPREAD_US)
    return min(change, _FULL_CHANGE) * stay * spread
