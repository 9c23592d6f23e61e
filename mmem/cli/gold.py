"""Questions with gold answers, and whether an answer meets its gold."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from mmem.schemas import Answer, Citation
from mmem.schemas.clock import wall_us

_AROUND_S = 1.0
_MINUTE_US = 60_000_000


class Gold(BaseModel):
    """An atom that must be cited: a second of a recording or transcript, or a message's time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    speaker: str | None
    text: str
    at_s: float | None = None
    message_at: dt.datetime | None = None


class Question(BaseModel):
    """A question of samples/questions.json; its README says what the fields mean."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str
    kind: str
    needs: tuple[Literal["chat", "video"], ...]
    answerable: bool
    answer: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...] = ()
    gold: tuple[Gold, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Checked:
    """A question's answer, the seconds it took, and what it misses; nothing if it is right."""

    question: Question
    answer: Answer
    seconds: float
    misses: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class LeftOut:
    """A question asked of a memory without files that its gold lies in, whole or in part."""

    question: Question
    without: str
    answer: Answer

    whole: bool

    @property
    def answered(self) -> bool:
        """Tell whether it was answered all the same, which is a miss.

        Without its whole gold nothing may be found; without a part, that part may not be said.
        """
        if self.whole:
            return self.answer.found
        quotes = (citation.quote for citation in self.answer.citations)
        said = "\n".join([self.answer.short or "", *quotes])
        return self.answer.found and all(_says(said, ways) for ways in self.question.parts)


def questions_of(samples: Path) -> list[Question]:
    """Return the questions of a samples folder. Raises OSError, ValueError."""
    rows = json.loads((samples / "questions.json").read_text(encoding="utf-8"))
    return [Question.model_validate(row) for row in rows]


def chat_files(questions: Sequence[Question]) -> list[str]:
    """Return the files that gold messages stand in."""
    return sorted({g.file for q in questions for g in q.gold if g.message_at is not None})


def recorded_files(questions: Sequence[Question]) -> list[str]:
    """Return the files that gold seconds lie in: recordings and their transcripts."""
    return sorted({g.file for q in questions for g in q.gold if g.at_s is not None})


def lies_in(question: Question, files: Sequence[str]) -> bool:
    """Tell whether a question's whole gold lies in some files."""
    return question.answerable and all(gold.file in files for gold in question.gold)


def lies_partly_in(question: Question, files: Sequence[str]) -> bool:
    """Tell whether one part of a question's gold lies in some files, and another elsewhere."""
    inside = {gold.file in files for gold in question.gold}
    return question.answerable and bool(question.parts) and inside == {True, False}


def misses_of(
    question: Question, answer: Answer, atom_text: Callable[[Citation], str]
) -> tuple[str, ...]:
    """Return what is wrong with an answer, in words; nothing when it meets the gold.

    `atom_text` returns the whole text of the atom that a citation names.
    """
    if not question.answerable:
        return ("answered, though no file says it",) if answer.found else ()
    if not answer.found:
        return ("not found",)
    said = _said(answer)
    wanted = question.parts or (question.answer,)
    unsaid = [f"does not say {ways[0]!r}" for ways in wanted if not _says(said, ways)]
    uncited = [
        f"does not cite {_named(gold)}"
        for gold in question.gold
        if not any(_is_cited(gold, citation, atom_text) for citation in answer.citations)
    ]
    return (*unsaid, *uncited)


def _said(answer: Answer) -> str:
    return "\n".join([answer.short or "", *(sentence.text for sentence in answer.sentences)])


def _says(text: str, ways: Sequence[str]) -> bool:
    """Tell whether a text holds one of some wordings, as whole words, in any case."""
    return any(re.search(rf"(?<!\w){re.escape(way)}(?!\w)", text, re.IGNORECASE) for way in ways)


def _is_cited(gold: Gold, citation: Citation, atom_text: Callable[[Citation], str]) -> bool:
    if citation.file is None or Path(citation.file).name != gold.file:
        return False
    if citation.speaker != gold.speaker:
        return False
    if gold.message_at is not None:
        return _is_at(gold.message_at, citation) and gold.text in atom_text(citation)
    if gold.at_s is None or citation.start_s is None or citation.end_s is None:
        return False
    return citation.start_s - _AROUND_S <= gold.at_s <= citation.end_s + _AROUND_S


def _is_at(moment: dt.datetime, citation: Citation) -> bool:
    if citation.at is None:
        return False
    away = wall_us(dt.datetime.fromisoformat(citation.at)) - wall_us(moment)
    return abs(away) < _MINUTE_US


def _named(gold: Gold) -> str:
    place = f"{gold.at_s} s" if gold.message_at is None else f"{gold.message_at:%Y-%m-%d %H:%M}"
    return f"{gold.file} at {place}"
