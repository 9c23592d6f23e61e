"""Who speaks, when a line says so by "Name: text": decided over all lines of a file."""

from __future__ import annotations

import collections
import re
from collections.abc import Sequence

from mmem.ingestors.text import words

_PREFIX = re.compile(
    r"(?:>> ?)?(?P<name>[^\W\d_][^:\n\"“”„«»!?;<>{}\[\]=/\\|]{0,47}?)"
    r" ?[:\uff1a](?:\s+|$)"
)
_LOOSE = re.compile(r"(?P<name>[^:\n\"<>{}\[\]=]{1,60}?) ?[:\uff1a](?:\s+|$)")
_BRACKETS = re.compile(r"^\[([^\[\]:\n]{1,48})\](?= ?:)")
_NICK = re.compile(r"<[@+%~]?(?P<name>[^<>\s]{1,40})>(?:\s+|$)")
_LEVEL = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b")
_WORDS = 4
# Words that stand before a colon in prose, mail heads, logs and recipes, and name nobody.
_NOBODY = frozenset(
    words(
        """
    address agenda amount and answer attachments author bcc but by caption cc chapter city code
    comment conclusion critical currency date debug deadline description directions due duration
    edit email end error example fatal file for from fwd fyi goal hello hint http https id idea
    ie if important in info ingredients input instructions ip is item key kind language lesson link
    list location max message meta method min name nb next no note notes number of on option or
    output page part phone place port price problem ps question question re reason remember
    reminder result role rule sent server size so solution source spoiler start status step subject
    subtitles summary tel the time tip title to todo topic total trace translation type update
    url username value version warn warning website when where who why with yes"""
    )
)
_PARTICLES = frozenset(words("van von der den de del della da di du la le bin ibn al el y e"))


def split_prefix(line: str) -> tuple[str, str] | None:
    """Return the name before a colon and the text after it, None when it cannot be a name.

    whisperX writes the name in brackets ("[SPEAKER_00]: …").

    >>> split_prefix("Jo Smith: Morning."), split_prefix("10:30 Meeting: room B")
    (('Jo Smith', 'Morning.'), None)
    """
    line = _BRACKETS.sub(r"\1", line)
    match = _PREFIX.match(line)
    if match is None or not _could_be_name(match["name"]):
        return None
    return match["name"].strip(), line[match.end() :]


def names_of(lines: Sequence[str]) -> frozenset[str]:
    """Return the names that are speakers in these lines.

    A name counts when most lines carry one, or when it recurs and is not the only one that does.
    Lower-case names count only if they recur.

    >>> sorted(names_of(["Ann: one", "Bo: two", "and more", "Ann: Remember this: three"]))
    ['Ann', 'Bo']
    """
    found = [split[0] for line in lines if (split := split_prefix(line))]
    counts = collections.Counter(found)
    recurring = {name for name, count in counts.items() if count > 1}
    proper = {name for name in counts if _is_proper(name)}
    if 2 * len(found) >= len(lines):
        return frozenset(recurring | proper)
    return frozenset(recurring if len(recurring) > 1 else ())


def split_loose(text: str) -> tuple[str, str] | None:
    """Return name and text after a time stamp, where more kinds of names are believed.

    >>> split_loose("kit_99: hi"), split_loose("<kit> hi"), split_loose("note to self: milk")
    (('kit_99', 'hi'), ('kit', 'hi'), None)
    """
    if match := _NICK.match(text):
        return match["name"], text[match.end() :]
    text = _BRACKETS.sub(r"\1", text)
    match = _LOOSE.match(text)
    if match is None:
        return None
    name = match["name"].strip()
    length = len(name.split())
    if not 0 < length <= _WORDS or _first_word(name) in _NOBODY or _LEVEL.search(name):
        return None
    if length > 1 and not _is_proper(name):
        return None
    return name, text[match.end() :]


def names_nobody(line: str) -> bool:
    """Tell whether a line begins with a word and a colon that are no speaker ("Subject:")."""
    match = _PREFIX.match(line)
    return bool(match) and split_prefix(line) is None


def _first_word(name: str) -> str:
    return re.split(r"\W", name, maxsplit=1)[0].casefold()


def _could_be_name(name: str) -> bool:
    length = len(name.split())
    if not 0 < length <= _WORDS or _first_word(name) in _NOBODY:
        return False
    if name.endswith((".", ",")) and not name.endswith(("Jr.", "Sr.")):
        return False
    return length == 1 or _is_proper(name)


def _is_proper(name: str) -> bool:
    """Tell whether no word but particles ("van", "de") begins with a small letter."""
    first, *rest = re.findall(r"[^\W_]\S*", name) or [name]
    return not first[0].islower() and all(
        not word[0].islower() or word in _PARTICLES for word in rest
    )
