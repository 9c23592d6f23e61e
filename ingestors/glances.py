"""Glances at a video: key pictures, and what lies between two that differ, in one pass.

Two threads work ahead of the caller, each a few steps: one reads packets and decodes key pictures
alone, the next decodes what lies between. What is looked at depends on packets and key pictures
only, so that the glances are those of one thread that does all in turn.

Packets since the last key picture that was looked at are held. When the next one comes it is
decoded alone; if the two differ, and packet sizes say that something happened between them, the
packets between are decoded too, as far as the budget goes. A group of pictures that is longer
than an anchor is always decoded. What is held is bounded, whatever the recording.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mmem.ingestors.ahead import ahead
from mmem.ingestors.container import opened, packet_us, readable, to_us
from mmem.ingestors.gops import Budget, Packet, worth_a_look
from mmem.ingestors.picture import Thumb, Thumbnailer, difference
from mmem.ingestors.reading import Damage
from mmem.schemas.clock import MICROSECONDS

if TYPE_CHECKING:
    import av
    from av import VideoFrame
    from av.container import InputContainer
    from av.video.stream import VideoStream

# Key pictures lie at least so far apart where the budget is spent, and where it is not.
_SPACING_US = MICROSECONDS
_WIDE_SPACING_US = 5 * MICROSECONDS
_LONG_US = 30 * MICROSECONDS
_MOST_BYTES = 32 << 20
_MOST_PACKETS = 20_000
_MOST_THREADS = 4
# Beyond so many pixels a second (HD at 20), pictures that no other one needs are passed over.
_MANY_PIXELS = 20 * 1280 * 720
# What has come to nothing by the next key picture (a pointer moved) has less of the budget.
_FULL_SHARE, _SMALL_SHARE = 1.0, 0.3
_MOST_BEFORE_BYTES = 48 << 20


@dataclasses.dataclass(frozen=True, slots=True)
class Glance:
    """A picture that was looked at, on the media clock; `before` are those decoded since the last.

    `before` may be cut to the latest ones, and is empty where nothing between was decoded.
    """

    at_us: int
    end_us: int
    frame: VideoFrame
    thumb: Thumb
    before: tuple[tuple[int, VideoFrame], ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class _Stretch:
    """Packets to decode, and the times to look at; `ends` where a key packet comes next."""

    packets: tuple[av.Packet[VideoStream], ...]
    looks: tuple[int, ...]
    ends: bool


Step = Glance | _Stretch


def glances(path: Path, index: int, *, origin_us: int, damage: Damage) -> Iterator[Glance]:
    """Yield the glances at a stream, in file order; `origin_us` is media offset 0.

    Packets that cannot be decoded are passed over and noted. Raises DamagedFile.
    """
    with opened(path) as container, opened(path) as twin:
        stream, alone = _stream(container, index), _stream(twin, index)
        steps = ahead(_steps(container, stream, _Walk(alone, origin_us, damage)))
        inside = _Decoder(stream, origin_us, damage, threads=_MOST_THREADS)
        yield from ahead(_decoded(steps, inside))


def _steps(container: InputContainer, stream: VideoStream, walk: _Walk) -> Generator[Step]:
    """Yield the key pictures, decoded, and the stretches that are to be decoded before each."""
    for packet in readable(container, [stream], walk.damage):
        if (at_us := packet_us(packet)) is not None:
            yield from walk.take(packet, at_us - walk.origin_us)
    yield from walk.rest()


def _decoded(steps: Generator[Step], inside: _Decoder) -> Generator[Glance]:
    """Yield the glances of all steps."""
    with contextlib.closing(steps):
        for step in steps:
            if isinstance(step, Glance):
                yield step
            else:
                yield from inside.seen(step)


def _stream(container: InputContainer, index: int) -> VideoStream:
    return next(one for one in container.streams.video if one.index == index)


class _Walk:
    """One pass over a stream's packets."""

    def __init__(self, alone: VideoStream, origin_us: int, damage: Damage) -> None:
        self.origin_us = origin_us
        self.damage = damage
        self._alone = _Decoder(alone, origin_us, damage, threads=1)
        self._pixels = max(1, alone.width * alone.height)
        self._budget = Budget(self._pixels)
        self._last: Glance | None = None
        self._held: list[tuple[Packet, av.Packet[VideoStream]]] = []
        self._bytes = self._checked = 0
        self._sure = False  # the first packet held was looked at, alone
        self._open = False  # a long group: its beginning is in the decoder already
        self._begun = False

    def take(self, raw: av.Packet[VideoStream], at_us: int) -> Iterator[Step]:
        """Take the next packet; yield what there is to see before it, and at it."""
        first, self._begun = not self._begun, True
        packet = Packet(at_us, raw.size, raw.is_keyframe or first, raw.is_discard)
        self._budget.earn(at_us)
        if packet.key and self._is_due(packet) and (glance := self._key(raw, at_us)):
            yield from self._between(glance)
            yield glance
            self._last, self._sure = glance, True
        self._held.append((packet, raw))
        self._bytes += packet.size
        if self._is_long(packet):
            yield self._stretch(self._looks(), all_of=True)
            self._open = True
            self._drop()

    def rest(self) -> Iterator[Step]:
        """Yield what there is to see after the last key picture."""
        yield from self._between(None)

    def _is_due(self, packet: Packet) -> bool:
        if packet.hidden:
            return False
        if self._last is None or self._open:
            return True
        since = packet.at_us - self._last.at_us
        if since >= _WIDE_SPACING_US or 2 * self._bytes > _MOST_BYTES:
            return True
        return since >= _SPACING_US and self._budget.has_for_key

    def _key(self, raw: av.Packet[VideoStream], at_us: int) -> Glance | None:
        self._budget.spend_on_key()
        for at, frame in (*self._alone.take(raw), *self._alone.flush()):
            return self._alone.glance_at(at_us if at is None else at, frame)
        return None

    def _is_long(self, packet: Packet) -> bool:
        """Tell whether what is held is to be decoded now, so that it can be let go."""
        if self._bytes > _MOST_BYTES or len(self._held) > _MOST_PACKETS:
            return True
        if packet.at_us - self._held[0][0].at_us < _LONG_US or len(self._held) < self._checked:
            return False
        self._checked = 2 * len(self._held)
        return bool(self._looks())

    def _between(self, following: Glance | None) -> Iterator[Step]:
        """Yield what is to be decoded of the packets held, if it is worth it; let go of them."""
        if self._held and self._is_wanted(looks := self._looks(), following):
            yield self._stretch(looks, all_of=self._open or not self._sure)
        if self._open:
            yield _Stretch((), (), ends=True)
        self._open = self._sure = False
        self._drop()

    def _stretch(self, looks: list[int], *, all_of: bool) -> _Stretch:
        last = len(self._held)
        if not all_of:
            last = 1 + max(n for n, (p, _) in enumerate(self._held) if p.at_us <= looks[-1])
        packets = tuple(raw for _, raw in self._held[:last])
        return _Stretch(packets, tuple(looks), ends=not all_of)

    def _drop(self) -> None:
        self._held, self._bytes, self._checked = [], 0, 0

    def _looks(self) -> list[int]:
        """Return the times to look at; all of them lie after a first packet looked at alone."""
        packets = [packet for packet, _ in self._held]
        looks = worth_a_look(packets, self._pixels)
        if not self._sure:
            looks = sorted({*looks, *[p.at_us for p in packets if not p.hidden][:1]})
        return looks

    def _is_wanted(self, looks: list[int], following: Glance | None) -> bool:
        if self._open or not self._sure:
            return True
        if not looks:
            return False
        assert self._last is not None
        differs = following is None or difference(self._last.thumb, following.thumb) >= 1
        share = _FULL_SHARE if differs else _SMALL_SHARE
        packets = (packet for packet, _ in self._held if packet.at_us <= looks[-1])
        return self._budget.spend_on(packets, looks=len(looks), share=share)


