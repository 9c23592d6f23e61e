"""What is published: the wheel, installed away from the checkout, walks the main job."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "samples")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "tree", ignore=LEFT_OUT, symlinks=True)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), "tree"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel, and of this one the dependencies alone."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    install = [str(scripts / "python"), "-m", "pip", "install", "--quiet", "--no-deps", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    # A path file adds the folder, but not the path files in it: the checkout stays unknown.
    shown = [
        str(scripts / "python"),
        "-c",
        "import sysconfig; print(sysconfig.get_path('purelib'))",
    ]
    site = subprocess.run(shown, check=True, capture_output=True, text=True).stdout.strip()
    (Path(site) / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return scripts / "python"


def run(python: Path, *arguments: str, cwd: Path) -> str:
    done = subprocess.run([str(python), *arguments], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_three_folders_and_nothing_else(wheel: Path) -> None:
    """Law: `mmem` is the only name that an install takes, with types and schemas in it."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].removesuffix(".dist-info") for name in names} == {
        "mmem",
        wheel.name.removesuffix("-py3-none-any.whl"),
    }
    for wanted in (
        "py.typed",
        "ingestors/whatsapp.py",
        "schemas/atoms.py",
        "schemas/json/atom.json",
    ):
        assert f"mmem/{wanted}" in names


def test_the_wheel_walks_the_main_job(python: Path, tmp_path: Path) -> None:
    """Law: installed, away from the checkout, chat and transcript go in and a cited answer out."""
    where = run(
        python, "-c", "import mmem, mmem.ingestors; print(mmem.ingestors.__file__)", cwd=tmp_path
    )
    assert str(ROOT) not in where
    files = [str(ROOT / "samples" / name) for name in ("standup.vtt", "team-chat.txt")]
    lone = tmp_path / "lone"
    lone.mkdir()
    for file in files:
        shutil.copy(file, lone)
    run(python, "-m", "mmem", "add", str(lone), cwd=tmp_path)
    asked = run(python, "-m", "mmem", "ask", "Who promised the fix?", "-o", "json", cwd=tmp_path)
    answer = json.loads(asked)
    assert answer["short"] == "Priya Nair"
    assert answer["citations"][0]["start_s"] == pytest.approx(30.8)
    again = run(python, "-m", "mmem", "add", str(lone), cwd=tmp_path)
    assert again.count("unchanged") == 2
