"""Who is who: names put together where they mean one person or thing, each with its evidence.

Nothing of this is stored: it is a function of the assertions and speakers that a reader may see.
Names are joined by what was said ("my sister is Ana"), or because a part of a name can only mean
one whole name; where it could mean two, it means the one that is met in the same source, else
nobody's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mmem.schemas import Alias, Entity, Quadruple
from mmem.schemas.identity import digest_of
from mmem.words import name_key

_NAMING = frozenset({"be", "be called", "be named", "be known as", "call", "name"})
_PART, _SAID = 0.8, 0.7
_SHOWN = 9
Name = tuple[str, str]
"""A name's key and where it is met: a source, or "" where it means the same everywhere."""


@dataclass(frozen=True)
class Mention:
    """A name in a unit: as it is written, by which atoms, and whether it is a person's."""

    name: str
    source_id: str
    unit_id: str
    atom_ids: tuple[str, ...]
    person: bool = False


def mentions_of(assertions: Iterable[Quadruple], speakers: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the names of speakers, and those at the ends of assertions."""
    yield from speakers
    for one in assertions:
        for name in (one.subject, one.object):
            yield Mention(name, one.source_id, one.unit_id, one.atom_ids)


def entities_of(
    assertions: Sequence[Quadruple],
    speakers: Sequence[Mention],
    said_us: Mapping[str, int | None],
) -> list[Entity]:
    """Return everybody and everything that has a name, the oftenest met first.

    `said_us` tells when a unit was said, in wall microseconds.
    """
    mentions = list(mentions_of(assertions, speakers))
    names = _Names.of(mentions)
    joins = [*names.parts(), *_said(assertions, names)]
    groups = _grouped({names.node(m) for m in mentions}, joins)
    by_node = defaultdict(list)
    for mention in mentions:
        by_node[names.node(mention)].append(mention)
    found = [_entity(group, by_node, joins, said_us) for group in groups]
    return sorted(found, key=lambda e: (-len(e.unit_ids), name_key(e.name), e.id))


def entity_named(entities: Iterable[Entity], name: str) -> list[Entity]:
    """Return the entities that have a name, or a name that has it as a word, best match first."""
    key = name_key(name)
    exact, part = [], []
    for entity in entities:
        keys = [name_key(one) for one in (entity.name, *(a.name for a in entity.aliases))]
        if key in keys:
            exact.append(entity)
        elif any(key in each.split() for each in keys):
            part.append(entity)
    return exact or part


@dataclass(frozen=True)
class _Join:
    """Two names of one, why, how surely, and the mentions that show it."""

    one: Name
    other: Name
    basis: str
    confidence: float
    atom_ids: tuple[str, ...]


@dataclass(frozen=True)
class _Names:
    """The names of a memory: where each is met, and those that could mean several."""

    homes: Mapping[str, frozenset[str]]
    wholes: Mapping[str, tuple[str, ...]]
    atoms: Mapping[Name, tuple[str, ...]]

    @classmethod
    def of(cls, mentions: Sequence[Mention]) -> _Names:
        homes: dict[str, set[str]] = defaultdict(set)
        atoms: dict[Name, set[str]] = defaultdict(set)
        for mention in mentions:
            key = name_key(mention.name)
            homes[key].add(mention.source_id)
            atoms[key, mention.source_id].update(mention.atom_ids)
        proper = {name_key(m.name) for m in mentions if m.person or _is_proper(m.name)}
        wholes: dict[str, list[str]] = defaultdict(list)
        for key in sorted(proper):
            if len(words := key.split()) in (2, 3):
                for part in {words[0], words[-1]} & proper:
                    wholes[part].append(key)
        return cls(
            homes={key: frozenset(found) for key, found in homes.items()},
            wholes={part: tuple(found) for part, found in wholes.items()},
            atoms={node: tuple(sorted(found)) for node, found in atoms.items()},
        )

    def node(self, mention: Mention) -> Name:
        """Return what a mention is a mention of; a part of several names differs by source."""
        key = name_key(mention.name)
        return key, mention.source_id if len(self.wholes.get(key, ())) > 1 else ""

    def parts(self) -> Iterator[_Join]:
        """Yield which whole name each part of one means, where that is sure."""
        for part, wholes in sorted(self.wholes.items()):
            if len(wholes) == 1:
                atoms = [a for home in sorted(self.homes[part]) for a in self.atoms[part, home]]
                yield _Join((part, ""), (wholes[0], ""), "part of the name", _PART, tuple(atoms))
                continue
            for home in sorted(self.homes[part]):
                near = [whole for whole in wholes if home in self.homes[whole]]
                if len(near) == 1:
                    atoms_here = self.atoms[part, home]
                    basis = "part of the name, the only such one in this source"
                    yield _Join((part, home), (near[0], ""), basis, _PART, atoms_here)


def _said(assertions: Sequence[Quadruple], names: _Names) -> Iterator[_Join]:
    """Yield the names of which somebody said that they are one: "Wren's sister is Ana"."""
    for one in assertions:
        told = one.relation.casefold() in _NAMING and one.polarity == "positive"
        whose = "'s " in one.subject or "\u2019s " in one.subject
        if not told or one.modality != "asserted" or not whose or not _is_proper(one.object):
            continue
        ends = [
            names.node(Mention(name, one.source_id, one.unit_id, one.atom_ids))
            for name in (one.subject, one.object)
        ]
        yield _Join(ends[0], ends[1], "said to be", _SAID, one.atom_ids)


def _is_proper(name: str) -> bool:
    """Tell whether every word of a name begins with a capital, and none is owned."""
    words = name.split()
    return all(word[:1].isupper() for word in words) and not name.endswith(("'s", "\u2019s"))


def _grouped(nodes: set[Name], joins: Sequence[_Join]) -> list[list[Name]]:
    first = {node: node for node in nodes}

    def root(node: Name) -> Name:
        while first[node] != node:
            first[node] = first[first[node]]
            node = first[node]
        return node

    for join in joins:
        low, high = sorted((root(join.one), root(join.other)))
        first[high] = low
    groups = defaultdict(list)
    for node in sorted(nodes):
        groups[root(node)].append(node)
    return [groups[key] for key in sorted(groups)]


def _entity(
    group: Sequence[Name],
    by_node: Mapping[Name, Sequence[Mention]],
    joins: Sequence[_Join],
    said_us: Mapping[str, int | None],
) -> Entity:
    mentions = [mention for node in group for mention in by_node[node]]
    written = Counter(mention.name for mention in mentions)
    speaks = {mention.name for mention in mentions if mention.person}
    name = min(
        written,
        key=lambda n: (n not in speaks, not _is_proper(n), -len(n.split()), -written[n], n),
    )
    units = tuple(dict.fromkeys(sorted(mention.unit_id for mention in mentions)))
    times = [at for unit in units if (at := said_us.get(unit)) is not None]
    return Entity(
        id=f"n-{digest_of('entity', *(part for node in group for part in node))}",
        name=name,
        kind="person" if speaks else "unknown",
        aliases=tuple(_aliases(group, name, by_node, joins)),
        unit_ids=units,
        first_us=min(times, default=None),
        last_us=max(times, default=None),
    )


def _aliases(
    group: Sequence[Name],
    name: str,
    by_node: Mapping[Name, Sequence[Mention]],
    joins: Sequence[_Join],
) -> Iterator[Alias]:
    for node in group:
        written = Counter(mention.name for mention in by_node[node])
        own = min(written, key=lambda n: (-written[n], n))
        if node[0] == name_key(name):
            continue
        why = [join for join in joins if node in (join.one, join.other)]
        shown = sorted({atom for join in why for atom in join.atom_ids})
        yield Alias(
            name=own,
            basis=", ".join(sorted({join.basis for join in why})),
            confidence=max(join.confidence for join in why),
            atom_ids=tuple(shown[:_SHOWN]),
        )
