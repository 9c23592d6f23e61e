"""Tiny recordings, made in the test with PyAV: coloured pictures and tones at chosen times."""

from __future__ import annotations

import dataclasses
import io
import struct
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

COLOURS = {
    "red": (200, 30, 30),
    "green": (30, 160, 30),
    "blue": (30, 30, 200),
    "white": (240, 240, 240),
    "black": (10, 10, 10),
    "yellow": (220, 220, 30),
}
SOUND_HZ = 16_000


@dataclasses.dataclass(frozen=True)
class Shot:
    """One stored picture: when it is shown, and its colour ("red", "red/blue" above each other).

    `text` is written on it, a line each; `ink` is how much of it has faded in, 0 to 1.
    """

    at_s: float
    colour: str
    text: str = ""
    ink: float = 1.0


@dataclasses.dataclass(frozen=True)
class Tone:
    """A stretch of sound: a sine, silence at 0 Hz, or `voice`: samples at 16 kHz."""

    at_s: float
    seconds: float
    hz: float = 440
    voice: npt.NDArray[np.float32] | None = None


def even(colours: Sequence[str], *, fps: int) -> list[Shot]:
    """One picture a frame, from 0."""
    return [Shot(place / fps, colour) for place, colour in enumerate(colours)]


def film(
    path: Path,
    shots: Sequence[Shot] = (),
    tones: Sequence[Tone] = (),
    *,
    gop: int = 1000,
    codec: str = "mpeg4",
    size: tuple[int, int] = (160, 96),
    tags: dict[str, str] | None = None,
    form: str | None = None,
    options: dict[str, str] | None = None,
    coder: dict[str, str] | None = None,
    pixels: str = "yuv420p",
    rate: int = 1000,
    chapters: Sequence[tuple[int, int, str]] = (),
) -> Path:
    """Write a recording; picture and sound packets carry the given times.

    `coder` are the encoder's options; `chapters` start, end (in seconds) and title.
    """
    with av.open(str(path), "w", format=form, options=options or {}) as container:
        container.metadata.update(tags or {})
        if chapters:
            container.set_chapters([_chapter(*one) for one in chapters])
        video = _video(container, codec, size, rate) if shots else None
        if video is not None:
            video.pix_fmt = pixels
            video.codec_context.gop_size = gop
            _code(video, codec, coder)
        sound = _sound(container, path, form) if tones else None
        if video is not None:
            for shot in shots:
                container.mux(video.encode(_frame(shot, size)))
            container.mux(video.encode(None))
        if sound is not None:
            for frame in _tones(tones):
                container.mux(sound.encode(frame))
            container.mux(sound.encode(None))
    return path


def tracks(path: Path, several: Sequence[Sequence[Tone]]) -> Path:
    """Write a recording with several sound tracks."""
    with av.open(str(path), "w") as container:
        streams = [_sound(container, path, None) for _ in several]
        for stream, tones in zip(streams, several, strict=True):
            for frame in (*_tones(tones), None):
                container.mux(stream.encode(frame))
    return path


def turned(path: Path, *, a: int, b: int, c: int, d: int) -> Path:
    """Set the display matrix of every track of an MP4 (tkhd, ISO/IEC 14496-12)."""
    data = bytearray(path.read_bytes())
    place = data.find(b"tkhd")
    assert place > 0
    one = 1 << 16
    data[place + 44 : place + 80] = struct.pack(
        ">9i", a * one, b * one, 0, c * one, d * one, 0, 0, 0, 1 << 30
    )
    path.write_bytes(data)
    return path


def colour_at(jpeg: bytes, x: float, y: float) -> str:
    """Name the colour at a place (0 to 1 each way) of a picture."""
    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    pixel = image.getpixel((int(x * image.width), int(y * image.height)))
    return min(
        COLOURS, key=lambda name: sum(abs(p - q) for p, q in zip(pixel, COLOURS[name], strict=True))
    )


def _video(container: Any, codec: str, size: tuple[int, int], rate: int) -> Any:
    stream = container.add_stream(codec, rate=rate)
    stream.width, stream.height = size
    stream.codec_context.time_base = Fraction(1, rate)
    return stream


def _code(stream: Any, codec: str, coder: dict[str, str] | None) -> None:
    if coder:
        stream.options = coder
    elif codec == "libx264":
        stream.options = {"crf": "20"}  # at a rate of 1000 a second a bit rate starves it
    else:
        stream.bit_rate = 400_000


def _chapter(start_s: int, end_s: int, title: str) -> Any:
    return {
        "id": start_s,
        "start": start_s * 1000,
        "end": end_s * 1000,
        "time_base": Fraction(1, 1000),
        "metadata": {"title": title},
    }


def _sound(container: Any, path: Path, form: str | None) -> Any:
    name = form or path.suffix[1:]
    codec = {"wav": "pcm_s16le", "webm": "libopus", "flac": "flac", "mp3": "libmp3lame"}
    kind = codec.get(name, "aac")
    rate = 48_000 if kind == "libopus" else SOUND_HZ
    stream = container.add_stream(kind, rate=rate)
    stream.layout = "mono"
    return stream


def _frame(shot: Shot, size: tuple[int, int]) -> av.VideoFrame:
    first, _, second = shot.colour.partition("/")
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    pixels[:] = COLOURS[first]
    if second:
        pixels[size[1] // 2 :] = COLOURS[second]
    if shot.text:
        pixels = _written(pixels, shot)
    frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
    frame.pts, frame.time_base = round(shot.at_s * 1000), Fraction(1, 1000)
    return frame


def _written(pixels: npt.NDArray[np.uint8], shot: Shot) -> npt.NDArray[np.uint8]:
    plain = Image.fromarray(pixels)
    written = plain.copy()
    height = pixels.shape[0] // 12
    draw, font = ImageDraw.Draw(written), ImageFont.load_default(size=height)
    for row, line in enumerate(shot.text.splitlines()):
        draw.text((height, height * (1 + 1.5 * row)), line, font=font, fill=(0, 0, 0))
    return np.asarray(Image.blend(plain, written, shot.ink))


def wave(tone: Tone, rate: int = SOUND_HZ) -> npt.NDArray[np.float32]:
    """The samples of a tone."""
    if tone.voice is not None:
        return tone.voice
    at = np.arange(round(tone.seconds * rate)) / rate
    return (0.3 * np.sin(2 * np.pi * tone.hz * at)).astype(np.float32)


def _tones(tones: Sequence[Tone]) -> list[av.AudioFrame]:
    frames = []
    for tone in tones:
        samples = (wave(tone) * 32767).astype(np.int16)
        for start in range(0, len(samples), 1024):
            frame = av.AudioFrame.from_ndarray(
                samples[None, start : start + 1024], format="s16", layout="mono"
            )
            frame.sample_rate = SOUND_HZ
            frame.pts = round(tone.at_s * SOUND_HZ) + start
            frame.time_base = Fraction(1, SOUND_HZ)
            frames.append(frame)
    return frames
