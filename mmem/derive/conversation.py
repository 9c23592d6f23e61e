"""One source out of its readings: union, order, and what a later export withdrew.

Every function depends on the set of revisions alone, never on which came first.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mmem.schemas import Revision, Source, Turn
from mmem.schemas.identity import turn_ids

_UNDATED = -(1 << 62)


def ranked(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns of one file with `ranks`, their place among turns of the same instant."""
    seen: dict[int | None, int] = {}
    found = []
    for turn in turns:
        rank = seen.get(turn.wall_us, 0)
        seen[turn.wall_us] = rank + 1
        found.append(turn.model_copy(update={"ranks": (rank,)}))
    return found


def common_turns(one: Iterable[Turn], other: Iterable[Turn]) -> int:
    """Return how many dated turns two conversations share: same time as written, same text.

    Turns without a time do not count: everybody says "ok".
    """
    dated = ({turn.stamp for turn in turns if turn.wall_us is not None} for turns in (one, other))
    return len(set.intersection(*dated))


def finished(turns: Iterable[Turn], revisions: Sequence[Revision]) -> list[Turn]:
    """Return the turns that some revision of their source holds, without the digests of others.

    A digest that the source does not list is of a file whose reading broke off.
    """
    known = {revision.digest for revision in revisions}
    kept = []
    for turn in turns:
        held = {d: rank for d, rank in _ranks(turn).items() if d in known}
        if held:
            kept.append(_with_ranks(turn, held))
    return kept


def same_bytes(old: Source, new: Source) -> Source:
    """Return a source read again from the same bytes: its labels and places, old and new."""
    pairs = zip(old.revisions, new.revisions, strict=True)
    stated = old.clock.confidence == "stated" and new.clock.confidence != "stated"
    return new.model_copy(
        update={
            "revisions": tuple(_same_file(one, other) for one, other in pairs),
            "labels": tuple(sorted({*old.labels, *new.labels})),
            "clock": old.clock if stated else new.clock,
            "about": old.about,
        }
    )


def rekeyed(turns: Sequence[Turn], source: Source) -> list[Turn]:
    """Return turns of one file, in order, as turns of another conversation."""
    ids = turn_ids(source.id, [turn.stamp for turn in turns])
    return [
        turn.model_copy(update={"id": turn_id, "source_id": source.id})
        for turn, turn_id in zip(turns, ids, strict=True)
    ]


def merged_source(old: Source, new: Source) -> Source:
    """Return a conversation that has the revisions of both, by period and digest.

    It goes by the smaller of the two keys, so that it does not matter which was there first.
    """
    revisions = {revision.digest: revision for revision in new.revisions}
    for revision in old.revisions:
        known = revisions.get(revision.digest)
        revisions[revision.digest] = _same_file(revision, known) if known else revision
    ordered = sorted(revisions.values(), key=_period_key)
    named = min(old, new, key=lambda source: source.key)
    stated = "stated" in (old.keyed_by, new.keyed_by) and old.key == new.key
    keys = {old.key, new.key, *old.aliases, *new.aliases}
    latest = new if ordered[-1].digest in {r.digest for r in new.revisions} else old
    return latest.model_copy(
        update={
            "id": named.id,
            "key": named.key,
            "keyed_by": "stated" if stated else named.keyed_by,
            "aliases": tuple(sorted(keys - {named.key})),
            "revisions": tuple(ordered),
            "participants": tuple(sorted({*old.participants, *new.participants})),
            "labels": tuple(sorted({*old.labels, *new.labels})),
            "notes": tuple(sorted({*old.notes, *new.notes})),
        }
    )


def merged_turns(
    old: Iterable[Turn], new: Iterable[Turn], revisions: Sequence[Revision]
) -> list[Turn]:
    """Return the union of turns in conversation order, with their revisions, rank and state."""
    union: dict[str, Turn] = {turn.id: turn for turn in old}
    place = {revision.digest: number for number, revision in enumerate(revisions)}
    for turn in new:
        known = union.get(turn.id)
        union[turn.id] = _same_turn(known, turn, place) if known else turn
    stated = [_with_state(turn, revisions, place) for turn in union.values()]
    return [
        turn if turn.ordinal == number else turn.model_copy(update={"ordinal": number})
        for number, turn in enumerate(_ordered(stated, place))
    ]


def with_files(turns: Iterable[Turn], known: Iterable[Turn]) -> list[Turn]:
    """Return turns that name the kept pictures of the stored ones: files know nothing of these."""
    kept = {(turn.id, one.name): one.file for turn in known for one in turn.attachments if one.file}
    return [_with_file(turn, kept) if turn.attachments else turn for turn in turns]


