"""WhatsApp's "Export chat", of Android and iOS, in any of its date and clock styles."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from mmem.errors import DamagedFile
from mmem.ingestors.conversation import Heading, Message, conversation, title_of
from mmem.ingestors.dates import BETWEEN, CLOCK, DATE, Hint, Stamp, date_order, stamp_of
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, not_read, plain_spaces, read_text, tidy, without_marks
from mmem.ingestors.whatsapp_words import (
    ATTACHED,
    ATTACHED_BEFORE,
    DELETED,
    EDITED,
    EVENT,
    foreign,
    kind_of_file,
    omitted,
)
from mmem.schemas import Attachment

_ANDROID = re.compile(rf"{DATE}{BETWEEN}{CLOCK} ?[-\u2013\u2014] ")
_IOS = re.compile(rf"\[{DATE}{BETWEEN}{CLOCK}\] ?")
_NAME = re.compile(r"(?P<name>[^\n]{1,80}?):(?:\s|$)")
_LEFT_TO_RIGHT = "\u200e"
# How exports are called in several languages, before the name of the other.
_TITLE = re.compile(
    r"(?:WhatsApp[ _-]*(?:chat|discussion)|"
    r"(?:chat|conversa|discussion|чат)(?:[ _]d[eo])?[ _-]*WhatsApp)[ _-]*"
    r"(?:(?:with|mit|avec|con|com|met|с контактом|ile)[ _]+)?[ _-]*",
    re.IGNORECASE,
)


@dataclasses.dataclass
class _Entry:
    """A header line and the lines under it, as in the file; `body` begins after the header."""

    number: int
    stamp: Stamp
    body: str

    @functools.cached_property
    def split(self) -> tuple[str, str] | None:
        """The name before the first colon and the raw text after it, None for a system line."""
        bare = self.body.lstrip(_LEFT_TO_RIGHT)
        match = _NAME.match(plain_spaces(bare))
        if match is None:
            return None
        name = " ".join(plain_spaces(without_marks(match["name"])).lstrip("~ ").split())
        if not name or not _balanced(name) or EVENT.search(name) or ". " in name[3:]:
            return None
        return name, bare[match.end() :]


class WhatsAppReader:
    """Reads a chat export; day and month are told apart over the whole file."""

    name = "whatsapp"
    version = 1
    summary = "WhatsApp chat exports (.txt, Android and iOS)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is an export: its header lines decide."""
        text = head_text(head.data)
        marked = _LEFT_TO_RIGHT in text
        lines = [line for line in text.split("\n") if line.strip()]
        headers = [
            place for place, line in enumerate(lines) if _is_export_line(line, marked=marked)
        ]
        if not headers:
            return 0.0
        return 0.95 if headers[0] == 0 or len(headers) > 2 else 0.6

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one conversation. Raises DamagedFile, AmbiguousDate."""
        decoded = read_text(path)
        entries, preamble = _entries(decoded.text)
        if not entries:
            raise DamagedFile(
                f"{path.name}: no line begins like a WhatsApp message",
                hint="export the chat again from WhatsApp, or try `--format text`",
            )
        order = date_order(
            [entry.stamp for entry in entries],
            name=path.name,
            stated=context.day_first,
            hint=lambda: _style(entries),
        )
        title = _title(path, context)
        people = Counter(split[0] for entry in entries if (split := entry.split))
        notes = not_read("line", preamble, "no message has begun")
        yield conversation(
            self,
            context,
            heading=Heading(title=title, notes=(*decoded.notes, *order.notes, *notes)),
            messages=[
                _message(entry, day_first=order.day_first, people=people, title=title)
                for entry in entries
            ],
        )


def _is_export_line(line: str, *, marked: bool) -> bool:
    """Tell whether a line is a header as WhatsApp writes it, not one of a log or another chat.

    A year first in brackets with no comma after it is WhatsApp's only in a file with its marks.
    """
    folded = plain_spaces(without_marks(line))
    if match := _ANDROID.match(folded):
        log = match["second"] and not (match["before"] or match["after"])
        return not log and _possible(stamp_of(match))
    match = _IOS.match(folded)
    if match is None or not match["second"] or not _possible(stamp_of(match)):
        return False
    return marked or "," in match[0] or not stamp_of(match).year_first


def _possible(stamp: Stamp) -> bool:
    return stamp.read(day_first=True) is not None


def _entries(text: str) -> tuple[list[_Entry], list[int]]:
    """Return the messages of a text, and the numbers of lines before the first."""
    entries: list[_Entry] = []
    preamble = []
    for number, line in enumerate(text.split("\n"), 1):
        folded = plain_spaces(without_marks(line))
        match = _ANDROID.match(folded) or _IOS.match(folded)
        if match and _possible(stamp := stamp_of(match)):
            entries.append(_Entry(number, stamp, _from(line, match.end())))
        elif entries:
            entries[-1].body += "\n" + line
        elif line.strip():
            preamble.append(number)
    return entries, preamble


def _from(line: str, start: int) -> str:
    """Return a line from its `start`-th character on, marks not counted."""
    if without_marks(line[:start]) == line[:start]:
        return line[start:]
    for place, character in enumerate(line):
        if start == 0:
            return line[place:]
        start -= bool(without_marks(character))
    return ""


def _style(entries: Sequence[_Entry]) -> Hint | None:
    """Return what the phone's way of writing says (CLDR short date and time formats).

    Only English of the US puts the month first; it pads neither day nor month and writes AM and
    PM in capitals.
    """
    stamps = [entry.stamp for entry in entries if not entry.stamp.year_first]
    if any(stamp.separator != "/" for stamp in stamps):
        return Hint(True, "dates with dots or dashes have the day first")
    if any(stamp.parts[0].startswith("0") or stamp.parts[1].startswith("0") for stamp in stamps):
        return Hint(True, "phones that write the month first do not write 04/03")
    if any(foreign(tidy(line)) for entry in entries for line in entry.body.split("\n")):
        return Hint(True, "the phone's language is not English")
    halves = {stamp.half for stamp in stamps}
    if halves == {""}:
        wide = all(len(part) == 2 for stamp in stamps for part in stamp.parts[:2])
        long_year = all(len(stamp.parts[2]) == 4 for stamp in stamps)
        return Hint(True, "24-hour times and long years") if wide and long_year else None
    if halves <= {"AM", "PM"}:
        return Hint(False, "unpadded dates with AM and PM are how US phones write")
    return Hint(True, "only US phones write the month first, and they write AM and PM")


def _title(path: Path, context: ReadContext) -> str:
    """Return who or what group the chat is with."""
    title = title_of(path, context)
    if context.title:
        return title
    if path.stem.strip("_ ").casefold() == "chat":
        title = tidy(path.resolve().parent.name) or title
    match = _TITLE.match(title)
    return title[match.end() :].replace("_", " ").strip() or title if match else title


def _balanced(name: str) -> bool:
    """Tell whether every quotation mark in a name is closed; a cut-off subject's is not."""
    return name.count('"') % 2 == 0 and len(re.findall("[“„«]", name)) == len(
        re.findall("[”»]|(?<=„)[^“]*“", name)
    )


