"""The colours that a picture is mostly made of, in plain words.

Pixels are named one by one in OKLCh (Ottosson 2020), where equal steps look about equal: lightness
0 to 1, chroma 0 to 0.4, hue in degrees. The borders are where the pictures of a few recordings
were looked at and named by eye.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from mmem.ports import ByteArray

Floats = npt.NDArray[np.float64]

MOST = 3
_LEAST_SHARE = 0.1
"""A colour that takes less of a picture is not one that it is mostly made of."""
_STEP = 48
"""Pixels along the longer side that are looked at."""

# Lightness of greys, upper borders.
_GREYS = ((0.25, "black"), (0.45, "dark grey"), (0.72, "grey"), (0.91, "light grey"))
# Hue in degrees, upper borders; red goes round.
_HUES = (
    (12, "pink"),
    (40, "red"),
    (75, "orange"),
    (112, "yellow"),
    (165, "green"),
    (215, "turquoise"),
    (285, "blue"),
    (325, "purple"),
    (360, "pink"),
)
_DARK, _PALE, _LIGHT = 0.42, 0.7, 0.78
# Beyond it a weak colour is a pale yellow, before it the beige of skin, sand and walls.
_YELLOW = 95


def colours_of(pixels: ByteArray) -> tuple[str, ...]:
    """Return one to three colour words of an RGB picture u8[h, w, 3], the largest area first.

    Shades of one colour are counted together and called by the commonest of them.

    >>> colours_of(np.full((20, 20, 3), (20, 30, 140), np.uint8))
    ('dark blue',)
    """
    lightness, chroma, hue = _oklch(_sampled(pixels))
    words = [_word(*one) for one in zip(lightness, chroma, hue, strict=True)]
    shades = Counter(words)
    families: dict[str, list[str]] = {}
    for word in sorted(shades, key=lambda word: (-shades[word], word)):
        families.setdefault(word.split()[-1], []).append(word)
    areas = {kin[0]: sum(shades[word] for word in kin) / len(words) for kin in families.values()}
    ordered = sorted(areas, key=lambda word: (-areas[word], word))
    kept = [word for word in ordered if areas[word] >= _LEAST_SHARE]
    return tuple(kept[:MOST] or ordered[:1])


def _sampled(pixels: ByteArray) -> Floats:
    """Return means of square blocks, some 48 along the longer side, f64[n, 3] from 0 to 1."""
    step = max(1, max(pixels.shape[:2]) // _STEP)
    rows, columns = (max(1, side // step) for side in pixels.shape[:2])
    kept = pixels[: rows * step, : columns * step].astype(np.float64) / 255
    height, width = kept.shape[0] // rows, kept.shape[1] // columns
    blocks = kept.reshape(rows, height, columns, width, 3)
    means: Floats = blocks.mean(axis=(1, 3)).reshape(-1, 3)
    return means


def _oklch(rgb: Floats) -> tuple[Floats, Floats, Floats]:
    """Return lightness, chroma and hue of sRGB values f64[n, 3] (Ottosson 2020)."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    to_cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    to_lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    lightness, a, b = (np.cbrt(linear @ to_cones.T) @ to_lab.T).T
    return lightness, np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360


def _word(lightness: float, chroma: float, hue: float) -> str:
    if chroma < _grey_below(lightness):
        return next((word for most, word in _GREYS if lightness < most), "white")
    name = next(word for most, word in _HUES if hue <= most)
    weak = 0.08 if hue > _YELLOW and lightness >= _PALE else 0.11
    if name in ("orange", "yellow", "red") and chroma < weak:
        return _earth(lightness, name)
    if name == "orange" and lightness < 0.6:
        return "dark brown" if lightness < _DARK else "brown"
    if lightness < _DARK and name == "pink":
        return "dark red"
    if lightness < _DARK:
        return f"dark {name}"
    return name if lightness < _LIGHT or name in ("yellow", "pink") else f"light {name}"


def _grey_below(lightness: float) -> float:
    """Return the chroma up to which nobody calls it a colour: more in the dark and in the light."""
    return 0.04 if lightness < 0.3 else 0.03


def _earth(lightness: float, name: str) -> str:
    """Name a weak warm colour: brown, beige, and weak yellow in the dark, olive."""
    if lightness >= _PALE:
        return "beige"
    if name == "yellow":
        return "olive" if lightness >= _DARK else "dark olive"
    return "brown" if lightness >= _DARK else "dark brown"
