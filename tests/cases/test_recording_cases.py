"""Field cases of recordings through a whole memory: what users reported, and one more of each."""

from __future__ import annotations

import itertools
import json
import resource
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from mmem import Memory
from mmem.errors import MissingExtra
from mmem.ingestors.sound import RATE_HZ, sound_windows
from mmem.lifecycle.progress import FileReport
from mmem.models.speech_weights import tiny_en_folder
from mmem.ports import FloatArray
from mmem.schemas import Keyframe, Utterance
from tests.bodies import quick
from tests.ingestors.film import Shot, Tone, colour_at, even, film, turned

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
NAMES = {"red": "red", "blue": "blue", "green": "green", "navy": "blue", "dark green": "green"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    try:
        tiny_en_folder()
    except MissingExtra as error:
        pytest.skip(str(error))
    with Memory(tmp_path / "memory", **quick()) as opened:
        yield opened


@pytest.fixture(scope="session")
def lighthouse() -> FloatArray:
    """A voice: "We meet in the Lighthouse on the third floor.", 2.6 s."""
    return _said(107.3, 110.1)


@pytest.fixture(scope="session")
def payments() -> FloatArray:
    """A voice: "How many payments failed?", 1.5 s."""
    return _said(74.2, 75.9)


def _said(start_s: float, end_s: float) -> FloatArray:
    whole = np.concatenate([w.samples for w in sound_windows(SAMPLES / "standup.mp4")])
    return whole[round(start_s * RATE_HZ) : round(end_s * RATE_HZ)]


def _voice(at_s: float, samples: FloatArray) -> Tone:
    return Tone(at_s, len(samples) / RATE_HZ, voice=samples)


def _case(shared: Path, name: str) -> tuple[Path, dict[str, Any]]:
    (folder,) = (shared / "cases").glob(f"{name}-*")
    return folder, json.loads((folder / "expected.json").read_text())["expect"]


def _added(memory: Memory, path: Path) -> FileReport:
    (report,) = memory.add(path)
    assert not report.failed, report
    return report


def _spoken(memory: Memory, report: FileReport) -> list[Utterance]:
    (source,) = report.sources
    return [atom for atom in memory.atoms(source.id) if isinstance(atom, Utterance)]


def _keyframes(memory: Memory, report: FileReport) -> list[Keyframe]:
    (source,) = report.sources
    found = [atom for atom in memory.atoms(source.id) if isinstance(atom, Keyframe)]
    return sorted(found, key=lambda one: one.time_us)


def _looks(memory: Memory, keyframe: Keyframe) -> str:
    """Name the colour of a picture, by its strongest channel where it is a dark one."""
    image = Image.open(memory.picture_path(keyframe.file)).convert("RGB")
    pixel = image.getpixel((image.width // 20, image.height // 10))
    if 40 < max(pixel) < 150 and max(pixel) > 2 * min(pixel):
        return ("red", "green", "blue")[pixel.index(max(pixel))]
    return colour_at(memory.picture_path(keyframe.file).read_bytes(), 0.05, 0.1)


def _shown_at(memory: Memory, keyframes: Sequence[Keyframe], second: float) -> list[str]:
    us = second * 1_000_000
    return [_looks(memory, k) for k in keyframes if k.shown.start_us <= us < k.shown.end_us]


def _check_scenes(
    memory: Memory, report: FileReport, scenes: Sequence[tuple[float, float, str]], within_s: float
) -> None:
    """Every scene has a keyframe at its start, and every keyframe is of its scene."""
    keyframes = _keyframes(memory, report)
    for start, end, looks in scenes:
        inside = [k for k in keyframes if start - within_s <= k.time_us / 1e6 < end - within_s]
        assert inside and inside[0].time_us / 1e6 == pytest.approx(start, abs=within_s)
        assert {_looks(memory, keyframe) for keyframe in inside} == {looks}
        assert _shown_at(memory, keyframes, (start + end) / 2) == [looks]
    for one, following in itertools.pairwise(keyframes):
        assert one.shown.end_us == following.shown.start_us


def _check_speech(
    spoken: Sequence[Utterance], expected: Sequence[tuple[float, float, Sequence[str]]]
) -> None:
    """Each line is found at its second, with at least half of its keywords, and no other."""
    assert len(spoken) == len(expected), [line.text for line in spoken]
    for line, (start, end, keywords) in zip(spoken, expected, strict=True):
        assert line.span.start_s == pytest.approx(start, abs=1.0)
        assert line.span.end_s == pytest.approx(end, abs=1.5)
        found = sum(keyword.casefold() in line.text.casefold() for keyword in keywords)
        assert 2 * found >= len(keywords), line.text


def _scenes(expect: dict[str, Any]) -> list[tuple[float, float, str]]:
    return [
        (one["start"], one["end"], NAMES[one["looks"].split(",")[0]])
        for one in expect["visual_segments"]
    ]


def _lines(expect: dict[str, Any]) -> list[tuple[float, float, list[str]]]:
    return [(one["start"], one["end"], one["keywords"]) for one in expect["utterances"]]


def test_o01_variable_rate(shared: Path, memory: Memory) -> None:
    """A picture that stays for a minute is dated, and found, by the file's own clock."""
    folder, expect = _case(shared, "o01")
    report = _added(memory, folder / "screen.mp4")
    assert report.sources[0].duration_us == expect["duration_s"] * 1_000_000
    _check_scenes(memory, report, _scenes(expect), expect["tolerance_s"]["keyframe"])
    for one in expect["picture_shown_at"]:
        assert _shown_at(memory, _keyframes(memory, report), one["t"]) == [one["looks"]]
    _check_speech(_spoken(memory, report), _lines(expect))
    (asked,) = expect["questions"]
    low, high = asked["must_cite"]["keyframe_between"]
    pictures = {str(memory.picture_path(k.file)): k for k in _keyframes(memory, report)}
    cited = [c for hit in memory.search(asked["q"]).hits for c in hit.keyframes]
    shown = [pictures[c.picture or ""] for c in cited]
    assert any(low <= k.time_us / 1e6 < high for k in shown)


def test_pictures_that_come_when_they_change(
    tmp_path: Path, memory: Memory, lighthouse: FloatArray
) -> None:
    """o01, again: a Matroska screen recording of three pictures, the sound starting late."""
    shots = [Shot(0, "green"), Shot(4, "red"), Shot(64, "blue"), Shot(66, "blue")]
    path = film(tmp_path / "screen.mkv", shots, [_voice(50, lighthouse)], codec="libx264")
    report = _added(memory, path)
    _check_scenes(memory, report, [(0, 4, "green"), (4, 64, "red"), (64, 66, "blue")], 0.05)
    _check_speech(_spoken(memory, report), [(50.1, 52.7, ["lighthouse", "third", "floor"])])


def test_o02_no_sound_track(shared: Path, memory: Memory) -> None:
    """A mute clip keeps its pictures, says that it is mute, and does not end the batch."""
    folder, expect = _case(shared, "o02")
    mute, voiced = memory.add(folder / "batch")
    assert not mute.failed and not voiced.failed
    assert [Path(one.path).name for one in (mute, voiced)] == [
        "01-silent-demo.mp4",
        "02-with-voice.mp4",
    ]
    files = expect["files"]
    assert _spoken(memory, mute) == []
    _check_scenes(memory, mute, [(0, 4, "blue"), (4, 8, "green")], 0.2)
    said = [*mute.sources[0].notes, *[outcome.reason for outcome in mute.outcomes]]
    assert any("no sound track" in line for line in said)
    _check_speech(_spoken(memory, voiced), _lines(files["batch/02-with-voice.mp4"]))


def test_channels_that_cancel(tmp_path: Path, memory: Memory, lighthouse: FloatArray) -> None:
    """o02, again: two channels in opposite phase, whose mean is silence, are heard."""
    path = tmp_path / "memo.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=RATE_HZ, layout="stereo")
        both = np.stack([lighthouse, -lighthouse], axis=1)
        frame = av.AudioFrame.from_ndarray(
            (both * 32767).astype(np.int16).reshape(1, -1), format="s16", layout="stereo"
        )
        frame.sample_rate = RATE_HZ
        for packet in (*stream.encode(frame), *stream.encode(None)):
            container.mux(packet)
    spoken = _spoken(memory, _added(memory, path))
    _check_speech(spoken, [(0.1, 2.7, ["lighthouse", "third", "floor"])])


def test_o03_no_index(shared: Path, tmp_path: Path, memory: Memory) -> None:
    """A cut-off upload is named with its reason and stored nowhere; replaced, it is read."""
    folder, expect = _case(shared, "o03")
    inbox = tmp_path / "inbox"
    shutil.copytree(folder / "inbox", inbox)
    _check_inbox(memory, inbox, "01-interrupted-upload.mp4")
    whole = next(source for source in memory.sources() if source.title == "02-complete")
    spoken = [atom for atom in memory.atoms(whole.id) if isinstance(atom, Utterance)]
    _check_speech(spoken, _lines(expect["files"]["inbox/02-complete.mp4"]))


def test_a_recorder_that_lost_power(tmp_path: Path, memory: Memory, payments: FloatArray) -> None:
    """o03, again: a MOV that ends before its index, beside a whole one."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    film(inbox / "2-whole.mov", even(["red"] * 20, fps=10), [_voice(0, payments)])
    cut = film(inbox / "1-cut.mov", even(["blue"] * 20, fps=10))
    data = cut.read_bytes()
    cut.write_bytes(data[: data.rfind(b"moov") - 4])
    _check_inbox(memory, inbox, "1-cut.mov")


def _check_inbox(memory: Memory, inbox: Path, broken: str) -> None:
    reports = {Path(one.path).name: one for one in memory.add(inbox)}
    bad = reports.pop(broken)
    assert bad.failed and broken in bad.reason
    assert "incomplete" in bad.reason and "index" in bad.reason
    (good,) = reports.values()
    assert not good.failed
    assert [source.title for source in memory.sources()] == [Path(good.path).stem]
    replaced = film(inbox / broken, even(["green"] * 20, fps=10))
    again = {Path(one.path).name: one for one in memory.add(inbox)}
    assert not again[broken].failed
    assert _shown_at(memory, _keyframes(memory, again[broken]), 1.0) == ["green"]
    assert len(memory.sources()) == 2 and replaced.exists()


def test_o04_silent_recording(shared: Path, memory: Memory) -> None:
    """Nobody speaks in an empty room."""
    folder, expect = _case(shared, "o04")
    report = _added(memory, folder / "left-running.m4a")
    assert report.sources[0].duration_us / 1e6 == pytest.approx(expect["duration_s"], abs=0.1)
    assert _spoken(memory, report) == []
    assert any("no speech" in outcome.reason for outcome in report.outcomes)


def test_a_fan_in_an_empty_room(tmp_path: Path, memory: Memory) -> None:
    """o04, again: hiss, hum and a door are no words."""
    at = np.arange(45 * RATE_HZ) / RATE_HZ
    noise = np.random.default_rng(4).normal(size=len(at)) * 0.03 + 0.05 * np.sin(314 * at)
    noise[20 * RATE_HZ : 20 * RATE_HZ + 800] += 0.5
    path = film(tmp_path / "fan.flac", [], [_voice(0, noise.astype(np.float32))])
    report = _added(memory, path)
    assert _spoken(memory, report) == []
    assert any("no speech" in outcome.reason for outcome in report.outcomes)


def test_o05_long_silence(shared: Path, memory: Memory) -> None:
    """After a minute of silence a sentence keeps its second."""
    folder, expect = _case(shared, "o05")
    report = _added(memory, folder / "council.m4a")
    assert report.sources[0].duration_us / 1e6 == pytest.approx(expect["duration_s"], abs=0.1)
    spoken = _spoken(memory, report)
    _check_speech(spoken, _lines(expect))
    longest = max(line.span.end_s - line.span.start_s for line in spoken)
    assert longest <= expect["no_utterance_longer_than_s"]


@pytest.mark.parametrize("name", ["council.flac", "council.mkv"])
def test_a_gap_without_packets(
    tmp_path: Path, memory: Memory, lighthouse: FloatArray, payments: FloatArray, name: str
) -> None:
    """o05, again: silence that is stored (FLAC), and silence that is not (Matroska)."""
    tones = [_voice(3, lighthouse), _voice(95, payments)]
    if name.endswith("flac"):
        whole = np.zeros(98 * RATE_HZ, np.float32)
        for tone in tones:
            start = round(tone.at_s * RATE_HZ)
            whole[start : start + len(tone.voice)] = tone.voice
        tones = [_voice(0, whole)]
    report = _added(memory, film(tmp_path / name, [], tones))
    expected = [(3.1, 5.7, ["lighthouse", "floor"]), (95.1, 96.6, ["payments", "failed"])]
    shift = 0 if name.endswith("flac") else 3  # the first packet is media offset 0
    _check_speech(
        _spoken(memory, report), [(a - shift, b - shift, words) for a, b, words in expected]
    )


def test_os1_no_length(shared: Path, memory: Memory) -> None:
    """A browser's recording without length or seek table has both once it is read."""
    folder, expect = _case(shared, "os1")
    report = _added(memory, folder / "tab-recording.webm")
    assert report.sources[0].duration_us / 1e6 == pytest.approx(expect["duration_s"], abs=0.3)
    _check_scenes(memory, report, _scenes(expect), expect["tolerance_s"]["keyframe"])
    _check_speech(_spoken(memory, report), _lines(expect))


def test_a_live_stream_on_disk(tmp_path: Path, memory: Memory, payments: FloatArray) -> None:
    """os1, again: a transport stream that starts at an hour and says no length."""
    base = 3600
    shots = [
        Shot(base + one.at_s, one.colour) for one in even(["red"] * 30 + ["green"] * 40, fps=10)
    ]
    path = film(tmp_path / "live.ts", shots, [_voice(base + 4, payments)], codec="mpeg4")
    report = _added(memory, path)
    assert report.sources[0].duration_us / 1e6 == pytest.approx(7.0, abs=0.3)
    _check_scenes(memory, report, [(0, 3, "red"), (3, 7, "green")], 0.3)
    _check_speech(_spoken(memory, report), [(4.1, 5.6, ["payments", "failed"])])


def test_os2_turned_phone(shared: Path, memory: Memory) -> None:
    """A phone's clip stored lying down is kept upright."""
    folder, expect = _case(shared, "os2")
    keyframes = _keyframes(memory, _added(memory, folder / "phone.mp4"))
    assert keyframes
    for keyframe in keyframes:
        assert [keyframe.width, keyframe.height] == expect["displayed_size"]
        data = memory.picture_path(keyframe.file).read_bytes()
        assert colour_at(data, 90 / 180, 40 / 320) == "red"
        assert colour_at(data, 90 / 180, 280 / 320) == "blue"


def test_a_phone_held_upside_down(tmp_path: Path, memory: Memory) -> None:
    """os2, again: half a turn, in a MOV; the words on it are read upright."""
    size = (640, 360)
    shots = [Shot(n / 10, "white", "HARBOUR GATE") for n in range(20)]
    path = turned(film(tmp_path / "b.mov", shots, size=size, codec="libx264"), a=1, b=0, c=0, d=1)
    upside = turned(
        film(tmp_path / "a.mov", shots, size=size, codec="libx264"), a=-1, b=0, c=0, d=-1
    )
    straight, flipped = (
        memory.picture_path(_keyframes(memory, _added(memory, one))[0].file).read_bytes()
        for one in (path, upside)
    )
    dark = [colour_at(picture, 0.9, 0.95) for picture in (straight, flipped)]
    assert dark == ["white", "white"]
    assert straight != flipped


def test_os3_long_static_screen(shared: Path, memory: Memory) -> None:
    """Forty minutes of three slides are few keyframes, in flat memory."""
    folder, expect = _case(shared, "os3")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = _added(memory, folder / "webinar.mp4")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / (1 << 20)
    assert grown < expect["peak_resident_memory_gb"]["max"]
    assert report.sources[0].duration_us / 1e6 == pytest.approx(expect["duration_s"], abs=1)
    times = [k.time_us / 1e6 for k in _keyframes(memory, report)]
    assert expect["keyframes"]["min"] <= len(times) <= expect["keyframes"]["max"]
    for scene in expect["visual_segments"]:
        assert any(abs(at - scene["start"]) <= 1 for at in times)


def test_a_long_lecture(tmp_path: Path, memory: Memory) -> None:
    """os3, again: an hour in Matroska, one picture every two seconds, two slides."""
    shots = [Shot(2 * n, "red" if n < 700 else "blue") for n in range(1800)]
    report = _added(memory, film(tmp_path / "a.mkv", shots, codec="libx264", gop=300))
    assert [k.time_us / 1e6 for k in _keyframes(memory, report)] == [0, 1400]


def test_o15_what_was_dictated_is_kept_as_said(shared: Path, memory: Memory) -> None:
    """A guest's instructions to machines are his words, and nothing else."""
    folder, expect = _case(shared, "o15")
    report = _added(memory, folder / "supplier-call.vtt")
    spoken = _spoken(memory, report)
    assert len(spoken) == expect["utterances"]
    assert list(dict.fromkeys(line.speaker for line in spoken)) == expect["speakers"]
    raw = (folder / "supplier-call.vtt").read_text()
    assert "</transcript>" in spoken[2].text and "```" in spoken[2].text
    assert all(line.text.split()[-1] in raw for line in spoken)
