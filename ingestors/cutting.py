"""Cutting a stretch out of a recording, without encoding it again."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmem.errors import ConfigError, DamagedFile
from mmem.ingestors.container import opened, packet_us, to_us
from mmem.ingestors.probe import probe
from mmem.schemas.clock import MICROSECONDS

if TYPE_CHECKING:
    from av import Packet
    from av.container import InputContainer, OutputContainer
    from av.stream import Stream

# How far before a cut its key picture is looked for, further each time.
_BACK_US = tuple(MICROSECONDS * seconds for seconds in (0, 2, 8, 32, 128, 512, 86_400))


def cut_out(path: Path, target: Path, *, start_us: int, end_us: int) -> None:
    """Write [start, end) of a recording's media clock to a new file of the same kind.

    Packets are copied, so the cut begins at the last picture before `start_us` that stands for
    itself. The file is there once it is whole. Raises ConfigError when the target exists,
    DamagedFile when nothing can be cut.
    """
    import av

    if target.exists():
        raise ConfigError(f"{target} exists already", hint="name another file with --out")
    found = probe(path)
    chosen = [track.index for track in (found.video, found.sound) if track]
    part = target.with_name(f".{target.stem}.part{target.suffix}")
    stretch = found.origin_us + start_us, found.origin_us + end_us
    try:
        with opened(path) as source, av.open(str(part), "w") as copy:
            streams = [source.streams[index] for index in chosen]
            begin_us = _begin(source, streams[0], stretch[0], found.origin_us)
            written = _copied(source, copy, streams, (begin_us, stretch[1]))
        if not written:
            raise DamagedFile(f"{path.name}: there is nothing in that stretch")
        part.replace(target)
    except (av.error.FFmpegError, ValueError) as error:
        raise DamagedFile(
            f"{path.name}: this stretch cannot be copied into {target.suffix or 'a file'}: {error}",
            hint="name a file that ends in .mkv with --out",
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _begin(source: InputContainer, stream: Stream, start_us: int, origin_us: int) -> int:
    """Return where a copy is to begin, and stand before it: the last key packet before a time.

    A container without an index is sought by bytes and may land behind the last key packet, then
    the search begins earlier. All times are on the container's clock.
    """
    for back_us in _BACK_US:
        early_us = max(start_us - back_us, origin_us)
        keys = [start_us] if stream.type == "audio" else _keys(source, stream, early_us, start_us)
        if keys or early_us == origin_us:
            break
    begin_us = keys[-1] if keys else origin_us
    _seek(source, early_us)
    return begin_us


def _keys(source: InputContainer, stream: Stream, early_us: int, start_us: int) -> list[int]:
    """Return the decoding times of a stream's key packets shown from one time up to another."""
    _seek(source, early_us)
    keys = []
    for packet in source.demux(stream):
        shown_us, at_us = packet_us(packet), _decoded_us(packet)
        if shown_us is None or at_us is None or packet.size == 0:
            continue
        if at_us > start_us:
            break
        if packet.is_keyframe and shown_us <= start_us:
            keys.append(at_us)
    return keys


def _seek(source: InputContainer, at_us: int) -> None:
    with contextlib.suppress(OSError):
        source.seek(at_us, backward=True)


def _copied(
    source: InputContainer,
    copy: OutputContainer,
    streams: list[Stream],
    stretch_us: tuple[int, int],
) -> int:
    """Copy the packets of a stretch, their times shifted to begin at 0; return how many.

    `stretch_us` is on the container's clock; the source stands somewhere before it.
    """
    copies = {stream.index: copy.add_stream_from_template(stream) for stream in streams}
    begin_us, end_us = stretch_us
    count = 0
    for packet in source.demux(streams):
        at_us = _decoded_us(packet)
        if at_us is None or packet.size == 0 or at_us < begin_us:
            continue
        if at_us >= end_us:
            if all(stream.type == "audio" or stream is packet.stream for stream in streams):
                break
            continue
        _shift(packet, begin_us)
        packet.stream = copies[packet.stream.index]
        copy.mux(packet)
        count += 1
    return count


def _decoded_us(packet: Packet[Any]) -> int | None:
    return to_us(packet.dts if packet.dts is not None else packet.pts, packet.time_base)


def _shift(packet: Any, by_us: int) -> None:
    ticks = round(by_us / MICROSECONDS / packet.time_base)
    packet.pts = None if packet.pts is None else packet.pts - ticks
    packet.dts = None if packet.dts is None else packet.dts - ticks
