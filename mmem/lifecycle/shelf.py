"""The records behind some units, as far as one reader may see them."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence

from mmem.lifecycle.sight import Sight
from mmem.recall.evidence import Shelf
from mmem.stores.library import Library


def shelf_of(library: Library, sight: Sight, unit_ids: Sequence[str]) -> Shelf:
    """Return the visible ones of some units, with their visible atoms and all sources."""
    units = {**library.units_of(unit_ids), **sight.cut_units}
    visible = {i: units[i] for i in unit_ids if i in units and sight.shows(i)}
    atom_ids = [atom_id for unit in visible.values() for atom_id in unit.atom_ids]
    atoms = library.atoms_of(list(dict.fromkeys(atom_ids)))
    return Shelf(
        units=visible,
        atoms={i: atom for i, atom in atoms.items() if sight.allows(atom)},
        sources=sight.snapshot.sources,
        picture_path=lambda file: str(library.media.path(file)),
        is_there=functools.cache(os.path.exists),
    )
