"""The concrete things behind one open memory, each built when it is first needed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mmem.config import settings
from mmem.derive.questions import GrammarQuestions
from mmem.errors import ConfigError
from mmem.lifecycle.add import Adder
from mmem.lifecycle.complete import Completer
from mmem.lifecycle.knowing import Known
from mmem.lifecycle.limiting import sight_of
from mmem.lifecycle.options import AddOptions
from mmem.lifecycle.paid import Paid
from mmem.lifecycle.progress import Listener
from mmem.lifecycle.remembered import HeldFacts
from mmem.lifecycle.scales import StoredViews, ViewScales, scales_of
from mmem.lifecycle.seeing import Eyes
from mmem.lifecycle.sight import Limits, Sight
from mmem.models.text_choice import EMBEDDED, text_encoder
from mmem.ports import (
    Captioner,
    ImageEncoder,
    Labeller,
    LanguageModel,
    Parser,
    QuestionReader,
    Recogniser,
    ScreenReader,
    TextEncoder,
    VectorSpace,
)
from mmem.recipes import Recipe
from mmem.stores.layout import check_space, create, described, stored_space
from mmem.stores.lease import Lease
from mmem.stores.library import Library
from mmem.stores.snapshot import Snapshot, load

if TYPE_CHECKING:
    from mmem.models.llm_cache import ReplyCache


class Opened:
    """The library, the models and the newest snapshot of one folder.

    `encoder`, `parser` and `labeller` None mean the embedded ones, `captioner` None what
    MMEM_VISION_MODEL says; `speech_model` is a
    faster-whisper size or folder, `image_model` what MMEM_IMAGE_MODEL says, and `text_model` what
    MMEM_TEXT_MODEL says, for where no `encoder` is given.
    """

    def __init__(
        self,
        folder: Path,
        *,
        encoder: TextEncoder | None,
        parser: Parser | None,
        labeller: Labeller | None,
        image_encoder: ImageEncoder | None,
        captioner: Captioner | None,
        image_model: str | None,
        speech_model: str | None,
        text_model: str,
        wait_s: float,
    ) -> None:
        self.folder = self._folder = folder
        self._given = encoder
        self._parser = parser
        self._labeller = labeller
        self._image_encoder = image_encoder
        self._captioner = captioner
        self._image_model = image_model
        self._speech_model = speech_model
        self._text_model = text_model
        self._wait_s = wait_s
        self._snapshot: Snapshot | None = None
        self._sight: Sight | None = None
        self._views: tuple[Snapshot, StoredViews] | None = None
        self._scales: ViewScales | None = None
        self._lasting: tuple[Sight, HeldFacts] | None = None

    @cached_property
    def library(self) -> Library:
        """The store. Raises ConfigError when there is none yet, ModelMismatch, StoreDamaged."""
        return Library.open(self._folder, self.write_encoder.identity)

    @cached_property
    def write_encoder(self) -> TextEncoder:
        """What makes vectors to be stored."""
        return self._given or self._text_encoder(threads=2)

    @cached_property
    def query_encoder(self) -> TextEncoder:
        """What makes vectors of questions: on one thread, which is quicker for a short text."""
        if self._given is not None or self._text_model != EMBEDDED:
            return self.write_encoder
        return self._text_encoder(threads=1)

    def _text_encoder(self, *, threads: int) -> TextEncoder:
        def stored() -> VectorSpace | None:
            found = described(self._folder)
            return stored_space(self._folder, found, oldest=1) if found else None

        named = settings().model_copy(update={"text_model": self._text_model})
        return text_encoder(named, stored=stored, threads=threads)

    @cached_property
    def screen_reader(self) -> ScreenReader:
        """What reads the words on pictures."""
        from mmem.models.screen import RapidScreen

        return RapidScreen()

    @cached_property
    def labeller(self) -> Labeller:
        """What names the things on pictures. Raises MissingExtra."""
        if self._labeller is not None:
            return self._labeller
        from mmem.models.labels import EfficientNetLite

        return EfficientNetLite()

    @cached_property
    def eyes(self) -> Eyes:
        """What looks at pictures, for what is added and for questions."""
        return Eyes(
            lambda: self.library.images,
            self.query_encoder,
            given=self._image_encoder,
            labeller=self._labeller,
            model=self._image_model,
        )

    @cached_property
    def parser(self) -> Parser:
        """What reads the grammar of texts."""
        if self._parser is not None:
            return self._parser
        from mmem.models.language import SpacyParser

        return SpacyParser()

    @property
    def replies(self) -> ReplyCache | None:
        """This user's remembered replies of language models; None where they are switched off."""
        from mmem.models.llm_endpoint import cache_of

        return cache_of(settings())

    @contextlib.contextmanager
    def writer(self, max_cost: float | None) -> Iterator[LanguageModel | None]:
        """Open the language model that the environment names, None where it names none.

        `max_cost` caps what it may spend until it is closed. Raises ConfigError.
        """
        named = settings()
        if not named.llm_model:
            yield None
            return
        from mmem.models.llm import language_model

        model = language_model(named, max_cost=max_cost)
        with model or contextlib.nullcontext():
            yield model

    @contextlib.contextmanager
    def asking(self, recipe: Recipe) -> Iterator[LanguageModel | None]:
        """Open the language model that reads a question, None where the recipe has no use for it.

        Raises ConfigError.
        """
        asks = recipe.query_quadruples or recipe.selection is not None
        with self.writer(None) if asks else contextlib.nullcontext() as model:
            yield model

    def question_reader(self, model: LanguageModel | None) -> QuestionReader:
        """Return what reads the quadruples of questions: a language model, else grammar.

        The parser is only loaded for a question that is read by it.
        """
        by_grammar = GrammarQuestions(self.parser)
        if model is None:
            return by_grammar
        from mmem.derive.question_model import ModelQuestions

        return ModelQuestions(model, by_grammar)

    @cached_property
    def recogniser(self) -> Recogniser:
        """What recognises speech."""
        from mmem.models.speech import FasterWhisper

        return FasterWhisper(self._speech_model)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Lease]:
        """Hold the lease, with the memory created if there was none. Raises StoreLocked."""
        if self._folder.exists() and not self._folder.is_dir():
            raise ConfigError(f"{self._folder} is a file", hint="a memory is a folder")
        self._folder.mkdir(parents=True, exist_ok=True)
        with Lease(self._folder, wait_s=self._wait_s) as lease:
            create(self._folder, self.write_encoder.identity)
            self._check_space()
            yield lease

    @contextlib.contextmanager
    def leased(self) -> Iterator[Lease]:
        """Hold the lease of a memory that is there, whatever its vectors are of.

        Raises ConfigError when there is none, StoreLocked.
        """
        if not Library.exists(self._folder):
            raise ConfigError(f"no memory at {self._folder}", hint="`mmem add FILE...` makes one")
        with Lease(self._folder, wait_s=self._wait_s) as lease:
            yield lease

    def adder(
        self,
        options: AddOptions,
        listener: Listener,
        lease: Lease,
        *,
        max_cost: float | None = None,
    ) -> Adder:
        """Return what adds files under a lease; `max_cost` caps what a language model may spend."""
        completer = self.completer(listener, max_cost=max_cost)
        return Adder(self.library, completer, options, listener, lease.check)

    def completer(self, listener: Listener, *, max_cost: float | None = None) -> Completer:
        """Return what brings sources up to date.

        Units are read and frames judged by the language model that the environment names, else by
        grammar and rules, pictures described by the captioner that it names; `max_cost` caps what
        the models may spend together.
        """
        paid = Paid(lambda: self.parser, self._captioner, max_cost)
        return Completer(
            library=self.library,
            chunker=self.write_encoder,
            encoder=self.write_encoder,
            recogniser=lambda: self.recogniser,
            screen_reader=lambda: self.screen_reader,
            labeller=lambda: self.labeller,
            eyes=self.eyes,
            unit_reader=paid.unit_reader,
            frame_judge=paid.frame_judge,
            captioner=paid.captioner,
            listener=listener,
        )

    def lasting(self, sight: Sight) -> HeldFacts:
        """Return the facts that last in a sight as they are searched; those of the last are kept.

        They are put together from all assertions: some seconds for ten thousand.
        """
        if self._lasting is None or self._lasting[0] is not sight:
            remembered = Known(self.library, sight).remembered()
            self._lasting = sight, remembered.held(remembered.stated())
        return self._lasting[1]

    def scales(self, sight: Sight) -> ViewScales:
        """Return the context views of a sight as they are searched; those of the last are kept."""
        if self._views is None or self._views[0] is not sight.snapshot:
            stored = StoredViews.of(self.library)
            self._views = sight.snapshot, stored
        if self._scales is None or self._scales.known.sight is not sight:
            known = Known(self.library, sight)
            self._scales = scales_of(known, self._views[1])
        return self._scales

    def sight(self, limits: Limits) -> Sight:
        """Return what may be seen of the newest state; that of the last limits is kept."""
        if self._snapshot is None or self._snapshot.versions != self.library.versions():
            if self._snapshot is not None:
                self._check_space()
            self._snapshot, self._sight = load(self.library), None
        if self._sight is None or self._sight.limits != limits:
            encoder = self.query_encoder
            self._sight = sight_of(self.library, self._snapshot, limits, encoder, encoder)
        return self._sight

    def _check_space(self) -> None:
        """Raise ModelMismatch where another process has made the vectors anew meanwhile."""
        stored = stored_space(self._folder, described(self._folder))
        check_space(self._folder, stored, self.write_encoder.identity)
