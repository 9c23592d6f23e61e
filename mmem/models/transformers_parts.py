"""What every body on transformers does: find it, load a network from a folder, keep it quiet."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mmem.errors import ConfigError, MissingExtra

LOCAL_DIR = "local-dir:"
UNFIT = (ValueError, OSError, RuntimeError, KeyError, TypeError, AttributeError, ImportError)
"""What transformers raises for files that do not fit each other."""


def ensure_installed(name: str) -> None:
    """Raise MissingExtra where what `name` needs is not installed; nothing is loaded."""
    missing = [each for each in ("torch", "transformers") if not importlib.util.find_spec(each)]
    if missing:
        raise MissingExtra(
            f"{name} needs {' and '.join(missing)}, which is not installed",
            hint="pip install 'mmem[vision]'",
        )


def load_network(auto: Any, path: Path, *, unused: tuple[str, ...] = ()) -> Any:
    """Return the network of a folder, by one of transformers' Auto classes, ready to be used.

    It is on a GPU where there is one. Weights whose names begin with `unused` may be missing; no
    code of the folder is run. Raises ConfigError.
    """
    import torch
    from safetensors import SafetensorError

    with quiet():
        try:
            model, told = auto.from_pretrained(
                path,
                use_safetensors=True,
                trust_remote_code=False,
                local_files_only=True,
                output_loading_info=True,
                dtype=torch.float32,
            )
        except (*UNFIT, SafetensorError) as error:
            raise ConfigError(f"{path} cannot be loaded: {first_line(error)}") from error
    missing = [key for key in sorted(told["missing_keys"]) if not key.startswith(unused)]
    if missing:
        raise ConfigError(f"{path} lacks {len(missing)} weights, among them {missing[0]}")
    return model.eval().to("cuda" if torch.cuda.is_available() else "cpu")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers' bars and warnings off the terminal for a while."""
    from transformers.utils import logging

    told: Any = logging  # transformers gives these no types
    level, bars = told.get_verbosity(), told.is_progress_bar_enabled()
    told.set_verbosity_error()
    told.disable_progress_bar()
    try:
        yield
    finally:
        told.set_verbosity(level)
        if bars:
            told.enable_progress_bar()


def first_line(error: Exception) -> str:
    """Return the first line of an error, its kind where it says nothing."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
