"""Memory: the hall, which builds the concrete things and hands them to the rooms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from mmem.config import settings
from mmem.lifecycle.answering import SentenceListener, answer_of, unheard
from mmem.lifecycle.arguments import (
    AddArguments,
    AskArguments,
    Moment,
    anchor_seconds,
    moment_us,
    question_of,
)
from mmem.lifecycle.asking import counts_of, record_of
from mmem.lifecycle.embedded import Embedded
from mmem.lifecycle.exporting import Exporting
from mmem.lifecycle.forget import forget_source
from mmem.lifecycle.found import Found
from mmem.lifecycle.opened import Opened
from mmem.lifecycle.options import AddOptions
from mmem.lifecycle.places import Place, clip, place_of
from mmem.lifecycle.progress import FileReport, Listener, nobody
from mmem.lifecycle.retry import retried
from mmem.lifecycle.sight import Limits, Sight
from mmem.ports import Captioner, ImageEncoder, Labeller, Parser, TextEncoder
from mmem.recipes import Recipe, recipe_named
from mmem.schemas import Answer, Atom, Outcome, Receipt, Source, Unit


class Memory(Embedded, Found, Exporting):
    """An event memory in one folder: `path`, else MMEM_MEMORY, else ./mmem-memory.

    `labels` are the reader's: a source is visible if all its labels are among them; None is the
    owner, who sees everything. `zone` is where times without a zone in the caller's arguments are
    read. `encoder` makes the text vectors (default: what MMEM_TEXT_MODEL names, else the embedded
    MiniLM); a memory is opened with the one that it was made with. `parser` reads grammar,
    `labeller` names what pictures show (default: the embedded ones); `image_encoder` makes the
    pictures' vectors (default: what MMEM_IMAGE_MODEL names, else what the memory was made with);
    `captioner` says what recordings show (default: what MMEM_VISION_MODEL names, else rules).
    Reading never writes; any number of readers may be open beside one writer, which waits `wait_s`
    seconds (default 30) for another.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        labels: Iterable[str] | None = None,
        recipe: str | Recipe = "mmem",
        zone: str | None = None,
        encoder: TextEncoder | None = None,
        parser: Parser | None = None,
        labeller: Labeller | None = None,
        image_encoder: ImageEncoder | None = None,
        captioner: Captioner | None = None,
        wait_s: float | None = None,
    ) -> None:
        env = settings()
        self.folder = Path(path or env.memory).expanduser().resolve()
        self.labels = None if labels is None else frozenset(labels)
        self.recipe = recipe if isinstance(recipe, Recipe) else recipe_named(recipe)
        self.zone = zone or env.tz
        self._make: Callable[..., Opened] = partial(
            Opened,
            self.folder,
            encoder=encoder,
            parser=parser,
            labeller=labeller,
            image_encoder=image_encoder,
            captioner=captioner,
            image_model=env.image_model,
            speech_model=env.speech_model,
            text_model=env.text_model,
            wait_s=env.wait_s if wait_s is None else wait_s,
        )
        self._opened = self._make()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of everything that was read."""
        self._opened = self._make()

    def add(
        self,
        *paths: str | Path,
        labels: Iterable[str] = (),
        title: str | None = None,
        format: str | None = None,
        tz: str | None = None,
        recorded_at: Moment = None,
        day_first: bool | None = None,
        anchor_s: int | None = None,
        max_cost: float | None = None,
        listener: Listener = nobody,
    ) -> list[FileReport]:
        """Read files and folders into the memory; return one report a file.

        A file that cannot be read is reported and the others go on. `title` names a conversation,
        `tz` the zone of times written without one, `recorded_at` when a recording began,
        `day_first` whether 3/4 is the third of April, `anchor_s` how many seconds of a recording
        are one unit (10, 30 or 60; default 30); `max_cost` caps what a language model may spend,
        in the currency of the prices set. Raises ConfigError, and StoreLocked when another process
        is writing.
        """
        reports = self.adding(
            *paths,
            labels=labels,
            title=title,
            format=format,
            tz=tz,
            recorded_at=recorded_at,
            day_first=day_first,
            anchor_s=anchor_s,
            max_cost=max_cost,
            listener=listener,
        )
        return list(reports)

    def adding(
        self, *paths: str | Path, listener: Listener = nobody, **given: Unpack[AddArguments]
    ) -> Iterator[FileReport]:
        """Do what `add` does, yielding each file's report as it is done."""
        options = AddOptions(
            labels=tuple(given.get("labels", ())),
            title=given.get("title"),
            format_name=given.get("format"),
            zone=given.get("tz"),
            recorded_us=moment_us(given.get("recorded_at"), given.get("tz") or self.zone),
            day_first=given.get("day_first"),
            anchor_s=anchor_seconds(given.get("anchor_s")),
        )
        with self._opened.writing() as lease:
            adder = self._opened.adder(options, listener, lease, max_cost=given.get("max_cost"))
            yield from adder.add(paths)

    def retry(self, *, listener: Listener = nobody) -> list[FileReport]:
        """Do again what failed or is pending, and nothing else; return a report for each."""
        with self._opened.writing() as lease:
            return list(retried(self._opened.adder(AddOptions(), listener, lease)))

    def forget(self, *, source: str) -> Receipt:
        """Remove a source and everything derived from it; return the verified receipt.

        `source` is an id, a title or a file name. No model is called: what must be judged anew is
        pending until `retry`. Raises UnknownId.
        """
        with self._opened.writing():
            chosen = self._source_called(source)
            completer = self._opened.completer(nobody).without_models()
            return forget_source(self._opened.library, completer, chosen, self._opened.replies)

    def ask(
        self,
        question: str,
        *,
        written: bool = True,
        max_cost: float | None = None,
        listener: SentenceListener = unheard,
        **given: Unpack[AskArguments],
    ) -> Answer:
        """Return an answer that cites what was found, or says that it is not in this memory.

        With a language model in the environment it is written by that, and what the citations do
        not prove is struck; without one, with `written` false, or where the reply is of no use, it
        is made of quotes; its `written_by` and `notes` tell. `max_cost` caps what the model may
        spend, `listener` is told each of its sentences as soon as it is proven. The rest is as for
        `search`, without `k` and `explain`. Raises ConfigError for settings that cannot be right.
        """
        asked = question_of(question, given, self.zone, k=self.recipe.answer_depth)
        encoder = self._opened.query_encoder
        if not written:
            return answer_of(asked, partial(self._evidence, given=given), encoder)
        with self._opened.writer(max_cost) as model:
            find = partial(self._evidence, given=given, model=model)
            return answer_of(asked, find, encoder, model=model, listener=listener)

    def sources(self) -> list[Source]:
        """Return the sources that this reader may see, by title."""
        found = self._opened.library.sources()
        return [s for s in found if self.labels is None or set(s.labels) <= self.labels]

    def source(self, name: str) -> Source:
        """Return the one source of an id, title or file name. Raises UnknownId."""
        return self._source_called(name)

    def atoms(self, source: str) -> list[Atom]:
        """Return the atoms of a source in order. Raises UnknownId."""
        return self._opened.library.atoms(self._source_called(source).id)

    def units(self, source: str) -> list[Unit]:
        """Return the units of a source by session and position. Raises UnknownId."""
        units = self._opened.library.units(self._source_called(source).id)
        return units if self.labels is None else self._visible_sight().shown(units)

    def show(self, record_id: str) -> Source | Unit | Atom:
        """Return a source, unit or atom by id. Raises UnknownId."""
        return record_of(self._opened.library, self._visible_sight(), record_id)

    def place(self, record_id: str) -> Place:
        """Return the file of a record and the seconds that it takes there. Raises UnknownId."""
        return place_of(self.show(record_id), self.sources())

    def clip(
        self,
        record_id: str,
        out: str | Path | None = None,
        *,
        before_s: float = 2.0,
        after_s: float = 2.0,
    ) -> Path:
        """Cut a record's stretch of a recording into a file; return the file.

        Raises UnknownId, ConfigError when it has no media clock, DamagedFile.
        """
        target = None if out is None else Path(out)
        return clip(self.place(record_id), target, before_s=before_s, after_s=after_s)

    def outcomes(self) -> list[Outcome]:
        """Return how every stage ended of every source that is visible with all that belongs to it.

        The owner also sees files that could not be read.
        """
        found = self._opened.library.outcomes()
        if self.labels is None:
            return found
        open_ones = self._visible_sight().wholly_visible()
        return [outcome for outcome in found if outcome.source_id in open_ones]

    def counts(self) -> dict[str, int]:
        """Return how many sources, atoms and units this reader may see."""
        found = counts_of(self._opened.library, [source.id for source in self.sources()])
        if self.labels is not None:
            found["units"] = int(self._visible_sight().index.visible.sum())
        return found

    def sizes(self) -> dict[str, int]:
        """Return bytes on disk by layer."""
        return self._opened.library.sizes()

    def state_digest(self) -> str:
        """Return the SHA-256 of the memory's whole state; equal states have equal digests."""
        return self._opened.library.state_digest()

    def picture_path(self, file: str) -> Path:
        """Return where a keyframe's picture lies."""
        return self._opened.library.media.path(file)

    def _visible_sight(self) -> Sight:
        return self._opened.sight(Limits(labels=self.labels))
