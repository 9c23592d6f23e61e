"""Which model makes the text vectors of a memory, and making them anew with another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mmem.lifecycle.opened import Opened
from mmem.lifecycle.progress import Listener, nobody
from mmem.lifecycle.reembed import Reembedded, Reembedding
from mmem.ports import TextEncoder, VectorSpace
from mmem.stores.spaces import other_space


class Embedded:
    """The part of `Memory` that knows of text vectors."""

    _make: Callable[..., Opened]
    _opened: Opened

    def reembed(
        self,
        *,
        model: str | None = None,
        encoder: TextEncoder | None = None,
        max_cost: float | None = None,
        listener: Listener = nobody,
    ) -> Reembedded:
        """Make all text vectors anew with `encoder`, the `model`, or this memory's own; swap them.

        `model` is named as MMEM_TEXT_MODEL is. Until the swap the memory is read as it was; after
        an error it still is, and the same call goes on from there. After it this memory reads with
        the new one; others that are opened must name it. `max_cost` caps what a language model may
        spend on comparing frames anew. Raises ConfigError, MissingExtra, StoreLocked, and what the
        encoder raises.
        """
        make = self._make
        if encoder is not None:
            make = partial(make, encoder=encoder)
        elif model is not None:
            make = partial(make, encoder=None, text_model=model)
        opened = make()
        with opened.leased() as lease:
            act = Reembedding(
                folder=opened.folder,
                encoder=opened.write_encoder,
                completer=lambda: opened.completer(listener, max_cost=max_cost),
                listener=listener,
                check_lease=lease.check,
            )
            try:
                return act.run()
            finally:
                if act.is_read():
                    self._make, self._opened = make, make()

    def text_space(self) -> VectorSpace:
        """Return what made the text vectors. Raises ConfigError, ModelMismatch, StoreDamaged."""
        return self._opened.library.space

    def space_being_made(self) -> VectorSpace | None:
        """Return the space that a broken off `reembed` was going to or leaving; None for none."""
        other = other_space(self._opened.folder)
        return None if other is None else other.space
