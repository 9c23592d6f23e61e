"""JSON Schemas of what leaves mmem: `python -m mmem.schemas.write_json` writes schemas/json/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from mmem.schemas.atoms import atom_adapter
from mmem.schemas.entities import Entity
from mmem.schemas.events import EventFrame, Fact, Quadruple
from mmem.schemas.flat import flat_adapter
from mmem.schemas.results import Answer, Citation, Evidence
from mmem.schemas.semantic import SemanticFact
from mmem.schemas.source import Outcome, Receipt, Source
from mmem.schemas.units import unit_adapter
from mmem.schemas.views import View

FOLDER = Path(__file__).parent / "json"


def schema_texts() -> dict[str, str]:
    """Return file name -> text of every schema, as it should be on disk."""
    named: dict[str, TypeAdapter[Any]] = {
        "answer": TypeAdapter(Answer),
        "atom": atom_adapter,
        "atom_line": flat_adapter,
        "citation": TypeAdapter(Citation),
        "evidence": TypeAdapter(Evidence),
        "entity": TypeAdapter(Entity),
        "event_frame": TypeAdapter(EventFrame),
        "fact": TypeAdapter(Fact),
        "outcome": TypeAdapter(Outcome),
        "quadruple": TypeAdapter(Quadruple),
        "receipt": TypeAdapter(Receipt),
        "semantic_fact": TypeAdapter(SemanticFact),
        "view": TypeAdapter(View),
        "source": TypeAdapter(Source),
        "unit": unit_adapter,
    }
    return {f"{name}.json": _text(adapter, name) for name, adapter in named.items()}


def write(folder: Path = FOLDER) -> None:
    """Write all schemas and remove what is no longer one."""
    folder.mkdir(exist_ok=True)
    texts = schema_texts()
    for old in folder.glob("*.json"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _text(adapter: TypeAdapter[Any], name: str) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"mmem/{name}.json",
        **adapter.json_schema(mode="serialization"),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    write()
