"""The stages after the raw: pictures, speech, units, vectors; each ends in an outcome."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mmem.derive.readers import UnitReader
from mmem.derive.screens import merged, screen_text
from mmem.derive.telling import told_of
from mmem.errors import MissingExtra, MmemError, StoreLocked
from mmem.ingestors.reading import Damage, RecordingReader
from mmem.ingestors.registry import reader_named
from mmem.lifecycle.hearing import hear
from mmem.lifecycle.labelling import name_pictures
from mmem.lifecycle.progress import Listener, Progress
from mmem.lifecycle.settle import (
    Wanted,
    drop_stale_vectors,
    settle_units,
    settle_vectors,
    transcript_of,
    units_of_source,
    wanted_of,
)
from mmem.lifecycle.understand import settle_frames
from mmem.ports import Labeller, ReadLine, Recogniser, ScreenReader, TextEncoder
from mmem.schemas import Keyframe, Outcome, ScreenLine, ScreenText, Source, Utterance
from mmem.schemas.clock import MICROSECONDS, offset
from mmem.schemas.identity import file_digest, screen_text_id
from mmem.schemas.source import Status
from mmem.stores.library import Library

_log = logging.getLogger("mmem")
_PICTURES_A_WRITE = 16
_ALWAYS = ("frames", "units", "vectors")
FINISHED = ("ok", "empty", "skipped")
Act = Callable[[Source], Outcome]


@dataclasses.dataclass(frozen=True)
class Completer:
    """Brings sources up to date, stage by stage; what is done already is not done again.

    Without models (the five None) only what needs no model is done, and the rest
    becomes pending: that is how forgetting settles.
    """

    library: Library
    chunker: TextEncoder
    encoder: TextEncoder | None
    recogniser: Callable[[], Recogniser] | None
    screen_reader: Callable[[], ScreenReader] | None
    labeller: Callable[[], Labeller] | None
    unit_reader: Callable[[], UnitReader] | None
    listener: Listener

    def without_models(self) -> Completer:
        """Return one that leaves pending what needs a model."""
        return dataclasses.replace(
            self, encoder=None, recogniser=None, screen_reader=None, labeller=None, unit_reader=None
        )

    def due(self, source: Source) -> list[Outcome]:
        """Return pending outcomes for the stages that are due: a run may end before them."""
        ended = {stage: self.status_of(source, stage) for stage, _ in self._stages(source)}
        return [
            _outcome(source, stage, "pending", "was interrupted, `mmem retry` goes on")
            for stage, status in ended.items()
            if status is None or (stage in _ALWAYS and status != "pending")
        ]

    def lacks(self, source: Source) -> bool:
        """Tell whether a stage of a source never began."""
        return any(self.status_of(source, stage) is None for stage, _ in self._stages(source))

    def complete(self, source: Source) -> None:
        """Bring every stage of a source up to date."""
        for stage, act in self._stages(source):
            self._stage(source, stage, act)

    def _stages(self, source: Source) -> list[tuple[str, Act]]:
        stages: list[tuple[str, Act]] = [
            ("frames", self._understand),
            ("units", self._group),
            ("vectors", self._encode),
        ]
        if isinstance(reader_named(source.format), RecordingReader):
            stages = [
                ("pictures", self._see),
                ("screen", self._read_screens),
                ("labels", self._label),
                ("speech", self._hear),
                *stages,
            ]
        return stages

    def status_of(self, source: Source, stage: str) -> Status | None:
        """Return how a stage ended last, None when it never began."""
        rows = self.library.table("ledger").read_ids([f"{source.id}/{stage}"], ["status"])
        found: list[Status] = rows["status"].to_pylist()
        return found[0] if found else None

    def _stage(self, source: Source, stage: str, act: Act) -> None:
        """Do one stage unless it is settled; an error that mmem knows becomes its outcome."""
        if self._is_settled(source, stage):
            return
        started = time.perf_counter()
        try:
            outcome = act(source)
        except StoreLocked:
            raise
        except MmemError as error:
            outcome = _outcome(source, stage, "failed", str(error))
        except Exception as error:
            _log.debug("in %s of %s", stage, source.id, exc_info=True)
            outcome = _outcome(source, stage, "failed", f"{type(error).__name__}: {error}")
        seconds = round(time.perf_counter() - started, 3)
        cost = outcome.cost.model_copy(update={"seconds": seconds})
        self.library.put_outcomes([outcome.model_copy(update={"cost": cost})])

    def _is_settled(self, source: Source, stage: str) -> bool:
        """Tell whether a stage is as the live sources say; units and vectors see for themselves."""
        status = self.status_of(source, stage)
        if stage == "speech" and transcript_of(source, self.library) is not None:
            return status == "skipped"  # a transcript wins over recognition
        if stage == "speech":
            return status in ("ok", "empty")
        if stage == "pictures" and status == "partial":
            return True
        return stage not in _ALWAYS and status in FINISHED and not self._can_now(stage, status)

    def is_open(self, outcome: Outcome) -> bool:
        """Tell whether a stage is to be done again: it failed, is pending, or can be done now."""
        if outcome.stage == "pictures" and outcome.status == "partial":
            return False  # a damaged file is not decoded better the next time
        return outcome.status not in FINISHED or self._can_now(outcome.stage, outcome.status)

    def _can_now(self, stage: str, status: Status | None) -> bool:
        """Tell whether a stage was skipped for want of a model that has been installed since."""
        return stage == "labels" and status == "skipped" and self._labeller_there()[0] is not None

    def _labeller_there(self) -> tuple[Labeller | None, str]:
        """Return what names things, None where it is not installed, with the reason."""
        try:
            return (self.labeller() if self.labeller else None), ""
        except MissingExtra as missing:
            return None, str(missing)

    def _see(self, source: Source) -> Outcome:
        reader, path = _reader_and_file(source)
        batch: list[Keyframe] = []
        count = 0
        damage = Damage()
        for picture in reader.pictures(path, source, damage):
            self.library.media.write(picture.keyframe.file, picture.jpeg)
            batch.append(picture.keyframe)
            count += 1
            if len(batch) == _PICTURES_A_WRITE:
                self.library.put_atoms(batch)
                batch = []
            self._tell(source, "pictures", picture.keyframe.shown.end_us)
        self.library.put_atoms(batch)
        status: Status = "ok" if count else "empty"
        reason = "" if count else "no picture track"
        if damage.packets:
            lost = len(damage.packets)
            status = "partial"
            reason = f"the file is damaged: {lost} packets could not be decoded, the rest is there"
        return _outcome(source, "pictures", status, reason, count)

    def _read_screens(self, source: Source) -> Outcome:
        if not self._pictures_are_there(source):
            return _outcome(source, "screen", "pending", "waits for the pictures")
        keyframes = [a for a in self.library.atoms(source.id) if isinstance(a, Keyframe)]
        if self.screen_reader is None and keyframes:
            return _outcome(source, "screen", "pending", "`mmem retry` reads the screens")
        reader = self.screen_reader() if self.screen_reader and keyframes else None
        paths = [str(self.library.media.path(keyframe.file)) for keyframe in keyframes]
        pages = reader.read_all(paths) if reader else iter(())
        read: list[ScreenText] = []
        for keyframe, lines in zip(keyframes, pages, strict=True):
            read.extend(_screen_text(source, keyframe, lines))
            self._tell(source, "screen", keyframe.shown.end_us)
        found = merged(read)
        self.library.put_atoms(found)
        status: Status = "ok" if found else "empty"
        reason = "" if found else "no words on a screen"
        return _outcome(source, "screen", status, reason, len(found))

    def _pictures_are_there(self, source: Source) -> bool:
        return self.status_of(source, "pictures") in (*FINISHED, "partial")

    def _label(self, source: Source) -> Outcome:
        if not self._pictures_are_there(source):
            return _outcome(source, "labels", "pending", "waits for the pictures")
        keyframes = [a for a in self.library.atoms(source.id) if isinstance(a, Keyframe)]
        if not keyframes:
            return _outcome(source, "labels", "empty", "no pictures")
        if self.labeller is None:
            return _outcome(source, "labels", "pending", "`mmem retry` names what they show")
        labeller, missing = self._labeller_there()
        recording = _reader_and_file(source)[1] if labeller else None
        how = name_pictures(
            self.library,
            keyframes,
            recording=recording,
            labeller=labeller,
            told=lambda done_us: self._tell(source, "labels", done_us),
        )
        status: Status = "ok" if labeller else "skipped"
        return _outcome(source, "labels", status, missing or how, len(keyframes))

    def _hear(self, source: Source) -> Outcome:
        transcript = transcript_of(source, self.library)
        recognised = [a for a in self.library.atoms(source.id) if isinstance(a, Utterance)]
        if transcript is not None:
            self.library.table("atoms").delete_ids(atom.id for atom in recognised)
            self.library.drafts.delete(source.id)
            return _outcome(source, "speech", "skipped", f"transcript: {transcript.title}")
        if self.recogniser is None:
            return _outcome(source, "speech", "pending", "`mmem retry` recognises the speech")
        reader, path = _reader_and_file(source)
        if not reader.has_sound(path):
            return _outcome(source, "speech", "empty", "no sound track")
        recogniser = self.recogniser()
        spoken, rejected = hear(
            self.library,
            source,
            recogniser,
            reader,
            path,
            told=lambda done_us: self._tell(source, "speech", done_us),
        )
        self.library.put_atoms(spoken)
        self.library.drafts.delete(source.id)
        status: Status = "ok" if spoken else "empty"
        language = f"language: {recogniser.language} ({recogniser.language_basis})"
        reasons = [language] if spoken else ["no speech heard"]
        reasons += [f"{rejected} lines dropped as no speech"] if rejected else []
        return _outcome(source, "speech", status, ", ".join(reasons), len(spoken))

    def _group(self, source: Source) -> Outcome:
        return settle_units(self.library, self._wanted(source))

    def _encode(self, source: Source) -> Outcome:
        wanted = self._wanted(source)
        if self.encoder is None:
            missing = drop_stale_vectors(self.library, wanted)
            if missing:
                return _outcome(source, "vectors", "pending", "`mmem retry` encodes the rest")
            status: Status = "ok" if wanted.units else "empty"
            return _outcome(source, "vectors", status, count=len(wanted.units))

        def counted(done: int, total: int) -> None:
            self.listener(Progress(source.title, "vectors", done, total))

        return settle_vectors(self.library, wanted, self.encoder, counted=counted)

    def _understand(self, source: Source) -> Outcome:
        units, atoms = units_of_source(self.library, source)

        def counted(done: int, total: int) -> None:
            self.listener(Progress(source.title, "frames", done, total))

        return settle_frames(
            self.library,
            source.id,
            told_of(source, units, atoms),
            self.unit_reader() if self.unit_reader else None,
            counted=counted,
        )

    def _wanted(self, source: Source) -> Wanted:
        return wanted_of(self.library, source, self.chunker)

    def _tell(self, source: Source, stage: str, done_us: int) -> None:
        total = (source.duration_us or done_us) / MICROSECONDS
        done = min(done_us / MICROSECONDS, total)
        self.listener(Progress(source.title, stage, done, total, unit="s"))


def _outcome(
    source: Source, stage: str, status: Status, reason: str = "", count: int = 0
) -> Outcome:
    return Outcome(source_id=source.id, stage=stage, status=status, reason=reason, count=count)


def _reader_and_file(source: Source) -> tuple[RecordingReader, Path]:
    """Return a recording's reader and the first of its files that is there and still the same."""
    places = [place for revision in source.revisions for place in revision.locations]
    for revision in source.revisions:
        for place in map(Path, revision.locations):
            if place.is_file() and file_digest(place) == revision.digest:
                reader = reader_named(source.format)
                assert isinstance(reader, RecordingReader)
                return reader, place
    raise MmemError(
        f"{source.title}: its file, as it was, is no longer at {', '.join(places)}",
        hint="`mmem add` it from where it is now",
    )


def _screen_text(
    source: Source, keyframe: Keyframe, lines: Sequence[ReadLine]
) -> Iterator[ScreenText]:
    if not lines:
        return
    kept = tuple(
        ScreenLine(text=line.text, box=line.box, confidence=round(line.confidence, 4))
        for line in lines
    )
    yield ScreenText(
        id=screen_text_id(source.id, keyframe.id),
        source_id=source.id,
        ordinal=keyframe.ordinal,
        locator=f"on screen at {offset(keyframe.time_us)}",
        text=screen_text(kept),
        span=keyframe.shown,
        lines=kept,
        file=keyframe.file,
    )
