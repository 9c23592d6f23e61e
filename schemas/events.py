"""What a unit tells: an event frame, and assertions about the world as quadruples.

Both are readings of their evidence, made by a parser or a model: they point to units, never
stand in for them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from mmem.schemas.record import Record

Modality = Literal["asserted", "planned", "wished", "supposed", "reported", "asked", "ordered"]
"""How a clause is meant. Only `asserted` says that it is, or was, so: the others are a plan, a
wish or request of one's own, a possibility or condition, somebody else's words, a question, and
an order."""

Polarity = Literal["positive", "negative"]
FactKind = Literal["episodic", "semantic"]


class Moment(Record):
    """When something happens: the words said, and the wall stretch that they mean.

    `start_us` and `end_us` are a half-open stretch in UTC microseconds, resolved by code against
    the time of the turn; None where the words cannot be dated ("soon", a turn without a time).
    `said` is "" where the clause names no time.
    """

    said: str = ""
    start_us: int | None = None
    end_us: int | None = None


class Event(Record):
    """One event of a frame, with the six slots of SEEM (section 3.1), cause to manner included.

    `action` is the predicate with its object, without time and place; slots that nothing is said
    of are empty. `atom_ids` are the atoms that tell it, `chars` the half-open character range of
    the clause in their texts joined by blanks. `extra` holds open slots by name ("affect",
    "commitment", "hypothesis", "recipient", …).
    """

    participants: tuple[str, ...]
    action: str
    time: Moment = Moment()
    location: str = ""
    cause: str = ""
    manner: str = ""
    polarity: Polarity = "positive"
    modality: Modality = "asserted"
    atom_ids: tuple[str, ...] = Field(min_length=1)
    chars: tuple[int, int]
    extra: dict[str, str] = {}


class TextRecord(Record):
    """What the lines of a unit tell in few words (EM²Mem section 3.1, the text-derived fields).

    `fine_caption` are its most telling sentences, verbatim, or what a language model wrote of them
    (`extractor` of the frame tells), `salient_objects` the things that are handled
    or spoken of, `actions` short verb phrases of what is done, `conversation_focus` what the talk
    is about; empty where the lines are silent about it.
    """

    fine_caption: str = ""
    salient_objects: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    conversation_focus: tuple[str, ...] = ()


class VisualRecord(Record):
    """What the pictures of a unit show (EM²Mem section 3.1, the visual-derived fields).

    It is made from pictures alone, never from what is said. `scene` is one of `SCENES`, "" where
    none fits or nothing tells; `keyframe_caption` says what is seen in a sentence or two,
    `visible_objects` are names of things; all are empty where no picture is known.
    """

    scene: str = ""
    keyframe_caption: str = ""
    visible_objects: tuple[str, ...] = ()


CriticalKind = Literal["proposal", "commitment", "transfer", "placement", "identity"]
"""What makes a spoken line worth keeping at every scale (EM²Mem, critical speech)."""


class CriticalLine(Record):
    """A spoken line that has to survive every summary: who said it, verbatim, and why."""

    kind: CriticalKind
    speaker: str | None
    text: str
    atom_ids: tuple[str, ...] = Field(min_length=1)


class EventFrame(Record):
    """What one unit tells (SEEM EEF e = <ρ, summary, events>; EM²Mem's record of an anchor).

    `unit_ids` is the provenance ρ: one unit, or those of the frames that were fused into this one,
    whose ids are its `members`, in order of time. `related` are units whose frames belong to it
    and tell of another occurrence. `skipped` says why a unit was not read (its
    language), else "". `extractor` names the model or rules; `known_at_us` is the wall instant at
    which all evidence had been said, None when it is not known.
    """

    id: str
    source_id: str
    unit_ids: tuple[str, ...] = Field(min_length=1)
    summary: str = ""
    events: tuple[Event, ...] = ()
    text_record: TextRecord = TextRecord()
    visual_record: VisualRecord = VisualRecord()
    speakers: tuple[str, ...] = ()
    critical_lines: tuple[CriticalLine, ...] = ()
    members: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    skipped: str = ""
    known_at_us: int | None = None
    extractor: str


Verdict = Literal["same", "related", "different"]
"""Whether two frames tell of one occurrence: a plan and its execution are related, not the same."""


class Judgement(Record):
    """What a frame was found to be beside an earlier one (SEEM section 3.2, δ of a pair).

    `unit_id` is the earlier frame's unit; `cosine` is that of the two units' vectors. `looked_at`
    is the digest of all frames that the judge was shown at once.
    """

    unit_id: str
    cosine: float
    verdict: Verdict
    reason: str = ""
    looked_at: str = ""


class Retelling(Record):
    """What a judge wrote that frames of one occurrence tell together; `unit_ids` are theirs."""

    unit_ids: tuple[str, ...]
    text: str
    looked_at: str = ""


class Comparison(Record):
    """A unit's frame beside the most similar earlier ones: the candidates, and each verdict.

    `judged` are the likest few of every reader, the likest first: of those that one may see, the
    first few are his. `apart` are units that a person has said to tell of something else, whatever
    the judge says. `retold` is what the judge wrote of those that are the same, for the readers of
    all of it. `judge` names the rules or the model.
    """

    id: str
    source_id: str
    unit_id: str
    judged: tuple[Judgement, ...] = ()
    apart: tuple[str, ...] = ()
    retold: tuple[Retelling, ...] = ()
    judge: str

    @model_validator(mode="before")
    @classmethod
    def _of_one_summary(cls, given: Any) -> Any:
        """Read what an older mmem wrote: one summary, of the unit and all that are the same."""
        if not isinstance(given, dict) or "summary" not in given:
            return given
        rest = {name: value for name, value in given.items() if name != "summary"}
        if text := given["summary"]:
            same = [one["unit_id"] for one in given["judged"] if one["verdict"] == "same"]
            rest["retold"] = [{"unit_ids": [given["unit_id"], *same], "text": text}]
        return rest

    @property
    def same(self) -> tuple[str, ...]:
        """The earlier units that tell of the same occurrence."""
        return tuple(
            each.unit_id
            for each in self.judged
            if each.verdict == "same" and each.unit_id not in self.apart
        )

    @property
    def related(self) -> tuple[str, ...]:
        """The earlier units that tell of something that belongs to it, and is another."""
        return tuple(
            each.unit_id
            for each in self.judged
            if each.verdict == "related" or each.unit_id in self.apart
        )


class Quadruple(Record):
    """An assertion: subject, relation, object, and when it holds (SEEM GML (s, r, o, τ)).

    `subject` and `object` are names or noun phrases as they stand, pronouns resolved where that
    is sure; `relation` is the predicate in its base form with its preposition ("work at").
    `atom_ids` are the evidence, atoms of unit `unit_id`; `chars` is the half-open range of their
    texts, joined by blanks, that says so. Support, current value and supersession are computed
    when it is read, from what the reader may see.
    `confidence` is the extractor's, from 0 to 1.
    """

    id: str
    source_id: str
    unit_id: str
    subject: str = Field(min_length=1)
    relation: str = Field(min_length=1)
    object: str = Field(min_length=1)
    valid: Moment = Moment()
    polarity: Polarity = "positive"
    modality: Modality = "asserted"
    kind: FactKind = "episodic"
    atom_ids: tuple[str, ...] = Field(min_length=1)
    chars: tuple[int, int]
    confidence: float = Field(ge=0.0, le=1.0)
    extractor: str


class Fact(Record):
    """What the visible assertions of one triple say together; computed when it is read.

    `subject`, `relation` and `object` are written as the newest assertion has them. `support`
    counts the units that say so; `first_us` and `last_us` are when it was said first and last
    (wall, UTC microseconds), None when no time is known. A fact is `current` unless a later one
    supersedes it: the same triple with the other polarity, or another value of a relation that
    has one value at a time ("live in"). `superseded_by` is that fact's `id`.
    """

    id: str
    subject: str
    relation: str
    object: str
    valid: Moment = Moment()
    polarity: Polarity = "positive"
    modality: Modality = "asserted"
    kind: FactKind = "episodic"
    support: int = Field(ge=1)
    first_us: int | None = None
    last_us: int | None = None
    current: bool = True
    superseded_by: str | None = None
    confidence: float = Field(ge=0.0, le=1.0)
    unit_ids: tuple[str, ...] = Field(min_length=1)
    atom_ids: tuple[str, ...] = Field(min_length=1)
