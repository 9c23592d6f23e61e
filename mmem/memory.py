"""Memory: the hall, which builds the concrete things and hands them to the rooms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from mmem.config import settings
from mmem.lifecycle.add import AddOptions
from mmem.lifecycle.answering import SentenceListener, answer_of, unheard
from mmem.lifecycle.arguments import (
    AddArguments,
    AskArguments,
    Moment,
    limits_of,
    moment_us,
    question_of,
)
from mmem.lifecycle.asking import Question, counts_of, evidence_of, record_of
from mmem.lifecycle.forget import forget_source
from mmem.lifecycle.opened import Opened
from mmem.lifecycle.places import Place, clip, place_of
from mmem.lifecycle.progress import FileReport, Listener, nobody
from mmem.lifecycle.retry import retried
from mmem.lifecycle.sight import Limits, Sight
from mmem.lifecycle.understood import Understood
from mmem.ports import Labeller, Parser, TextEncoder
from mmem.recipes import Recipe, recipe_named
from mmem.schemas import Answer, Atom, Evidence, Outcome, Receipt, Source, Unit


class Memory(Understood):
    """An event memory in one folder: `path`, else MMEM_MEMORY, else ./mmem-memory.

    `labels` are the reader's: a source is visible if all its labels are among them; None is the
    owner, who sees everything. `zone` is where times without a zone in the caller's arguments are
    read. `encoder` makes the text vectors (default: the embedded MiniLM); a memory is opened with
    the one that it was made with. `parser` reads grammar, `labeller` names what pictures show
    (default: the embedded ones). Reading never writes; any number of readers may be open beside
    one writer, which waits `wait_s` seconds (default 30) for another.
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
        wait_s: float | None = None,
    ) -> None:
        env = settings()
        self.folder = Path(path or env.memory).expanduser().resolve()
        self.labels = None if labels is None else frozenset(labels)
        self.recipe = recipe if isinstance(recipe, Recipe) else recipe_named(recipe)
        self.zone = zone or env.tz
        self._make = partial(
            Opened,
            self.folder,
            encoder=encoder,
            parser=parser,
            labeller=labeller,
            speech_model=env.speech_model,
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
        max_cost: float | None = None,
        listener: Listener = nobody,
    ) -> list[FileReport]:
        """Read files and folders into the memory; return one report a file.

        A file that cannot be read is reported and the others go on. `title` names a conversation,
        `tz` the zone of times written without one, `recorded_at` when a recording began,
        `day_first` whether 3/4 is the third of April; `max_cost` caps what a language model may
        spend, in the currency of the prices set. Raises StoreLocked when another process
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

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        since: Moment = None,
        until: Moment = None,
        as_of: Moment = None,
        now: Moment = None,
        source: str | Sequence[str] = (),
        people: str | Sequence[str] = (),
        options: Sequence[str] = (),
        explain: bool = False,
    ) -> Evidence:
        """Return the `k` best units for a question, with their lines, places and pictures.

        `since`, `until`, `source` and `people` exclude; `as_of` answers as a memory of that moment
        would; `now` is when the question is asked (default: `as_of`, else the present). A date
        alone is a whole day: `since` from its beginning, `until` and `as_of` to its end.
        `options` are possible answers to choose from. With `explain`, the trace tells what each
        mechanism did. Raises MissingExtra when the text model is not installed, UnknownId for a
        source or a person that isn't here, ConfigError for an empty question.
        """
        given: AskArguments = {
            "since": since,
            "until": until,
            "as_of": as_of,
            "now": now,
            "source": source,
            "people": people,
            "options": options,
        }
        asked = question_of(question, given, self.zone, k=k, explain=explain, readings=True)
        return self._evidence(asked, given)

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
        find = partial(self._evidence, given=given)
        encoder = self._opened.query_encoder
        if not written:
            return answer_of(asked, find, encoder)
        with self._opened.writer(max_cost) as model:
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

    def _evidence(self, asked: Question, given: AskArguments) -> Evidence:
        sight = self._opened.sight(limits_of(given, self.labels, self.zone))
        encoder = self._opened.query_encoder
        return evidence_of(self._opened.library, sight, encoder, self.recipe, asked)

    def _visible_sight(self) -> Sight:
        return self._opened.sight(Limits(labels=self.labels))
