"""Atoms: the smallest things that are cited, labelled and forgotten."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from mmem.schemas.clock import Span
from mmem.schemas.record import Record

AtomState = Literal["current", "edited", "withdrawn"]


class Attachment(Record):
    """What a message carries beside its words; `description` is what the file says of it.

    `file` is the memory's copy of a picture, relative to its media folder; None where there is
    none.
    """

    kind: Literal["picture", "video", "audio", "document", "contact", "location", "other"] = "other"
    name: str | None = None
    description: str | None = None
    file: str | None = None


class _Atom(Record):
    """What all atoms share.

    `ordinal` is the reading order within the source, from 0; `locator` says where in the file
    ("line 12", "cue 4", "message 7"); `revisions` are digests of the files that hold the atom.
    """

    id: str
    source_id: str
    ordinal: int = Field(ge=0)
    locator: str
    revisions: tuple[str, ...] = ()
    state: AtomState = "current"


class Turn(_Atom):
    """A message of a conversation (SEEM, section 3: a turn of dialogue).

    `wall_us` is its wall instant in microseconds, None when the file gives none. `role` is
    "system" for lines that no person spoke. A media placeholder has empty text, an attachment and
    `citable=False`. `session` is the session that the file itself names, else None; `reference`
    is the file's own id of the message ("D1:3"). `stamp` is a digest of the time as written and
    the text: what two exports of one conversation have in common. `ranks` are its places among
    the turns of the same instant in each of `revisions`, so that the order of a conversation does
    not depend on which export came first.
    """

    kind: Literal["turn"] = "turn"
    speaker: str | None
    text: str
    wall_us: int | None = None
    role: Literal["message", "system"] = "message"
    citable: bool = True
    attachments: tuple[Attachment, ...] = ()
    reply_to: str | None = None
    session: str | None = None
    reference: str | None = None
    stamp: str = ""
    ranks: tuple[int, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The memory's copies of the pictures that it carries."""
        return tuple(one.file for one in self.attachments if one.file)


class Utterance(_Atom):
    """A spoken line of a recording, on the recording's media clock."""

    kind: Literal["utterance"] = "utterance"
    speaker: str | None
    text: str
    span: Span
    origin: Literal["transcript", "recognised"] = "transcript"


class CaptionLine(_Atom):
    """A written line that says what a recording shows, on its media clock (EM²Mem, caption)."""

    kind: Literal["caption"] = "caption"
    text: str
    span: Span
    speaker: None = None


class Label(Record):
    """A named thing that a picture may show, with the labeller's probability, to two places."""

    name: str
    probability: float = Field(ge=0.0, le=1.0)


class Keyframe(_Atom):
    """A picture of a recording at `time_us` of its media clock, upright.

    `shown` is how long the picture stayed; `file` is relative to the memory's media folder;
    `perceptual_hash` is 64 bits in hex. `labels` are the likeliest things on the frames from
    `time_us` on, best first; `colours` are plain words, the largest area first. Both are empty
    until the stage "labels" has ended.
    """

    kind: Literal["keyframe"] = "keyframe"
    stream: int = Field(ge=0)
    time_us: int
    shown: Span
    file: str
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    perceptual_hash: str
    labels: tuple[Label, ...] = ()
    colours: tuple[str, ...] = ()
    speaker: None = None
    text: Literal[""] = ""

    @property
    def span(self) -> Span:
        """The stretch in which the picture was shown."""
        return self.shown


class ScreenLine(Record):
    """One line of text on a picture; `box` is left, top, right, bottom as shares of its sides."""

    text: str
    box: tuple[float, float, float, float]
    confidence: float = Field(ge=0.0, le=1.0)


class ScreenText(_Atom):
    """The words on a picture of a recording, read by a machine; `span` is how long it was shown.

    `text` is its lines in reading order, joined by line ends; `file` is the picture.
    """

    kind: Literal["screen"] = "screen"
    text: str
    span: Span
    lines: tuple[ScreenLine, ...]
    file: str
    speaker: None = None


Atom = Annotated[
    Turn | Utterance | CaptionLine | ScreenText | Keyframe, Field(discriminator="kind")
]
atom_adapter: TypeAdapter[Atom] = TypeAdapter(Atom)
