"""From the lines of a unit to its event frame and quadruples, by grammar, without a key."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mmem.derive.clauses import clauses, is_past
from mmem.derive.contexts import Meaning
from mmem.derive.events import event_of
from mmem.derive.facts import Fact, facts
from mmem.derive.languages import foreign_language
from mmem.derive.modality import meaning
from mmem.derive.moments import lies_after, lies_ahead, moment_of, timings
from mmem.derive.references import Cast, Line
from mmem.derive.roles import means_have
from mmem.derive.summaries import summary_of
from mmem.derive.told import Said, Told
from mmem.derive.trees import Tree
from mmem.ports import Parser
from mmem.schemas import Event, EventFrame, Modality, Moment, Polarity, Quadruple
from mmem.schemas.identity import frame_id, quadruple_id

GRAMMAR = "grammar 3"
_AT_ONCE = 64
_FACTUAL = frozenset({"asserted", "planned", "wished", "supposed", "reported"})


@dataclass(frozen=True)
class Reading:
    """What one unit tells; `partial` says why it may be less than that, "" where it is whole."""

    frame: EventFrame
    quadruples: tuple[Quadruple, ...]
    partial: str = ""


@dataclass(frozen=True, slots=True)
class _Meant:
    """A fact with how and when it is meant."""

    fact: Fact
    modality: Modality
    polarity: Polarity
    moment: Moment
    said: Said


def read_frames(told: Iterable[Told], parser: Parser) -> Iterator[Reading]:
    """Yield what each unit tells, in order; each reading depends on its Told and the parser alone.

    A unit in another language than the parser's is skipped with the reason and has no events.
    """
    extractor = f"{GRAMMAR}, {parser.identity}"
    trees: dict[str, Tree] = {}
    units = iter(told)
    while batch := list(itertools.islice(units, _AT_ONCE)):
        foreign = [foreign_language(unit, parser.language) for unit in batch]
        wanted = [unit for unit, other in zip(batch, foreign, strict=True) if not other]
        trees = _parsed(wanted, parser, trees)
        for unit, other in zip(batch, foreign, strict=True):
            yield _skipped(unit, other, extractor) if other else _read(unit, trees, extractor)


def _parsed(units: Sequence[Told], parser: Parser, known: Mapping[str, Tree]) -> dict[str, Tree]:
    """Return the trees of all lines that these units hold, those known not parsed again."""
    texts = dict.fromkeys(
        line.text for unit in units for lines in (*unit.before, unit.lines) for line in lines
    )
    new = [text for text in texts if text not in known]
    made = dict(zip(new, parser.parse_all(new), strict=True))
    return {t: Tree(t, made[t]) if t in made else known[t] for t in texts}


def _skipped(unit: Told, language: str, extractor: str) -> Reading:
    frame = EventFrame(
        id=frame_id(unit.unit_id),
        source_id=unit.source_id,
        unit_ids=(unit.unit_id,),
        speakers=_speakers(unit),
        skipped=f"language: {language}",
        known_at_us=unit.known_at_us,
        extractor=extractor,
    )
    return Reading(frame, ())


def _read(unit: Told, trees: Mapping[str, Tree], extractor: str) -> Reading:
    lines = [Line(said, trees[said.text]) for said in unit.lines]
    before = [Line(s, trees[s.text]) for earlier in unit.before for s in earlier]
    events: list[tuple[Said, list[Event]]] = []
    meant: list[_Meant] = []
    for number, line in enumerate(lines):
        cast = Cast(line, [*reversed(lines[:number]), *reversed(before)])
        found, facts_found = _read_line(line, cast)
        events.append((line.said, found))
        meant += facts_found
    frame = EventFrame(
        id=frame_id(unit.unit_id),
        source_id=unit.source_id,
        unit_ids=(unit.unit_id,),
        summary=summary_of(events),
        events=tuple(event for _, found in events for event in found),
        speakers=_speakers(unit),
        known_at_us=unit.known_at_us,
        extractor=extractor,
    )
    return Reading(frame, tuple(_quadruples(unit, meant, extractor)))


def _speakers(unit: Told) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.speaker for line in unit.lines if line.speaker))


def _read_line(line: Line, cast: Cast) -> tuple[list[Event], list[_Meant]]:
    tree, dated = line.tree, timings(line.said)
    events: list[Event] = []
    found: list[_Meant] = []
    for clause in clauses(tree):
        how = meaning(tree, clause)
        moment = moment_of(tree, clause, dated)
        if is_past(tree, clause) and not means_have(tree, clause):
            moment = Moment() if lies_after(moment, line.said) else moment
        if how.modality == "asserted" and lies_ahead(tree, clause, moment, line.said):
            how = Meaning("planned", how.plain)
        event = event_of(tree, clause, cast, how, moment)
        if event is None:
            continue
        events.append(event)
        if how.plain and how.modality in _FACTUAL:
            found += [
                _Meant(
                    _dated(fact, moment, line.said),
                    how.modality,
                    event.polarity,
                    moment,
                    line.said,
                )
                for fact in facts(tree, clause, cast)
            ]
    return events, found


def _dated(fact: Fact, moment: Moment, said: Said) -> Fact:
    """Return a fact as one of its time: what ended before it was told is an episode."""
    if moment.start_us is None or moment.end_us is None or said.at_us is None:
        return fact
    return replace(fact, kind="episodic") if moment.end_us <= said.at_us else fact


def _quadruples(unit: Told, meant: Sequence[_Meant], extractor: str) -> Iterator[Quadruple]:
    """Yield each thing once that a unit says, where it says it first."""
    seen: set[str] = set()
    for one in meant:
        fact = one.fact
        told = f"{one.modality} {one.polarity} {one.moment.said}".strip()
        key = quadruple_id(unit.unit_id, fact.subject, fact.relation, fact.object, told)
        if key in seen:
            continue
        seen.add(key)
        yield Quadruple(
            id=key,
            source_id=unit.source_id,
            unit_id=unit.unit_id,
            subject=fact.subject,
            relation=fact.relation,
            object=fact.object,
            valid=one.moment,
            polarity=one.polarity,
            modality=one.modality,
            kind=fact.kind,
            atom_ids=one.said.atom_ids,
            chars=fact.chars,
            confidence=fact.confidence,
            extractor=extractor,
        )
