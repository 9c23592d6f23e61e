"""Cutting a stretch out of a recording, without encoding it again."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmem.errors import ConfigError, DamagedFile
from mmem.ingestors.probe import opened, probe, to_us
from mmem.schemas.clock import MICROSECONDS

if TYPE_CHECKING:
    from av.container import InputContainer, OutputContainer
    from av.stream import Stream


def cut_out(path: Path, target: Path, *, start_us: int, end_us: int) -> None:
    """Write [start, end) of a recording's media clock to a new file of the same kind.

    Packets are copied, so the cut begins at the last picture before `start_us` that stands for
    itself. Raises ConfigError when the target exists, DamagedFile when nothing can be cut.
    """
    import av

    if target.exists():
        raise ConfigError(f"{target} exists already", hint="name another file with --out")
    found = probe(path)
    chosen = [track.index for track in (found.video, found.sound) if track]
    try:
        with opened(path) as source, av.open(str(target), "w") as copy:
            streams = [source.streams[index] for index in chosen]
            written = _copied(source, copy, streams, (start_us, end_us), found.origin_us)
    except (av.error.FFmpegError, ValueError) as error:
        target.unlink(missing_ok=True)
        raise DamagedFile(
            f"{path.name}: this stretch cannot be copied into {target.suffix or 'a file'}: {error}",
            hint="name a file that ends in .mkv with --out",
        ) from error
    if not written:
        target.unlink(missing_ok=True)
        raise DamagedFile(f"{path.name}: there is nothing in that stretch")


def _copied(
    source: InputContainer,
    copy: OutputContainer,
    streams: list[Stream],
    stretch_us: tuple[int, int],
    origin_us: int,
) -> int:
    """Copy the packets of a stretch, their times shifted to begin at 0; return how many."""
    copies = {stream.index: copy.add_stream_from_template(stream) for stream in streams}
    start_us, end_us = (origin_us + moment for moment in stretch_us)
    with contextlib.suppress(OSError):
        source.seek(round(start_us * 1_000_000 / MICROSECONDS), backward=True)
    first_us: int | None = None
    count = 0
    for packet in source.demux(streams):
        at_us = to_us(packet.dts if packet.dts is not None else packet.pts, packet.time_base)
        if at_us is None or packet.size == 0:
            continue
        if at_us >= end_us:
            if all(stream.type == "audio" or stream is packet.stream for stream in streams):
                break
            continue
        first_us = at_us if first_us is None else first_us
        _shift(packet, first_us)
        packet.stream = copies[packet.stream.index]
        copy.mux(packet)
        count += 1
    return count


def _shift(packet: Any, by_us: int) -> None:
    ticks = round(by_us / MICROSECONDS / packet.time_base)
    packet.pts = None if packet.pts is None else packet.pts - ticks
    packet.dts = None if packet.dts is None else packet.dts - ticks
