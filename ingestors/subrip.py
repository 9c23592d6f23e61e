"""SubRip: the subtitles of players and of speech recognition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mmem.ingestors.cue_files import TIMING, CueFile, reading_of
from mmem.ingestors.reading import Head, ReadContext, Reading
from mmem.ingestors.text import head_text, read_text


class SubRipReader:
    """Reads SubRip; the file has no header, so its time lines decide."""

    name = "srt"
    version = 1
    summary = "SubRip subtitles (whisper, players)"

    def sniff(self, head: Head) -> float:
        """Return the confidence that the file is SubRip: numbered blocks with time lines."""
        lines = [line for line in head_text(head.data).split("\n") if line.strip()]
        if not lines or lines[0].lstrip().startswith("WEBVTT"):
            return 0.0
        timed = [place for place, line in enumerate(lines) if TIMING.fullmatch(line)]
        if not timed or timed[0] > 5:
            return 0.0
        numbered = sum(place > 0 and lines[place - 1].strip().isdecimal() for place in timed)
        return 0.95 if 2 * numbered >= len(timed) else 0.75

    def read(self, path: Path, context: ReadContext) -> Iterator[Reading]:
        """Yield one transcript. Raises DamagedFile."""
        decoded = read_text(path)
        file = CueFile()
        file.feed(enumerate(decoded.text.split("\n"), 1))
        yield reading_of(self, context, name=path.name, decoded=decoded, file=file)


READER = SubRipReader()
