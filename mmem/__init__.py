"""mmem: an event memory over recordings and conversations.

`from mmem import Memory` is the whole library; names are resolved on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmem.errors import MmemError
    from mmem.memory import Memory
    from mmem.recipes import Recipe
    from mmem.schemas import Answer, Citation, Evidence, Receipt

__version__ = "0.1.0"
__all__ = ["Answer", "Citation", "Evidence", "Memory", "MmemError", "Receipt", "Recipe"]

_HOMES = {
    "Answer": "mmem.schemas",
    "Citation": "mmem.schemas",
    "Evidence": "mmem.schemas",
    "Memory": "mmem.memory",
    "MmemError": "mmem.errors",
    "Receipt": "mmem.schemas",
    "Recipe": "mmem.recipes",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'mmem' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
