"""Prove, by resolving only, that the core installs from wheels on every supported platform."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLATFORMS = {
    "Windows x86-64": (["win_amd64"], "win32", "AMD64"),
    "macOS arm64": (["macosx_14_0_arm64", "macosx_11_0_arm64"], "darwin", "arm64"),
    "Linux aarch64": (["manylinux_2_28_aarch64", "manylinux2014_aarch64"], "linux", "aarch64"),
}


def core_requirements(system: str, machine: str) -> list[str]:
    """Return the core's requirements for a platform, markers decided here, not by this machine."""
    from packaging.requirements import Requirement

    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    kept = []
    for text in listed:
        requirement = Requirement(text)
        marker, requirement.marker = requirement.marker, None
        environment = {"sys_platform": system, "platform_machine": machine}
        if marker is None or marker.evaluate(environment):
            kept.append(str(requirement))
    return kept


def resolves(name: str) -> bool:
    """Ask pip for a plan with wheels only; nothing is installed."""
    tags, system, machine = PLATFORMS[name]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet"]
    command += ["--disable-pip-version-check", "--ignore-installed", "--target", "unused"]
    command += ["--only-binary=:all:", "--python-version", "3.11", "--implementation", "cp"]
    for tag in tags:
        command += ["--platform", tag]
    done = subprocess.run(
        [*command, *core_requirements(system, machine)], capture_output=True, text=True
    )
    print(f"{name}: {'resolves' if done.returncode == 0 else done.stderr.strip()}", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(not all([resolves(name) for name in PLATFORMS]))
