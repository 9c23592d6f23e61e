"""Words on a screen in reading order: lines into blocks, values behind their labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mmem.schemas import ScreenLine

_GAP = 0.9
"""Largest gap between two lines of one block, in heights of the lower of the two."""
_SHARED = 0.5
"""Least share of the narrower line's width that lines of one block have in common."""
_VALUE = re.compile(r"[^A-Za-z]*\d[^A-Za-z]*[A-Za-z%€$£]{0,3}")


def screen_text(lines: Sequence[ScreenLine]) -> str:
    """Return the words of a screen, a line each; a bare value follows its label on one line.

    >>> tile = [("Bookings", (0.1, 0.2, 0.3, 0.25)), ("1,864", (0.1, 0.27, 0.2, 0.35)),
    ...         ("Failed", (0.6, 0.2, 0.8, 0.25)), ("23", (0.6, 0.27, 0.7, 0.35))]
    >>> screen_text([ScreenLine(text=t, box=b, confidence=1) for t, b in tile])
    'Bookings 1,864\\nFailed 23'
    """
    return "\n".join(line for block in _blocks(lines) for line in _joined(block))


def _blocks(lines: Sequence[ScreenLine]) -> list[list[ScreenLine]]:
    """Return columns of lines that stand right below each other, in the order of their tops."""
    blocks: list[list[ScreenLine]] = []
    for line in sorted(lines, key=lambda line: (line.box[1], line.box[0])):
        above = [block for block in blocks if _continues(block[-1], line)]
        if above:
            max(above, key=lambda block: block[-1].box[3]).append(line)
        else:
            blocks.append([line])
    return sorted(blocks, key=lambda block: (round(block[0].box[1] * 20), block[0].box[0]))


def _continues(upper: ScreenLine, lower: ScreenLine) -> bool:
    shared = min(upper.box[2], lower.box[2]) - max(upper.box[0], lower.box[0])
    narrower = min(upper.box[2] - upper.box[0], lower.box[2] - lower.box[0])
    gap = lower.box[1] - upper.box[3]
    height = min(lower.box[3] - lower.box[1], upper.box[3] - upper.box[1])
    return shared >= _SHARED * narrower and -0.5 * height <= gap <= _GAP * height


def _joined(block: Sequence[ScreenLine]) -> list[str]:
    found: list[str] = []
    for line in block:
        if found and _VALUE.fullmatch(line.text) and not _VALUE.fullmatch(found[-1]):
            found[-1] = f"{found[-1]} {line.text}"
        else:
            found.append(line.text)
    return found
