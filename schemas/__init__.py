"""The words of mmem: frozen records, the clock, identity (floor 0)."""

if not __name__.startswith("mmem."):
    raise ImportError("import this package as mmem.schemas: the top-level name is not ours to take")

from mmem.schemas.atoms import (
    Atom,
    AtomState,
    Attachment,
    CaptionLine,
    Keyframe,
    Label,
    ScreenLine,
    ScreenText,
    Turn,
    Utterance,
    atom_adapter,
)
from mmem.schemas.clock import Clock, Confidence, Span
from mmem.schemas.entities import Alias, Entity
from mmem.schemas.events import (
    Comparison,
    Event,
    EventFrame,
    Fact,
    FactKind,
    Judgement,
    Modality,
    Moment,
    Polarity,
    Quadruple,
    Verdict,
)
from mmem.schemas.results import Answer, Citation, Evidence, Hit, Line, Sentence, Step, Trace
from mmem.schemas.source import Cost, Outcome, Receipt, ReceiptLine, Revision, Source
from mmem.schemas.units import Anchor, Passage, Unit, unit_adapter

__all__ = [
    "Alias",
    "Anchor",
    "Answer",
    "Atom",
    "AtomState",
    "Attachment",
    "CaptionLine",
    "Citation",
    "Clock",
    "Comparison",
    "Confidence",
    "Cost",
    "Entity",
    "Event",
    "EventFrame",
    "Evidence",
    "Fact",
    "FactKind",
    "Hit",
    "Judgement",
    "Keyframe",
    "Label",
    "Line",
    "Modality",
    "Moment",
    "Outcome",
    "Passage",
    "Polarity",
    "Quadruple",
    "Receipt",
    "ReceiptLine",
    "Revision",
    "ScreenLine",
    "ScreenText",
    "Sentence",
    "Source",
    "Span",
    "Step",
    "Trace",
    "Turn",
    "Unit",
    "Utterance",
    "Verdict",
    "atom_adapter",
    "unit_adapter",
]
