"""From messages to a conversation: its key, its clock, the ids of its turns."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from mmem.ingestors.reading import ReadContext, Reader, Reading
from mmem.ingestors.text import tidy
from mmem.schemas import AtomState, Attachment, Clock, Revision, Source, Span, Turn
from mmem.schemas.clock import wall_us
from mmem.schemas.identity import normalised_title, source_id, turn_ids, turn_stamp

# File names that say nothing of who talks: the folder's name is taken in as well.
_GENERIC = re.compile(
    r"[_\W]*(?:chats?|messages?|conversations?|transcripts?|exports?|history|logs?|data|results?|"
    r"index|text|untitled|table|output|file|download)[_\W\d]*",
    re.IGNORECASE,
)
_COPY = re.compile(r"\s*\(\d{1,2}\)$")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as a reader found it; `at` is naive when it was written without a zone.

    `identity` stands for the text in the turn's id where the text alone says too little
    (a placeholder), `written` for the time where it is no moment (a time of an unknown day).
    """

    speaker: str | None
    text: str
    locator: str
    at: dt.datetime | None = None
    identity: str = ""
    written: str = ""
    role: Literal["message", "system"] = "message"
    citable: bool = True
    state: AtomState = "current"
    attachments: tuple[Attachment, ...] = ()
    session: str | None = None
    reference: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What a conversation is called; `key` is its platform's own id, None when there is none."""

    title: str
    key: str | None = None
    notes: tuple[str, ...] = ()


def title_of(path: Path, context: ReadContext) -> str:
    """Return a conversation's title: the stated one, else the file's name.

    A name that says nothing ("messages.json") is preceded by its folder's, so that the chats of
    two people never become one.
    """
    if context.title:
        return context.title
    stem = _COPY.sub("", tidy(path.stem))
    if not _GENERIC.fullmatch(stem):
        return stem
    return tidy(f"{path.resolve().parent.name} {stem}")


def conversation(
    reader: Reader, context: ReadContext, *, heading: Heading, messages: Sequence[Message]
) -> Reading:
    """Return messages, in reading order, as a conversation with one revision."""
    key = heading.key or normalised_title(heading.title)
    source = source_id("conversation", key)
    walls = [wall_us(m.at, context.zone) if m.at else None for m in messages]
    known = [wall for wall in walls if wall is not None]
    record = Source(
        id=source,
        kind="conversation",
        key=key,
        keyed_by="platform" if heading.key else "stated" if context.title else "title",
        format=reader.name,
        title=heading.title,
        revisions=(
            Revision(
                digest=context.digest,
                reader=f"{reader.name}@{reader.version}",
                period=Span(start_us=min(known), end_us=max(known)) if known else None,
                count=len(messages),
            ),
        ),
        clock=_clock([m.at for m in messages if m.at], context),
        participants=participants(m.speaker for m in messages),
        notes=heading.notes,
    )
    stamps = [turn_stamp(_written(m), m.identity or m.text) for m in messages]
    ids = turn_ids(source, stamps)
    turns = tuple(
        _turn(message, source, context, place=(ordinal, ids[ordinal], stamps[ordinal], wall))
        for ordinal, (message, wall) in enumerate(zip(messages, walls, strict=True))
    )
    return Reading(source=record, atoms=turns)


def participants(speakers: Iterable[str | None]) -> tuple[str, ...]:
    """Return the names of speakers, each once, in order of appearance."""
    return tuple(dict.fromkeys(name for name in speakers if name))


def zone_name(moment: dt.datetime) -> str | None:
    """Return a moment's offset as a zone's name, None for a naive one."""
    offset = moment.utcoffset()
    if offset is None:
        return None
    minutes = round(offset.total_seconds() / 60)
    sign = "+" if minutes >= 0 else "-"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}" if minutes else "UTC"


def _clock(moments: Sequence[dt.datetime], context: ReadContext) -> Clock:
    if not moments:
        return Clock(basis="no message carries a time")
    zones = {zone_name(moment) for moment in moments}
    if None in zones:
        if context.zone:
            return Clock(zone=context.zone, confidence="stated", basis="the zone was stated")
        return Clock(confidence="recorded", basis="times in the file, without a zone")
    own = zones.pop() if len(zones) == 1 else "UTC"
    return Clock(zone=context.zone or own, confidence="recorded", basis="times in the file")


def _written(message: Message) -> str:
    return message.at.isoformat() if message.at else message.written


def _turn(
    message: Message,
    source: str,
    context: ReadContext,
    *,
    place: tuple[int, str, str, int | None],
) -> Turn:
    ordinal, identity, stamp, wall = place
    return Turn(
        id=identity,
        source_id=source,
        ordinal=ordinal,
        locator=message.locator,
        revisions=(context.digest,),
        state=message.state,
        speaker=message.speaker,
        text=message.text,
        wall_us=wall,
        role=message.role,
        citable=message.citable,
        attachments=message.attachments,
        session=message.session,
        reference=message.reference,
        stamp=stamp,
    )
