"""Frames of a clip: what every body of ClipReader holds to, file by file."""

from __future__ import annotations

import contextlib
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from mmem.errors import DamagedFile
from mmem.ingestors import clips_decord
from mmem.ingestors.clips import ClipReader, clips, frames_at
from mmem.ingestors.clips_decord import decord_clips
from mmem.ingestors.clips_pyav import pyav_clips
from mmem.ingestors.container import to_us
from mmem.ingestors.picture import turn_of
from mmem.ingestors.probe import probe
from mmem.ports import ByteArray
from tests.ingestors.film import Shot, Tone, film, turned

ROOT = Path(__file__).parents[2]
SIZE = (320, 180)
EVEN = [number / 10 for number in range(60)]
NEAR = 1.0
"""Mean difference of two bodies' pixels, of 255; measured: 0.0 on H.264."""


def numbered(times: list[float]) -> list[Shot]:
    """Pictures that differ from their neighbours by colour, from all others by their number."""
    names = ("white", "yellow", "green", "red", "blue")
    return [Shot(at, names[number % 5], f"{number:03d}") for number, at in enumerate(times)]


def h264(path: Path, times: list[float], *, gop: int = 12, **more: object) -> Path:
    return film(path, numbered(times), codec="libx264", size=SIZE, gop=gop, **more)


def cut_off(path: Path) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 6 // 10])
    return path


def without_b(folder: Path) -> Path:
    return h264(folder / "a.mp4", EVEN, coder={"bf": "0", "crf": "20"})


MADE: dict[str, tuple[Callable[[Path], Path], bool]] = {
    "plain": (without_b, True),
    "b-frames": (lambda d: h264(d / "a.mp4", EVEN, coder={"bf": "3", "b-adapt": "0"}), True),
    "one long group": (lambda d: h264(d / "a.mp4", EVEN, gop=1000), True),
    "variable rate": (
        lambda d: h264(d / "a.mkv", [0, 0.04, 0.5, 0.54, 0.6, 2, 2.04, 5, 5.1, 6], gop=4),
        True,
    ),
    "late start": (
        lambda d: film(
            d / "a.mp4",
            numbered([3 + at for at in EVEN]),
            [Tone(0, 9)],
            codec="libx264",
            size=SIZE,
            gop=12,
        ),
        False,
    ),
    "clock from 5 s": (lambda d: h264(d / "a.ts", [5 + at for at in EVEN]), False),
    "edit list": (lambda d: h264(d / "a.mp4", [at - 0.5 for at in EVEN], gop=1000), False),
    "turned by 90": (lambda d: turned(without_b(d), a=0, b=1, c=-1, d=0), True),
    "turned by 180": (lambda d: turned(without_b(d), a=-1, b=0, c=0, d=-1), True),
    "turned by 270": (lambda d: turned(without_b(d), a=0, b=-1, c=1, d=0), True),
    "flipped": (lambda d: turned(without_b(d), a=-1, b=0, c=0, d=1), False),
    "cut off": (lambda d: cut_off(h264(d / "a.mkv", EVEN)), True),
    "mpeg4": (lambda d: film(d / "a.avi", numbered(EVEN), size=SIZE, gop=12, rate=10), False),
}


@contextlib.contextmanager
def by_decord(path: Path) -> Iterator[ClipReader]:
    reader = decord_clips(path, probe(path))
    assert reader is not None
    yield reader


@contextlib.contextmanager
def by_pyav(path: Path) -> Iterator[ClipReader]:
    with pyav_clips(path, probe(path)) as reader:
        yield reader


BODIES = {"pyav": by_pyav, "decord": by_decord}
CASES = [
    pytest.param(
        name,
        body,
        marks=pytest.mark.skipif(
            body == "decord" and importlib.util.find_spec("decord") is None,
            reason="decord has no wheel for this machine",
        ),
    )
    for name, (_, trusted) in MADE.items()
    for body in (("pyav", "decord") if trusted else ("pyav",))
]


def whole(path: Path) -> list[tuple[int, ByteArray]]:
    """Every frame in order with its media time, upright: the file decoded once, front to back."""
    found, origin = [], probe(path).origin_us
    with av.open(str(path)) as container:
        stream, turn = container.streams.video[0], None
        for frame in container.decode(stream):
            turn = turn_of(frame) if not found else turn
            image = Image.fromarray(frame.to_ndarray(format="rgb24"))
            upright = image if turn is None else image.transpose(turn)
            at_us = to_us(frame.pts, stream.time_base)
            assert at_us is not None
            found.append((at_us - origin, np.asarray(upright)))
    return found


