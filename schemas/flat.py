"""Flat lines: one atom as one JSON object with seconds and ISO times, for `show --atoms`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from mmem.schemas.atoms import (
    Atom,
    AtomState,
    Attachment,
    CaptionLine,
    Keyframe,
    Label,
    ScreenText,
    Turn,
    Utterance,
)
from mmem.schemas.clock import MICROSECONDS, Confidence, iso
from mmem.schemas.record import Record
from mmem.schemas.source import Source


class _Flat(Record):
    """What all lines share.

    `at` is the ISO wall time, without an offset when the zone is unknown, None when the time is;
    `locator` says where in the file the atom stands.
    """

    id: str
    source_id: str
    at: str | None = None
    at_confidence: Confidence = "unknown"
    locator: str
    state: AtomState = "current"


class FlatTurn(_Flat):
    """A message; `citable` is false for one without words of its own, as a media placeholder."""

    kind: Literal["turn"] = "turn"
    speaker: str | None
    text: str
    role: Literal["message", "system"] = "message"
    citable: bool = True
    attachments: tuple[Attachment, ...] = ()
    reply_to: str | None = None


class FlatUtterance(_Flat):
    """A spoken line, in media seconds."""

    kind: Literal["utterance"] = "utterance"
    speaker: str | None
    text: str
    start_s: float
    end_s: float
    origin: Literal["transcript", "recognised"]


class FlatCaptionLine(_Flat):
    """A line that says what a recording shows, in media seconds."""

    kind: Literal["caption"] = "caption"
    text: str
    start_s: float
    end_s: float


class FlatScreenText(_Flat):
    """Words read off a picture, and how long it was shown; `file` is the picture."""

    kind: Literal["screen"] = "screen"
    text: str
    start_s: float
    end_s: float
    file: str


class FlatKeyframe(_Flat):
    """A picture at `time_s`, shown from `shown_start_s` to `shown_end_s`; `file` can be opened.

    `labels` are what it may show, best first, `colours` what it is mostly made of.
    """

    kind: Literal["keyframe"] = "keyframe"
    time_s: float
    shown_start_s: float
    shown_end_s: float
    file: str
    width: int
    height: int
    labels: tuple[Label, ...] = ()
    colours: tuple[str, ...] = ()


FlatAtom = Annotated[
    FlatTurn | FlatUtterance | FlatCaptionLine | FlatScreenText | FlatKeyframe,
    Field(discriminator="kind"),
]
flat_adapter: TypeAdapter[FlatAtom] = TypeAdapter(FlatAtom)


def flat_of(atom: Atom, source: Source, picture_path: Callable[[str], str]) -> FlatAtom:
    """Return the flat line of an atom of a source; `picture_path` maps a keyframe's file."""
    at_us = _wall_us(atom, source)
    shared: dict[str, object] = {
        "id": atom.id,
        "source_id": atom.source_id,
        "at": None if at_us is None else iso(at_us, source.clock.zone),
        "at_confidence": "unknown" if at_us is None else source.clock.confidence,
        "locator": atom.locator,
        "state": atom.state,
    }
    return flat_adapter.validate_python({**shared, **_own(atom, picture_path)})


def _own(atom: Atom, picture_path: Callable[[str], str]) -> dict[str, object]:
    if isinstance(atom, Turn):
        names = ("kind", "speaker", "text", "role", "citable", "attachments", "reply_to")
        return {name: getattr(atom, name) for name in names}
    if isinstance(atom, Keyframe):
        return {
            "kind": atom.kind,
            "time_s": atom.time_us / MICROSECONDS,
            "shown_start_s": atom.shown.start_s,
            "shown_end_s": atom.shown.end_s,
            "file": picture_path(atom.file),
            "width": atom.width,
            "height": atom.height,
            "labels": atom.labels,
            "colours": atom.colours,
        }
    if isinstance(atom, Utterance):
        return {**_line(atom), "speaker": atom.speaker, "origin": atom.origin}
    if isinstance(atom, ScreenText):
        return {**_line(atom), "file": picture_path(atom.file)}
    return _line(atom)


def _line(atom: Utterance | CaptionLine | ScreenText) -> dict[str, object]:
    place = {"start_s": atom.span.start_s, "end_s": atom.span.end_s}
    return {"kind": atom.kind, "text": atom.text, **place}


def _wall_us(atom: Atom, source: Source) -> int | None:
    if isinstance(atom, Turn):
        return atom.wall_us
    start = atom.time_us if isinstance(atom, Keyframe) else atom.span.start_us
    return None if source.clock.at_us is None else source.clock.at_us + start
