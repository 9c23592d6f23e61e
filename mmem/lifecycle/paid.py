"""The models of one run that may cost money, under one cap: language models, and one that sees."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from mmem.config import settings
from mmem.derive.judges import FrameJudge, ModelJudge, RuleJudge
from mmem.derive.readers import GrammarReader, ModelReader, UnitReader
from mmem.errors import ConfigError
from mmem.ports import Captioner, LanguageModel, Parser

if TYPE_CHECKING:
    from mmem.models.llm_budget import Cap


class Paid:
    """Builds what reads units, judges frames and describes pictures, each when it is needed.

    `max_cost` caps what all of them spend together. `given` is the caller's captioner.
    """

    def __init__(
        self, parser: Callable[[], Parser], given: Captioner | None, max_cost: float | None
    ) -> None:
        self._parser = parser
        self._given = given
        self._max_cost = max_cost

    def unit_reader(self) -> UnitReader:
        """Return the language model's reader, without one that of grammar. Raises ConfigError."""
        model = self._model
        return GrammarReader(self._parser()) if model is None else ModelReader(model)

    def frame_judge(self) -> FrameJudge:
        """Return the language model's judge, without one the rules. Raises ConfigError."""
        return RuleJudge() if self._model is None else ModelJudge(self._model)

    @property
    def captioner(self) -> Callable[[], Captioner] | None:
        """What builds the captioner that was given or that the environment names, else None."""
        from mmem.models.captions import vision_name

        named = self._given is not None or vision_name(settings()) != ""
        return (lambda: self._captioner) if named else None

    @cached_property
    def _captioner(self) -> Captioner:
        from mmem.models.captions import captioner_named

        found = self._given or captioner_named(settings(), self._cap)
        if found is None:
            raise ConfigError("MMEM_VISION_MODEL was taken back while sources were added")
        return found

    @cached_property
    def _model(self) -> LanguageModel | None:
        from mmem.models.llm import language_model

        return language_model(settings(), cap=self._cap)

    @cached_property
    def _cap(self) -> Cap:
        from mmem.models.llm_endpoint import cap_of

        return cap_of(settings(), max_cost=self._max_cost)
