"""JSON Schemas of records as endpoints with structured output take them.

OpenAI's strict mode (guide "Structured model outputs", supported schemas) wants every object closed
and every field required, and knows few keywords; llama.cpp and Ollama build a grammar from the same
subset. What is dropped here (defaults, lengths, ranges) is still checked when the reply is read;
docstrings of records are left out too: they are written for people.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

_KEPT = frozenset({"type", "enum", "const", "description", "required"})


def schema_of(wanted: Any) -> dict[str, Any]:
    """Return the closed JSON Schema of a record, references written out; not to be changed."""
    return _schema(wanted)


@lru_cache(maxsize=64)
def _schema(wanted: Any) -> dict[str, Any]:
    whole = TypeAdapter(wanted).json_schema()
    closed: dict[str, Any] = _closed(whole, whole.get("$defs", {}), ())
    return closed


def is_strict(schema: Any) -> bool:
    """Tell whether strict mode takes a schema: no open objects, nothing of any type."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return False
    if not schema.keys() & {"type", "enum", "const", "anyOf"}:
        return False
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    return all(map(is_strict, inner)) and is_strict(schema.get("items", True))


def _closed(node: Any, defs: dict[str, Any], above: tuple[str, ...]) -> Any:
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = str(node["$ref"]).rsplit("/", 1)[-1]
        return {} if name in above else _closed(defs[name], defs, (*above, name))
    made = {key: value for key, value in node.items() if key in _KEPT}
    if "properties" in node:
        made.pop("description", None)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in node:
            made["anyOf"] = [_closed(each, defs, above) for each in node[key]]
    if "items" in node:
        made["items"] = _closed(node["items"], defs, above)
    if node.get("properties"):
        fields = node["properties"]
        made["properties"] = {k: _closed(v, defs, above) for k, v in fields.items()}
        made["required"] = list(fields)
        made["additionalProperties"] = False
    elif "additionalProperties" in node:
        made["additionalProperties"] = _closed(node["additionalProperties"], defs, above)
    return made
