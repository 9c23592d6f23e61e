"""Work ahead: the next item is made on another thread while the last one is used."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


@contextlib.contextmanager
def ahead(items: Iterator[T]) -> Iterator[Iterator[T]]:
    """Hand out an iterator whose next item is being made already, one ahead.

    What `items` raises is raised where the item would have come. Leaving the context stops the
    thread after the item that it is making.
    """
    maker = _Maker(items)
    maker.thread.start()
    try:
        yield maker.taken()
    finally:
        maker.stop()


class _Maker(Generic[T]):
    def __init__(self, items: Iterator[T]) -> None:
        self._items = items
        self._made: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(maxsize=1)
        self._stopped = threading.Event()
        self.thread = threading.Thread(target=self._make, name="mmem-ahead", daemon=True)

    def taken(self) -> Iterator[T]:
        """Yield the items as they are made."""
        while True:
            item, error = self._made.get()
            if error is not None:
                raise error
            if item is None:
                return
            yield item

    def stop(self) -> None:
        """Let the thread end, and wait for it."""
        self._stopped.set()
        while self.thread.is_alive():
            with contextlib.suppress(queue.Empty):
                self._made.get_nowait()
            self.thread.join(timeout=0.05)

    def _make(self) -> None:
        try:
            for item in self._items:
                self._made.put((item, None))
                if self._stopped.is_set():
                    return
        except BaseException as error:  # handed over to the taker, who raises it
            self._made.put((None, error))
        else:
            self._made.put((None, None))