def _with_file(turn: Turn, kept: Mapping[tuple[str, str | None], str]) -> Turn:
    attachments = tuple(
        one.model_copy(update={"file": one.file or kept.get((turn.id, one.name))})
        for one in turn.attachments
    )
    return turn.model_copy(update={"attachments": attachments})


def _ordered(turns: Iterable[Turn], place: dict[str, int]) -> Iterator[Turn]:
    """Yield turns by time, those of one instant (or of no known time) as their files have them."""
    instants: dict[int, list[Turn]] = {}
    for turn in turns:
        instants.setdefault(_UNDATED if turn.wall_us is None else turn.wall_us, []).append(turn)
    for instant in sorted(instants):
        yield from _as_the_files_have_them(instants[instant], place)


def _as_the_files_have_them(turns: list[Turn], place: dict[str, int]) -> Iterator[Turn]:
    """Yield turns so that each file's order is kept; where files say nothing, the latest's rank.

    Kahn's topological order over the neighbours of every file; where files contradict each other,
    the turn that the latest file has first goes first.
    """
    by_id = {turn.id: turn for turn in turns}
    after: dict[str, set[str]] = {turn.id: set() for turn in turns}
    waits = dict.fromkeys(by_id, 0)
    for sequence in _sequences(turns):
        for one, other in itertools.pairwise(sequence):
            if other not in after[one]:
                after[one].add(other)
                waits[other] += 1
    keys = {turn.id: _latest_rank(turn, place) for turn in turns}
    ready = [(keys[i], i) for i, count in waits.items() if count == 0]
    heapq.heapify(ready)
    while waits:
        chosen = heapq.heappop(ready)[1] if ready else min(waits, key=lambda i: (keys[i], i))
        if waits.pop(chosen, None) is None:
            continue
        yield by_id[chosen]
        for other in after[chosen] & waits.keys():
            waits[other] -= 1
            if waits[other] == 0:
                heapq.heappush(ready, (keys[other], other))


def _sequences(turns: Iterable[Turn]) -> list[list[str]]:
    """Return the ids of each file's turns in its order."""
    found: dict[str, list[tuple[int, str]]] = {}
    for turn in turns:
        for digest, rank in _ranks(turn).items():
            found.setdefault(digest, []).append((rank, turn.id))
    return [[turn_id for _, turn_id in sorted(found[digest])] for digest in sorted(found)]


def _latest_rank(turn: Turn, place: dict[str, int]) -> int:
    ranks = _ranks(turn)
    return ranks[max(ranks, key=lambda digest: place.get(digest, -1))]


def _ranks(turn: Turn) -> dict[str, int]:
    return dict(zip(turn.revisions, turn.ranks, strict=True))


def _with_ranks(turn: Turn, ranks: dict[str, int]) -> Turn:
    digests = tuple(sorted(ranks))
    return turn.model_copy(
        update={"revisions": digests, "ranks": tuple(ranks[digest] for digest in digests)}
    )


def _period_key(revision: Revision) -> tuple[int, int, str]:
    end = revision.period.end_us if revision.period else _UNDATED
    return (end, revision.count, revision.digest)


def _same_file(one: Revision, other: Revision) -> Revision:
    return one.model_copy(
        update={
            "locations": tuple(sorted({*one.locations, *other.locations})),
            "imported_us": min(one.imported_us, other.imported_us),
        }
    )


def _same_turn(known: Turn, again: Turn, place: dict[str, int]) -> Turn:
    """Return one turn for two readings of it: the later export's words about it win."""
    later = max(known, again, key=lambda turn: max(place.get(d, -1) for d in turn.revisions))
    return _with_ranks(later, {**_ranks(known), **_ranks(again)})


def _with_state(turn: Turn, revisions: Sequence[Revision], place: dict[str, int]) -> Turn:
    last = max(place[digest] for digest in turn.revisions)
    lacking = (r for r in revisions[last + 1 :] if _covers(r, turn, revisions[last]))
    if any(lacking):
        return turn.model_copy(update={"state": "withdrawn"})
    return turn.model_copy(update={"state": "current"}) if turn.state == "withdrawn" else turn


def _covers(later: Revision, turn: Turn, last: Revision) -> bool:
    """Tell whether an export that ends later than the turn's last one should hold the turn.

    The first instant of a period is left out: exports may begin in the middle of a minute.
    """
    if later.period is None or last.period is None or turn.wall_us is None:
        return False
    ends_later = later.period.end_us > last.period.end_us
    return ends_later and later.period.start_us < turn.wall_us <= later.period.end_us
