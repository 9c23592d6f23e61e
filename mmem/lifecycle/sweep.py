"""Rows that belong to nobody: what a killed writer left goes with the next one."""

from __future__ import annotations

from mmem.lifecycle.complete import Completer
from mmem.lifecycle.relate import related
from mmem.schemas import Atom, Keyframe, Turn, atom_adapter
from mmem.stores.library import Library


def sweep(library: Library, completer: Completer) -> None:
    """Delete rows and pictures of sources that are not there; settle what they were part of.

    A forgetting that was broken off is brought to its end: the tables are written anew.
    """
    library.media.sweep()
    live = {source.id for source in library.sources()}
    orphans = library.source_ids() - live
    for source_id in orphans:
        library.delete_rows(source_id)
    drop_unnamed_pictures(library)
    drop_dead_outcomes(library)
    if orphans or library.is_forgetting:
        settle_recordings(library, completer)
        completer.compare("what was left behind")
    if library.is_forgetting:
        library.rewrite()


def drop_dead_outcomes(library: Library) -> None:
    """Delete outcomes of sources that are gone; those of files, and of what is being read, stay."""
    live = {source.id for source in library.sources()}
    dead = {
        outcome.source_id
        for outcome in library.outcomes()
        if outcome.source_id not in live and not outcome.location
    }
    announced = {outcome.source_id for outcome in library.outcomes() if outcome.location}
    library.table("ledger").delete_ids(dead - announced, column="source_id")


def drop_unnamed_pictures(library: Library) -> None:
    """Delete pictures that nothing names: a run that was killed wrote them ahead."""
    library.media.delete(unnamed_pictures(library))


def unnamed_pictures(library: Library) -> set[str]:
    """Return the pictures that no keyframe and no message names."""
    files = set(library.media.names())
    if not files:
        return set()
    named = "kind = 'keyframe' OR (kind = 'turn' AND body LIKE '%.jpg\"%')"
    rows = library.table("atoms").read(["body"], where=named)
    atoms = [atom_adapter.validate_json(body) for body in rows["body"].to_pylist()]
    return files - {file for atom in atoms for file in picture_files(atom)}


def picture_files(atom: Atom) -> tuple[str, ...]:
    """Return the memory's picture files that an atom names as its own."""
    if isinstance(atom, Keyframe):
        return (atom.file,)
    return atom.files if isinstance(atom, Turn) else ()


def settle_recordings(library: Library, completer: Completer) -> None:
    """Bring recordings and transcripts to what the live sources say of each other."""
    library.put_sources(related(library.sources()))
    for source in library.sources():
        if source.kind != "conversation":
            completer.complete(source)
