"""Whose words are asked for: the rows in which they speak; a name that nobody has is said."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence

import numpy as np

from mmem.errors import UnknownId
from mmem.ports import BoolArray
from mmem.words import fold

_NAMES_LISTED = 6


def spoken_by(
    voices: Sequence[Sequence[str]], people: Sequence[str], known: BoolArray
) -> BoolArray:
    """Return bool[n]: the rows in which one of the people speaks, all rows for no people.

    `voices[i]` are the speakers of row i, `known` bool[n] the rows that the reader may know of.
    Raises UnknownId for a person who speaks in none of those.
    """
    if not people:
        return np.ones(len(voices), bool)
    heard = {name for row in np.flatnonzero(known).tolist() for name in voices[row]}
    for name in people:
        if not speaks(heard, [name]):
            raise UnknownId(f"nobody here is called {name!r}", hint=_near(name, heard))
    return np.array([speaks(names, people) for names in voices], bool)


def speaks(voices: Sequence[str] | set[str], people: Sequence[str]) -> bool:
    """Tell whether one of some people is among some voices, or nobody is asked for.

    A person is meant by the whole name or by one word of it, in any case and without accents.

    >>> speaks(["Zoë Lee"], ["zoe"]), speaks(["Zoë Lee"], ["zo"]), speaks([], [])
    (True, False, True)
    """
    wanted = [fold(name).strip() for name in people]
    names = [fold(voice) for voice in voices]
    return not wanted or any(w == name or w in name.split() for w in wanted for name in names)


def _near(name: str, heard: set[str]) -> str:
    """Say whom it may have meant, else who is here."""
    if not heard:
        return "nobody's words are known by name"
    by_part: dict[str, list[str]] = {}
    for each in sorted(heard):
        for part in {fold(each), *fold(each).split()}:
            by_part.setdefault(part, []).append(each)
    parts = difflib.get_close_matches(fold(name).strip(), by_part, n=3, cutoff=0.6)
    close = list(dict.fromkeys(itertools.chain.from_iterable(by_part[part] for part in parts)))
    if close:
        return "near it: " + ", ".join(close[:_NAMES_LISTED])
    more = len(heard) - _NAMES_LISTED
    rest = f" and {more} more" if more > 0 else ""
    return "here speak: " + ", ".join(sorted(heard)[:_NAMES_LISTED]) + rest
