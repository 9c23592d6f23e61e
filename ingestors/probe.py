"""What a recording holds: its streams, its clock and its length, read from the container.

Media offset 0 is the first presentation time over the chosen streams (one of pictures, one of
sound). A stream that starts later keeps its delay; a transport stream whose counter starts at an
hour begins at 0, as players show it. All offsets come from packet times, never from an index.
"""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mmem.errors import DamagedFile
from mmem.ingestors.boxes import claims_of
from mmem.ingestors.container import opened, packet_us, readable, to_us
from mmem.schemas.clock import MICROSECONDS, offset

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.stream import Stream


# Their headers give no length, or one guessed from the bit rate.
_UNMEASURED = ("mp3", "aac", "ac3", "eac3", "dts", "amr", "h264", "hevc", "mpegvideo", "m4v")
_STILL = ("mjpeg", "png", "bmp", "gif", "webp", "tiff")
_TAIL_US = 3 * MICROSECONDS
# The last packet of a slow track may have no duration: only what lacks more has been lost.
_SLACK_US = 3 * MICROSECONDS // 2
# Their headers tell where the recording ends, counted from 0, not how long it is.
_COUNTED_FROM_ZERO = ("matroska", "webm", "flv")

StreamKind = Literal["video", "audio", "subtitle", "other"]
# ISO 639-2 codes that name no language.
_NO_LANGUAGE = ("und", "mis", "mul", "zxx", "")


@dataclasses.dataclass(frozen=True, slots=True)
class Track:
    """A stream of a container; `start_us` is on the container's own clock, before the shift."""

    index: int
    kind: StreamKind
    codec: str
    start_us: int | None
    default: bool
    cover: bool
    decodable: bool
    language: str | None = None
    channels: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Probe:
    """A recording seen from outside.

    `origin_us` is the container time that is media offset 0; `video` and `sound` are the chosen
    tracks; `tags` are the container's, keys in lower case; `chapters` are starts on the media
    clock with their titles; `cut_off` tells that bytes are missing.
    """

    container: str
    tracks: tuple[Track, ...]
    video: Track | None
    sound: Track | None
    origin_us: int
    duration_us: int
    tags: tuple[tuple[str, str], ...] = ()
    chapters: tuple[tuple[int, str], ...] = ()
    cut_off: bool = False
    notes: tuple[str, ...] = ()


def probe(path: Path) -> Probe:
    """Return what a recording holds. Raises DamagedFile, MissingExtra."""
    with opened(path) as container:
        tracks = tuple(_track(stream) for stream in container.streams)
        video, sound = _chosen(tracks, "video"), _chosen(tracks, "audio")
        if video is None and sound is None:
            raise DamagedFile(
                f"{path.name}: no stream of pictures or sound in it can be decoded",
                hint="ask for the recording in a common format such as MP4, WebM, MP3 or WAV",
            )
        chosen = tuple(track for track in (video, sound) if track)
        origin = _origin(container, chosen)
        claimed = _measured(container, origin)
        tags = tuple(sorted((k.lower(), v) for k, v in container.metadata.items()))
        name = container.format.name
        chapters = _chapters(container, origin)
        end = _end(container, chosen, claimed=claimed, origin=origin)
    cut_off = _is_cut_off(path)
    length, notes = _length(end - origin, claimed, cut_off=cut_off)
    return Probe(
        container=name,
        tracks=tracks,
        video=video,
        sound=sound,
        origin_us=origin,
        duration_us=length,
        tags=tags,
        chapters=chapters,
        cut_off=cut_off,
        notes=notes,
    )


def has_streams(path: Path) -> tuple[bool, bool]:
    """Tell whether a file has pictures, and sound, that can be decoded. Raises DamagedFile."""
    with opened(path) as container:
        tracks = tuple(_track(stream) for stream in container.streams)
    return _chosen(tracks, "video") is not None, _chosen(tracks, "audio") is not None


def picture_tracks(found: Probe) -> list[Track]:
    """Return the tracks of moving pictures that can be decoded."""
    return [t for t in found.tracks if t.kind == "video" and t.decodable and not t.cover]


