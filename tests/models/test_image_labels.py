"""Object-label vectors: ConSE as the paper has it, and real labels near their words."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from mmem.errors import MissingExtra
from mmem.models import labels, weights
from mmem.models.image_labels import TOP, LabelVectors
from mmem.models.labels import LITE0_IDENTITY
from mmem.models.text import MiniLM
from mmem.ports import ByteArray, FloatArray
from tests.bodies import HashedWords
from tests.models.test_labels import traffic_light


class Fixed:
    """A labeller that says of every picture what it is told to say."""

    names = tuple(f"thing{number}" for number in range(30))
    identity = "fixed 1"

    def __init__(self, probabilities: list[float]) -> None:
        self._row = np.array(probabilities + [0.0] * (30 - len(probabilities)), np.float32)

    def label(self, frames: ByteArray) -> FloatArray:
        return np.tile(self._row, (len(frames), 1))


PICTURE = np.zeros((1, 9, 9, 3), np.uint8)


def test_it_is_conse() -> None:
    """The convex mixture of the names' vectors by probability, over the ten likeliest, length 1."""
    probabilities = [0.2, 0.3, 0.1, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03, 0.02, 0.015, 0.01]
    text = HashedWords()
    (found,) = LabelVectors(text, Fixed(probabilities)).encode(PICTURE)
    names = text.encode(list(Fixed.names[:TOP])).pooled
    mixed = np.array(probabilities[:TOP]) @ names
    assert found == pytest.approx(mixed / np.linalg.norm(mixed), abs=1e-6)


def test_only_the_first_ten_count_and_last_bits_do_not() -> None:
    """The eleventh label changes nothing; nor does what is below the rounding."""
    first = [0.1 - number * 0.005 for number in range(10)]
    plain = LabelVectors(HashedWords(), Fixed(first)).encode(PICTURE)
    more = LabelVectors(HashedWords(), Fixed([*first, 0.01])).encode(PICTURE)
    nudged = LabelVectors(HashedWords(), Fixed([p + 1e-6 for p in first])).encode(PICTURE)
    assert (more == plain).all() and (nudged == plain).all()


def test_a_picture_of_nothing_known_is_a_vector_too() -> None:
    """Probabilities of zero give no division by zero."""
    (found,) = LabelVectors(HashedWords(), Fixed([])).encode(PICTURE)
    assert np.isfinite(found).all()


def test_texts_need_no_labeller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the space is known and questions are encoded; pictures say what lacks."""
    missing = labels.importlib.util.find_spec
    monkeypatch.setattr(
        labels.importlib.util, "find_spec", lambda name: None if "lite" in name else missing(name)
    )
    encoder = LabelVectors(HashedWords())
    assert LITE0_IDENTITY in encoder.identity.preprocessing
    assert encoder.encode_text(["a kettle"]).shape == (1, encoder.identity.width)
    for act in (encoder.ensure_installed, lambda: encoder.encode(PICTURE)):
        with pytest.raises(MissingExtra, match="names objects"):
            act()


def test_another_labeller_or_text_model_is_another_space() -> None:
    """The identity follows both."""

    class Other(Fixed):
        identity = "fixed 2"

    plain = LabelVectors(HashedWords(), Fixed([1.0])).identity
    assert LabelVectors(HashedWords(), Other([1.0])).identity != plain
    assert LabelVectors(HashedWords()).identity != plain


@pytest.mark.skipif(
    importlib.util.find_spec("efficientnet_lite_pytorch") is None,
    reason="the extra `vision` is not installed",
)
def test_a_thing_is_near_its_words() -> None:
    """Network, names and text space fit: a traffic light is nearer to crossings than to food."""
    try:
        weights.locate(weights.MINILM_MODEL)
    except MissingExtra as error:
        pytest.skip(str(error))
    encoder = LabelVectors(MiniLM(threads=1))
    (picture,) = encoder.encode(traffic_light())
    near, far = encoder.encode_text(["signal lamps at a street crossing", "a plate of spaghetti"])
    assert float(picture @ near) > float(picture @ far) + 0.2
