"""Words on a screen: rapidocr (PP-OCRv6, in its wheel) on onnxruntime."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import local
from typing import TYPE_CHECKING, Any

from mmem.errors import MissingExtra
from mmem.ports import ReadLine

if TYPE_CHECKING:
    from rapidocr import RapidOCR

_SURE = 0.8
"""Lines read with less confidence are mostly textures taken for letters (seen on film)."""
_SHORTEST = 2
# Measured on 30 keyframes: two threads in one engine cost 47 s of processor time, one thread 30 s.
_WORKERS = 2


class RapidScreen:
    """Reads pictures one by one; a line's words depend on the picture alone."""

    @property
    def identity(self) -> str:
        """Package and version; the models are part of it."""
        return f"rapidocr {importlib.metadata.version('rapidocr')}"

    def __init__(self) -> None:
        self._engines = local()

    def read(self, picture: str) -> list[ReadLine]:
        """Return the lines of an image file, top to bottom, those of low confidence left out."""
        found: Any = self._engine()(picture, use_cls=False)
        if found.boxes is None or found.txts is None or found.scores is None:
            return []
        height, width = _size(picture)
        rows = zip(found.txts, found.boxes.tolist(), found.scores, strict=True)
        lines = [
            ReadLine(text.strip(), _box(corners, width, height), float(score))
            for text, corners, score in rows
            if score >= _SURE and len(text.strip()) >= _SHORTEST
        ]
        return sorted(lines, key=lambda line: (round(line.box[1], 2), line.box[0]))

    def read_all(self, pictures: Iterable[str]) -> Iterator[list[ReadLine]]:
        """Yield what `read` returns for each picture, in order, read by two workers.

        At most four pictures are in work or waiting to be taken.
        """
        due: deque[Future[list[ReadLine]]] = deque()
        with ThreadPoolExecutor(_WORKERS, thread_name_prefix="mmem-screen") as workers:
            try:
                for picture in pictures:
                    due.append(workers.submit(self.read, picture))
                    if len(due) >= 2 * _WORKERS:
                        yield due.popleft().result()
                while due:
                    yield due.popleft().result()
            finally:
                for future in due:
                    future.cancel()

    def _engine(self) -> RapidOCR:
        """Return this thread's engine: one thread of its own, no other's."""
        if not hasattr(self._engines, "engine"):
            self._engines.engine = _new_engine()
        engine: RapidOCR = self._engines.engine
        return engine


def _new_engine() -> RapidOCR:
    if importlib.util.find_spec("rapidocr") is None:
        raise MissingExtra(
            "the reader of screen text is not installed",
            hint="pip install 'mmem[embedded]'",
        )
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _size(picture: str) -> tuple[int, int]:
    import cv2

    image = cv2.imread(picture)
    return (1, 1) if image is None else (image.shape[0], image.shape[1])


def _box(corners: list[list[float]], width: int, height: int) -> tuple[float, float, float, float]:
    """Return the upright box of four corners, as shares of the sides, to four places."""
    across = [x / width for x, _ in corners]
    down = [y / height for _, y in corners]
    left, top, right, bottom = (
        round(min(max(value, 0.0), 1.0), 4)
        for value in (min(across), min(down), max(across), max(down))
    )
    return left, top, right, bottom
