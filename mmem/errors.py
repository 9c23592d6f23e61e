"""What can go wrong, as one tree.

    MmemError
    ├── ConfigError         a setting or an argument that cannot be right
    ├── MissingExtra        a part that is not installed
    ├── ModelMismatch       vectors of another model than the one in hand
    ├── StoreLocked         another writer holds the memory
    ├── StoreDamaged        the folder is no memory, or of a newer version
    ├── UnsupportedFormat   no reader knows this file
    ├── DamagedFile         a reader knows it, but it cannot be read
    ├── AmbiguousDate       day and month cannot be told apart
    ├── UnknownId           no record of that id, or not visible to this reader
    ├── BudgetExceeded      a cost cap was reached
    └── ReplyUnusable       a model's words could not be read

A message says what, where and why; `hint` is the next command or step.
"""

from __future__ import annotations


class MmemError(Exception):
    """Any error that mmem raises on purpose; doors turn it into one clear line."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class ConfigError(MmemError):
    """A setting or an argument that cannot be right."""


class MissingExtra(MmemError):
    """A part that is not installed; the hint names the extra that brings it."""


class ModelMismatch(MmemError):
    """The memory holds vectors of another model than the one in hand."""


class StoreLocked(MmemError):
    """Another writer holds the memory's lease."""


class StoreDamaged(MmemError):
    """The folder is not a memory, or was written by a newer mmem."""


class UnsupportedFormat(MmemError):
    """No reader recognises this file."""


class DamagedFile(MmemError):
    """The format is known, but this file cannot be read."""


class AmbiguousDate(MmemError):
    """Day and month cannot be told apart over the whole file."""


class UnknownId(MmemError):
    """No record has that id, or this reader may not see it."""


class BudgetExceeded(MmemError):
    """A cost cap was reached; what is done stays done."""


class ReplyUnusable(MmemError):
    """A model's reply could not be read, even after repair and one re-ask."""
