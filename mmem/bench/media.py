"""Recordings: how many times real time, beside the bare models, and the peak memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mmem.bench.footage import joined, make_clip, repeated_sound
from mmem.bench.speed import Figure

_CLIP_S = 20
_SIZES = {"720p": (1280, 720), "1080p": (1920, 1080)}
_SPEECH_S = 300


def figures(samples: Path, *, hours: float = 2.0) -> Iterator[Figure]:
    """Yield figures for footage made here and for the speech of the samples."""
    with tempfile.TemporaryDirectory(prefix="mmem-bench-") as name:
        folder = Path(name)
        for label, (width, height) in _SIZES.items():
            clip = folder / f"{label}.mp4"
            make_clip(clip, width=width, height=height, seconds=_CLIP_S)
            yield from _keyframes(folder, clip, label, seconds=600)
            if label == "720p":
                yield from _keyframes(folder, clip, label, seconds=int(3600 * hours))
        yield from _speech(folder, samples / "standup.mp4")
        yield from _screens(samples / "standup.mp4")


def _keyframes(folder: Path, clip: Path, label: str, *, seconds: int) -> Iterator[Figure]:
    target = folder / f"{label}-{seconds}.mp4"
    joined(clip, target, times=seconds // _CLIP_S)
    spent, peak = _in_a_process("keyframes", target)
    what = f"keyframes, {label}, {seconds // 60} min"
    budget = ">= 150 x real time" if label == "720p" else ""
    yield what, f"{seconds / spent:.0f} x, peak {peak} MB", budget
    target.unlink()


def _speech(folder: Path, recording: Path) -> Iterator[Figure]:
    from mmem.ingestors.sound import sound_windows

    heard = np.concatenate([window.samples for window in sound_windows(recording)])
    target = folder / "speech.wav"
    repeated_sound(heard, target, seconds=_SPEECH_S)
    rounds = [(_in_a_process("speech", target), _in_a_process("whisper", target)) for _ in range(2)]
    (ours, peak), (bare, _) = min(r[0] for r in rounds), min(r[1] for r in rounds)
    yield "speech, 5 min", f"{_SPEECH_S / ours:.0f} x, peak {peak} MB", ""
    yield "speech against bare whisper", f"{bare / ours:.2f} x", ">= 0.9 x"


def _screens(recording: Path) -> Iterator[Figure]:
    ours, peak = _in_a_process("screens", recording)
    yield "words on 2 min of slides", f"{120 / ours:.0f} x, peak {peak} MB", ">= 10 x"


def _in_a_process(act: str, path: Path) -> tuple[float, int]:
    """Return the seconds of an act, models loaded, and the peak memory of its process in MB."""
    command = [sys.executable, "-m", "mmem.bench.media", act, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, peak = json.loads(done.stdout.splitlines()[-1])
    return float(seconds), int(peak)


def _keyframes_of(path: Path) -> Iterator[object]:
    from mmem.ingestors.keyframes import pictures

    yield None
    yield from pictures(path, "bench")


def _speech_of(path: Path) -> Iterator[object]:
    from mmem.ingestors.sound import sound_windows
    from mmem.models.speech import FasterWhisper

    recogniser = FasterWhisper()
    list(recogniser.recognise(iter(())))
    yield None
    yield from recogniser.recognise(sound_windows(path))


def _whisper_of(path: Path) -> Iterator[object]:
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    from mmem.models.speech_weights import tiny_en_folder

    model = BatchedInferencePipeline(WhisperModel(str(tiny_en_folder()), compute_type="int8"))
    yield None
    yield from model.transcribe(str(path), batch_size=8, language="en")[0]


def _screens_of(path: Path) -> Iterator[object]:
    from mmem.ingestors.keyframes import pictures
    from mmem.models.screen import RapidScreen

    reader = RapidScreen()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.jpg"
        found = list(pictures(path, "bench"))
        file.write_bytes(found[0].jpeg)
        reader.read(str(file))
        yield None
        for picture in found:
            file.write_bytes(picture.jpeg)
            yield reader.read(str(file))


_ACTS = {
    "keyframes": _keyframes_of,
    "speech": _speech_of,
    "whisper": _whisper_of,
    "screens": _screens_of,
}


def _timed(act: str, path: Path) -> None:
    """Do one act; its first yield says that the models are loaded."""
    import resource

    steps = _ACTS[act](path)
    next(steps)
    start = time.perf_counter()
    for _ in steps:
        pass
    seconds = time.perf_counter() - start
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024]))


if __name__ == "__main__":
    _timed(sys.argv[1], Path(sys.argv[2]))
