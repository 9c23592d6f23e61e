from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmem.errors import DamagedFile, MmemError
from mmem.ingestors.keyframes import pictures
from mmem.ingestors.probe import Track, _chosen, probe
from mmem.ingestors.reading import Damage, Head, ReadContext
from mmem.ingestors.registry import reader_for
from mmem.ingestors.sound import sound_windows
from tests.ingestors.film import Shot, Tone, colour_at, even, film

RED = even(["red"] * 20, fps=10)


def test_both_streams_are_found_and_measured(tmp_path: Path) -> None:
    """A recording's length and its tracks are read from its container."""
    found = probe(film(tmp_path / "a.mp4", RED, [Tone(0, 2)]))
    assert found.video is not None and found.sound is not None
    assert (found.origin_us, found.cut_off, found.notes) == (0, False, ())
    assert found.duration_us == pytest.approx(2_000_000, abs=150_000)


@pytest.mark.parametrize(
    ("name", "shots", "tones"),
    [("v.mp4", RED, []), ("a.m4a", [], [Tone(0, 2)]), ("a.wav", [], [Tone(0, 2)])],
)
def test_a_kind_that_is_not_there_is_none(
    tmp_path: Path, name: str, shots: list[Shot], tones: list[Tone]
) -> None:
    """A recording without pictures or without sound is a recording still."""
    found = probe(film(tmp_path / name, shots, tones))
    assert (found.video is None, found.sound is None) == (not shots, not tones)


def test_length_without_a_header(tmp_path: Path) -> None:
    """Where the header has no length it is that of the packets, never 0."""
    path = film(
        tmp_path / "a.webm", even(["red"] * 30, fps=10), codec="libvpx", options={"live": "1"}
    )
    with av.open(str(path)) as container:
        assert container.duration is None
    assert probe(path).duration_us == pytest.approx(3_000_000, abs=200_000)


def test_offset_zero_is_the_first_of_the_chosen_streams(tmp_path: Path) -> None:
    """A counter that starts anywhere begins at 0; the later stream keeps its delay."""
    shots = [Shot(100 + one.at_s, one.colour) for one in RED]
    path = film(tmp_path / "a.ts", shots, [Tone(101, 2)])
    found = probe(path)
    assert found.video is not None and found.sound is not None
    assert found.origin_us == found.video.start_us
    (window,) = sound_windows(path)
    assert window.start_us == pytest.approx(1_000_000, abs=70_000)
    (first, *_) = pictures(path, "s")
    assert first.keyframe.time_us == 0


@pytest.mark.parametrize(
    ("flags", "chosen"),
    [
        ([(False, False), (True, False)], 1),
        ([(False, False), (False, False)], 0),
        ([(True, True), (False, False)], 1),
        ([(True, True)], None),
    ],
)
def test_the_default_track_is_chosen_and_a_cover_never(
    flags: list[tuple[bool, bool]], chosen: int | None
) -> None:
    """Of a kind the default-flagged track is taken, else the first; cover art is no video."""
    tracks = tuple(
        Track(
            index=i,
            kind="video",
            codec="h264",
            start_us=0,
            default=default,
            cover=cover,
            decodable=True,
        )
        for i, (default, cover) in enumerate(flags)
    )
    found = _chosen(tracks, "video")
    assert (found.index if found else None) == chosen


CONTEXT = ReadContext(digest="d")


def test_chapters_are_read(tmp_path: Path) -> None:
    """Chapters lie on the media clock."""
    path = film(tmp_path / "a.mkv", RED, chapters=[(0, 1, "Opening"), (1, 2, "Budget")])
    assert probe(path).chapters == ((0, "Opening"), (1_000_000, "Budget"))


CODINGS = [
    ("hevc.mp4", "libx265", {"pixels": "yuv420p10le", "coder": {"x265-params": "log-level=none"}}),
    ("av1.mkv", "libsvtav1", {"rate": 10}),
    ("av1.mp4", "libaom-av1", {"coder": {"cpu-used": "8"}}),
    ("vp9.webm", "libvpx-vp9", {"coder": {"deadline": "realtime", "cpu-used": "8"}}),
    ("vp8.webm", "libvpx", {}),
    ("interlaced.mkv", "libx264", {"coder": {"x264-params": "tff=1", "crf": "20"}}),
    ("mpeg2.ts", "mpeg2video", {"rate": 25}),
    ("still.avi", "mjpeg", {"pixels": "yuvj420p", "rate": 10}),
]


