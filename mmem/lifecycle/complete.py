"""The stages after the raw: pictures, speech, units, vectors; each ends in an outcome."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Iterable
from functools import partial

from mmem.derive.judges import FrameJudge
from mmem.derive.readers import UnitReader
from mmem.derive.telling import told_of
from mmem.errors import MmemError, StoreLocked
from mmem.ingestors.reading import RecordingReader
from mmem.ingestors.registry import reader_named
from mmem.lifecycle.attached import lies_beside
from mmem.lifecycle.captioning import CAPTIONS, UNNAMED, WAITING, settle_captions
from mmem.lifecycle.comparing import STAGE, compare, waits_for_comparison
from mmem.lifecycle.labelling import installed
from mmem.lifecycle.naming import settle_names
from mmem.lifecycle.progress import Counted, Listener, Told, counting, telling
from mmem.lifecycle.recording import (
    choose_pictures,
    hear_speech,
    label_pictures,
    outcome,
    read_screens,
)
from mmem.lifecycle.seeing import Eyes, available, encode_attached, encode_pictures
from mmem.lifecycle.settle import (
    Wanted,
    settle_units,
    settle_vectors,
    transcript_of,
    units_of_source,
    wanted_of,
)
from mmem.lifecycle.understand import settle_frames
from mmem.lifecycle.viewing import settle_views
from mmem.ports import Captioner, Labeller, Recogniser, ScreenReader, TextEncoder
from mmem.recipes import SYNONYMY
from mmem.schemas import Outcome, Source
from mmem.schemas.source import Status
from mmem.stores.library import Library

_log = logging.getLogger("mmem")
_ALWAYS = (CAPTIONS, "frames", "units", "vectors", STAGE)
FINISHED = ("ok", "empty", "skipped")
Act = Callable[[Source], Outcome]


@dataclasses.dataclass(frozen=True)
class Completer:
    """Brings sources up to date, stage by stage; what is done already is not done again.

    Without models (the eight None, and files not decoded) only what needs none is done, and the
    rest becomes pending: that is how forgetting settles. `touched` are sources that were completed
    since frames were compared last, `unjudged` units that a judge was asked about in vain.
    """

    library: Library
    chunker: TextEncoder
    encoder: TextEncoder | None
    recogniser: Callable[[], Recogniser] | None
    screen_reader: Callable[[], ScreenReader] | None
    labeller: Callable[[], Labeller] | None
    eyes: Eyes | None
    unit_reader: Callable[[], UnitReader] | None
    frame_judge: Callable[[], FrameJudge] | None
    captioner: Callable[[], Captioner] | None
    listener: Listener
    decodes: bool = True
    unjudged: set[str] = dataclasses.field(default_factory=set)
    touched: set[str] = dataclasses.field(default_factory=set)

    def without_models(self) -> Completer:
        """Return one that leaves pending what needs a model."""
        return dataclasses.replace(
            self,
            encoder=None,
            recogniser=None,
            screen_reader=None,
            labeller=None,
            eyes=None,
            unit_reader=None,
            frame_judge=None,
            captioner=None,
            decodes=False,
        )

    def due(self, source: Source) -> list[Outcome]:
        """Return pending outcomes for the stages that are due: a run may end before them."""
        ended = {stage: self.status_of(source, stage) for stage in self._names(source)}
        return [
            outcome(source, stage, "pending", "was interrupted, `mmem retry` goes on")
            for stage, status in ended.items()
            if status is None or (stage in _ALWAYS and status != "pending")
        ]

    def compare(self, title: str) -> list[Outcome]:
        """Compare frames across the memory; return what became of the sources that it concerns.

        Those are the sources completed since the last time, and those whose comparison changed.
        `title` is what the listener hears that this is for.
        """

        counted = counting(self.listener, title, STAGE)
        settle_names(self.library, self.encoder, SYNONYMY)
        settle_views(self.library, counted=counted)
        judge = self.frame_judge() if self.frame_judge else None
        found = compare(self.library, judge, self.touched, tried=self.unjudged, counted=counted)
        self.touched.clear()
        return found

    def reopen(self, sources: Iterable[Source]) -> None:
        """Note, before something changes that comparisons depend on, that they are to be made."""
        ids = sorted({source.id for source in sources})
        self.library.put_outcomes(map(waits_for_comparison, ids))
        self.touched.update(ids)

    def lacks(self, source: Source) -> bool:
        """Tell whether a stage of a source never began, or a picture came that was lacking."""
        never = any(self.status_of(source, stage) is None for stage in self._names(source))
        return never or (source.kind == "conversation" and lies_beside(self.library, source))

    def complete(self, source: Source) -> None:
        """Bring the stages of a source up to date, but for the comparison with other sources."""
        for stage, act in self._stages(source):
            self._stage(source, stage, act)
        self.touched.add(source.id)

    def regroup(self, source: Source) -> None:
        """Bring a source's units and vectors up to date; nothing is read again."""
        self._stage(source, "units", self._group)
        self._stage(source, "vectors", self._encode)
        self.touched.add(source.id)

    def _names(self, source: Source) -> list[str]:
        return [*(stage for stage, _ in self._stages(source)), STAGE]

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
                ("images", self._look),
                ("speech", self._hear),
                *([(CAPTIONS, self._describe)] if self._has_captions(source) else []),
                *stages,
            ]
        elif source.kind == "conversation":
            stages = [("images", self._look_at_attached), *stages]
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
            ended = act(source)
        except StoreLocked:
            raise
        except MmemError as error:
            ended = outcome(source, stage, "failed", str(error))
        except Exception as error:
            _log.debug("in %s of %s", stage, source.id, exc_info=True)
            ended = outcome(source, stage, "failed", f"{type(error).__name__}: {error}")
        seconds = round(time.perf_counter() - started, 3)
        cost = ended.cost.model_copy(update={"seconds": seconds})
        self.library.put_outcomes([ended.model_copy(update={"cost": cost})])

    def _is_settled(self, source: Source, stage: str) -> bool:
        """Tell whether a stage is as the live sources say; units and vectors see for themselves."""
        status = self.status_of(source, stage)
        if stage == "speech" and transcript_of(source, self.library) is not None:
            return status == "skipped"  # a transcript wins over recognition
        if stage == "speech":
            return status in ("ok", "empty", "partial")
        if stage == "images" and source.kind == "conversation":
            return False  # sees for itself what new messages name
        if _is_damaged(stage, status):
            return True
        return stage not in _ALWAYS and status in FINISHED and not self._can_now(stage, status)

    def is_open(self, outcome: Outcome) -> bool:
        """Tell whether a stage is to be done again: it failed, is pending, or can be done now."""
        if _is_damaged(outcome.stage, outcome.status):
            return False
        return outcome.status not in FINISHED or self._can_now(outcome.stage, outcome.status)

    def _can_now(self, stage: str, status: Status | None) -> bool:
        """Tell whether a stage was skipped for want of a model that has been installed since."""
        if stage == "images" and status == "skipped" and self.eyes is not None:
            return available(self.eyes)[0] is not None
        if stage == CAPTIONS:
            return status == "skipped" and self.captioner is not None
        return stage == "labels" and status == "skipped" and installed(self.labeller)[0] is not None

    def _see(self, source: Source) -> Outcome:
        if not self.decodes:
            return outcome(source, "pictures", "pending", "`mmem retry` chooses the pictures")
        return choose_pictures(self.library, source, self._told(source, "pictures"))

    def _read_screens(self, source: Source) -> Outcome:
        read = partial(read_screens, self.library, source, self.screen_reader)
        return self._once_seen(source, "screen", read)

    def _label(self, source: Source) -> Outcome:
        labeller = partial(installed, self.labeller) if self.labeller else None
        name = partial(label_pictures, self.library, source, labeller)
        return self._once_seen(source, "labels", name)

    def _look(self, source: Source) -> Outcome:
        encode = partial(encode_pictures, self.library, source, self.eyes)
        return self._once_seen(source, "images", encode)

    def _describe(self, source: Source) -> Outcome:
        captioner = self.captioner or (UNNAMED if self.decodes else WAITING)
        describe = partial(settle_captions, self.library, source, captioner)
        return self._once_seen(source, CAPTIONS, describe)

    def _once_seen(self, source: Source, stage: str, act: Callable[[Told], Outcome]) -> Outcome:
        """Do what needs the pictures of a recording, once they have been chosen."""
        if self.status_of(source, "pictures") not in (*FINISHED, "partial"):
            return outcome(source, stage, "pending", "waits for the pictures")
        return act(self._told(source, stage))

    def _look_at_attached(self, source: Source) -> Outcome:
        told = self._told(source, "images")
        return encode_attached(self.library, source, self.eyes, told, reads=self.decodes)

    def _has_captions(self, source: Source) -> bool:
        return self.captioner is not None or self.status_of(source, CAPTIONS) is not None

    def _hear(self, source: Source) -> Outcome:
        return hear_speech(self.library, source, self.recogniser, self._told(source, "speech"))

    def _group(self, source: Source) -> Outcome:
        return settle_units(self.library, self._wanted(source))

    def _encode(self, source: Source) -> Outcome:
        counted = self._counted(source, "vectors")
        return settle_vectors(self.library, self._wanted(source), self.encoder, counted=counted)

    def _understand(self, source: Source) -> Outcome:
        units, atoms = units_of_source(self.library, source)
        return settle_frames(
            self.library,
            source.id,
            told_of(source, units, atoms),
            self.unit_reader() if self.unit_reader else None,
            counted=self._counted(source, "frames"),
        )

    def _wanted(self, source: Source) -> Wanted:
        return wanted_of(self.library, source, self.chunker)

    def _counted(self, source: Source, stage: str) -> Counted:
        return counting(self.listener, source.title, stage)

    def _told(self, source: Source, stage: str) -> Told:
        return telling(self.listener, source, stage)


def _is_damaged(stage: str, status: Status | None) -> bool:
    """Tell whether a stage did what can be done: a damaged file is not decoded better later."""
    return stage in ("pictures", "speech", "images") and status == "partial"
