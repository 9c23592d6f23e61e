from __future__ import annotations

import dataclasses
import io
import resource
import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mmem.ingestors import glances
from mmem.ingestors.gops import Budget, Packet, worth_a_look
from mmem.ingestors.keyframes import ANCHOR_US, pictures
from mmem.ingestors.picture import perceptual_hash, shown_size
from mmem.ingestors.reading import Picture
from tests.ingestors.film import Shot, Tone, colour_at, even, film, turned

Golden = list[tuple[float, float, str]]


def _golden(path: Path) -> Golden:
    """Time, end of the shown span and colour of every keyframe."""
    return [
        (
            picture.keyframe.time_us / 1e6,
            picture.keyframe.shown.end_us / 1e6,
            colour_at(picture.jpeg, 0.05, 0.1),
        )
        for picture in pictures(path, "s-test")
    ]


SLIDES = ["red"] * 20 + ["green"] * 20 + ["blue"] * 20


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.avi"])
@pytest.mark.parametrize("gop", [10, 1000])
def test_slides_are_found_at_their_second(tmp_path: Path, name: str, gop: int) -> None:
    """A change is found at its picture, whether or not a key packet marks it."""
    found = _golden(film(tmp_path / name, even(SLIDES, fps=10), gop=gop))
    assert [colour for *_, colour in found] == ["red", "green", "blue"]
    assert [start for start, *_ in found] == pytest.approx([0, 2, 4], abs=0.15)
    assert [end for _, end, _ in found] == pytest.approx([2, 4, 6], abs=0.2)


@pytest.mark.parametrize(("fps", "count"), [(1, 60), (120, 480)])
def test_slow_and_fast_pictures(tmp_path: Path, fps: int, count: int) -> None:
    """One picture a second and 120 a second are read alike."""
    half = count // 2
    path = film(tmp_path / "a.mp4", even(["red"] * half + ["blue"] * half, fps=fps))
    found = _golden(path)
    assert [(round(start, 1), colour) for start, _, colour in found] == [
        (0.0, "red"),
        (half / fps, "blue"),
    ]


def test_a_gap_does_not_move_what_follows(tmp_path: Path) -> None:
    """Times are the packets', not an index over a rate: one picture may stay for a minute."""
    shots = [Shot(0, "red"), Shot(1, "red"), Shot(2, "blue"), Shot(62, "green"), Shot(63, "green")]
    assert _golden(film(tmp_path / "a.mkv", shots)) == [
        (0.0, 2.0, "red"),
        (2.0, 62.0, "blue"),
        (62.0, pytest.approx(63, abs=1.1), "green"),
    ]


def test_late_pictures_keep_their_delay(tmp_path: Path) -> None:
    """Pictures that start after the sound are dated from the recording's start."""
    path = film(tmp_path / "a.mp4", [Shot(5, "red"), Shot(6, "red")], [Tone(0, 8)])
    (found,) = _golden(path)
    assert found[0] == pytest.approx(5, abs=0.07) and found[2] == "red"


def test_pictures_out_of_storage_order(tmp_path: Path) -> None:
    """Pictures stored out of order (B-frames, negative DTS) are dated by presentation."""
    path = film(tmp_path / "a.mp4", even(SLIDES, fps=10), codec="libx264", gop=1000)
    found = _golden(path)
    assert [(round(start, 1), colour) for start, _, colour in found] == [
        (0.0, "red"),
        (2.0, "green"),
        (4.0, "blue"),
    ]


UPRIGHT = "red/blue"
TURNS = {
    # what the stored picture (red above blue) looks like once turned: (top, bottom, left, right)
    (1, 0, 0, 1): ("red", "blue", None, None),
    (-1, 0, 0, -1): ("blue", "red", None, None),
    (0, 1, -1, 0): (None, None, "blue", "red"),
    (0, -1, 1, 0): (None, None, "red", "blue"),
    (1, 0, 0, -1): ("blue", "red", None, None),
    (-1, 0, 0, 1): ("red", "blue", None, None),
}


