"""LoCoMo: long dialogues in dated sessions (Maharana et al. 2024, https://github.com/snap-research/locomo)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mmem.errors import DamagedFile
from mmem.ingestors.conversation import Heading, Message, conversation
from mmem.ingestors.dates import parse_moment
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, read_json, tidy
from mmem.schemas import Attachment

_SESSION = re.compile(r"session_(\d+)")
_ITS_OWN = re.compile(r'"dia_id"\s*:|"session_\d+_date_time"\s*:|"evidence"\s*:\s*\[\s*"D\d+:\d+"')


class LocomoReader:
    """Reads a list of samples, or a single one; each is a conversation."""

    name = "locomo"
    version = 1
    summary = "LoCoMo benchmark dialogues (.json)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is LoCoMo, whose names of fields are its own."""
        text = head_text(head.data).lstrip()
        return 0.97 if text[:1] in ("[", "{") and _ITS_OWN.search(text) else 0.0

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one conversation a sample. Raises DamagedFile."""
        value = read_json(path)
        samples = value if isinstance(value, list) else [value]
        for place, sample in enumerate(samples, 1):
            talk = sample.get("conversation", sample) if isinstance(sample, dict) else None
            if not isinstance(talk, dict) or not any(map(_SESSION.fullmatch, talk)):
                raise DamagedFile(
                    f'{path.name}: sample {place} has no "session_1"',
                    hint="a LoCoMo sample holds its sessions under conversation",
                )
            messages, notes = _messages(talk)
            name = sample.get("sample_id")
            heading = Heading(
                title=context.title or _title(talk, name, path),
                key=tidy(str(name)) if name is not None else None,
                notes=notes,
            )
            yield conversation(self, context, heading=heading, messages=messages)


def _title(talk: Mapping[str, object], name: object, path: Path) -> str:
    speakers = [tidy(str(talk[key])) for key in ("speaker_a", "speaker_b") if talk.get(key)]
    label = tidy(path.stem if name is None else str(name))
    return f"{' and '.join(speakers)} ({label})" if speakers else label


def _messages(talk: Mapping[str, object]) -> tuple[list[Message], tuple[str, ...]]:
    numbers = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)))
    messages: list[Message] = []
    undated, broken, seen = [], [], 0
    for number in numbers:
        turns = talk[f"session_{number}"]
        at = _moment(talk.get(f"session_{number}_date_time"))
        if at is None:
            undated.append(number)
        for turn in turns if isinstance(turns, list) else ():
            seen += 1
            if isinstance(turn, dict) and isinstance(turn.get("text", ""), str):
                messages.append(_message(turn, at=at, session=f"D{number}", place=seen))
            else:
                broken.append(seen)
    undated_note = (f"{len(undated)} sessions have no date that can be read",) if undated else ()
    return messages, (*undated_note, *not_read("turn", broken, "it has no text field"))


def _message(
    turn: Mapping[str, object], *, at: dt.datetime | None, session: str, place: int
) -> Message:
    speaker, reference = turn.get("speaker"), tidy(str(turn.get("dia_id") or ""))
    text = tidy(str(turn.get("text", "")))
    pictures = _pictures(turn)
    return Message(
        speaker=tidy(str(speaker)) if speaker else None,
        text=text,
        identity=text or " ".join(picture.name or "" for picture in pictures),
        locator=f"turn {reference or place}",
        at=at,
        citable=bool(text),
        attachments=pictures,
        session=session,
        reference=reference or None,
    )


def _pictures(turn: Mapping[str, object]) -> tuple[Attachment, ...]:
    """Return the shared picture; several addresses of one turn share its one caption."""
    urls, query, caption = turn.get("img_url"), turn.get("query"), turn.get("blip_caption")
    addresses = [urls] if isinstance(urls, str) else urls if isinstance(urls, list) else []
    names = [file for url in addresses if (file := _file_name(str(url)))]
    if not (names or query or caption):
        return ()
    name: object = names[0] if names else query
    return (
        Attachment(
            kind="picture",
            name=tidy(str(name)) if name else None,
            description=tidy(str(caption)) if caption else None,
        ),
    )


def _file_name(url: str) -> str:
    try:
        return unquote(urlsplit(url).path).rpartition("/")[2]
    except ValueError:
        return ""


def _moment(written: object) -> dt.datetime | None:
    moment = parse_moment(written) if isinstance(written, str) else None
    return moment if isinstance(moment, dt.datetime) else None


READER = LocomoReader()
