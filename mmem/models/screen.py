"""Words on a screen: rapidocr (PP-OCRv6, in its wheel) on onnxruntime."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import importlib.util
import math
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mmem.errors import MissingExtra
from mmem.ports import FloatArray, ReadLine

if TYPE_CHECKING:
    from rapidocr import RapidOCR

_SURE = 0.8
"""Lines read with less confidence are mostly textures taken for letters (seen on film)."""
_SHORTEST = 2
_NARROWEST = 8
"""Times that a picture's longer side may be its shorter one."""
# Measured on 30 keyframes: two threads in one session cost 47 s of processor time, one 30 s.
_WORKERS = 2
_LINES_A_TASK = 8
_LINE_PX = 48
# The recogniser's time is that of its input's width. rapidocr widens a line to 320 px at least, or
# to the widest of six; most cells of a table are half as wide. With less room to its right than
# half a step a line loses its last letters ("Filter by ag", "+7" for "+1").
_WIDTH_STEP_PX = 64

_LOADING = Lock()
Crop = npt.NDArray[np.uint8]
Words = tuple[str, float]


@dataclasses.dataclass(frozen=True, slots=True)
class _Page:
    """A picture whose lines were found: corners f32[n, 4, 2] in pixels, words still being read."""

    size_px: tuple[int, int]
    corners: FloatArray
    words: tuple[Future[list[Words]], ...]

    def lines(self) -> list[ReadLine]:
        """Wait for the words; return the lines that are sure, top to bottom."""
        read = [words for task in self.words for words in task.result()]
        found = [
            ReadLine(text.strip(), _box(corners, *self.size_px), score)
            for (text, score), corners in zip(read, self.corners.tolist(), strict=True)
            if score >= _SURE and len(text.strip()) >= _SHORTEST
        ]
        return sorted(found, key=lambda line: (round(line.box[1], 2), line.box[0]))


def _bounded(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return a picture u8[h, w, 3], a very narrow one with grey added to its right or bottom.

    The detector brings the shorter side to 736 pixels: the longer one would grow without bound.
    """
    import cv2

    height, width = image.shape[:2]
    least = -(-max(height, width) // _NARROWEST)
    down, right = max(0, least - height), max(0, least - width)
    if not down and not right:
        return image
    grey = (128, 128, 128)
    padded = cv2.copyMakeBorder(image, 0, down, 0, right, cv2.BORDER_CONSTANT, value=grey)
    return np.asarray(padded, np.uint8)


class RapidScreen:
    """Reads pictures; each line is recognised alone, and depends on its picture alone."""

    @cached_property
    def identity(self) -> str:
        """Package and version; the models are part of it."""
        return f"rapidocr {importlib.metadata.version('rapidocr')}"

    def read(self, picture: str) -> list[ReadLine]:
        """Return the lines of an image file, top to bottom, those of low confidence left out."""
        return next(self.read_all([picture]))

    def read_all(self, pictures: Iterable[str]) -> Iterator[list[ReadLine]]:
        """Yield the lines of each picture, in order, read by two workers that share every picture.

        At most four pictures are in work or waiting to be taken.
        """
        due: deque[Future[_Page]] = deque()
        with ThreadPoolExecutor(_WORKERS, thread_name_prefix="mmem-screen") as workers:
            try:
                for picture in pictures:
                    due.append(workers.submit(self._page, picture, workers))
                    if len(due) >= 2 * _WORKERS:
                        yield due.popleft().result().lines()
                while due:
                    yield due.popleft().result().lines()
            finally:
                workers.shutdown(wait=False, cancel_futures=True)

    def _page(self, picture: str, workers: ThreadPoolExecutor) -> _Page:
        """Find the lines of a picture, and hand them out to be read."""
        from rapidocr.main import RapidOCRError
        from rapidocr.utils.process_img import map_boxes_to_original

        engine = self._engine
        image = engine.load_img(picture)
        height, width = image.shape[:2]
        image = _bounded(image)
        small, record = engine.preprocess_img(image)
        try:
            crops, found = engine.detect_and_crop(small, record)
        except RapidOCRError:  # there are none
            return _Page((width, height), np.zeros((0, 4, 2), np.float32), ())
        assert found.boxes is not None
        corners = map_boxes_to_original(found.boxes, record, *image.shape[:2])
        tasks = [
            workers.submit(self._words, crops[start : start + _LINES_A_TASK])
            for start in range(0, len(crops), _LINES_A_TASK)
        ]
        return _Page((width, height), corners, tuple(tasks))

    def _words(self, crops: list[Crop]) -> list[Words]:
        recogniser: Any = self._engine.text_rec
        found = []
        for crop in crops:
            read, _ = recogniser.postprocess_op(recogniser.session(_levelled(crop)))
            found.append((str(read[0][0]), float(read[0][1])))
        return found

    @property
    def _engine(self) -> RapidOCR:
        """The engine, which all threads share: each of its runs keeps to the thread of its call.

        Raises MissingExtra.
        """
        if importlib.util.find_spec("rapidocr") is None:
            raise MissingExtra(
                "the reader of screen text is not installed",
                hint="pip install 'mmem[embedded]'",
            )
        with _LOADING:
            return _loaded()


@cache
def _loaded() -> RapidOCR:
    """Return the one engine of this process: of a discarded one 30 MB would stay."""
    from rapidocr import RapidOCR

    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            # Without it a sixth of the time goes into new pages of memory for every line.
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,
        }
    )
    engine.recognize_txt([np.zeros((_LINE_PX, _LINE_PX, 3), np.uint8)])
    return engine


def _levelled(crop: Crop) -> FloatArray:
    """Return a line as f32[1, 3, 48, width], -1 to 1, with room to its right in grey."""
    import cv2

    height, width = crop.shape[:2]
    inked = max(1, math.ceil(_LINE_PX * width / height))
    whole = _WIDTH_STEP_PX * math.ceil(inked / _WIDTH_STEP_PX + 0.5)
    level = np.zeros((1, 3, _LINE_PX, whole), np.float32)
    resized = cv2.resize(crop, (inked, _LINE_PX)).astype(np.float32)
    level[0, :, :, :inked] = resized.transpose(2, 0, 1) / 127.5 - 1
    return level


def _box(corners: list[list[float]], width: int, height: int) -> tuple[float, float, float, float]:
    """Return the upright box of four corners, as shares of the sides, to four places."""
    across = [x / width for x, _ in corners]
    down = [y / height for _, y in corners]
    left, top, right, bottom = (
        round(min(max(value, 0.0), 1.0), 4)
        for value in (min(across), min(down), max(across), max(down))
    )
    return left, top, right, bottom
