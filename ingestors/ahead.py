"""Making items on a thread of their own, a few ahead of who takes them."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
_STEPS = 2


def ahead(items: Generator[T]) -> Generator[T]:
    """Yield items that are made on a thread of their own, a few ahead, in order."""
    with contextlib.closing(items), ThreadPoolExecutor(1, "mmem-video") as maker:
        due = deque(maker.submit(next, items, None) for _ in range(_STEPS))
        try:
            while (item := due.popleft().result()) is not None:
                due.append(maker.submit(next, items, None))
                yield item
        finally:
            maker.shutdown(cancel_futures=True)
