"""Rows that belong to nobody: what a killed writer left goes with the next one."""

from __future__ import annotations

from mmem.lifecycle.complete import Completer
from mmem.lifecycle.relate import related
from mmem.schemas import Keyframe, atom_adapter
from mmem.stores.library import Library


def sweep(library: Library, completer: Completer) -> None:
    """Delete rows and pictures of sources that are not there; settle what they were part of."""
    live = {source.id for source in library.sources()}
    orphans = library.source_ids() - live
    if not orphans:
        return
    for source_id in orphans:
        library.delete_rows(source_id)
    rows = library.table("atoms").read(["body"], where="kind = 'keyframe'")
    atoms = [atom_adapter.validate_json(body) for body in rows["body"].to_pylist()]
    named = {atom.file for atom in atoms if isinstance(atom, Keyframe)}
    library.media.delete(set(library.media.names()) - named)
    settle_recordings(library, completer)


def settle_recordings(library: Library, completer: Completer) -> None:
    """Bring recordings and transcripts to what the live sources say of each other."""
    library.put_sources(related(library.sources()))
    for source in library.sources():
        if source.kind != "conversation":
            completer.complete(source)
