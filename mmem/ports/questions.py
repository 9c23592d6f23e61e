"""What reads a question for recall: its quadruples, with what is asked for left open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class QueryQuadruple:
    """Subject, relation and object of a question, "" where it asks for one (SEEM, section 3.4)."""

    subject: str
    relation: str
    object: str
    time: str = ""

    @property
    def text(self) -> str:
        """The words that are compared with the texts of facts, which have no times."""
        return " ".join(filter(None, (self.subject, self.relation, self.object)))

    def __str__(self) -> str:
        """Return it as it is shown: "(Anna, meet, ?)"."""
        slots = [slot or "?" for slot in (self.subject, self.relation, self.object)]
        return f"({', '.join([*slots, self.time] if self.time else slots)})"


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """The quadruples of a question; `note` says what is to be known of how they were read."""

    quadruples: tuple[QueryQuadruple, ...]
    note: str = ""


class QuestionReader(Protocol):
    """Reads the quadruples of a question."""

    def read(self, question: str) -> QuestionReading:
        """Return what a question says and asks; no quadruples where it says too little."""
        ...
