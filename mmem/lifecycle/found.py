"""What a memory finds: evidence for a question in words, or for a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mmem.errors import ConfigError
from mmem.lifecycle.arguments import AskArguments, Moment, limits_of, question_of
from mmem.lifecycle.asking import Question, evidence_near, evidence_of
from mmem.lifecycle.selecting import selector_of
from mmem.lifecycle.understood import Understood
from mmem.ports import LanguageModel
from mmem.recipes import Recipe
from mmem.schemas import Evidence


class Found(Understood):
    """The part of `Memory` that searches."""

    recipe: Recipe

    def search(
        self,
        question: str = "",
        *,
        image: str | Path | None = None,
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
        mechanism did. `image` is a picture file (JPEG, PNG, WebP) in place of a question: the units
        whose pictures are nearest to it come first, each with its nearest picture first.

        Raises MissingExtra when the model is not installed, ModelMismatch where the memory's
        pictures are of another one, UnknownId for a source or a person that isn't here, ConfigError
        for an empty question, UnsupportedFormat and DamagedFile for the picture.
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
        if image is not None:
            if question.strip():
                raise ConfigError(
                    "asked in words and with a picture at once", hint="give one of the two"
                )
            return self._near(Path(image).expanduser(), given, k=k)
        asked = question_of(question, given, self.zone, k=k, explain=explain, readings=True)
        with self._opened.asking(self.recipe) as model:
            return self._evidence(asked, given, model)

    def _near(self, image: Path, given: AskArguments, *, k: int) -> Evidence:
        sight = self._opened.sight(limits_of(given, self.labels, self.zone))
        library, eyes = self._opened.library, self._opened.eyes
        return evidence_near(library, sight, eyes, self.recipe, image, k=k)

    def _evidence(
        self, asked: Question, given: AskArguments, model: LanguageModel | None = None
    ) -> Evidence:
        sight = self._opened.sight(limits_of(given, self.labels, self.zone))
        encoder, eyes = self._opened.query_encoder, self._opened.eyes
        reader, library = self._opened.question_reader(model), self._opened.library
        scales = self._opened.scales(sight) if self.recipe.uses("project") else None
        lasting = self._opened.lasting(sight) if self.recipe.uses("semantic") else None
        return evidence_of(
            library,
            sight,
            encoder,
            self.recipe,
            asked,
            eyes=eyes,
            reader=reader,
            scales=scales,
            lasting=lasting,
            selector=selector_of(self.recipe, model),
        )
