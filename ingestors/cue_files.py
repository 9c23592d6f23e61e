"""The shape that WebVTT and SubRip share: blocks of an id, a time line, a payload."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mmem.errors import DamagedFile
from mmem.ingestors.cues import Cue, spoken, transcript
from mmem.ingestors.reading import ReadContext, Reader, Reading
from mmem.ingestors.text import Decoded, not_read

_TIME = (
    r"(?:(?P<{0}h>\d{{1,4}}):)?(?P<{0}m>\d{{1,3}}):(?P<{0}s>\d{{1,2}})"
    r"(?: ?[.,:](?P<{0}f>\d{{1,9}}))?"
)
TIMING = re.compile(
    rf"\s*{_TIME.format('a')}\s*-->\s*{_TIME.format('b')}(?:\s+(?P<settings>\S.*))?\s*"
)
_IDENTIFIER = re.compile(r"\s*(?:\d{1,7}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{20,}(?:/\d+-\d+)?)\s*")
_BAD_TIMING = re.compile(r"\s*\d+:\d\S*\s*-+>\s*\S*\d:")


class CueFile:
    """Collects cues from lines; what is not part of a cue is counted.

    Beyond the standards (W3C WebVTT, section 6; SubRip has none) it takes cues that no blank line
    parts, payloads with blank lines inside, times with a comma or a dot or without hours, and
    cues that end before they begin.
    """

    def __init__(self) -> None:
        """Begin with no cue."""
        self.cues: list[Cue] = []
        self.bad_times: list[int] = []
        self.stray: list[int] = []
        self.turned = 0
        self._times: tuple[int, int] | None = None
        self._payload: list[str] = []

    def feed(self, lines: Iterable[tuple[int, str]]) -> None:
        """Take numbered lines."""
        for number, line in lines:
            if match := TIMING.fullmatch(line):
                if self.stray and self.stray[-1] == number - 1:
                    self.stray.pop()
                self._begin(match)
            elif _BAD_TIMING.match(line):
                self._close()
                self.bad_times.append(number)
            elif self._times is not None:
                self._payload.append(line)
            elif line.strip() and not _IDENTIFIER.fullmatch(line):
                self.stray.append(number)
        self._close()

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on what was repaired or not read."""
        turned = (f"{self.turned} cues end before they begin: read as instants",)
        return (
            *not_read("line", self.bad_times, "its time cannot be read"),
            *not_read("line", self.stray, "it belongs to no cue"),
            *(turned if self.turned else ()),
        )

    def _begin(self, match: re.Match[str]) -> None:
        if self._payload and self._payload[-1].strip() and self._ends_with_identifier():
            self._payload.pop()
        self._close()
        start, end = (_microseconds(match, side) for side in "ab")
        self.turned += end < start
        self._times = (start, max(start, end))

    def _ends_with_identifier(self) -> bool:
        after_blank = len(self._payload) > 1 and not self._payload[-2].strip()
        return after_blank or bool(_IDENTIFIER.fullmatch(self._payload[-1]))

    def _close(self) -> None:
        if self._times is not None:
            payload = "\n".join(self._payload).strip("\n")
            self.cues.append(Cue(*self._times, payload, len(self.cues) + 1))
        self._times, self._payload = None, []


def reading_of(
    reader: Reader, context: ReadContext, *, name: str, decoded: Decoded, file: CueFile
) -> Reading:
    """Return collected cues as a transcript; `name` is the file's. Raises DamagedFile for none."""
    if not file.cues:
        raise DamagedFile(
            f"{name}: there is no cue in this file that can be read",
            hint="a cue has a time line such as 00:00:01.000 --> 00:00:04.000 and text under it",
        )
    title = name.rsplit(".", 1)[0]
    notes = (*decoded.notes, *file.notes)
    return transcript(reader, context, title=title, lines=spoken(file.cues), notes=notes)


def _microseconds(match: re.Match[str], side: str) -> int:
    hours, minutes, seconds = (int(match[side + unit] or 0) for unit in "hms")
    fraction = int((match[f"{side}f"] or "0").ljust(6, "0")[:6])
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + fraction
