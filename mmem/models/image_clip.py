"""Image vectors of open_clip: any of its models and weights, or a folder that holds one.

A folder has what open_clip writes and reads: `open_clip_config.json` (model_cfg, preprocess_cfg),
one file of weights, and the files of a tokenizer where the model has its own. It needs no network.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib.util
import logging
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mmem.errors import ConfigError, MissingExtra
from mmem.ports import ByteArray, FloatArray, VectorSpace

LOCAL_DIR = "local-dir:"
_PROBE = "A red kettle, 2 cups & 1 cat's bowl on the table."
"""Its tokens stand for the tokenizer in the identity."""


@dataclasses.dataclass(frozen=True)
class _Loaded:
    """A model on its device, what makes pictures ready for it, and its tokenizer."""

    model: Any
    prepare: Callable[[Any], Any]
    preprocessing: str
    tokenize: Callable[[list[str]], Any]
    device: str


class OpenClip:
    """An image encoder of open_clip: "MODEL/WEIGHTS" or "local-dir:/path".

    It is loaded when it is first needed. Pictures go through it one by one, so that a vector
    depends on its picture alone; on a GPU where there is one. Raises ConfigError at once for a name
    of another form.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        model, _, weights = name.rpartition("/")
        if not name.startswith(LOCAL_DIR) and not (model and weights):
            raise ConfigError(
                f"no image model is called {name!r}",
                hint="MMEM_IMAGE_MODEL is labels, off, ViT-B-32/laion2b_s34b_b79k or "
                "local-dir:/path",
            )

    @cached_property
    def identity(self) -> VectorSpace:
        """The space, by the bytes of the weights: a moved folder is the same, another tag is not.

        Raises MissingExtra, ConfigError.
        """
        loaded = self._loaded
        return VectorSpace(
            provider="open_clip",
            model="local-dir" if self.name.startswith(LOCAL_DIR) else self.name,
            revision=_weights_digest(loaded.model.state_dict()),
            width=self.encode_text([_PROBE]).shape[1],
            pooling="projected",
            preprocessing=f"{loaded.preprocessing};tokens={_tokens_digest(loaded)}",
        )

    def ensure_installed(self) -> None:
        """Raise MissingExtra where open_clip is not installed."""
        missing = [
            name for name in ("torch", "open_clip") if importlib.util.find_spec(name) is None
        ]
        if missing:
            raise MissingExtra(
                f"{self.name} needs {' and '.join(missing)}, which is not installed",
                hint="pip install 'mmem[vision]'",
            )

    def encode(self, frames: ByteArray) -> FloatArray:
        """Return f32[n, d], rows of length 1. Raises MissingExtra, ConfigError."""
        import torch
        from PIL import Image

        loaded, rows = self._loaded, []
        with torch.inference_mode():
            for frame in frames:
                picture = loaded.prepare(Image.fromarray(frame))[None].to(loaded.device)
                rows.append(_unit(loaded.model.encode_image(picture)))
        return np.concatenate(rows) if rows else np.zeros((0, self.identity.width), np.float32)

    def encode_text(self, texts: Sequence[str]) -> FloatArray:
        """Return f32[n, d], rows of length 1. Raises MissingExtra, ConfigError."""
        import torch

        loaded, rows = self._loaded, []
        with torch.inference_mode():
            for text in texts:
                tokens = loaded.tokenize([text]).to(loaded.device)
                rows.append(_unit(loaded.model.encode_text(tokens)))
        return np.concatenate(rows) if rows else np.zeros((0, self.identity.width), np.float32)

    @cached_property
    def _loaded(self) -> _Loaded:
        self.ensure_installed()
        import open_clip
        from open_clip.transform import PreprocessCfg, image_transform_v2

        model_name, weights = _parts(self.name)
        _refuse_another_activation(model_name, weights)
        with _quietly():
            try:
                model = open_clip.create_model(model_name, weights, require_pretrained=True)
                tokenize = open_clip.get_tokenizer(model_name)
                config = PreprocessCfg(**model.visual.preprocess_cfg)
                prepare = image_transform_v2(config, is_train=False)
            except _unfit() as error:
                raise ConfigError(
                    f"the image model {self.name} cannot be loaded: {_first_line(error)}",
                    hint="see MMEM_IMAGE_MODEL; a folder needs open_clip_config.json and weights",
                ) from error
        device = _device()
        return _Loaded(model.eval().to(device), prepare, _written(config), tokenize, device)


def _parts(name: str) -> tuple[str, str | None]:
    """Return open_clip's name of the model and of the weights."""
    if name.startswith(LOCAL_DIR):
        return f"{LOCAL_DIR}{Path(name.removeprefix(LOCAL_DIR)).expanduser()}", None
    model, _, weights = name.rpartition("/")
    return model, weights


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Keep open_clip from writing to the user: it logs to the root, which then gets a handler.

    What is wrong is raised, and told by that.
    """
    root, silent = logging.getLogger(), logging.NullHandler()
    root.addHandler(silent)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        root.removeHandler(silent)


def _unfit() -> tuple[type[Exception], ...]:
    """Return what open_clip raises for names, folders and files that do not fit each other."""
    from safetensors import SafetensorError

    odd = (ValueError, OSError, RuntimeError, KeyError, TypeError, AssertionError)
    return (*odd, SafetensorError, pickle.UnpicklingError)


def _refuse_another_activation(model: str, weights: str | None) -> None:
    """Raise ConfigError for weights that were trained with the other GELU: open_clip only warns."""
    from open_clip import get_model_config
    from open_clip.pretrained import get_pretrained_cfg

    if weights is None:
        return
    built, trained = get_model_config(model), get_pretrained_cfg(model, weights)
    activation = "quick_gelu"
    if built and trained and bool(built.get(activation)) != bool(trained.get(activation)):
        plain = model.removesuffix("-quickgelu")
        other = plain if model != plain else f"{plain}-quickgelu"
        raise ConfigError(
            f"the weights {weights} were not trained for {model} as open_clip builds it",
            hint=f"MMEM_IMAGE_MODEL={other}/{weights}",
        )


def _written(config: Any) -> str:
    """Return how pictures are made ready, as text: every field of open_clip's PreprocessCfg."""
    fields = sorted(dataclasses.asdict(config).items())
    return ";".join(f"{name}={_plain(value)}" for name, value in fields)


def _plain(value: object) -> str:
    return "x".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _tokens_digest(loaded: _Loaded) -> str:
    tokens = loaded.tokenize([_PROBE]).cpu().numpy().astype("<i8")
    return hashlib.sha256(tokens.tobytes()).hexdigest()[:16]


def _weights_digest(weights: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all weights by name, whatever file they came in."""
    whole = hashlib.sha256()
    for name, tensor in sorted(weights.items()):
        whole.update(f"{name}:{tensor.dtype}:{tuple(tensor.shape)}\n".encode())
        whole.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return whole.hexdigest()


def _unit(features: Any) -> FloatArray:
    """Return f32[n, d] of length 1."""
    found: FloatArray = features.float().cpu().numpy()
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.maximum(lengths, np.float32(1e-12)), np.float32)


def _first_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