def sound_tracks(found: Probe) -> list[Track]:
    """Return the sound tracks that can be decoded, the chosen one first."""
    fit = [track for track in found.tracks if track.kind == "audio" and track.decodable]
    return sorted(fit, key=lambda track: track != found.sound)


def _track(stream: Stream) -> Track:
    from av.stream import Disposition

    kinds: dict[str, StreamKind] = {"video": "video", "audio": "audio", "subtitle": "subtitle"}
    kind = kinds.get(stream.type, "other")
    codec = stream.codec_context
    flags = int(stream.disposition)
    cover = bool(flags & (Disposition.attached_pic | Disposition.timed_thumbnails))
    name = codec.name if codec is not None else ""
    return Track(
        index=stream.index,
        kind=kind,
        codec=name,
        start_us=to_us(stream.start_time, stream.time_base),
        default=bool(flags & Disposition.default),
        cover=cover or (kind == "video" and name in _STILL and stream.frames == 1),
        decodable=codec is not None and _has_shape(codec),
        language=None if stream.language in _NO_LANGUAGE else stream.language,
        channels=_channels(codec) if kind == "audio" else 0,
    )


def _channels(codec: Any) -> int:
    return codec.layout.nb_channels if codec is not None and codec.layout else 0


def _has_shape(codec: Any) -> bool:
    if codec.type == "audio":
        return bool(codec.sample_rate)
    return codec.type == "video" and bool(codec.width and codec.height)


def _chosen(tracks: tuple[Track, ...], kind: StreamKind) -> Track | None:
    fit = [track for track in tracks if track.kind == kind and track.decodable and not track.cover]
    return next((track for track in fit if track.default), fit[0] if fit else None)


def _origin(container: InputContainer, chosen: tuple[Track, ...]) -> int:
    starts = [track.start_us for track in chosen if track.start_us is not None]
    return min(starts, default=container.start_time or 0)


def _chapters(container: InputContainer, origin: int) -> tuple[tuple[int, str], ...]:
    found = []
    for chapter in container.chapters():
        start = to_us(chapter["start"], chapter["time_base"])
        title = str(chapter["metadata"].get("title", "")).strip()
        if start is not None and title:
            found.append((max(0, start - origin), title))
    return tuple(found)


def _measured(container: InputContainer, origin: int) -> int:
    """Return the length that the header tells, 0 where it tells none or only guesses."""
    names = container.format.name.split(",")
    if any(name in _UNMEASURED for name in names):
        return 0
    early = origin if any(name in _COUNTED_FROM_ZERO for name in names) else 0
    return max((container.duration or 0) - early, 0)


def _end(container: InputContainer, chosen: tuple[Track, ...], *, claimed: int, origin: int) -> int:
    """Return the end of the last packet on the container's clock: of the tail, else of all."""
    streams = [container.streams[track.index] for track in chosen]
    if claimed > 2 * _TAIL_US:
        with contextlib.suppress(OSError, ValueError):
            container.seek(origin + claimed - _TAIL_US)
            if end := _last_end(container, streams):
                return end
        with contextlib.suppress(OSError, ValueError):
            container.seek(origin)
    return _last_end(container, streams) or origin


def _last_end(container: InputContainer, streams: list[Stream]) -> int | None:
    last: int | None = None
    for packet in readable(container, streams):
        start = packet_us(packet)
        if start is not None:
            end = start + (to_us(packet.duration, packet.time_base) or 0)
            last = end if last is None else max(last, end)
    return last


def _is_cut_off(path: Path) -> bool:
    return claims_of(path).cut_off(path.stat().st_size)


def _length(found: int, claimed: int, *, cut_off: bool) -> tuple[int, tuple[str, ...]]:
    """Return how long a recording is, and what is to be said where its header says otherwise."""
    if not claimed:
        return max(found, 0), ("the file is cut off",) if cut_off else ()
    says = f", its header says {offset(claimed)}" if claimed - found > _SLACK_US else ""
    if cut_off:
        return found, (f"the file is cut off: it ends at {offset(found)}{says}",)
    if says and found > 0:
        return found, (f"its pictures and sound end at {offset(found)}{says}",)
    return claimed, ()
