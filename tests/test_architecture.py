"""The house: imports point down only, and rooms of one floor do not know each other."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import mmem

ROOT = Path(__file__).parent.parent
FLOORS = {
    0: {
        *("errors", "ports", "config", "recipes", "recipe_parts", "reply", "reply_json"),
        *("words", "dates", "date_rules", "orders", "schemas"),
    },
    1: {"models", "stores", "ingestors"},
    2: {"derive", "recall", "answer"},
    3: {"memory", "lifecycle"},
    4: {
        "cli",
        "__main__",
        "notebook",
        "report",
        "report_page",
        "report_sources",
        "demo",
        "server",
        "mcp",
        "integrations",
        "bench",
    },
}
FLOOR_OF = {room: floor for floor, rooms in FLOORS.items() for room in rooms}
NEIGHBOURS = {("memory", "lifecycle"), ("__main__", "cli")}
FREE = FLOORS[0]
HEAVY = {
    *("torch", "transformers", "open_clip", "faster_whisper", "spacy", "lancedb", "openai"),
    *("networkx", "scipy", "av", "decord", "onnxruntime"),
}


def modules() -> list[tuple[str, Path]]:
    """Return (room, file) of every module of the package, links left out."""
    found = []
    for file in sorted([*ROOT.glob("mmem/**/*.py"), *ROOT.glob("*/*.py")]):
        place = file.relative_to(ROOT).parts
        if place[0] in ("ingestors", "schemas"):
            found.append((place[0], file))
        elif place[0] == "mmem" and place[1] not in ("ingestors", "schemas", "__init__.py"):
            found.append((place[1].removesuffix(".py"), file))
    return sorted(set(found))


def rooms_imported(file: Path) -> set[str]:
    """Return the rooms of mmem that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    parts = [name.split(".") for name in names if name.startswith("mmem.")]
    return {part[1] for part in parts if part[1] in FLOOR_OF}


def test_imports_point_down() -> None:
    """A room imports lower floors and itself; floor 0 is free among itself."""
    wrong = []
    for room, file in modules():
        assert room in FLOOR_OF, f"{file}: name its floor here and in the design"
        for other in rooms_imported(file) - {room}:
            both_free = room in FREE and other in FREE
            door = room == "cli" and FLOOR_OF[other] == 4
            lower = FLOOR_OF[other] < FLOOR_OF[room]
            if not (lower or both_free or door or (room, other) in NEIGHBOURS):
                wrong.append(f"{file.relative_to(ROOT)} imports {other}")
    assert not wrong


def test_heavy_packages_are_imported_where_they_are_needed() -> None:
    """No module imports a heavy package at its top."""
    wrong = []
    for _, file in modules():
        for node in ast.parse(file.read_text()).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            heavy = {name.split(".")[0] for name in names} & HEAVY
            if heavy:
                wrong.append(f"{file.relative_to(ROOT)}: {sorted(heavy)}")
    assert not wrong


def test_every_folder_of_the_package_is_packaged() -> None:
    """The list of packages is the list of folders that hold an `__init__.py`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {"mmem.ingestors", "mmem.schemas"} | {
        ".".join(init.parent.relative_to(ROOT).parts)
        for init in ROOT.glob("mmem/**/__init__.py")
        if not {"ingestors", "schemas"} & set(init.relative_to(ROOT).parts)
    }
    assert listed == found


def test_versions_agree() -> None:
    """The package says the version that it is packaged as."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["version"] == mmem.__version__


def test_public_names_resolve() -> None:
    """Every name in `__all__` can be had, and nothing else is promised."""
    for name in mmem.__all__:
        assert getattr(mmem, name).__name__ == name
