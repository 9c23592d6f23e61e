"""Footage of any length for the speed bench: a short clip made once, then joined to itself."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

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


def joined(clip: Path, target: Path, *, times: int) -> None:
    """Write a recording that shows a clip over and over; packets are copied, not encoded again."""
    import av

    with av.open(str(target), "w") as out:
        copy: Any = None
        shift = 0
        for _ in range(times):
            with av.open(str(clip)) as source:
                video = source.streams.video[0]
                copy = copy or out.add_stream_from_template(video)
                last = 0
                for packet in source.demux(video):
                    if packet.dts is None or packet.pts is None:
                        continue
                    last = max(last, packet.pts + (packet.duration or 1))
                    packet.pts += shift
                    packet.dts += shift
                    packet.stream = copy
                    out.mux(packet)
                shift += last


def repeated_sound(samples: npt.NDArray[np.float32], target: Path, *, seconds: int) -> None:
    """Write 16 kHz samples (-1 to 1), over and over, as a WAV of some seconds."""
    whole = np.resize(samples, seconds * 16_000)
    with wave.open(str(target), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes((whole * 32_000).astype("<i2").tobytes())


def _texture(draw: np.random.Generator, width: int, height: int) -> npt.NDArray[np.uint8]:
    """Return a smooth random picture u8[height, width, 3] with some sharp edges."""
    small = draw.integers(0, 255, (height // 40 + 2, width // 40 + 2, 3))
    wide = np.repeat(np.repeat(small, 40, axis=0), 40, axis=1)[:height, :width]
    noise = draw.integers(-12, 12, wide.shape)
    picture: npt.NDArray[np.uint8] = np.clip(wide + noise, 0, 255).astype(np.uint8)
    return picture
