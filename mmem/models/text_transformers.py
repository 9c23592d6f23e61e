"""Text vectors of any transformers model in a folder, or of a hub's name (safetensors only).

Every text goes through the network alone, unpadded, so its vectors depend on that text alone. The
price, measured on a network of MiniLM's size on one thread, texts of 5 to 60 tokens: 710 tokens a
CPU second against 960 in batches of 32 and 1,290 in batches sorted by length.
No code of a model's own is ever run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mmem.errors import ConfigError
from mmem.models.text_folder import Manner, TextFolder, read_folder
from mmem.models.text_parts import (
    RememberedQuestions,
    chunk_spans,
    of_length_1,
    without_halves,
)
from mmem.models.transformers_parts import (
    LOCAL_DIR,
    UNFIT,
    ensure_installed,
    first_line,
    load_network,
    quiet,
)
from mmem.ports import Encoded, FloatArray, IntArray, QueryVectors, VectorSpace

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_FILES = ["*.json", "*.txt", "*.safetensors"]
_UNUSED = ("pooler.",)
"""Weights that a model may lack: its last hidden states do not pass through them."""


class TransformersText:
    """A transformers text model: `name` is "local-dir:/path", a folder, or a hub's name.

    The files are read and the weights hashed when its identity is asked for; the network is loaded
    with the first text, onto a GPU where there is one. `manner` states what the folder does not
    say, or says otherwise. Raises ConfigError, MissingExtra.
    """

    def __init__(self, name: str, manner: Manner | None = None) -> None:
        self._name = name
        self._manner = manner or Manner()
        self._asked = RememberedQuestions()

    @cached_property
    def identity(self) -> VectorSpace:
        """The vector space, by the bytes of weights, configuration and tokenizer."""
        folder = self._folder
        return VectorSpace(
            provider="transformers",
            model=Path(self._name.removeprefix(LOCAL_DIR)).name,
            revision=folder.revision(),
            width=folder.width,
            pooling=folder.pooling,
            preprocessing=folder.preprocessing(),
        )

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return pooled vectors f32[n, d] of length 1 and the sign codes of every token.

        Codes are empty where the width is no multiple of 8.
        """
        pooled = np.empty((len(texts), self._folder.width), np.float32)
        codes = []
        for row, text in enumerate(texts):
            hidden = self._hidden(self._tokens(self._folder.prefix, text))
            pooled[row] = self._pooled(hidden)
            kept = hidden if self.identity.has_tokens else hidden[:0]
            signs = kept > 0
            codes.append(np.packbits(signs, axis=1)[:, : self._folder.width // 8])
        return Encoded(pooled=pooled, codes=codes)

    def encode_query(self, text: str) -> QueryVectors:
        """Return the pooled vector and the token vectors (each of length 1) of one question."""
        return self._asked.get(text, self._query_vectors)

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        """Return character spans that cover a text's sentences, each of at most `max_tokens`."""
        fits = max(1, min(max_tokens, self._folder.limit - 2))
        return chunk_spans(text, self._offsets, max_tokens=fits)

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        offsets: list[tuple[int, int]]
        offsets = self._counter.encode(without_halves(text), add_special_tokens=False).offsets
        return offsets

    def _query_vectors(self, text: str) -> QueryVectors:
        prefix = self._folder.query_prefix
        encoding = self._tokens(prefix, text)
        hidden = self._hidden(encoding)
        kept = slice(None) if self.identity.has_tokens else slice(0, 0)
        return QueryVectors(
            pooled=self._pooled(hidden),
            tokens=of_length_1(hidden)[kept],
            spans=_without(prefix, encoding.offsets)[kept],
        )

    def _tokens(self, prefix: str, text: str) -> Encoding:
        whole = prefix + without_halves(text.lower() if self._folder.lower else text)
        return self._tokenizer.encode(whole)

    def _pooled(self, hidden: FloatArray) -> FloatArray:
        how = self._folder.pooling
        if how == "mean":
            return of_length_1(hidden.mean(axis=0, dtype=np.float32))
        if how == "max":
            return of_length_1(hidden.max(axis=0))
        return of_length_1(hidden[0 if how == "cls" else -1])

    def _hidden(self, encoding: Encoding) -> FloatArray:
        """Return the last hidden states f32[tokens, d] of one text."""
        import torch

        model = self._model
        ids = torch.tensor([encoding.ids], device=model.device)
        with torch.inference_mode():
            states = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
        hidden: FloatArray = states[0].float().cpu().numpy()
        if not np.isfinite(hidden).all():
            raise ConfigError(f"{self._folder.path} makes vectors that hold no numbers")
        return hidden

    @cached_property
    def _folder(self) -> TextFolder:
        return read_folder(_path_of(self._name), self._manner)

    @cached_property
    def _model(self) -> Any:
        ensure_installed(self._name)
        from transformers import AutoModel

        return load_network(AutoModel, self._folder.path, unused=_UNUSED)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = self._fresh_tokenizer()
        tokenizer.enable_truncation(self._folder.limit)
        return tokenizer

    @cached_property
    def _counter(self) -> Tokenizer:
        return self._fresh_tokenizer()

    def _fresh_tokenizer(self) -> Tokenizer:
        """Return the tokenizer as transformers sets it up, which adds what tokenizer.json lacks."""
        ensure_installed(self._name)
        from tokenizers import Tokenizer
        from transformers import AutoTokenizer

        path = self._folder.path
        try:
            whole = AutoTokenizer.from_pretrained(
                path, trust_remote_code=False, local_files_only=True
            )
            tokenizer: Tokenizer = Tokenizer.from_str(whole.backend_tokenizer.to_str())
        except UNFIT as error:
            raise ConfigError(f"the tokenizer of {path}: {first_line(error)}") from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


def _path_of(name: str) -> Path:
    """Return the folder of a model, fetched from the hub where it isn't here. Raises ConfigError.

    What was fetched once is not asked for again.
    """
    if name.startswith(LOCAL_DIR):
        return Path(name.removeprefix(LOCAL_DIR)).expanduser()
    if Path(name).expanduser().is_dir():
        return Path(name).expanduser()
    if not _HUB_NAME.fullmatch(name):
        raise ConfigError(
            f"no text model is called {name!r}, and no folder",
            hint="MMEM_TEXT_MODEL is embedded, local-dir:/path, a hub's name or endpoint:MODEL",
        )
    ensure_installed(name)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    with quiet():
        try:
            return Path(snapshot_download(name, allow_patterns=_FILES, local_files_only=True))
        except LocalEntryNotFoundError:
            return _fetched(name)


def _fetched(name: str) -> Path:
    import httpx
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return Path(snapshot_download(name, allow_patterns=_FILES))
    except (HfHubHTTPError, httpx.HTTPError, OSError, ValueError) as error:
        raise ConfigError(
            f"{name} could not be fetched: {first_line(error)}",
            hint="copy its files here and set MMEM_TEXT_MODEL=local-dir:/path",
        ) from error


def _without(prefix: str, offsets: Sequence[tuple[int, int]]) -> IntArray:
    """Return spans int32[t, 2] as if the prefix weren't there; its own tokens become marks."""
    spans = np.array(offsets, np.int32).reshape(-1, 2) - len(prefix)
    return np.where((spans[:, 1:] <= 0), 0, np.maximum(spans, 0)).astype(np.int32)
