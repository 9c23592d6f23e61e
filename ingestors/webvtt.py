"""WebVTT: captions and meeting transcripts (W3C, https://www.w3.org/TR/webvtt1/)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mmem.ingestors.cue_files import TIMING, CueFile, reading_of
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, read_text

_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")


class WebVttReader:
    """Reads WebVTT of meetings, players and automatic captions."""

    name = "webvtt"
    version = 1
    summary = "WebVTT transcripts and captions (Teams, Zoom, YouTube)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is WebVTT: its signature decides."""
        text = head_text(head.data).lstrip()
        if re.match(r"WEBVTT(?:\s|$)", text):
            return 0.99
        dotted = TIMING.search(text) and re.search(r"\d\.\d{3}\s*-->", text)
        return 0.7 if dotted and head.path.suffix.lower() == ".vtt" else 0.0

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one transcript. Raises DamagedFile."""
        decoded = read_text(path)
        file = CueFile()
        file.feed(_cue_lines(decoded.text.split("\n")))
        yield reading_of(self, context, name=path.name, decoded=decoded, file=file)


def _cue_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without the header and without NOTE, STYLE and REGION blocks."""
    inside = bool(lines) and lines[0].lstrip().startswith("WEBVTT")
    after_blank = True
    for number, line in enumerate(lines, 1):
        if TIMING.fullmatch(line) or not line.strip():
            inside = False
        elif after_blank and _BLOCK.match(line):
            inside = True
        after_blank = not line.strip()
        if not inside:
            yield number, line


READER = WebVttReader()