def _message(entry: _Entry, *, day_first: bool, people: Counter[str], title: str) -> Message:
    at = entry.stamp.read(day_first=day_first)
    locator = f"line {entry.number}"
    split = entry.split
    if split is None or _is_event(split[1], people, title=title, sender=split[0]):
        text = tidy(split[1] if split else entry.body)
        return Message(
            speaker=None, text=text, locator=locator, at=at, role="system", citable=False
        )
    speaker, raw = split
    text = tidy(raw)
    edited = EDITED.search(text)
    text = text[: edited.start()] if edited else text
    words, attachments = _attachments(text)
    return Message(
        speaker=speaker,
        text=words,
        identity=text,
        locator=locator,
        at=at,
        citable=bool(words) and not DELETED.fullmatch(words),
        state="edited" if edited else "current",
        attachments=attachments,
    )


def _is_event(raw: str, people: Counter[str], *, title: str, sender: str) -> bool:
    """Tell whether iOS wrote a text itself: it then begins with a left-to-right mark.

    Events are said in the name of the group or of who caused them.
    """
    if not raw.startswith(_LEFT_TO_RIGHT):
        return False
    text = tidy(raw)
    if _attachments(text)[1] or DELETED.fullmatch(text):
        return False
    named = any(text.startswith(f"{name} ") for name in people)
    return named or bool(EVENT.search(text)) or sender == title


def _attachments(text: str) -> tuple[str, tuple[Attachment, ...]]:
    """Return a text without its media placeholders, and what they stand for."""
    found: list[Attachment] = []
    words = []
    for line in text.split("\n"):
        left = line.strip()
        if gone := omitted(plain_spaces(left)):
            found.append(Attachment(kind=gone[0], name=gone[1]))
            continue
        if match := ATTACHED.fullmatch(left):
            found.append(Attachment(kind=kind_of_file(match["name"]), name=match["name"].strip()))
            continue
        for match in ATTACHED_BEFORE.finditer(line):
            found.append(Attachment(kind=kind_of_file(match["name"]), name=match["name"].strip()))
        words.append(ATTACHED_BEFORE.sub("", line) if ATTACHED_BEFORE.search(line) else line)
    return "\n".join(words).strip(), tuple(found)


READER = WhatsAppReader()
