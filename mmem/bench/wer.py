"""Word error rate: mmem's whole path from file to lines, beside bare faster-whisper.

All read the same files with the same weights. Bare faster-whisper is *batched*, which mmem's speed
is held against too and which like mmem cuts the sound at pauses, and *plain*, in windows of 30 s.

Texts are folded before words are compared: NFKC, lower case, the curly apostrophe made straight;
everything but letters, digits and apostrophes inside a word parts words. Numbers stay as they are
written ("7" is not "seven"), and so do contractions and spellings. Errors are the least number of
words put in, left out or exchanged (Levenshtein 1966); the rate is errors per reference word.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A file: words of its reference, errors of mmem and of faster-whisper, batched and plain."""

    name: str
    words: int
    errors: int
    batched_errors: int
    plain_errors: int


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded.

    >>> words_of("“Don’t,” said Ada: 1,864 boats!")
    ["don't", 'said', 'ada', '1', '864', 'boats']
    """
    folded = unicodedata.normalize("NFKC", text).replace("’", "'").lower()
    return _WORD.findall(folded)


def errors(reference: Sequence[str], heard: Sequence[str]) -> int:
    """Return the least number of words put in, left out or exchanged.

    >>> errors("the boat leaves at noon".split(), "a boat leaves noon".split())
    2
    """
    row = list(range(len(heard) + 1))
    for left_out, word in enumerate(reference, start=1):
        diagonal, row[0] = row[0], left_out
        for place, other in enumerate(heard, start=1):
            exchanged = diagonal + (word != other)
            diagonal = row[place]
            row[place] = min(exchanged, row[place] + 1, row[place - 1] + 1)
    return row[-1]


def references(media: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a folder that are there and have a reference text, by name.

    A text is that of `reference_transcripts.json`: whole, or in segments in order of time.
    """
    listed: dict[str, Any] = json.loads((media / "reference_transcripts.json").read_text("utf-8"))
    for name, known in sorted(listed.items()):
        text = _text(known)
        if text and (media / name).is_file():
            yield media / name, text


def _text(known: Any) -> str:
    if not isinstance(known, dict):
        return ""
    return str(known.get("text") or " ".join(text for *_, text in known.get("segments", ())))


def table(media: Path) -> Iterator[Row]:
    """Yield a row for each file with a reference text, then the total."""
    rows = []
    readers = (_whole_path(), *_bare())
    for path, text in references(media):
        reference = words_of(text)
        counts = [errors(reference, words_of(read(path))) for read in readers]
        rows.append(Row(path.name, len(reference), *counts))
        yield rows[-1]
    yield total(rows)


def total(rows: Iterable[Row]) -> Row:
    """Return the sum of some rows."""
    rows = list(rows)
    return Row(
        "total",
        words=sum(row.words for row in rows),
        errors=sum(row.errors for row in rows),
        batched_errors=sum(row.batched_errors for row in rows),
        plain_errors=sum(row.plain_errors for row in rows),
    )


def shown(row: Row) -> tuple[str, str, str]:
    """Return a row as a figure of the bench."""
    rate = 100 * row.errors / max(row.words, 1)
    measured = f"{row.errors} of {row.words} words ({rate:.1f} %)"
    budget = "<= 1.05 x batched; " if row.name == "total" else ""
    return (
        f"WER, {row.name}",
        measured,
        f"{budget}batched {row.batched_errors}, plain {row.plain_errors}",
    )


def _whole_path() -> Callable[[Path], str]:
    from mmem.ingestors.sound import sound_windows
    from mmem.models.speech import FasterWhisper

    def read(path: Path) -> str:
        stretches = FasterWhisper().recognise(sound_windows(path))
        return " ".join(line.text for stretch in stretches for line in stretch.said)

    return read


def _bare() -> tuple[Callable[[Path], str], Callable[[Path], str]]:
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    from mmem.models.speech_weights import tiny_en_folder

    model = WhisperModel(str(tiny_en_folder()), compute_type="int8")
    pipeline = BatchedInferencePipeline(model)

    def batched(path: Path) -> str:
        return _joined(pipeline.transcribe(str(path), batch_size=8, language="en")[0])

    def plain(path: Path) -> str:
        return _joined(model.transcribe(str(path), language="en")[0])

    return batched, plain


def _joined(lines: Iterable[Any]) -> str:
    return " ".join(line.text for line in lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of a folder of media, the only argument."""
    (folder,) = arguments or sys.argv[1:]
    for row in table(Path(folder)):
        print("  ".join(shown(row)), flush=True)


if __name__ == "__main__":
    main()
