"""Atoms into units: passages of dialogue and anchors of a recording.

A cut looks only backwards, so the units of the atoms that end by some moment are the same as those
that a memory built at that moment would have.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence

from mmem.derive.captions import plain_caption
from mmem.schemas import (
    Anchor,
    Atom,
    CaptionLine,
    Keyframe,
    Passage,
    ScreenText,
    Source,
    Span,
    Turn,
    Unit,
    Utterance,
)
from mmem.schemas.clock import microseconds
from mmem.schemas.identity import anchor_id, passage_id
from mmem.words import sentence_spans

_PRESCRIBED_US = microseconds(30)
"""Anchors of this length are those that a file prescribes, however long those are."""
_LONGEST_JOINED_US = microseconds(30)
SESSION_GAP_US = microseconds(4 * 3600)
"""A silence after which a conversation without named sessions begins a new one."""
LONGEST_PASSAGE = 1_000
"""Characters; about the 200 tokens that the text encoder reads well."""
_Line = Utterance | CaptionLine
Timed = Utterance | CaptionLine | ScreenText | Keyframe
JOINED_GAP_US = microseconds(2)
"""Cues of one speaker at most this far apart are one passage."""


def cut(source: Source, atoms: Sequence[Atom]) -> list[Unit]:
    """Return the units of a source from its atoms (a recording's: with its transcript's lines).

    Withdrawn turns, system lines and placeholders without words or a picture belong to no unit.
    """
    if source.kind == "conversation":
        return list(_turn_passages(source, [a for a in atoms if isinstance(a, Turn)]))
    if source.kind == "transcript":
        return list(_line_passages(source, [a for a in atoms if isinstance(a, _Line)]))
    return list(_anchors(source, atoms))


def turn_text(turn: Turn) -> str:
    """Return the words of a turn and of what it shares."""
    shared = [a.description for a in turn.attachments if a.description]
    return " ".join([turn.text, *(f"(shares {text})" for text in shared)]).strip()


def _turn_passages(source: Source, turns: Sequence[Turn]) -> Iterable[Passage]:
    session, position, last = "", 0, None
    for turn in turns:
        told = turn.citable and turn_text(turn)
        if turn.state == "withdrawn" or not (told or turn.files):
            continue
        begins = _begins_session(turn, last)
        if begins:
            session, position = turn.session or turn.id, 0
        last = turn
        for chars in _parts(turn.text):
            yield Passage(
                id=passage_id(source.id, turn.id, chars[0] if chars else 0),
                source_id=source.id,
                atom_ids=(turn.id,),
                session=session,
                position=position,
                speaker=turn.speaker,
                chars=chars,
                wall=_instant(turn.wall_us),
            )
            position += 1


def _begins_session(turn: Turn, last: Turn | None) -> bool:
    if last is None or turn.session != last.session:
        return True
    if turn.session is not None or turn.wall_us is None or last.wall_us is None:
        return False
    return turn.wall_us - last.wall_us > SESSION_GAP_US


def _instant(us: int | None) -> Span | None:
    return None if us is None else Span(start_us=us, end_us=us)


def _parts(text: str) -> list[tuple[int, int] | None]:
    """Return [None] for a text that is one passage, else character ranges at sentence ends."""
    if len(text) <= LONGEST_PASSAGE:
        return [None]
    parts: list[tuple[int, int]] = []
    for start, end in _short_pieces(sentence_spans(text)):
        if parts and end - parts[-1][0] <= LONGEST_PASSAGE:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return list(parts)


def _short_pieces(spans: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for start, end in spans:
        for begin in range(start, end, LONGEST_PASSAGE):
            yield begin, min(begin + LONGEST_PASSAGE, end)


def _line_passages(source: Source, lines: Sequence[_Line]) -> Iterable[Passage]:
    groups: list[list[_Line]] = []
    for line in sorted(lines, key=lambda line: (line.span.start_us, line.ordinal)):
        if groups and _continues(groups[-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    for position, group in enumerate(groups):
        yield Passage(
            id=passage_id(source.id, group[0].id, 0),
            source_id=source.id,
            atom_ids=tuple(line.id for line in group),
            session=source.id,
            position=position,
            speaker=group[0].speaker,
            span=_hull(line.span for line in group),
        )


def _continues(group: Sequence[_Line], line: _Line) -> bool:
    """Tell whether a line goes on with a passage: same voice, at once, and not too long."""
    close = line.span.start_us - max(g.span.end_us for g in group) <= JOINED_GAP_US
    length = sum(len(g.text) + 1 for g in group) + len(line.text)
    lasting = line.span.start_us - group[0].span.start_us < _LONGEST_JOINED_US
    return close and lasting and length <= LONGEST_PASSAGE and group[0].speaker == line.speaker


def _hull(spans: Iterable[Span]) -> Span:
    found = list(spans)
    return Span(start_us=min(s.start_us for s in found), end_us=max(s.end_us for s in found))


def _anchors(source: Source, atoms: Sequence[Atom]) -> Iterable[Anchor]:
    timed = [a for a in atoms if isinstance(a, Timed)]
    width = source.anchor_us
    cuts = _recut(source.cuts, width) if source.cuts else _grid(timed, width)
    members: dict[int, list[Timed]] = {}
    starts = [cut.start_us for cut in cuts]
    for atom in timed:
        for number in _places(atom, cuts, starts):
            members.setdefault(number, []).append(atom)
    for position, number in enumerate(sorted(members)):
        yield _anchor(source, cuts[number], members[number], position)


def _grid(atoms: Sequence[Timed], width: int) -> list[Span]:
    last = max((_last_instant(atom) for atom in atoms), default=-1)
    return [Span(start_us=start, end_us=start + width) for start in range(0, last + 1, width)]


def _recut(cuts: Sequence[Span], width: int) -> list[Span]:
    """Return prescribed stretches cut into shorter ones, or those of one longer stretch joined."""
    if width == _PRESCRIBED_US:
        return list(cuts)
    if width < _PRESCRIBED_US:
        return [
            Span(start_us=start, end_us=min(start + width, cut.end_us))
            for cut in cuts
            for start in range(cut.start_us, cut.end_us, width)
        ]
    groups = itertools.groupby(cuts, key=lambda cut: cut.start_us // width)
    return [_hull(group) for _, group in groups]


def _last_instant(atom: Timed) -> int:
    if isinstance(atom, Keyframe | ScreenText):
        return max(atom.span.start_us, atom.span.end_us - 1)
    return atom.span.start_us


def _places(atom: Timed, cuts: Sequence[Span], starts: Sequence[int]) -> Iterable[int]:
    """Return the numbers of the stretches that an atom belongs to.

    A line belongs where it starts; a picture and its words wherever they are shown.
    """
    first = max(bisect.bisect_right(starts, atom.span.start_us) - 1, 0)
    last = first
    if isinstance(atom, Keyframe | ScreenText):
        last = max(bisect.bisect_right(starts, _last_instant(atom)) - 1, first)
    return range(first, min(last, len(cuts) - 1) + 1)


def _anchor(
    source: Source,
    stretch: Span,
    atoms: Sequence[Timed],
    position: int,
) -> Anchor:
    ordered = sorted(atoms, key=lambda a: (a.span.start_us, a.kind, a.ordinal, a.id))
    speakers = [a.speaker for a in ordered if isinstance(a, Utterance) and a.speaker]
    names = tuple(dict.fromkeys(speakers))
    return Anchor(
        id=anchor_id(source.id, source.anchor_us, stretch.start_us),
        source_id=source.id,
        atom_ids=tuple(atom.id for atom in ordered),
        session=source.id,
        position=position,
        span=stretch,
        width_us=source.anchor_us,
        caption=plain_caption(names, ordered),
        speakers=names,
    )
