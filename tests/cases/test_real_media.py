"""A folder of real recordings, whole and broken, in one command."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import av
import pytest

from mmem import Memory
from mmem.errors import MissingExtra
from mmem.models.speech_weights import tiny_en_folder

_NOT_MEDIA = (".json", ".txt", ".rttm")


def test_every_real_file_goes_in_or_is_named(shared: Path, tmp_path: Path) -> None:
    """What ffprobe finds decodable goes in, the rest is named with its reason; twice the same.

    About 80 s of processor time, most of it reading screens.
    """
    try:
        tiny_en_folder()
    except MissingExtra as error:
        pytest.skip(str(error))
    folder, memory = (shared / "media").resolve(), tmp_path / "memory"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    decodable = {path for path in files if is_decodable(path)}
    assert len(decodable) > 25
    first = added(folder, memory)
    assert first.returncode == 3
    with Memory(memory) as opened:
        before = opened.state_digest()
        stored = {Path(p) for s in opened.sources() for r in s.revisions for p in r.locations}
        outcomes = opened.outcomes()
    assert decodable <= stored
    assert not [o for o in outcomes if o.status == "pending"]
    partial = [o for o in outcomes if o.status == "partial"]
    assert {(o.stage, "could not be decoded" in o.reason) for o in partial} == {("pictures", True)}
    named = {Path(o.location): o.reason for o in outcomes if o.location}
    for path in set(files) - stored:
        assert path.name in first.stderr + first.stdout, path
        assert named[path], path
    second = added(folder, memory)
    assert second.returncode == 3
    statuses = {report["status"] for report in json.loads(second.stdout)}
    assert statuses == {"unchanged", "skipped"}
    with Memory(memory) as opened:
        assert opened.state_digest() == before


def added(folder: Path, memory: Path) -> subprocess.CompletedProcess[str]:
    """Run `mmem add`."""
    command = [sys.executable, "-m", "mmem", "--memory", str(memory), "add", str(folder)]
    return subprocess.run([*command, "-o", "json"], capture_output=True, text=True)


def is_decodable(path: Path) -> bool:
    """Tell whether a picture or a frame of sound of a media file can be decoded."""
    if path.suffix in _NOT_MEDIA:
        return False
    return _by_ffprobe(path) if shutil.which("ffprobe") else _by_pyav(path)


def _by_ffprobe(path: Path) -> bool:
    shown = "-show_entries frame=media_type -read_intervals %+1 -of json".split()
    probed = subprocess.run(["ffprobe", "-v", "error", *shown, str(path)], capture_output=True)
    kinds = {
        frame.get("media_type") for frame in json.loads(probed.stdout or b"{}").get("frames", [])
    }
    return bool(kinds & {"video", "audio"})


def _by_pyav(path: Path) -> bool:
    try:
        with av.open(str(path)) as container:
            streams = [*container.streams.video[:1], *container.streams.audio[:1]]
            return any(True for _ in container.decode(*streams)) if streams else False
    except av.error.FFmpegError:
        return False
