"""A CLIP with random weights in a folder, as open_clip reads it: the loading path is the real one.

What it sees means nothing; that a text and a picture come out as vectors of one space is real.
"""

from __future__ import annotations

import json
from pathlib import Path

WIDTH = 24
CONFIG = {
    "embed_dim": WIDTH,
    "vision_cfg": {"image_size": 32, "layers": 1, "width": 32, "head_width": 16, "patch_size": 16},
    "text_cfg": {
        "context_length": 16,
        "vocab_size": 49408,
        "width": 16,
        "heads": 2,
        "layers": 1,
    },
}
PREPROCESSING: dict[str, object] = {
    "size": 32,
    "mean": [0.5, 0.5, 0.5],
    "std": [0.25, 0.25, 0.25],
    "interpolation": "bilinear",
    "resize_mode": "squash",
}


def tiny_clip(folder: Path, *, seed: int = 1, **preprocessing: object) -> Path:
    """Write the model; `preprocessing` replaces fields of its preprocess_cfg."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_cfg": CONFIG, "preprocess_cfg": {**PREPROCESSING, **preprocessing}}
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = open_clip.CLIP(**CONFIG)
    weights = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}
    save_file(weights, folder / "open_clip_model.safetensors")
    return folder
