"""The base of every record: frozen, closed, and with one canonical text."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen pydantic model that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def canonical(self) -> str:
        """Return the record as JSON whose text depends on the content alone (sorted keys)."""
        return canonical_json(self.model_dump(mode="json"))


def canonical_json(value: Any) -> str:
    """Return a JSON text that depends on the content alone.

    >>> canonical_json({"b": 1, "a": "ü"})
    '{"a":"ü","b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
