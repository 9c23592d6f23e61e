"""Words on a screen in reading order: lines into blocks, values behind their labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mmem.schemas import ScreenLine, ScreenText, Span

_GAP = 0.9
"""Largest gap between two lines of one block, in heights of the lower of the two."""
_SHARED = 0.5
"""Least share of the narrower line's width that lines of one block have in common."""
_MOVED = 0.03
"""Most that a side of a line moves, as a share of the picture's, where the screen is the same."""
_VALUE = re.compile(r"[^A-Za-z]*\d[^A-Za-z]*[A-Za-z%€$£]{0,3}")


def screen_text(lines: Sequence[ScreenLine]) -> str:
    """Return the words of a screen, a line each; a bare value follows its label on one line.

    >>> tile = [("Bookings", (0.1, 0.2, 0.3, 0.25)), ("1,864", (0.1, 0.27, 0.2, 0.35)),
    ...         ("Failed", (0.6, 0.2, 0.8, 0.25)), ("23", (0.6, 0.27, 0.7, 0.35))]
    >>> screen_text([ScreenLine(text=t, box=b, confidence=1) for t, b in tile])
    'Bookings 1,864\\nFailed 23'
    """
    return "\n".join(line for block in _blocks(lines) for line in _joined(block))


def merged(texts: Sequence[ScreenText]) -> list[ScreenText]:
    """Return the screens of one recording with each run of the same words made one, shown longer.

    Screens whose spans touch, whose lines say the same once case and punctuation are folded, and
    stand where they stood, are the first of them, from its start to the last one's end. The order
    is by time; screens that come back after another one stay apart. `merged(merged(x))` is
    `merged(x)`.
    """
    found: list[ScreenText] = []
    for text in sorted(texts, key=lambda text: (text.span.start_us, text.ordinal)):
        if found and _goes_on(found[-1], text):
            end_us = max(found[-1].span.end_us, text.span.end_us)
            span = Span(start_us=found[-1].span.start_us, end_us=end_us)
            found[-1] = found[-1].model_copy(update={"span": span})
        else:
            found.append(text)
    return found


def _goes_on(before: ScreenText, after: ScreenText) -> bool:
    if after.span.start_us > before.span.end_us:
        return False
    old, new = (sorted(_places(text.lines)) for text in (before, after))
    return [words for words, _ in old] == [words for words, _ in new] and all(
        abs(one - other) <= _MOVED
        for (_, box), (_, moved) in zip(old, new, strict=True)
        for one, other in zip(box, moved, strict=True)
    )


def _places(lines: Sequence[ScreenLine]) -> list[tuple[str, tuple[float, ...]]]:
    folded = ((re.sub(r"[\W_]+", "", line.text.casefold()), line.box) for line in lines)
    return [(words, box) for words, box in folded if words]


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
