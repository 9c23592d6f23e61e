"""Speech: Whisper (Radford et al. 2022) on CTranslate2, through faster-whisper.

Sound is cut at silences, the islands of voice are packed into pieces of at most 30 s without the
silence between them, and eight pieces go through the network at once (Bain et al. 2023). Words
are aligned by cross-attention, mapped back across the cuts, and made into lines that end at
sentence ends and silences. What is no speech is rejected with its reason.
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmem.errors import ConfigError, MissingExtra
from mmem.models.ahead import ahead
from mmem.models.speech_islands import RATE_HZ, Piece, islands, pieces
from mmem.models.speech_judge import Echoes, Elsewhere, reason_against
from mmem.models.speech_lines import Word, lines_of
from mmem.models.speech_weights import TINY_EN, tiny_en_folder
from mmem.models.weights import digest
from mmem.ports import Heard, SoundWindow, Stretch

if TYPE_CHECKING:
    from faster_whisper import BatchedInferencePipeline
    from faster_whisper.transcribe import Segment

EMBEDDED = "tiny.en"
BATCH = 8
BEAM = 5
_PRECISION = "int8"
# The pipeline counts in frames of 10 ms; pieces begin on one and lie apart, so that it is plain
# which piece a word belongs to.
_FRAME = RATE_HZ // 100
_APART = RATE_HZ
_ECHO = "the same line a third time"
_ELSEWHERE = "heard on another track"


@dataclasses.dataclass(frozen=True, slots=True)
class _Found:
    """Words of a piece, and how sure the network was of the piece."""

    words: tuple[Word, ...]
    no_speech: float
    logprob: float

    @classmethod
    def of(cls, segment: Segment, piece: Piece, offset: int) -> _Found:
        """Map a segment's words from the row to the media clock; `offset` is the piece's place."""
        words = []
        for word in segment.words or ():
            start, end = (round(at * RATE_HZ) - offset for at in (word.start, word.end))
            start_us, end_us = piece.media_us(start, end)
            words.append(Word(word.word, start_us, end_us, word.probability))
        return cls(tuple(words), segment.no_speech_prob, segment.avg_logprob)

    def judged(self, echoes: Echoes, elsewhere: Elsewhere) -> Iterator[Heard]:
        """Yield the lines of the piece, each with the reason for which it is no speech, or ""."""
        for line in lines_of(self.words):
            heard = line.heard
            reason = reason_against(
                heard.text,
                no_speech=self.no_speech,
                logprob=self.logprob,
                certainty=line.certainty,
            )
            if reason is None:
                reason = _not_new(heard, echoes, elsewhere)
            yield dataclasses.replace(heard, rejected=reason)


def _not_new(line: Heard, echoes: Echoes, elsewhere: Elsewhere) -> str:
    """Take the next line that is speech; return why it is none that is new, or ""."""
    if echoes.is_echo(line.text):
        return _ECHO
    return _ELSEWHERE if elsewhere.is_there(line) else ""


class FasterWhisper:
    """Recognises speech with any Whisper that faster-whisper runs.

    `model` is a size ("small", fetched by faster-whisper), a folder, or None for the embedded
    tiny.en. `language` is a code such as "de"; None lets a multilingual model detect it from the
    first speech, and means English where the model knows nothing else.
    """

    def __init__(
        self, model: str | Path | None = None, *, language: str | None = None, threads: int = 0
    ) -> None:
        self._name = EMBEDDED if model is None else str(model)
        self._embedded = model is None
        self._language = language
        self._stated = language is not None
        self._threads = threads or _cores()

    @property
    def identity(self) -> str:
        """Engine, model, precision and, where the files are at hand, the weights' digest."""
        parts = ["faster-whisper", Path(self._name).name, _PRECISION]
        if self._embedded:
            parts.append(TINY_EN.sha256[:12])
        elif (weights := Path(self._name) / "model.bin").is_file():
            parts.append(digest(weights)[:12])
        return "/".join(parts)

    @property
    def language(self) -> str | None:
        """The language given or detected; None until the first speech of a multilingual model."""
        return self._language or ("en" if self.english_only else None)

    @property
    def language_basis(self) -> str:
        """How the language is known: "stated", "detected", or "assumed" and why."""
        if self._stated:
            return "stated"
        return "assumed: the model knows no other" if self.english_only else "detected"

    @property
    def english_only(self) -> bool:
        """Tell whether the model knows English alone, so that English is assumed, not detected."""
        return self._embedded or self._name.endswith(".en")

    def recognise(
        self, windows: Iterable[SoundWindow], *, known: Sequence[Stretch] = ()
    ) -> Iterator[Stretch]:
        """Yield what was said, in time order, while the sound goes by, eight pieces a stretch.

        A window that starts before the last one ended begins another lane of the recording (a
        track, a channel): its lines follow, less those that an earlier lane has. The lines depend
        on the sound alone, not on how it was cut into windows. `windows` is read by another
        thread, up to eight pieces ahead. For `known` stretches the sound is cut again, which takes
        a small part of the time, and the network is spared. Raises MissingExtra, ModelMismatch,
        ConfigError, and what `windows` raises.
        """
        echoes, elsewhere = Echoes(), Elsewhere()
        done_us = 0
        with ahead(_batches(windows)) as batches:
            for place, batch in enumerate(batches):
                done_us = max(done_us, batch[-1].islands[-1].end_us)
                if place < len(known):
                    self._language = self._language or known[place].language
                    _remember(known[place], echoes, elsewhere)
                    yield known[place]
                    continue
                found = self._found(batch)
                lines = tuple(line for one in found for line in one.judged(echoes, elsewhere))
                yield Stretch(lines, done_us, self.language)

    def _found(self, batch: Sequence[Piece]) -> Iterator[_Found]:
        """Yield what the network made of each piece that it had words for."""
        sizes = [-(-piece.size // _FRAME) * _FRAME for piece in batch]
        starts = [0, *itertools.accumulate(size + _APART for size in sizes)]
        row = np.zeros(starts[-1], np.float32)
        for piece, start in zip(batch, starts, strict=False):
            row[start : start + piece.size] = piece.sound
        clips = [
            {"start": start / RATE_HZ, "end": (start + size) / RATE_HZ}
            for start, size in zip(starts, sizes, strict=False)
        ]
        segments, info = self._pipeline.transcribe(
            row,
            language=self.language,
            clip_timestamps=clips,
            batch_size=BATCH,
            beam_size=BEAM,
            word_timestamps=True,
        )
        self._language = self._language or info.language
        for segment in segments:
            at = int(segment.seek * _FRAME) + _APART // 2
            place = min(bisect.bisect_right(starts, at), len(batch)) - 1
            yield _Found.of(segment, batch[place], starts[place])

    @cached_property
    def _pipeline(self) -> BatchedInferencePipeline:
        try:
            from faster_whisper import BatchedInferencePipeline, WhisperModel
        except ImportError as error:
            raise MissingExtra(
                "recognising speech needs faster-whisper", hint="run `pip install faster-whisper`"
            ) from error
        source = str(tiny_en_folder()) if self._embedded else self._name
        try:
            model = WhisperModel(source, compute_type=_PRECISION, cpu_threads=self._threads)
        except (ValueError, RuntimeError, OSError) as error:
            raise ConfigError(
                f"no speech model {self._name!r}: {error}",
                hint="give a size of faster-whisper (tiny, base, small, …) or a folder",
            ) from error
        return BatchedInferencePipeline(model)


def _remember(stretch: Stretch, echoes: Echoes, elsewhere: Elsewhere) -> None:
    """Bring what is known of earlier lines to where it was after a stretch."""
    for line in stretch.lines:
        if line.rejected in ("", _ECHO, _ELSEWHERE):
            _not_new(line, echoes, elsewhere)


def _batches(windows: Iterable[SoundWindow]) -> Iterator[list[Piece]]:
    rows = pieces(islands(windows))
    while batch := list(itertools.islice(rows, BATCH)):
        yield batch


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
