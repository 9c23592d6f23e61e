"""The concrete things behind one open memory, each built when it is first needed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from mmem.errors import ConfigError
from mmem.lifecycle.add import Adder, AddOptions
from mmem.lifecycle.complete import Completer
from mmem.lifecycle.progress import Listener
from mmem.lifecycle.sight import Limits, Sight, sight_of
from mmem.models.text import MiniLM
from mmem.ports import Labeller, Recogniser, ScreenReader, TextEncoder
from mmem.stores.layout import create
from mmem.stores.lease import Lease
from mmem.stores.library import Library
from mmem.stores.snapshot import Snapshot, load


class Opened:
    """The library, the models and the newest snapshot of one folder.

    `encoder` None means the embedded one; `speech_model` is a faster-whisper size or folder.
    """

    def __init__(
        self,
        folder: Path,
        *,
        encoder: TextEncoder | None,
        speech_model: str | None,
        wait_s: float,
    ) -> None:
        self._folder = folder
        self._given = encoder
        self._speech_model = speech_model
        self._wait_s = wait_s
        self._snapshot: Snapshot | None = None

    @cached_property
    def library(self) -> Library:
        """The store. Raises ConfigError when there is none yet, ModelMismatch, StoreDamaged."""
        return Library.open(self._folder, self.write_encoder.identity)

    @cached_property
    def write_encoder(self) -> TextEncoder:
        """What makes vectors to be stored."""
        return self._given or MiniLM(threads=2)

    @cached_property
    def query_encoder(self) -> TextEncoder:
        """What makes vectors of questions: on one thread, which is quicker for a short text."""
        return self._given or MiniLM(threads=1)

    @cached_property
    def screen_reader(self) -> ScreenReader:
        """What reads the words on pictures."""
        from mmem.models.screen import RapidScreen

        return RapidScreen()

    @cached_property
    def labeller(self) -> Labeller:
        """What names the things on pictures. Raises MissingExtra."""
        from mmem.models.labels import EfficientNetLite

        return EfficientNetLite()

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
            yield lease

    def adder(self, options: AddOptions, listener: Listener, lease: Lease) -> Adder:
        """Return what adds files under a lease."""
        return Adder(self.library, self.completer(listener), options, listener, lease.check)

    def completer(self, listener: Listener) -> Completer:
        """Return what brings sources up to date."""
        return Completer(
            library=self.library,
            chunker=self.write_encoder,
            encoder=self.write_encoder,
            recogniser=lambda: self.recogniser,
            screen_reader=lambda: self.screen_reader,
            labeller=lambda: self.labeller,
            listener=listener,
        )

    def sight(self, limits: Limits) -> Sight:
        """Return what may be seen of the newest state."""
        if self._snapshot is None or self._snapshot.versions != self.library.versions():
            self._snapshot = load(self.library)
        encoder = self.query_encoder
        return sight_of(self.library, self._snapshot, limits, encoder, encoder)