@pytest.mark.parametrize(("name", "codec", "how"), CODINGS)
def test_every_coding_has_golden_times(
    tmp_path: Path, name: str, codec: str, how: dict[str, Any]
) -> None:
    """Whatever the coding, pictures are found at their second and the length is right."""
    if codec not in av.codecs_available:
        pytest.skip(f"this PyAV has no encoder {codec}")
    fps = how.get("rate", 10)
    colours = ["red"] * (2 * fps) + ["blue"] * (2 * fps)
    path = film(tmp_path / name, even(colours, fps=fps), codec=codec, size=(192, 128), **how)
    assert probe(path).duration_us == pytest.approx(4_000_000, abs=150_000)
    found = list(pictures(path, "s"))
    assert [one.keyframe.time_us / 1e6 for one in found] == pytest.approx([0, 2], abs=0.05)
    assert [colour_at(one.jpeg, 0.5, 0.5) for one in found] == ["red", "blue"]


def test_a_file_without_its_index_says_so(tmp_path: Path) -> None:
    """An MP4 cut before its index names the file, the reason and the next step."""
    path = film(tmp_path / "talk.mp4", RED)
    data = path.read_bytes()
    path.write_bytes(data[: data.find(b"moov") - 4])
    with pytest.raises(
        DamagedFile, match=r"^talk\.mp4: incomplete.*index \(moov\) is missing.*again"
    ):
        probe(path)


def test_a_file_cut_after_its_index_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """What is readable goes in, with the length that is there, and a note says so."""
    path = film(
        tmp_path / "a.mp4",
        even(["red", "blue"] * 50, fps=10),
        [Tone(0, 10)],
        gop=10,
        options={"movflags": "faststart"},
    )
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    found = probe(path)
    assert found.cut_off and "cut off" in found.notes[0]
    assert 2_000_000 < found.duration_us < 8_000_000
    assert list(pictures(path, "s")) and list(sound_windows(path))


def test_text_is_no_recording(tmp_path: Path) -> None:
    """A chat that FFmpeg would play as a text animation is not opened."""
    path = tmp_path / "chat.txt"
    path.write_text("[06/05/2024, 10:00:00] Ann: hello\n" * 20)
    with pytest.raises(DamagedFile):
        probe(path)


def test_a_playlist_reaches_no_other_file(tmp_path: Path) -> None:
    """A file's content never names another file to open."""
    film(tmp_path / "other.mp4", RED)
    path = tmp_path / "list.mp4"
    path.write_text("ffconcat version 1.0\nfile other.mp4\n")
    with pytest.raises(DamagedFile):
        probe(path)


_STARTS = [
    b"",
    b"\0\0\0\x18ftypisom",
    b"RIFF\xff\xff\0\0AVI ",
    b"RIFF\x24\0\0\0WAVEfmt ",
    b"OggS\0",
    b"\x1a\x45\xdf\xa3\x93\x42\x82\x88",
    b"fLaC\0\0\0\x22",
    b"ID3\x03\0",
    b"\xff\xfb\x90\x64",
]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(start=st.sampled_from(_STARTS), rest=st.binary(max_size=400))
def test_any_bytes_raise_nothing_but_our_errors(tmp_path: Path, start: bytes, rest: bytes) -> None:
    """Arbitrary bytes end in a recording or in an MmemError of one line."""
    from mmem.ingestors import audio, video

    path = tmp_path / "any.bin"
    path.write_bytes(start + rest)
    head = Head.of(path)
    for reader in (video.READER, audio.READER):
        assert 0 <= reader.sniff(head) <= 1
        try:
            (reading,) = reader.read(path, CONTEXT)
            assert all(picture.jpeg for picture in reader.pictures(path, reading.source, Damage()))
            if reader.has_sound(path):
                assert all(len(window.samples) for window in sound_windows(path))
        except MmemError as error:
            assert "\n" not in str(error)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=30))
def test_a_corrupted_recording_raises_nothing_but_our_errors(
    tmp_path: Path, places: list[tuple[float, int]]
) -> None:
    """Flipped bytes anywhere in a whole recording end in what is readable, or in an MmemError."""
    whole = tmp_path / "whole.mp4"
    if not whole.exists():
        film(whole, even(["red", "blue"] * 10, fps=10), [Tone(0, 2)], gop=5)
    data = bytearray(whole.read_bytes())
    for place, value in places:
        data[int(place * (len(data) - 1))] = value
    path = tmp_path / "hurt.mp4"
    path.write_bytes(data)
    try:
        assert all(picture.jpeg for picture in pictures(path, "s"))
        assert all(len(window.samples) for window in sound_windows(path))
    except MmemError as error:
        assert "hurt.mp4" in str(error)


