"""A captioner of transformers in a folder: BLIP, or an image encoder with a text decoder.

It says what a picture shows in a sentence; scenes and things it does not name. Each picture goes
through the network alone and the likeliest word is taken each time, so that a caption depends on
its picture alone. No code of a model's own is ever run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from mmem.errors import ConfigError
from mmem.models.captions import record_of
from mmem.models.text_folder import json_object, network_revision, weight_files
from mmem.models.transformers_parts import (
    LOCAL_DIR,
    UNFIT,
    ensure_installed,
    first_line,
    load_network,
    quiet,
)
from mmem.models.weights import digest
from mmem.ports import Described, PictureSet
from mmem.schemas.identity import digest_of

KINDS = ("blip", "vision-encoder-decoder")
"""Model types that need nothing but a picture to begin with."""
_MOST_TOKENS = 40
_FILES = (
    *("preprocessor_config.json", "processor_config.json", "generation_config.json"),
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"),
    *("vocab.txt", "vocab.json", "merges.txt"),
)


class TransformersCaptioner:
    """An image captioner: `name` is "local-dir:/path".

    The files are read and the weights hashed when its identity is asked for; the network is loaded
    with the first picture, onto a GPU where there is one. Raises ConfigError, MissingExtra.
    """

    def __init__(self, name: str) -> None:
        ensure_installed(name)
        self._path = Path(name.removeprefix(LOCAL_DIR)).expanduser()

    @cached_property
    def identity(self) -> str:
        """Folder's name, the bytes of its files, and how words are chosen."""
        found = [self._path / name for name in _FILES]
        said = [f"{file.name} {digest(file)}" for file in found if file.is_file()]
        revision = digest_of(network_revision(self._path, self._weights), *said)
        return f"{self._path.name} {revision[:12]}, greedy, {_MOST_TOKENS} tokens"

    def describe_all(self, sets: Iterable[PictureSet]) -> Iterator[Described]:
        """Yield what each set shows: the different captions of its pictures, one after the other.

        Raises ConfigError.
        """
        for pictures in sets:
            told = dict.fromkeys(_sentence(self._caption(file)) for file in pictures.files)
            words = " ".join(filter(None, told))
            yield Described(record_of(words)) if words else Described(None, "it found no words")

    @cached_property
    def _weights(self) -> tuple[Path, ...]:
        """The weight files of a folder that can be used at all."""
        if not self._path.is_dir():
            raise ConfigError(
                f"no folder {self._path}", hint="MMEM_VISION_MODEL=local-dir:/path names one"
            )
        config = json_object(self._path / "config.json", needed=True)
        if "auto_map" in config:
            raise ConfigError(f"{self._path} brings code of its own, which is never run")
        if config.get("model_type") not in KINDS:
            raise ConfigError(
                f"{self._path} holds a model of type {config.get('model_type')!r}",
                hint=f"here it is one of {', '.join(KINDS)}; ask a larger one over an endpoint",
            )
        return weight_files(self._path)

    def _caption(self, file: str) -> str:
        import torch
        from PIL import Image

        model, processor, tokenizer = self._loaded
        with Image.open(file) as image:
            pixels = processor(images=image.convert("RGB"), return_tensors="pt")["pixel_values"]
        with torch.inference_mode(), quiet():
            (ids,) = model.generate(
                pixel_values=pixels.to(model.device),
                do_sample=False,
                num_beams=1,
                max_new_tokens=_MOST_TOKENS,
            )
        return str(tokenizer.decode(ids, skip_special_tokens=True)).strip()

    @cached_property
    def _loaded(self) -> tuple[Any, Any, Any]:
        """The network, what makes pictures ready for it, and what its words are."""
        _ = self._weights
        from transformers import AutoImageProcessor, AutoModelForImageTextToText, AutoTokenizer

        network = load_network(AutoModelForImageTextToText, self._path)
        try:
            with quiet():
                processor, tokenizer = (
                    auto.from_pretrained(self._path, trust_remote_code=False, local_files_only=True)
                    for auto in (AutoImageProcessor, AutoTokenizer)
                )
        except UNFIT as error:
            raise ConfigError(f"{self._path} cannot be loaded: {first_line(error)}") from error
        return network, processor, tokenizer


def _sentence(caption: str) -> str:
    """Return a caption as a sentence.

    >>> _sentence("a cat on a mat")
    'A cat on a mat.'
    """
    words = caption.strip()
    if not words:
        return ""
    return f"{words[0].upper()}{words[1:]}{'' if words[-1] in '.!?' else '.'}"
