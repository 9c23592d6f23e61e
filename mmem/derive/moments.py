"""When a clause happens: date words turned into stretches of UTC."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mmem.dates import Dated, find_dates
from mmem.derive.clauses import Clause, is_past
from mmem.derive.lexicon import DATED_ADVERBS
from mmem.derive.told import Said
from mmem.derive.trees import Tree, is_temporal
from mmem.schemas import Moment

_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)
_WHENCE = frozenset({"after", "before", "when", "while"})
_LONGEST = 60
_DAYS = {"day": 1, "about": 7, "weekend": 2, "week": 7}
_MONTHS = {"month": 1, "season": 3, "year": 12}
_VAGUE = re.compile(r"\b(?:few|couple)\b", re.I)
_OPEN = re.compile(r"\b(?P<since>since|from)\b|\b(?:until|till|by)\b", re.I)
_LEAD = re.compile(r"\b(?:since|until|till|by|from|on|in|before|after)\s+(?:the\s+)?$", re.I)


@dataclass(frozen=True, slots=True)
class Timing:
    """Date words of a text: where they stand, and what they mean."""

    chars: tuple[int, int]
    moment: Moment
    relative: bool


def timings(said: Said) -> list[Timing]:
    """Return the dated words of a line in order, read against its local time."""
    local = None
    if said.at_us is not None:
        local = _EPOCH + dt.timedelta(microseconds=said.at_us + said.zone_us)
    return [_timing(dated, said) for dated in find_dates(said.text, local)]


def _timing(dated: Dated, said: Said) -> Timing:
    start, end = dated.chars
    lead = _LEAD.search(said.text, max(0, start - 12), start)
    if lead is not None and lead.end() == start:
        start = lead.start()
    words = said.text[start:end]
    return Timing((start, end), _moment(words, dated, said.zone_us), dated.relative)


def _moment(words: str, dated: Dated, zone_us: int) -> Moment:
    if dated.day is None or (dated.precision in _MONTHS and _VAGUE.search(words)):
        return Moment(said=words)
    first, last = _stretch(dated)
    start_us, end_us = (_utc_us(day, zone_us) for day in (first, last))
    bound = re.match(_OPEN, words)
    if re.match(r"before\b|after\b", words, re.I):
        return Moment(said=words)
    if bound is None:
        return Moment(said=words, start_us=start_us, end_us=end_us)
    if bound["since"]:
        return Moment(said=words, start_us=start_us)
    return Moment(said=words, end_us=end_us)


def _stretch(dated: Dated) -> tuple[dt.date, dt.date]:
    """Return the first day and the day after the last one."""
    assert dated.day is not None
    if dated.precision in _DAYS:
        away = dt.timedelta(days=3 if dated.precision == "about" else 0)
        first = dated.day - away
        return first, first + dt.timedelta(days=_DAYS[dated.precision])
    first = dated.day.replace(day=1)
    years, month = divmod(first.month - 1 + _MONTHS[dated.precision], 12)
    return first, dt.date(first.year + years, month + 1, 1)


def _utc_us(day: dt.date, zone_us: int) -> int:
    return (dt.datetime(day.year, day.month, day.day) - _EPOCH) // _MICROSECOND - zone_us


def moment_of(tree: Tree, clause: Clause, dated: Sequence[Timing]) -> Moment:
    """Return when a clause happens: its dated words, else other words of time, undated."""
    own = {(tree.words[p].start, tree.words[p].end): p for p in clause.places}
    for timing in dated:
        inside = [p for (start, end), p in own.items() if timing.chars[0] < end <= timing.chars[1]]
        if inside and not any(
            _modifies_noun(tree, p) or _dates_noun(tree, p, clause.head) for p in inside
        ):
            return timing.moment
    return Moment(said=_undated(tree, clause))


def _modifies_noun(tree: Tree, place: int) -> bool:
    word = tree.words[place]
    head = tree.words[word.head]
    return word.dep in ("compound", "poss", "nmod") and not head.entity and head.pos != "NUM"


def _dates_noun(tree: Tree, place: int, verb: int) -> bool:
    """Tell whether a date is that of a phrase before the verb ("for the demo on Friday I …")."""
    prep = tree.words[tree.words[place].head]
    noun = tree.words[prep.head]
    return prep.dep == "prep" and noun.dep == "pobj" and noun.start < tree.words[verb].start


def _undated(tree: Tree, clause: Clause) -> str:
    for verb in clause.chain:
        for child in tree.children(verb):
            word = tree.words[child]
            if word.dep == "npadvmod" and is_temporal(tree, child):
                return tree.slice(tree.below(child, frozenset({"relcl", "acl", "advcl"})))
            head = tree.first(child, "pobj") if word.dep == "prep" else None
            if head is not None and is_temporal(tree, head):
                return tree.slice(tree.below(child, frozenset({"relcl", "acl"})))
            if word.dep == "advmod" and tree.lower(child) in DATED_ADVERBS:
                return tree.lower(child)
    return _beside_another(tree, clause)


def _beside_another(tree: Tree, clause: Clause) -> str:
    """Return the clause that tells when a past one was ("after we talked"), "" if there is none."""
    if not is_past(tree, clause):
        return ""
    for child in tree.children(clause.head, "advcl"):
        marks = {tree.lower(c) for c in tree.children(child, "mark", "advmod")}
        words = tree.slice(tree.below(child))
        if marks & _WHENCE and tree.words[child].tag == "VBD" and len(words) <= _LONGEST:
            return words
    return ""


def lies_ahead(tree: Tree, clause: Clause, moment: Moment, said: Said) -> bool:
    """Tell whether a present tense means what is to come ("I'm meeting Tom tomorrow")."""
    return not is_past(tree, clause) and lies_after(moment, said)


def lies_after(moment: Moment, said: Said) -> bool:
    """Tell whether a moment is known to begin after it was told."""
    if said.at_us is None or moment.start_us is None:
        return False
    return moment.start_us > said.at_us
