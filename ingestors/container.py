"""Opening a container, and the times of its packets: what every reader of recordings stands on."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mmem.errors import DamagedFile, MissingExtra, MmemError
from mmem.ingestors.boxes import claims_of
from mmem.schemas.clock import MICROSECONDS

if TYPE_CHECKING:
    from fractions import Fraction

    from av import Packet
    from av.container import InputContainer
    from av.stream import Stream

    from mmem.ingestors.reading import Damage

# Playlists, picture sequences and text animations would read other files or any text.
CONTAINERS = (
    "mov,mp4,matroska,webm,avi,wav,w64,mp3,flac,ogg,aac,ac3,eac3,dts,amr,asf,flv,mpegts,mpeg,"
    "mpegvideo,h264,hevc,m4v,obu,av1,ivf,aiff,caf,au,wv,tta,ape,dsf,mxf,dv,rm,yuv4mpegpipe,nut,"
    "gxf,voc,nsv,wtv"
)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[InputContainer]:
    """Open a container; whatever goes wrong inside is a DamagedFile that says why.

    Only files are opened, and only containers of CONTAINERS: a playlist cannot reach out.
    """
    av = _av()
    options = {"format_whitelist": CONTAINERS, "protocol_whitelist": "file"}
    try:
        name = f"file:{os.fspath(path)}"
        with av.open(name, options=options, metadata_errors="replace") as found:
            yield found
    except MmemError:
        raise
    except (av.error.FFmpegError, UnicodeError, OverflowError) as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> DamagedFile:
    """Return the one clear line for a recording that cannot be read, with the next step."""
    try:
        claims = claims_of(path)
    except OSError as unreadable:
        reason = unreadable.strerror or str(unreadable)
        return DamagedFile(f"{path.name}: cannot be read: {reason}", hint="check the path")
    if claims.family == "iso" and not claims.indexed:
        return DamagedFile(
            f"{path.name}: incomplete, unreadable {claims.what}: its index (moov) is missing; "
            "the recording or the upload was cut off",
            hint="ask for the file again, or repair it with `untrunc` and another of its device",
        )
    if claims.cut_off(path.stat().st_size):
        return DamagedFile(
            f"{path.name}: incomplete: {claims.end:,} bytes are announced, "
            f"{path.stat().st_size:,} are there",
            hint="ask for the file again",
        )
    reason = getattr(error, "strerror", None) or str(error)
    return DamagedFile(
        f"{path.name}: not a readable recording: {reason}",
        hint="check that it plays; ask for the file again",
    )


def to_us(value: int | None, time_base: Fraction | None) -> int | None:
    """Return a count of time-base ticks as integer microseconds, half to even; None stays None."""
    if value is None or time_base is None:
        return None
    return round(value * time_base * MICROSECONDS)


def packet_us(packet: Packet[Any]) -> int | None:
    """Return a packet's presentation time, else its decoding time, on the container's clock."""
    ticks = packet.pts if packet.pts is not None else packet.dts
    return to_us(ticks, packet.time_base)


def readable(
    container: InputContainer, streams: list[Stream], damage: Damage | None = None
) -> Iterator[Packet[Any]]:
    """Yield the packets of some streams up to the first place that cannot be read.

    That place, if there is one, is noted in `damage`.
    """
    av = _av()
    try:
        for packet in container.demux(streams):
            if packet.size:
                yield packet
    except av.error.FFmpegError as error:
        if damage is not None:
            damage.note(error)


def _av() -> ModuleType:
    try:
        import av
    except ImportError as error:
        raise MissingExtra("reading recordings needs PyAV", hint="run `pip install av`") from error
    return av