class _Decoder:
    """A stream's decoder, and the times at which its pictures are still to be looked at."""

    def __init__(
        self, stream: VideoStream, origin_us: int, damage: Damage, *, threads: int
    ) -> None:
        self._damage = damage
        self._context = stream.codec_context
        self._context.thread_count = threads
        self._context.thread_type = "AUTO"
        self._time_base = stream.time_base
        self._origin_us = origin_us
        rate = float(stream.average_rate or 0) * stream.width * stream.height
        if threads > 1 and rate > _MANY_PIXELS:
            self._context.skip_frame = "NONREF"
        self._due: deque[int] = deque()
        self._before: deque[tuple[int, VideoFrame]] = deque()
        self._thumbs = Thumbnailer()

    def seen(self, stretch: _Stretch) -> Iterator[Glance]:
        """Decode a stretch; yield the glances at what is to be looked at."""
        self._due.extend(stretch.looks)
        for raw in stretch.packets:
            yield from self._glances(self.take(raw))
        if not stretch.ends:
            return
        yield from self._glances(self.flush())
        if self._due and self._before:  # the last picture in between was still to be looked at
            yield self.glance_at(*self._before.pop())
        self._due.clear()
        self._before.clear()

    def _glances(self, frames: Iterable[tuple[int | None, VideoFrame]]) -> Iterator[Glance]:
        for at_us, frame in frames:
            if glance := self._glance(at_us, frame):
                yield glance

    def take(self, raw: av.Packet[VideoStream]) -> list[tuple[int | None, VideoFrame]]:
        """Return the pictures that come out when a packet goes in."""
        import av

        try:
            return [(self._media_us(frame.pts), frame) for frame in self._context.decode(raw)]
        except av.error.FFmpegError as error:
            self._damage.note(error)
            return []

    def flush(self) -> list[tuple[int | None, VideoFrame]]:
        """Return the pictures still held back, and make ready for another key packet."""
        import av

        try:
            found = [(self._media_us(frame.pts), frame) for frame in self._context.decode(None)]
        except av.error.FFmpegError as error:
            self._damage.note(error)
            found = []
        self._context.flush_buffers()
        return found

    def _glance(self, at_us: int | None, frame: VideoFrame) -> Glance | None:
        """Return the glance at a picture if it is due; else keep it as one in between."""
        if at_us is None or frame.is_corrupt:
            return None
        if not self._due or at_us < self._due[0]:
            self._before.append((at_us, frame))
            if len(self._before) * frame.width * frame.height * 3 // 2 > _MOST_BEFORE_BYTES:
                self._before.popleft()
            return None
        while self._due and self._due[0] <= at_us:
            self._due.popleft()
        return self.glance_at(at_us, frame)

    def glance_at(self, at_us: int, frame: VideoFrame) -> Glance:
        """Return the glance at a picture, with those in between."""
        before = tuple(self._before)
        self._before.clear()
        end_us = at_us + (to_us(frame.duration, self._time_base) or 0)
        return Glance(at_us, end_us, frame, self._thumbs.thumb_of(frame), before)

    def _media_us(self, pts: int | None) -> int | None:
        at_us = to_us(pts, self._time_base)
        return None if at_us is None else at_us - self._origin_us
