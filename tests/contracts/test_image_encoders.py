"""What every image encoder must keep: pictures and texts in one space, each for itself."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from mmem.models.image_clip import OpenClip
from mmem.models.image_labels import LabelVectors
from mmem.ports import ByteArray, ImageEncoder
from tests.bodies import Brightness, HashedWords
from tests.models.tiny_clip import tiny_clip

BODIES = [
    "labels",
    pytest.param(
        "open_clip",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("open_clip") is None,
            reason="the extra `vision` is not installed",
        ),
    ),
]


@pytest.fixture(scope="module", params=BODIES)
def encoder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> ImageEncoder:
    if request.param == "labels":
        return LabelVectors(HashedWords(), Brightness())
    return OpenClip(f"local-dir:{tiny_clip(tmp_path_factory.mktemp('clip'))}")


def frames(count: int = 3, *, size: tuple[int, int] = (40, 64)) -> ByteArray:
    rng = np.random.default_rng(5)
    ramp = np.linspace(0, 200, count)[:, None, None, None]
    return (ramp + rng.integers(0, 50, (count, *size, 3))).astype(np.uint8)


def test_vectors_have_length_one_and_the_width_that_is_told(encoder: ImageEncoder) -> None:
    """Law: cosines are dot products; pictures and texts have the width of the identity."""
    seen, said = encoder.encode(frames()), encoder.encode_text(["dark", "a bright picture"])
    assert seen.shape == (3, encoder.identity.width) and said.shape == (2, encoder.identity.width)
    assert seen.dtype == said.dtype == np.float32
    for vectors in (seen, said):
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_vector_depends_on_its_picture_alone(encoder: ImageEncoder) -> None:
    """Law: the same bytes alone, in another order and among others, to the last bit."""
    many = frames()
    together = encoder.encode(many)
    assert (encoder.encode(many[::-1])[::-1] == together).all()
    for frame, vector in zip(many, together, strict=True):
        assert (encoder.encode(frame[None])[0] == vector).all()
    texts = ["a", "a long text about many things that are seen"]
    alone = np.concatenate([encoder.encode_text([text]) for text in texts])
    assert (encoder.encode_text(texts) == alone).all()


def test_nothing_gives_no_rows(encoder: ImageEncoder) -> None:
    """Law: no pictures and no texts are arrays of no rows, of the same width."""
    assert encoder.encode(frames(0)).shape == (0, encoder.identity.width)
    assert encoder.encode_text([]).shape == (0, encoder.identity.width)


def test_different_pictures_differ_and_any_shape_is_taken(encoder: ImageEncoder) -> None:
    """Law: pictures of any size and shape; dark and bright ones are not the same vector."""
    dark, _, bright = encoder.encode(frames())
    assert float(dark @ bright) < 0.9999
    for size in ((9, 200), (200, 9), (480, 640)):
        assert encoder.encode(frames(1, size=size)).shape == (1, encoder.identity.width)


def test_the_identity_is_stable_and_its_parts_are_told(encoder: ImageEncoder) -> None:
    """Law: asked twice it is the same, and it tells model, revision and preprocessing."""
    encoder.ensure_installed()
    assert encoder.identity == encoder.identity
    assert all([encoder.identity.model, encoder.identity.revision, encoder.identity.preprocessing])


def test_folders_differ_by_weights_and_by_preprocessing(tmp_path: Path) -> None:
    """Law: other weights or another way to make pictures ready are another space; a path is not."""
    pytest.importorskip("open_clip", exc_type=ImportError)

    def space(folder: Path) -> object:
        return OpenClip(f"local-dir:{folder}").identity

    plain = space(tiny_clip(tmp_path / "a"))
    assert space(tiny_clip(tmp_path / "moved")) == plain
    others = [
        space(tiny_clip(tmp_path / "b", seed=2)),
        space(tiny_clip(tmp_path / "c", mean=[0.4, 0.5, 0.5])),
        space(tiny_clip(tmp_path / "d", std=[0.2, 0.25, 0.25])),
        space(tiny_clip(tmp_path / "e", interpolation="bicubic")),
        space(tiny_clip(tmp_path / "f", resize_mode="longest")),
    ]
    assert plain not in others and len(set(others)) == len(others)