@pytest.mark.parametrize(("name", "body"), CASES)
def test_the_frame_shown_at_a_time(tmp_path: Path, name: str, body: str) -> None:
    """For any time, in any order: the last frame that begins by then, its time, its pixels."""
    make, _ = MADE[name]
    path = make(tmp_path)
    known = whole(path)
    starts = [at_us for at_us, _ in known]
    asked = [*starts[::7], starts[-1] + 9_000_000, *(at + 30_000 for at in starts[::-5]), -1, 0]
    right = [max((n for n, at in enumerate(starts) if at <= t), default=0) for t in asked]
    with BODIES[body](path) as reader:
        found = reader.frames_at(asked)
    assert found.body == body
    assert found.times_us == tuple(starts[number] for number in right)
    assert found.pixels.dtype == np.uint8 and found.pixels.shape[0] == len(asked)
    for number, pixels in zip(right, found.pixels, strict=True):
        assert _apart(pixels, known[number][1]) <= NEAR
        others = [other for other in (number - 1, number + 1) if 0 <= other < len(known)]
        assert all(_apart(pixels, known[other][1]) > 10 * NEAR for other in others)


def _apart(one: ByteArray, other: ByteArray) -> float:
    assert one.shape == other.shape
    return float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean())


@pytest.mark.parametrize("name", [name for name, (_, trusted) in MADE.items() if not trusted])
def test_decord_is_not_used_where_it_is_not_known_to_be_right(tmp_path: Path, name: str) -> None:
    """Other times than the packets', flips and other codecs are read by PyAV, and it says so."""
    path = MADE[name][0](tmp_path)
    assert decord_clips(path, probe(path)) is None
    assert frames_at(path, [0]).body == "pyav"


def test_without_decord_pyav_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where decord is not installed the same frames come, by PyAV."""
    path = without_b(tmp_path)
    first = frames_at(path, [0, 2_500_000])
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        clips_decord.importlib.util,
        "find_spec",
        lambda name: None if name == "decord" else find_spec(name),
    )
    second = frames_at(path, [0, 2_500_000])
    assert (second.body, second.times_us) == ("pyav", first.times_us)
    assert _apart(second.pixels[1], first.pixels[1]) <= NEAR


def test_frames_are_small_and_square(tmp_path: Path) -> None:
    """The longer side has at most the pixels asked for; a frame asked for twice comes twice."""
    path = without_b(tmp_path)
    with clips(path) as reader:
        found = reader.frames_at([1_000_000, 0, 1_000_000], side_px=160)
    assert found.pixels.shape == (3, 90, 160, 3)
    assert found.times_us == (1_000_000, 0, 1_000_000)
    assert np.array_equal(found.pixels[0], found.pixels[2])


def test_a_clip_that_decord_stumbles_over_is_read_by_pyav(shared: Path) -> None:
    """Packets that cannot be decoded are passed over; the frames are those of PyAV."""
    path = shared / "media" / "video" / "decord_corrupted.mp4"
    times = [0, 2_000_000, 3_500_000, 4_950_000]
    with by_pyav(path) as reader:
        plain = reader.frames_at(times)
    found = frames_at(path, times)
    assert found.times_us == plain.times_us
    assert all(_apart(a, b) <= NEAR for a, b in zip(found.pixels, plain.pixels, strict=True))


def test_the_bodies_agree_on_real_recordings(shared: Path) -> None:
    """Wherever decord is trusted its frames are PyAV's; HEVC and AV1 are never left to it."""
    trusted = set()
    for path in sorted((shared / "media" / "video").iterdir()):
        found = probe(path)
        quick = decord_clips(path, found)
        if quick is None or path.name == "decord_corrupted.mp4":
            continue
        trusted.add(path.name)
        times = np.linspace(-1, found.duration_us + 1, 6).astype(int).tolist()
        with by_pyav(path) as reader:
            plain, seen = reader.frames_at(times), quick.frames_at(times)
        assert seen.times_us == plain.times_us
        assert all(_apart(a, b) <= NEAR for a, b in zip(seen.pixels, plain.pixels, strict=True))
    assert not {"torchcodec_h265.mp4", "torchcodec_av1.mkv"} & trusted


def test_a_recording_without_pictures(tmp_path: Path) -> None:
    """Sound alone has no frames, and says so."""
    with pytest.raises(DamagedFile, match="no pictures"):
        frames_at(film(tmp_path / "a.wav", [], [Tone(0, 1)]), [0])


MANY = """
import resource, sys
from pathlib import Path
from mmem.ingestors.probe import (probe)
from tests.contracts.test_clips import BODIES

path, body = Path(sys.argv[1]), sys.argv[2]
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
with BODIES[body](path) as reader:
    for number in range(40):
        reader.frames_at([(number * 37 + step * 300) * 1000 % 6_000_000 for step in range(8)])
        if number == 7:
            early = peak()
print(peak() - early)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in KiB on Linux")
@pytest.mark.parametrize("body", ["pyav", "decord"])
def test_memory_is_flat_over_many_clips(tmp_path: Path, body: str) -> None:
    """Peak memory after 40 clips is that after 8, within 40 MB; decord is opened three times."""
    if body == "decord":
        pytest.importorskip("decord")
    path = film(tmp_path / "a.mp4", numbered(EVEN), codec="libx264", size=(1280, 720), gop=30)
    command = [sys.executable, "-c", MANY, str(path), body]
    grown = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert float(grown) < 40