@pytest.mark.parametrize("matrix", TURNS)
def test_keyframes_are_upright(tmp_path: Path, matrix: tuple[int, int, int, int]) -> None:
    """Quarter turns and flips of the display matrix are applied to picture and size."""
    a, b, c, d = matrix
    path = film(tmp_path / "a.mp4", even([UPRIGHT] * 5, fps=10))
    (picture,) = pictures(turned(path, a=a, b=b, c=c, d=d), "s")
    top, bottom, left, right = TURNS[matrix]
    size = (picture.keyframe.width, picture.keyframe.height)
    assert size == ((160, 96) if a else (96, 160))
    assert Image.open(io.BytesIO(picture.jpeg)).size == size
    places = {(0.5, 0.2): top, (0.5, 0.8): bottom, (0.2, 0.5): left, (0.8, 0.5): right}
    for (x, y), colour in places.items():
        if colour:
            assert colour_at(picture.jpeg, x, y) == colour


@pytest.mark.parametrize(
    ("stored", "aspect", "shown"),
    [
        ((1920, 1080), None, (960, 540)),
        ((320, 180), Fraction(1), (320, 180)),
        ((720, 576), Fraction(64, 45), (960, 540)),
        ((1080, 1920), None, (540, 960)),
        ((1, 4000), None, (1, 960)),
    ],
)
def test_pixels_are_square_and_few(
    stored: tuple[int, int], aspect: Fraction | None, shown: tuple[int, int]
) -> None:
    """The shape is as seen; the longer side has at most 960 px."""
    assert shown_size(*stored, aspect) == shown


