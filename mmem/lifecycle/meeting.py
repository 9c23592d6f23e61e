"""Which readers meet the units of a source: by its labels, and by what is shown in its place."""

from __future__ import annotations

from collections.abc import Sequence

from mmem.derive.alike import Seen
from mmem.lifecycle.relate import shown_beside
from mmem.schemas import Source


def readers_of(sources: Sequence[Source]) -> dict[str, Seen]:
    """Return source id -> who meets its units whole.

    Who sees a recording is shown its transcript in its anchors, not in passages; who sees the
    recording alone meets anchors that are cut anew, and not the whole ones.
    """
    labels = {source.id: frozenset(source.labels) for source in sources}
    found = {source_id: Seen(own) for source_id, own in labels.items()}
    for recording, beside in shown_beside(sources).items():
        if recording in labels:
            found[recording] = Seen(labels[recording].union(*(labels[i] for i in beside)))
            found |= {i: Seen(labels[i], unless=labels[recording]) for i in beside}
    return found


def named(seen: Seen) -> str:
    """Return a text that tells kinds of readers apart; "" for everybody."""
    unless = "" if seen.unless is None else f" but {sorted(seen.unless)}"
    return f"{sorted(seen.need) if seen.need else ''}{unless}"
