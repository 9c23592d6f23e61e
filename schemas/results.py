"""What a question gets back: hits, evidence, citations, an answer, and the trace of how."""

from __future__ import annotations

from typing import Literal

from mmem.schemas.clock import Confidence
from mmem.schemas.events import EventFrame, Quadruple
from mmem.schemas.record import Record
from mmem.schemas.semantic import SemanticFact
from mmem.schemas.views import View


class Citation(Record):
    """One atom (or a part of its text) that can be opened.

    `start_s` and `end_s` are media seconds, None for messages; `at` is the ISO wall time, without
    an offset when the zone is unknown; `chars` is the half-open range of `quote` in the atom's
    stored text; `file` is the source's file, `picture` the file of a
    keyframe, or of the one that words on a screen were read from.
    """

    atom_id: str
    unit_id: str
    source_id: str
    source_title: str
    kind: Literal["turn", "utterance", "caption", "screen", "keyframe"]
    speaker: str | None = None
    quote: str = ""
    chars: tuple[int, int] | None = None
    start_s: float | None = None
    end_s: float | None = None
    at: str | None = None
    at_confidence: Confidence = "unknown"
    file: str | None = None
    locator: str = ""
    picture: str | None = None
    score: float = 0.0


class Line(Record):
    """One visible atom of a hit, with its whole text."""

    citation: Citation
    text: str
    citable: bool = True
    wall_us: int | None = None


class AskedTime(Record):
    """A half-open stretch of wall time (UTC microseconds) that a question names, and its words."""

    words: str
    start_us: int
    end_us: int


class Chosen(Record):
    """Why a unit was chosen among those that were found (EM²Mem, the selector).

    `role` is what brought it into the pool: it ranks high ("global"), fits and is near the best
    few in time ("trigger"), comes before them ("antecedent"), or its surroundings were found again
    and again ("broader"). `family` is what the question asks for, `reason` what the unit tells.
    """

    role: Literal["global", "trigger", "antecedent", "broader"]
    family: str
    reason: str


class Hit(Record):
    """A unit that was found; `channels` are the signals behind its score, by name.

    `start_s` and `end_s` are media seconds, None for messages; `at` is the ISO wall time; `cosine`
    is that of the question with the unit's best line, None where it was not asked for. `chosen`
    says why the unit comes before others whose score is higher, None where the score alone counts.
    """

    unit_id: str
    kind: Literal["passage", "anchor"]
    source_id: str
    source_title: str
    speaker: str | None = None
    session: str = ""
    start_s: float | None = None
    end_s: float | None = None
    at: str | None = None
    score: float
    channels: dict[str, float] = {}
    cosine: float | None = None
    lines: tuple[Line, ...] = ()
    keyframes: tuple[Citation, ...] = ()
    caption: str = ""
    chosen: Chosen | None = None


class Step(Record):
    """One mechanism of recall: whether it fired and whether it changed the first ten."""

    name: str
    fired: bool
    changed: bool
    note: str = ""
    seconds: float = 0.0


class Trace(Record):
    """How a question was answered, step by step."""

    question: str
    steps: tuple[Step, ...] = ()
    seconds: float = 0.0


class Evidence(Record):
    """Passages and anchors found, best first, and the keyframes shown at their time.

    `context` are the units right before and after the best hits in their session. `frames` and
    `facts` are readings of the hits, `views` tell of the minutes or the exchange around each, made
    of the atoms `around` (named where a model writes from it); `lasting` are facts that last, that
    the question is about and that hits bear out, for a recipe that looks for them. All of these are
    hints: where they differ from the words, the words are right. `undated` counts
    units that a time filter left out because their time is unknown; `features` are raw
    measures of how well the best hits cover the question; `times` are those that it names.
    """

    question: str
    hits: tuple[Hit, ...] = ()
    context: tuple[Hit, ...] = ()
    frames: tuple[EventFrame, ...] = ()
    facts: tuple[Quadruple, ...] = ()
    views: tuple[View, ...] = ()
    around: tuple[str, ...] = ()
    lasting: tuple[SemanticFact, ...] = ()
    keyframes: tuple[Citation, ...] = ()
    undated: int = 0
    searched: int = 0
    features: dict[str, float] = {}
    times: tuple[AskedTime, ...] = ()
    recipe: str = "mmem"
    trace: Trace

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from mmem.schemas.html import evidence_html

        return evidence_html(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the notebook's view with a plain one beside it, which names no path."""
        return {"text/plain": f"{len(self.hits)} hits", "text/html": self._repr_html_()}


class Sentence(Record):
    """One sentence of an answer and the citations (indexes into the answer's list) under it."""

    text: str
    citations: tuple[int, ...] = ()


class Answer(Record):
    """A cited answer, or an honest "not in this memory" with the nearest misses.

    `short` is the direct answer (a person, a date, a number, a place, yes or no) when the question
    asks for one and the evidence gives it. `written_by` is the language model that wrote the
    sentences, None where they are quotes; `struck` counts the sentences of a model that the records
    they cite do not bear out, and that are left out; `notes` say in plain words how the answer came
    about, and why it is quoted where a model was asked. `confidence` is from 0 to 1: of quotes how
    surely they answer, of what a model wrote the share of its sentences that was kept.
    """

    question: str
    found: bool
    short: str | None = None
    text: str
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    near_misses: tuple[Citation, ...] = ()
    confidence: float = 0.0
    written_by: str | None = None
    struck: int = 0
    notes: tuple[str, ...] = ()
    evidence: Evidence

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from mmem.schemas.html import answer_html

        return answer_html(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the notebook's view with the plain text beside it, which names no path."""
        return {"text/plain": self.text, "text/html": self._repr_html_()}
