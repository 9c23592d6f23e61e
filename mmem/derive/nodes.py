"""What episodic graphs are made of: nodes with a type, edges with their proof, events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mmem.derive.acts import BODY, place_of
from mmem.derive.relations import PEOPLE, PLACES, Attachment, NodeType, Relation
from mmem.schemas import EventFrame
from mmem.words import name_key

_NOBODY = frozenset("i we you he she they it someone somebody everyone who this that there".split())
_IN = frozenset({"in", "at", "inside", "to", "into", "near"})


@dataclass(frozen=True, slots=True)
class Node:
    """Something that has a part in events; for an event `name` is its id."""

    type: NodeType
    name: str

    @property
    def key(self) -> str:
        """What two ways to write it have in common."""
        return self.name if self.type == "Event" else f"{self.type}: {name_key(self.name)}"


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge or an attachment, the atoms that prove it, and in how many units it stands."""

    source: Node
    relation: Relation | Attachment
    target: Node
    atom_ids: tuple[str, ...]
    agent: str = ""
    """Who did it, where that is neither end ("Ann put the cup on the table")."""
    what: str = ""
    """With what, where that is neither end ("Ann gave Lou the cup")."""
    support: int = 1

    @property
    def triple(self) -> tuple[str, str, str]:
        """What makes two edges of one event the same."""
        return self.source.key, self.relation, self.target.key


@dataclass(frozen=True, slots=True)
class Episode:
    """An event with its edges; `timeline` are events that follow each other."""

    id: str
    told: str
    timeline: str
    atom_ids: tuple[str, ...]
    edges: tuple[Edge, ...]

    @property
    def node(self) -> Node:
        """The event itself."""
        return Node("Event", self.id)


@dataclass(frozen=True)
class Kinds:
    """Which names are people's and which are places', by their keys."""

    people: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()

    @classmethod
    def of(cls, frames: Iterable[EventFrame]) -> Kinds:
        """Take those who speak, and whoever with a name takes part; names of where things are."""
        people, places = set[str](), set[str]()
        for frame in frames:
            people.update(map(name_key, frame.speakers))
            for event in frame.events:
                people.update(name_key(n) for n in event.participants if is_proper(n))
                preposition, where = place_of(event.location)
                if preposition in _IN and is_proper(where):
                    places.add(name_key(where))
        return cls(frozenset(people), frozenset(places - people))

    def node(self, name: str, allowed: Sequence[NodeType]) -> Node | None:
        """Return the node of a name, None where its type is not allowed or it names nothing."""
        key = name_key(name)
        if not key or key in _NOBODY:
            return None
        head = key.split()[-1]
        if head in BODY:
            return None
        if key in self.people or head in PEOPLE:
            return Node("Person", name) if "Person" in allowed else None
        if key in self.places or head in PLACES:
            return Node("Place", name) if "Place" in allowed else None
        free = (one for one in allowed if one in ("Object", "Topic", "Entity"))
        return next((Node(one, name) for one in free), None)


def is_proper(name: str) -> bool:
    """Tell whether a name begins every word with a capital, and is no pronoun.

    >>> is_proper("Mrs Okafor"), is_proper("Two boats"), is_proper("I")
    (True, False, False)
    """
    words = name.split()
    capitals = bool(words) and all(word[:1].isupper() for word in words)
    return capitals and name.casefold() not in _NOBODY and "'" not in name and "’" not in name
