"""open_clip as the image encoder: what it loads, and what it refuses in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mmem.errors import ConfigError, MissingExtra
from mmem.models import image_clip
from mmem.models.image_choice import image_encoder_named
from mmem.models.image_clip import OpenClip
from mmem.models.image_labels import LabelVectors
from tests.bodies import Brightness, HashedWords
from tests.models.tiny_clip import PREPROCESSING, WIDTH, tiny_clip

pytest.importorskip("open_clip", reason="the extra `vision` is not installed", exc_type=ImportError)


def test_a_picture_is_made_ready_as_the_folder_says(tmp_path: Path) -> None:
    """Size, mean, std, interpolation and resize mode of the folder are those that are applied."""
    import torch
    from PIL import Image

    clip = OpenClip(f"local-dir:{tiny_clip(tmp_path)}")
    frame = np.random.default_rng(3).integers(0, 256, (50, 90, 3)).astype(np.uint8)
    small = Image.fromarray(frame).resize((32, 32), Image.Resampling.BILINEAR)
    pixels = (np.asarray(small, np.float32) / 255 - 0.5) / 0.25
    ready = torch.from_numpy(pixels.transpose(2, 0, 1).copy())[None]
    with torch.inference_mode():
        raw = clip._loaded.model.encode_image(ready).numpy()[0]
    assert clip.encode(frame[None])[0] == pytest.approx(raw / np.linalg.norm(raw), abs=1e-5)
    for name in PREPROCESSING:
        assert f"{name}=" in clip.identity.preprocessing
    assert clip.identity.width == WIDTH


def test_the_weights_of_the_folder_are_used(tmp_path: Path) -> None:
    """Another file of weights gives other vectors; without one nothing is made up."""
    frame = np.zeros((1, 40, 40, 3), np.uint8)
    one = OpenClip(f"local-dir:{tiny_clip(tmp_path / 'a')}").encode(frame)
    other = OpenClip(f"local-dir:{tiny_clip(tmp_path / 'b', seed=2)}").encode(frame)
    assert abs(float(one[0] @ other[0])) < 0.99
    (tmp_path / "a" / "open_clip_model.safetensors").unlink()
    with pytest.raises(ConfigError, match="cannot be loaded"):
        OpenClip(f"local-dir:{tmp_path / 'a'}").encode(frame)


def _without_config(folder: Path) -> None:
    (folder / "open_clip_config.json").unlink()


def _no_json(folder: Path) -> None:
    (folder / "open_clip_config.json").write_text("{")


def _no_towers(folder: Path) -> None:
    (folder / "open_clip_config.json").write_text(json.dumps({"model_cfg": {"embed_dim": 24}}))


def _another_width(folder: Path) -> None:
    config = json.loads((folder / "open_clip_config.json").read_text())
    config["model_cfg"]["embed_dim"] = 32
    (folder / "open_clip_config.json").write_text(json.dumps(config))


def _odd_preprocessing(folder: Path) -> None:
    config = json.loads((folder / "open_clip_config.json").read_text())
    config["preprocess_cfg"]["resize_mode"] = "wavy"
    (folder / "open_clip_config.json").write_text(json.dumps(config))


def _no_weights(folder: Path) -> None:
    (folder / "open_clip_model.safetensors").write_bytes(b"no weights" * 9)


@pytest.mark.parametrize(
    "spoil",
    [_without_config, _no_json, _no_towers, _another_width, _odd_preprocessing, _no_weights],
)
def test_a_folder_that_does_not_fit_is_one_line(tmp_path: Path, spoil: object) -> None:
    """Whatever is wrong with a folder, the error names it, is one line, and says what it needs."""
    folder = tiny_clip(tmp_path / "clip")
    spoil(folder)
    with pytest.raises(ConfigError) as error:
        OpenClip(f"local-dir:{folder}").encode_text(["a"])
    assert str(folder) in error.value.message and "\n" not in error.value.message
    assert "open_clip_config.json" in error.value.hint


def test_names_that_are_none(tmp_path: Path) -> None:
    """A name of another form is refused at once, an unknown model or folder when it is loaded."""
    with pytest.raises(ConfigError, match="no image model is called 'clip'"):
        image_encoder_named("clip", HashedWords(), None)
    for name in ("No-Such/laion2b", "ViT-B-32/no_such_weights", f"local-dir:{tmp_path}/none"):
        encoder = image_encoder_named(name, HashedWords(), None)
        assert encoder is not None
        with pytest.raises(ConfigError, match="cannot be loaded"):
            encoder.encode_text(["a"])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ViT-B-32/openai", "ViT-B-32-quickgelu/openai"),
        ("ViT-B-32/laion400m_e31", "ViT-B-32-quickgelu/laion400m_e31"),
    ],
)
def test_weights_trained_with_the_other_gelu_are_refused(name: str, other: str) -> None:
    """open_clip only warns of them; mmem names the model that fits, before anything is fetched."""
    with pytest.raises(ConfigError, match="not trained for ViT-B-32") as error:
        OpenClip(name).encode_text(["a"])
    assert error.value.hint == f"MMEM_IMAGE_MODEL={other}"


def test_it_says_nothing_beside(tmp_path: Path) -> None:
    """Loading, and failing to, write nothing to the user and leave the logging as it was."""
    code = (
        "import logging, sys; from mmem.models.image_clip import OpenClip\n"
        "from mmem.errors import ConfigError\n"
        "for name in sys.argv[1:]:\n"
        "    try: OpenClip(name).identity\n"
        "    except ConfigError: pass\n"
        "assert not logging.getLogger().handlers"
    )
    folder = tiny_clip(tmp_path / "clip")
    names = [f"local-dir:{folder}", "No-Such/openai", "RN50/no_such"]
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_a_name_means() -> None:
    """`off` is none, `labels` the label vectors with the bodies that are handed over."""
    assert image_encoder_named("off", HashedWords(), None) is None
    assert isinstance(image_encoder_named("labels", HashedWords(), Brightness()), LabelVectors)


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not installed is said before anything is loaded."""
    monkeypatch.setattr(image_clip.importlib.util, "find_spec", lambda name: None)
    encoder = OpenClip("ViT-B-32/openai")
    for act in (encoder.ensure_installed, lambda: encoder.encode_text(["a"])):
        with pytest.raises(MissingExtra, match="torch and open_clip") as error:
            act()
        assert error.value.hint == "pip install 'mmem[vision]'"
