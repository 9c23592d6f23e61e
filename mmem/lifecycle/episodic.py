"""The episodic graph that a reader may see, at one scale (EM²Mem G_E); nothing of it is stored."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from mmem.derive.episodes import befores, episode_of, episode_of_view
from mmem.derive.nodes import Edge, Episode, Kinds
from mmem.lifecycle.sight import Sight
from mmem.schemas import EventFrame, Quadruple, Scale, Span, View
from mmem.schemas.clock import iso
from mmem.stores.library import Library

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
EventScale = Literal["unit"] | Scale
"""What an event is: a unit (30 seconds of a recording, or a message), or a view of this scale."""


@dataclasses.dataclass(frozen=True)
class Episodic:
    """The events in one sight, from the frames and assertions that may be seen of its units."""

    library: Library
    sight: Sight
    frames: Sequence[EventFrame]
    assertions: Sequence[Quadruple]

    def of_units(self) -> MultiDiGraph:
        """Return the graph whose events are units."""
        placed = self.sight.plan.placed
        return _graph(self._units().values(), lambda unit_id: placed[unit_id].wall)

    def of_views(self, views: Sequence[View]) -> MultiDiGraph:
        """Return the graph whose events are these views, all of one scale, in order of time."""
        units, kinds = self._units(), self._kinds
        found = filter(None, (episode_of_view(view, units, kinds) for view in views))
        walls = {view.id: view.wall for view in views}
        return _graph(found, walls.__getitem__)

    @property
    def _kinds(self) -> Kinds:
        return Kinds.of(self.frames)

    def _units(self) -> Mapping[str, Episode]:
        """Return the events of single units by id, in order of time."""
        told: dict[str, list[Quadruple]] = defaultdict(list)
        for one in self.assertions:
            told[one.unit_id].append(one)
        kinds, atoms = self._kinds, self._atoms()
        found = {}
        for frame in sorted(self.frames, key=lambda f: self.sight.plan.placed[f.unit_ids[0]].order):
            (unit_id,) = frame.unit_ids
            made = episode_of(frame, told[unit_id], atoms[unit_id], kinds)
            if made is not None:
                found[unit_id] = made
        return found

    def _atoms(self) -> Mapping[str, tuple[str, ...]]:
        """Return the visible atoms of each unit."""
        sources = [i for i in self.sight.snapshot.sources if self.sight.allows_source(i)]
        every = (unit for source_id in sources for unit in self.library.units(source_id))
        return {unit.id: unit.atom_ids for unit in self.sight.shown(list(every))}


def _graph(episodes: Iterable[Episode], wall_of: Callable[[str], Span | None]) -> MultiDiGraph:
    """Return events and their edges; what GraphML cannot hold is written as text."""
    import networkx as nx

    graph, known = nx.MultiDiGraph(), list(episodes)
    for episode in known:
        wall = wall_of(episode.id)
        times = {} if wall is None else {"start": iso(wall.start_us), "end": iso(wall.end_us)}
        graph.add_node(episode.id, type="Event", name=_plain(episode.told), **times)
    for key, event, edge in _keyed(known):
        ends = [_plain(node.key) for node in (edge.source, edge.target)]
        for end, node in zip(ends, (edge.source, edge.target), strict=True):
            if end not in graph:
                graph.add_node(end, type=node.type, name=_plain(node.name))
        graph.add_edge(
            *ends,
            key=key,
            relation=edge.relation,
            event=event,
            evidence=" ".join(edge.atom_ids),
            support=edge.support,
            **{n: _plain(text) for n, text in (("agent", edge.agent), ("what", edge.what)) if text},
        )
    return graph


def _plain(text: str) -> str:
    """Return a text with its escapes in place of characters that no XML may hold."""
    return _NOT_XML.sub(lambda match: f"\\x{ord(match.group()):02x}", text)


def _keyed(episodes: Sequence[Episode]) -> Iterator[tuple[str, str, Edge]]:
    """Yield every edge with its key and its event: an edge is its event's, a number follows."""
    for episode in episodes:
        for number, edge in enumerate(episode.edges):
            yield f"{episode.id}/{number}", episode.id, edge
    for edge in befores(episodes):
        yield f"{edge.source.key}/before", edge.source.key, edge
