"""The plain caption of an anchor: what is known of it without a key, said plainly to be that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from mmem.schemas import Atom, Keyframe, ScreenText, Utterance

SURE = 0.5
"""Least probability of a label that is shown.

Of 35 pictures of twelve recordings that were looked at, seven have one: five are there (a web
site three times, a bow tie, a hand-held computer), two are partly right (a keyboard as "space
bar", a title card as "web site"). At 0.6 the bow tie and the hand-held computer are lost too.
"""
_SCREEN_WORDS = 12
_MOST_COLOURS = 4
_MOST_PICTURES = 3
"""EM²Mem: three keyframes a record."""


def plain_caption(names: Sequence[str], atoms: Sequence[Atom]) -> str:
    """Return who speaks, the first words on each screen, what it looks like, and the colours.

    `atoms` are the anchor's, in order of time; "" where none of these is known.
    """
    pictures = [atom for atom in atoms if isinstance(atom, Keyframe)]
    voiced = any(isinstance(atom, Utterance) for atom in atoms)
    parts = [
        _speaking(names, voiced=voiced),
        *(_written(atom) for atom in atoms if isinstance(atom, ScreenText)),
        _listed("Looks like", things_of(pictures)),
        _listed("Colours", colours_of(pictures)),
    ]
    return " ".join(filter(None, parts))


def spread(pictures: Sequence[Keyframe]) -> list[Keyframe]:
    """Return three pictures at most, evenly spaced with the first and the last (EM²Mem, B)."""
    if len(pictures) <= _MOST_PICTURES:
        return list(pictures)
    step = (len(pictures) - 1) / (_MOST_PICTURES - 1)
    return [pictures[round(number * step)] for number in range(_MOST_PICTURES)]


def things_of(pictures: Iterable[Keyframe]) -> list[str]:
    """Return the names of things that pictures show with a probability of at least SURE."""
    sure = (label.name for one in pictures for label in one.labels if label.probability >= SURE)
    return list(dict.fromkeys(sure))


def colours_of(pictures: Sequence[Keyframe]) -> list[str]:
    """Return the colours of all pictures, the first of each before the second of any."""
    rows = zip_longest(*(picture.colours for picture in pictures))
    named = (colour for colour in chain.from_iterable(rows) if colour is not None)
    return list(dict.fromkeys(named))[:_MOST_COLOURS]


def _speaking(names: Sequence[str], *, voiced: bool) -> str:
    if not names:
        return "Someone speaks." if voiced else ""
    if len(names) == 1:
        return f"{names[0]} speaks."
    return f"{', '.join(names[:-1])} and {names[-1]} speak."


def _written(screen: ScreenText) -> str:
    words = screen.text.split()
    more = " …" if len(words) > _SCREEN_WORDS else ""
    return f"On screen: “{' '.join(words[:_SCREEN_WORDS])}{more}”."


def _listed(title: str, words: Sequence[str]) -> str:
    return f"{title}: {', '.join(words)}." if words else ""