def _laws(found: list[Picture], duration_us: int) -> None:
    times = [picture.keyframe.time_us for picture in found]
    assert times == sorted(set(times))
    assert len({picture.keyframe.id for picture in found}) == len(found)
    for anchor in range(-(-duration_us // ANCHOR_US)):
        begin, end = anchor * ANCHOR_US, min((anchor + 1) * ANCHOR_US, duration_us)
        assert sum(begin <= at < end for at in times) <= 3
        assert any(
            picture.keyframe.shown.start_us < end and picture.keyframe.shown.end_us > begin
            for picture in found
        )
    for picture in found:
        shown = picture.keyframe.shown
        assert picture.keyframe.file == f"{picture.keyframe.id}.jpg"
        assert shown.start_us <= picture.keyframe.time_us < shown.end_us
    _without_holes(found)


def _without_holes(found: list[Picture]) -> None:
    spans = [picture.keyframe.shown for picture in found]
    assert [span.end_us for span in spans[:-1]] == [span.start_us for span in spans[1:]]


@pytest.mark.parametrize("seconds_a_picture", [1, 7, 29, 31, 61])
def test_every_anchor_shows_one_and_begins_three_at_most(
    tmp_path: Path, seconds_a_picture: int
) -> None:
    """However often the picture changes, every anchor has a picture and none has four."""
    names = ["red", "green", "blue", "white", "black", "yellow"]
    colours = [names[(second // seconds_a_picture) % 6] for second in range(150)]
    path = film(tmp_path / "a.mkv", even(colours, fps=1))
    _laws(list(pictures(path, "s")), 150_000_000)


def _busy(path: Path) -> Path:
    """A recording with key pictures every second, changes between them, and a stretch of one."""
    names = ["red", "green", "blue", "white"]
    shots = [
        Shot(n / 10, names[n // 13 % 4] if n < 300 else "black", f"page {n // 7}")
        for n in range(500)
    ]
    return film(path, shots, size=(320, 180), codec="libx264", gop=10)


def test_threads_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads ahead of the reader give what one gives that does all in turn, to the byte."""
    path = _busy(tmp_path / "a.mp4")
    ahead = [list(pictures(path, "s")) for _ in range(3)]
    monkeypatch.setattr(glances, "ahead", lambda items: items)
    in_turn = list(pictures(path, "s"))
    assert len(in_turn) == 4
    assert ahead == [in_turn] * 3


def test_leaving_early_ends_the_threads(tmp_path: Path) -> None:
    """Who takes one picture leaves no thread and no open file behind."""
    found = pictures(_busy(tmp_path / "a.mp4"), "s")
    assert next(found).keyframe.time_us >= 0
    found.close()
    assert [one for one in threading.enumerate() if one.name.startswith("mmem-video")] == []


def test_a_returning_picture_is_a_new_keyframe(tmp_path: Path) -> None:
    """Consecutive near-duplicates are one keyframe; the same picture much later is another."""
    path = film(tmp_path / "a.mkv", even(["red"] * 60 + ["blue"] * 60 + ["red"] * 60, fps=1))
    found = _golden(path)
    assert [(round(start), colour) for start, _, colour in found] == [
        (0, "red"),
        (60, "blue"),
        (120, "red"),
    ]


def test_the_same_file_gives_the_same_keyframes(tmp_path: Path) -> None:
    """Keyframes and their bytes depend on the file alone."""
    path = film(tmp_path / "a.mp4", even(SLIDES, fps=10), gop=10)
    assert list(pictures(path, "s")) == list(pictures(path, "s"))


def test_sound_alone_has_no_picture(tmp_path: Path) -> None:
    """A recording without video yields nothing."""
    assert list(pictures(film(tmp_path / "a.m4a", [], [Tone(0, 1)]), "s")) == []


@pytest.mark.parametrize("gop", [1, 4, 25, 1000])
@pytest.mark.parametrize(("fps", "second"), [(2, 30.0), (10, 11.0), (10, 7.3), (25, 6.28)])
def test_a_change_is_dated_by_the_first_picture_that_shows_it(
    tmp_path: Path, fps: int, second: float, gop: int
) -> None:
    """However the pictures are grouped, a slide begins at its first picture."""
    count, change = round((second + 9) * fps), round(second * fps)
    shots = [
        Shot(n / fps, "white", "Agenda\npart one" if n < change else "Budget\n4,000 euros")
        for n in range(count)
    ]
    path = film(tmp_path / "a.mp4", shots, codec="libx264", size=(640, 360), gop=gop)
    found = list(pictures(path, "s"))
    assert [one.keyframe.time_us / 1e6 for one in found] == pytest.approx([0, second], abs=1e-3)
    assert [one.keyframe.shown.start_us for one in found] == [o.keyframe.time_us for o in found]


@pytest.mark.parametrize("gop", [20, 50, 250])
def test_what_fades_in_is_kept_as_it_ends(tmp_path: Path, gop: int) -> None:
    """The words of a slide that fades in over a second are kept in full, dated within it."""
    text = "Quarterly\nresults\n1,864 bookings"
    shots = [Shot(n / 10, "white", text, min(1.0, max(0.0, (n - 53) / 10))) for n in range(160)]
    path = film(tmp_path / "a.mp4", shots, codec="libx264", size=(640, 360), gop=gop)
    *_, last = pictures(path, "s")
    assert last.keyframe.time_us / 1e6 == pytest.approx(6.3, abs=0.5)
    whole = film(tmp_path / "b.mp4", [Shot(0, "white", text)], codec="libx264", size=(640, 360))
    (ideal,) = pictures(whole, "s")
    assert _far(last, ideal) < 3


def test_a_slide_that_is_built_line_by_line_is_kept_whole(tmp_path: Path) -> None:
    """Of the steps in which a slide is built, more than an anchor keeps, the last one is kept."""
    lines = ["Pilot", "1 December", "Hamburg", "12 boats", "4,000 euros", "three people", "ready"]
    shots = [Shot(n, "white", "\n".join(lines[: 1 + n // 2])) for n in range(29)]
    found = list(pictures(film(tmp_path / "a.mp4", shots, codec="libx264", size=(640, 360)), "s"))
    assert len(found) == 3
    assert found[-1].keyframe.time_us == 12_000_000
    _without_holes(found)


def _far(one: Picture, other: Picture) -> float:
    a, b = (
        np.asarray(Image.open(io.BytesIO(picture.jpeg)).convert("L"), np.float64)
        for picture in (one, other)
    )
    return float(np.abs(a - b).mean())


PACKETS = st.lists(
    st.tuples(st.integers(1, 3_000_000), st.integers(1, 20_000), st.booleans(), st.booleans()),
    max_size=60,
)


@given(PACKETS, st.sampled_from([160 * 96, 1280 * 720, 3840 * 2160]))
def test_only_pictures_that_are_shown_are_worth_a_look(
    steps: list[tuple[int, int, bool, bool]], pixels: int
) -> None:
    """Times to look at are those of shown packets, ascending; in stillness there are none."""
    packets, at = [], 0
    for step, size, key, hidden in steps:
        packets.append(Packet(at_us=at, size=size, key=key, hidden=hidden))
        at += step
    looks = worth_a_look(packets, pixels)
    assert looks == sorted(set(looks))
    assert set(looks) <= {packet.at_us for packet in packets[1:] if not packet.hidden}
    assert worth_a_look([dataclasses.replace(packet, size=12) for packet in packets], pixels) == []


@given(PACKETS)
def test_a_budget_is_never_overdrawn_by_looking_between(
    steps: list[tuple[int, int, bool, bool]],
) -> None:
    """What lies between key pictures is decoded out of what is saved, and saving has an end."""
    budget, packet, at = Budget(1280 * 720), Packet(at_us=0, size=20_000, key=False), 0
    spent, whole = 0, [packet] * 40
    for step, *_ in steps:
        at += step
        budget.earn(at)
        spent += budget.spend_on(whole, looks=0, share=1.0)
    # 40 moving HD pictures are 122 ms; 600 ms are given, 3 ms a second are earned.
    assert spent * 121 <= 600 + 3 * at / 1e6


def test_a_picture_hash_survives_resizing_and_tells_pictures_apart() -> None:
    """Copies of other sizes are within 4 bits of 64; a mirrored picture is far."""
    image = Image.radial_gradient("L").crop((20, 60, 220, 180)).convert("RGB")
    one = int(perceptual_hash(image), 16)
    small = int(perceptual_hash(image.resize((90, 60))), 16)
    mirrored = int(perceptual_hash(image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)), 16)
    assert (one ^ small).bit_count() <= 4
    assert (one ^ mirrored).bit_count() > 8


def _case(shared: Path, name: str) -> Path:
    (found,) = (shared / "cases").glob(f"{name}*")
    return found


def test_field_case_variable_rate(shared: Path) -> None:
    """o01: one stored picture that stays for a minute is dated by the file, not by index."""
    found = _golden(_case(shared, "o01") / "screen.mp4")
    assert [(start, end) for start, end, _ in found] == [(0, 10), (10, 70), (70, 80)]
    assert [colour for *_, colour in found] == ["red", "blue", "green"]


def test_field_case_no_length(shared: Path) -> None:
    """os1: a browser's recording without length or seek table."""
    found = _golden(_case(shared, "os1") / "tab-recording.webm")
    assert [start for start, *_ in found] == pytest.approx([0, 6], abs=0.3)
    assert [colour for *_, colour in found] == ["red", "blue"]


def test_field_case_phone(shared: Path) -> None:
    """os2: a phone's clip stored lying down is kept upright."""
    found = list(pictures(_case(shared, "os2") / "phone.mp4", "s"))
    for picture in found:
        assert (picture.keyframe.width, picture.keyframe.height) == (180, 320)
        assert colour_at(picture.jpeg, 90 / 180, 40 / 320) == "red"
        assert colour_at(picture.jpeg, 90 / 180, 280 / 320) == "blue"
    assert found


def test_field_case_long_static_screen(shared: Path) -> None:
    """os3: forty minutes of three slides are three keyframes, and memory stays flat."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = list(pictures(_case(shared, "os3") / "webinar.mp4", "s"))
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert [picture.keyframe.time_us // 1_000_000 for picture in found] == [0, 900, 1800]
    assert grown_kb < 500_000
