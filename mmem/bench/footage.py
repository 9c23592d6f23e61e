"""Footage of any length for the speed bench: a short clip made once, then joined to itself.

Three kinds of picture: natural scenes, slides with a few large lines, dense screens of small cells.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from mmem.bench.corpus import questions

if TYPE_CHECKING:
    from PIL.Image import Image

Kind = Literal["natural", "slides", "dense"]

_FPS = 25
_SCENES = 4
_GOP = 2 * _FPS


def make_clip(path: Path, *, width: int, height: int, seconds: int = 20, seed: int = 0) -> None:
    """Write an H.264 clip without sound: a few scenes, each a slow pan over a textured picture."""
    import av

    draw = np.random.default_rng(seed)
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("libx264", rate=_FPS)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.gop_size = _GOP
        stream.options = {"preset": "veryfast", "crf": "26"}
        frames_a_scene = seconds * _FPS // _SCENES
        for _ in range(_SCENES):
            wide = _texture(draw, width + frames_a_scene, height)
            for number in range(frames_a_scene):
                view = np.ascontiguousarray(wide[:, number : number + width])
                frame = av.VideoFrame.from_ndarray(view, format="rgb24")
                container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def make_screens(path: Path, kind: Kind, *, width: int, height: int, seconds: int = 60) -> None:
    """Write a clip of pages of words: a slide every 20 s, or a dense screen every 10 s.

    That is as many pictures as a 30-second anchor keeps of dense screens, the most there can be.
    """
    import av

    stay = {"slides": 20, "dense": 10}[kind]
    page = {"slides": _slide, "dense": _dense}[kind]
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("libx264", rate=_FPS)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.gop_size = _GOP
        stream.options = {"preset": "veryfast", "crf": "23"}
        for number in range(seconds // stay):
            picture = np.asarray(page(number, width, height))
            for _ in range(stay * _FPS):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))


def joined(clip: Path, target: Path, *, times: int, kind: Literal["video", "audio"]) -> None:
    """Write a recording that has one stream of a clip over and over; packets are only copied."""
    import av

    with av.open(str(target), "w") as out:
        copy: Any = None
        end = 0  # of what was written, on the decoder's clock
        for _ in range(times):
            with av.open(str(clip)) as source:
                stream: Any = getattr(source.streams, kind)[0]
                copy = copy or out.add_stream_from_template(stream)
                packets = [p for p in source.demux(stream) if p.dts is not None]
                shift = end - packets[0].dts
                for packet in packets:
                    packet.pts += shift
                    packet.dts += shift
                    end = packet.dts + packet.duration
                    packet.stream = copy
                    out.mux(packet)


def write_transcript(path: Path, *, seconds: int) -> None:
    """Write a WebVTT transcript: a line every five seconds, by turns of two speakers."""
    lines = questions(seconds // 5)
    cues = [
        f"{_clock(5 * n)} --> {_clock(5 * n + 4)}\n<v {('Maya', 'Tomas')[n // 3 % 2]}>{line}\n"
        for n, line in enumerate(lines)
    ]
    path.write_text("\n".join(["WEBVTT\n", *cues]), encoding="utf-8")


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    return f"{hours:02}:{rest // 60:02}:{rest % 60:02}.000"


def _slide(number: int, width: int, height: int) -> Image:
    """Return a page of six lines."""
    lines = questions(6, seed=number)
    return _page(lines, width, height, columns=1, rows=8, ink="black", paper="white")


def _dense(number: int, width: int, height: int) -> Image:
    """Return a page of 75 small cells in three columns, as in a table or a terminal."""
    cells = [line.removeprefix("Who ")[:16] for line in questions(75, seed=number)]
    return _page(cells, width, height, columns=3, rows=25, ink="white", paper="#14181f")


def _page(
    cells: list[str], width: int, height: int, *, columns: int, rows: int, ink: str, paper: str
) -> Image:
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("RGB", (width, height), paper)
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=0.62 * height / (rows + 1))
    for number, cell in enumerate(cells):
        column, row = number % columns, number // columns
        at = (width * (0.03 + 0.97 * column / columns), height * (row + 0.5) / (rows + 1))
        pen.text(at, cell, font=font, fill=ink)
    return page


def _texture(draw: np.random.Generator, width: int, height: int) -> npt.NDArray[np.uint8]:
    """Return a smooth random picture u8[height, width, 3] with some sharp edges."""
    small = draw.integers(0, 255, (height // 40 + 2, width // 40 + 2, 3))
    wide = np.repeat(np.repeat(small, 40, axis=0), 40, axis=1)[:height, :width]
    noise = draw.integers(-12, 12, wide.shape)
    picture: npt.NDArray[np.uint8] = np.clip(wide + noise, 0, 255).astype(np.uint8)
    return picture
