"""What video and audio share: telling a recording by its first bytes, and its source."""

from __future__ import annotations

import enum
from pathlib import Path

from mmem.errors import MmemError
from mmem.ingestors.boxes import is_iso, is_sound
from mmem.ingestors.probe import Probe, Track, has_streams, picture_tracks, probe, sound_tracks
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.starts import start_of
from mmem.schemas import Revision, Source, Span
from mmem.schemas.clock import offset
from mmem.schemas.identity import source_id

Kind = enum.Enum("Kind", "VIDEO AUDIO BROKEN_VIDEO BROKEN_AUDIO OTHER")

# ISO brands of still pictures (HEIF, AVIF), which are no recordings.
_PICTURE_BRANDS = (b"heic", b"heix", b"mif1", b"avif", b"heim", b"heis", b"crx ")
_VIDEO_MAGIC = (
    b"\x1a\x45\xdf\xa3",  # Matroska, WebM
    b"FLV\x01",
    b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",  # ASF: WMV, WMA
    b"\x00\x00\x01\xba",  # MPEG programme stream
    b".RMF",
    b"DKIF",
    b"YUV4MPEG2",
)
_SOUND_MAGIC = (b"fLaC", b"OggS", b"#!AMR", b"caff", b"wvpk", b"TTA1", b"MAC ", b"DSD ")
# Too short to be sure of: only a file that opens counts.
_WEAK_MAGIC = (b"ID3", b".snd", b"\x00\x00\x01\xb3", b"\x00\x00\x00\x01", b"\x0b\x77")
_TS_PACKET, _TS_SYNC = 188, 0x47


def kind_of(head: Head) -> Kind:
    """Return what a file is by its first bytes and, where they look like a recording, its streams.

    Any other file costs a few comparisons.
    """
    guess = _guess(head.data)
    if guess is Kind.OTHER:
        return guess
    try:
        video, sound = has_streams(head.path)
    except (MmemError, OSError):
        return guess if guess in (Kind.BROKEN_VIDEO, Kind.BROKEN_AUDIO) else Kind.OTHER
    if video:
        return Kind.VIDEO
    if sound:
        return Kind.AUDIO
    return guess if guess in (Kind.BROKEN_VIDEO, Kind.BROKEN_AUDIO) else Kind.OTHER


def reading(path: Path, context: ReadContext, *, name: str, version: int) -> Reading:
    """Return a recording's source: identified by its bytes, on its own clock, without atoms."""
    found = probe(path)
    clock = start_of(path, found, context)
    period = None
    if clock.at_us is not None:
        period = Span(start_us=clock.at_us, end_us=clock.at_us + found.duration_us)
    revision = Revision(digest=context.digest, reader=f"{name}@{version}", period=period, count=0)
    tracks = [track for track in (found.sound, found.video) if track]
    source = Source(
        id=source_id("recording", context.digest),
        kind="recording",
        key=context.digest,
        format=name,
        title=path.stem,
        revisions=(revision,),
        clock=clock,
        duration_us=found.duration_us,
        language=next((track.language for track in tracks if track.language), None),
        notes=_notes(found),
    )
    return Reading(source=source, atoms=())


def _notes(found: Probe) -> tuple[str, ...]:
    """Return what is worth saying of a recording: what is missing, there twice, or not read."""
    notes = list(found.notes)
    if unread := [track for track in found.tracks if _is_unread(track)]:
        kinds = {"audio": "sound", "video": "pictures"}
        named = " and ".join(sorted({kinds[track.kind] for track in unread}))
        codecs = ", ".join(sorted({track.codec for track in unread if track.codec}))
        coding = f" ({codecs})" if codecs else ""
        notes.append(f"{named} in a coding that cannot be decoded here{coding} is not read")
    if not any(track.kind == "audio" for track in found.tracks):
        notes.append("the file has no sound track")
    elif (count := len(sound_tracks(found))) > 1:
        notes.append(f"the file has {count} sound tracks")
    if found.video and (others := len(picture_tracks(found)) - 1):
        notes.append(
            f"the file has {others + 1} picture tracks: stream {found.video.index} is read"
        )
    if subtitles := [track for track in found.tracks if track.kind == "subtitle"]:
        languages = ", ".join(track.language or "no language named" for track in subtitles)
        notes.append(
            f"the subtitles inside the file ({languages}) are not read: "
            "save them beside it under its name, as .srt or .vtt"
        )
    if found.chapters:
        named = "; ".join(f"{offset(at_us)} {title}" for at_us, title in found.chapters)
        notes.append(f"chapters: {named}")
    return tuple(notes)


def _is_unread(track: Track) -> bool:
    return track.kind in ("audio", "video") and not track.decodable and not track.cover


def _guess(data: bytes) -> Kind:
    """Return BROKEN_VIDEO or BROKEN_AUDIO where the bytes are sure, VIDEO where they may be one."""
    if is_iso(data) and not data[8:12].startswith(_PICTURE_BRANDS):
        return Kind.BROKEN_AUDIO if is_sound(data) else Kind.BROKEN_VIDEO
    if data[:4] in (b"RIFF", b"RIFX", b"RF64", b"FORM"):
        return {
            b"AVI ": Kind.BROKEN_VIDEO,
            b"WAVE": Kind.BROKEN_AUDIO,
            b"AIFF": Kind.BROKEN_AUDIO,
            b"AIFC": Kind.BROKEN_AUDIO,
        }.get(data[8:12], Kind.OTHER)
    if data.startswith(_VIDEO_MAGIC):
        return Kind.BROKEN_VIDEO
    if data.startswith(_SOUND_MAGIC):
        return Kind.BROKEN_AUDIO
    if data.startswith(_WEAK_MAGIC) or _is_frame_sync(data) or _is_transport(data):
        return Kind.VIDEO
    return Kind.OTHER


def _is_frame_sync(data: bytes) -> bool:
    """Tell whether the bytes begin like a frame of MPEG audio or ADTS: eleven set bits."""
    return len(data) > 3 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0 and data[1] != 0xFF


def _is_transport(data: bytes) -> bool:
    """Tell whether sync bytes recur at the packet length of a transport stream, plain or BDAV."""
    return any(
        len(data) > start + 4 * size and all(data[start + n * size] == _TS_SYNC for n in range(5))
        for start, size in ((0, _TS_PACKET), (4, _TS_PACKET + 4))
    )
