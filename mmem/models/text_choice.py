"""Which text encoder a name means."""

from __future__ import annotations

from collections.abc import Callable

from mmem.config import Settings
from mmem.errors import ConfigError
from mmem.models.text import MiniLM
from mmem.ports import TextEncoder, VectorSpace
from mmem.ports.texts import ENDPOINT

EMBEDDED, SERVED = "embedded", "endpoint:"
Stored = Callable[[], VectorSpace | None]


def text_encoder(
    settings: Settings, *, stored: Stored = lambda: None, threads: int = 1
) -> TextEncoder:
    """Return the text encoder that MMEM_TEXT_MODEL names; nothing is loaded or sent yet.

    `stored` tells the space of the memory that it is for, None for none: with it an endpoint
    needn't be asked how wide its vectors are. `threads` is for the embedded one.

    Raises ConfigError.
    """
    name = settings.text_model.strip()
    if name == EMBEDDED:
        return MiniLM(threads=threads)
    if name.startswith(SERVED):
        return _served(settings, name.removeprefix(SERVED), stored)
    if not name:
        raise ConfigError(
            "MMEM_TEXT_MODEL is empty",
            hint="it is embedded, local-dir:/path, a hub's name or endpoint:MODEL",
        )
    from mmem.models.text_folder import Manner
    from mmem.models.text_transformers import TransformersText

    manner = Manner(settings.text_pooling, settings.text_prefix, settings.text_query_prefix)
    return TransformersText(name, manner)


def _served(settings: Settings, model: str, stored: Stored) -> TextEncoder:
    from mmem.models.text_endpoint import endpoint_text

    if not model:
        raise ConfigError(
            "MMEM_TEXT_MODEL names no model of the endpoint", hint="as in endpoint:bge-m3"
        )
    space = stored()
    same = space is not None and (space.provider, space.model) == (ENDPOINT, model)
    return endpoint_text(settings, model, width=space.width if space and same else None)
