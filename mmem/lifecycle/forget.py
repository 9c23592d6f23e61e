"""Forgetting a source: everything that came from it goes, and each layer is searched for proof."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Literal, Protocol

import numpy as np

from mmem.lifecycle.complete import FINISHED, Completer
from mmem.lifecycle.sweep import (
    drop_unnamed_pictures,
    picture_files,
    settle_recordings,
    sweep,
    unnamed_pictures,
)
from mmem.lifecycle.viewing import NO_SOURCE
from mmem.schemas import Atom, Receipt, ReceiptLine, Source
from mmem.stores.library import Library
from mmem.stores.snapshot import load
from mmem.stores.spaces import spare_tables
from mmem.stores.tables import quoted
from mmem.words import terms

_BEST = 20
_PROBES = 5
_SHORTEST_PROBE = 12


@dataclasses.dataclass(frozen=True)
class _Doomed:
    """What must be gone: the source, its atoms, and other sources' units that hold some of them."""

    source: Source
    atoms: Sequence[Atom]
    unit_ids: Sequence[str]
    dependants: Sequence[str]
    probes: Sequence[str]


class Replies(Protocol):
    """A language model's remembered replies, which name the atoms that they were asked about."""

    def forget_atoms(self, ids: Collection[str]) -> int:
        """Delete the replies about some atoms; return how many there were."""
        ...


def forget_source(
    library: Library, completer: Completer, source: Source, replies: Replies | None
) -> Receipt:
    """Remove a source and what was derived from it; return the receipt of what was searched.

    Every layer is searched through its own interface before (the positive control) and after.
    `completer` has no models: what must be judged anew becomes pending. `replies` are this user's;
    those of others lie in their own folders.
    """
    sweep(library, completer)
    doomed = _doomed(library, source)
    before = _found(library, doomed)
    library.begin_forgetting()
    _delete(library, doomed)
    settle_recordings(library, completer)
    completer.compare(source.title)
    library.rewrite()
    after = _found(Library.open(library.folder), doomed)
    lines = [_line(layer, before[layer], after[layer]) for layer in before]
    pending = [o for o in library.outcomes() if o.status not in FINISHED]
    return Receipt(
        source_id=source.id,
        title=source.title,
        lines=(*lines, *_reply_lines(replies, doomed)),
        pending=tuple(f"{o.source_id} {o.stage}: {o.reason}" for o in pending),
    )


def _doomed(library: Library, source: Source) -> _Doomed:
    atoms = library.atoms(source.id)
    texts = sorted({a.text for a in atoms if len(a.text) >= _SHORTEST_PROBE}, key=len)
    units = [unit.id for unit in library.units(source.id)]
    return _Doomed(source, atoms, units, _dependants(library, source, atoms), texts[-_PROBES:])


def _dependants(library: Library, source: Source, atoms: Sequence[Atom]) -> list[str]:
    """Return the units of a recording that hold lines of this transcript."""
    if source.about is None:
        return []
    own = {atom.id for atom in atoms}
    return [unit.id for unit in library.units(source.about) if own & set(unit.atom_ids)]


def _delete(library: Library, doomed: _Doomed) -> None:
    for table in spare_tables(library.folder).values():
        # Vectors of its recording, and of views of several sources, tell its words too.
        table.delete_ids({doomed.source.about or NO_SOURCE, NO_SOURCE}, column="source_id")
    library.delete_source(doomed.source.id)
    library.media.delete(file for atom in doomed.atoms for file in picture_files(atom))
    drop_unnamed_pictures(library)


def _found(library: Library, doomed: _Doomed) -> dict[str, int]:
    """Count, layer by layer and through each layer's own interface, what is found of a source."""
    own = f"source_id = {quoted(doomed.source.id)}"
    pictures = {file for atom in doomed.atoms for file in picture_files(atom)}
    return {
        "sources": library.table("sources").count(f"id = {quoted(doomed.source.id)}"),
        "atoms": library.table("atoms").count(own),
        "units": library.table("units").count(own),
        "postings": library.table("postings").count(own),
        "vectors": library.vectors.count(own),
        "token codes": library.codes.count(own),
        "vectors made anew": sum(t.count(own) for t in spare_tables(library.folder).values()),
        "picture vectors": sum(t.count(own) for t in library.images.tables().values()),
        "frames": library.table("frames").count(own),
        "what was seen on pictures": sum(t.count(own) for t in library.seen.tables().values()),
        "facts": library.table("facts").count(own),
        "names": library.table("names").count(own),
        "comparisons": _count_comparisons(library, doomed),
        "units of its recording": _count_dependants(library, doomed),
        "words in search": _count_by_search(library, doomed),
        "pictures": len(pictures & set(library.media.names())) + len(unnamed_pictures(library)),
        "unfinished work": int(doomed.source.id in library.drafts.source_ids()),
        "ledger": library.table("ledger").count(own),
        "older table versions": sum(t.older_versions() for t in library.content_tables().values()),
    }


def _count_comparisons(library: Library, doomed: _Doomed) -> int:
    """Count comparisons of its units, and those of others that name one of them."""
    own = set(doomed.unit_ids)
    rows = library.table("comparisons").read(["unit_id", "candidates", "apart"]).to_pylist()
    return sum(bool(own & {r["unit_id"], *r["candidates"], *r["apart"]}) for r in rows)


def _count_dependants(library: Library, doomed: _Doomed) -> int:
    """Count units of other sources that still hold an atom of the doomed one."""
    own = {atom.id for atom in doomed.atoms}
    units = library.units_of(doomed.dependants).values()
    return sum(bool(own & set(unit.atom_ids)) for unit in units)


def _count_by_search(library: Library, doomed: _Doomed) -> int:
    """Count probe sentences for which a lexical search brings a unit that holds their atom."""
    index = load(library).index
    own = {atom.id for atom in doomed.atoms}
    count = 0
    for probe in doomed.probes:
        scores = index.bm25(dict.fromkeys(terms(probe), 1.0), k1=1.2, b=0.5)
        best = [index.columns.ids[row] for row in np.argsort(-scores)[:_BEST] if scores[row] > 0]
        units = library.units_of(best).values()
        count += any(own & set(unit.atom_ids) for unit in units)
    return count


def _reply_lines(replies: Replies | None, doomed: _Doomed) -> list[ReceiptLine]:
    """Delete a language model's replies about the source; tell how many there were."""
    if replies is None:
        return []
    ids = {atom.id for atom in doomed.atoms}
    found = replies.forget_atoms(ids)
    others = ReceiptLine(
        layer="replies of a language model to other users",
        found_before=0,
        found_after=0,
        verdict="not_checked",
        note="they lie in the cache folders of those who added or asked",
    )
    return [_line("replies of a language model", found, replies.forget_atoms(ids)), others]


def _line(layer: str, before: int, after: int) -> ReceiptLine:
    if after:
        return ReceiptLine(layer=layer, found_before=before, found_after=after, verdict="residue")
    verdict: Literal["erased", "nothing_there"] = "erased" if before else "nothing_there"
    return ReceiptLine(layer=layer, found_before=before, found_after=0, verdict=verdict)