def test_field_case_no_index(shared: Path) -> None:
    """o03: an interrupted upload is named, with its reason."""
    inbox = shared / "cases" / "o03-no-index-mp4" / "inbox"
    with pytest.raises(DamagedFile, match=r"01-interrupted-upload\.mp4.*incomplete.*index"):
        probe(inbox / "01-interrupted-upload.mp4")
    assert probe(inbox / "02-complete.mp4").duration_us == 5_000_000


def _renamed(path: Path, coding: bytes) -> Path:
    """Give a track of a Matroska file a coding that nobody knows."""
    data = path.read_bytes()
    assert coding in data
    path.write_bytes(data.replace(coding, coding[:2] + b"Z" * (len(coding) - 2)))
    return path


def _notes_of(path: Path) -> tuple[str, ...]:
    (one,) = reader_for(path).read(path, CONTEXT)
    return one.source.notes


def test_a_stream_that_cannot_be_decoded_is_not_denied(tmp_path: Path) -> None:
    """What is there and cannot be read is named as that."""
    silent = _renamed(film(tmp_path / "a.mkv", RED, [Tone(0, 2)]), b"A_AAC")
    assert _notes_of(silent) == ("sound in a coding that cannot be decoded here is not read",)
    blind = _renamed(film(tmp_path / "b.mkv", RED, [Tone(0, 2)]), b"V_MPEG4")
    assert _notes_of(blind) == ("pictures in a coding that cannot be decoded here is not read",)


def test_what_is_there_twice_or_passed_over_is_named(tmp_path: Path) -> None:
    """A second picture track and subtitles inside the file are told."""
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as container:
        videos = [container.add_stream("mpeg4", rate=10) for _ in range(2)]
        for video in videos:
            video.width, video.height = 64, 48
        for video in videos:
            frame = av.VideoFrame(64, 48, "yuv420p")
            container.mux([*video.encode(frame), *video.encode(None)])
    assert "the file has 2 picture tracks: stream 0 is read" in _notes_of(path)
    lines = tmp_path / "lines.srt"
    lines.write_text("1\n00:00:00,000 --> 00:00:01,000\nHello\n")
    inside = tmp_path / "b.mkv"
    with av.open(str(lines)) as source, av.open(str(inside), "w") as container:
        words = container.add_stream_from_template(source.streams[0])
        words.metadata["language"] = "ger"
        video = container.add_stream("mpeg4", rate=10)
        video.width, video.height = 64, 48
        container.mux(video.encode(av.VideoFrame(64, 48, "yuv420p")))
        container.mux(video.encode(None))
        for packet in source.demux():
            if packet.size:
                packet.stream = words
                container.mux(packet)
    (told,) = [note for note in _notes_of(inside) if "subtitles" in note]
    assert "ger" in told and ".srt" in told


def test_a_language_that_is_not_known_is_none(tmp_path: Path) -> None:
    """The code "und" and its like name no language."""
    path = film(tmp_path / "a.mp4", RED, [Tone(0, 2)])
    assert {track.language for track in probe(path).tracks} == {None}


@pytest.mark.parametrize("name", ["a.mkv", "a.mp4"])
def test_a_recording_that_begins_late_is_no_longer_than_it_is(name: str, tmp_path: Path) -> None:
    """A header that counts from 0 does not add the time before the first picture."""
    late = [Shot(10 + one.at_s, one.colour) for one in RED]
    found = probe(film(tmp_path / name, late, [Tone(10, 2)]))
    assert found.duration_us == pytest.approx(2_000_000, abs=150_000)
    assert found.notes == ()


def test_a_file_shorter_than_its_header_says_so(tmp_path: Path) -> None:
    """Where no box tells that bytes are missing, packets do."""
    path = film(tmp_path / "a.flac", [], [Tone(0, 60)])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    found = probe(path)
    assert 15_000_000 < found.duration_us < 25_000_000
    assert found.notes[0].endswith("its header says 01:00")


def test_a_file_cut_at_its_last_packet_is_not_said_to_end_before_itself(tmp_path: Path) -> None:
    """A header's length is told where it differs."""
    path = film(tmp_path / "a.mkv", RED, [Tone(0, 2)])
    path.write_bytes(path.read_bytes()[:-40])
    (note,) = probe(path).notes
    assert "cut off" in note and "header" not in note


def test_a_broken_sound_recording_is_called_one(tmp_path: Path) -> None:
    """The reason names what the file is."""
    path = film(tmp_path / "a.m4a", [], [Tone(0, 2)])
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"moov") - 4])
    with pytest.raises(DamagedFile, match="unreadable sound recording: its index"):
        probe(path)
