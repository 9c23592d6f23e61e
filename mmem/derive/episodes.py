"""The episodic graph of one event: who did what to what, and what it is about (EM²Mem G_E).

An event is a unit, or a view of a longer stretch. Its edges follow from frames, quadruples and
threads by the table in `relations`; each names its event and the atoms that prove it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mmem.derive.acts import Act, act_of, place_of, thing
from mmem.derive.nodes import Edge, Episode, Kinds, Node, is_proper
from mmem.derive.relations import ENDS, RULES, Attachment, NodeType, Role, verb_key
from mmem.derive.views import SIZES
from mmem.schemas import Event, EventFrame, Quadruple, Thread, View
from mmem.words import name_key

_LEAST_RECURRING = 2
_LABELS: tuple[NodeType, ...] = ("Object", "Place", "Person")
_SUBJECTS: tuple[NodeType, ...] = ("Topic", "Person", "Place")


@dataclass
class _Edges:
    """Edges of one event; what is told twice is one edge with all its evidence."""

    held: dict[tuple[str, str, str], Edge] = field(default_factory=dict)

    def add_all(self, edges: Iterable[Edge]) -> None:
        for edge in edges:
            known = self.held.setdefault(edge.triple, edge)
            atoms = tuple(dict.fromkeys((*known.atom_ids, *edge.atom_ids)))
            self.held[edge.triple] = replace(known, atom_ids=atoms)


def episode_of(
    frame: EventFrame,
    quadruples: Sequence[Quadruple],
    atom_ids: tuple[str, ...],
    kinds: Kinds,
) -> Episode | None:
    """Return the event of one unit, None where it tells nothing.

    `atom_ids` are the unit's. Only what is asserted to have been done gives typed edges; people,
    places, things and topics of plans and questions are attached all the same.
    """
    event, edges = Node("Event", frame.unit_ids[0]), _Edges()
    edges.add_all(_done(frame, quadruples, kinds))
    edges.add_all(_attached(event, frame, quadruples, atom_ids, kinds))
    if not edges.held:
        return None
    involved = {edge.target for edge in edges.held.values() if edge.relation == "involves"}
    voices = {node for name in frame.speakers if (node := kinds.node(name, ("Person",)))}
    silent = sorted(voices - involved, key=_key)
    edges.add_all(Edge(event, "involves", person, atom_ids) for person in silent)
    told = frame.summary or frame.text_record.fine_caption
    return Episode(event.name, told, frame.source_id, atom_ids, tuple(edges.held.values()))


def episode_of_view(view: View, units: Mapping[str, Episode], kinds: Kinds) -> Episode | None:
    """Return the event of a view: its threads, and the edges of its units that recur; or None.

    An edge recurs where it stands in at least two units, or in as many as an act of this scale
    must. `units` are the events of single units, by id; a view without any of them is no event.
    """
    sizes, event = SIZES[view.scale], Node("Event", view.id)
    held = [units[unit_id] for unit_id in view.unit_ids if unit_id in units]
    if not held:
        return None
    least = max(_LEAST_RECURRING, sizes.actions.support)
    found = list(_recurring(event, held, least, sizes.speaker_support))
    of_thread = {"about": view.topics, "mentions_object": (*view.objects, *view.visible)}
    for relation, threads in of_thread.items():
        allowed = _SUBJECTS if relation == "about" else _LABELS
        for thread in threads:
            if (node := kinds.node(thread.label, allowed)) is not None:
                named = _mention(node) if relation == "mentions_object" else "about"
                atoms = _proof(thread, node, units)
                if atoms:
                    found.append(Edge(event, named, node, atoms, support=thread.support))
    edges = _Edges()
    edges.add_all(found)
    atom_ids = tuple(dict.fromkeys(atom for one in held for atom in one.atom_ids))
    timeline = "" if view.wall is not None else view.source_ids[0]
    if view.scale in ("exchange", "session"):
        timeline = view.source_ids[0]
    return Episode(view.id, view.text_summary, timeline, atom_ids, tuple(edges.held.values()))


def befores(episodes: Iterable[Episode]) -> Iterator[Edge]:
    """Yield an edge from each event to the next one of its timeline; they come in order of time.

    Its evidence is where the two meet: the last atom of one, the first of the other.
    """
    last: dict[str, Episode] = {}
    for one in episodes:
        before = last.get(one.timeline)
        if before is not None:
            atoms = (before.atom_ids[-1], one.atom_ids[0])
            yield Edge(before.node, "before", one.node, tuple(dict.fromkeys(atoms)))
        last[one.timeline] = one


def _done(frame: EventFrame, quadruples: Sequence[Quadruple], kinds: Kinds) -> Iterator[Edge]:
    """Yield the typed edges of what is asserted to have been done."""
    for one in frame.events:
        if one.modality == "asserted" and one.polarity == "positive":
            yield from _typed(one.participants, _act(one), _recipient(one), one.atom_ids, kinds)
    for told in quadruples:
        if told.modality == "asserted" and told.polarity == "positive":
            act = act_of(f"{told.relation} {told.object}")
            yield from _typed((told.subject,), act, _to(act), told.atom_ids, kinds)


def _act(event: Event) -> Act:
    """Return what an event's action tells, with where it happens and what it is done with."""
    act = act_of(event.action)
    places = [place_of(event.location)] if event.location else []
    first = event.manner.split(maxsplit=1)
    ways = [("with", thing(first[1]))] if len(first) == 2 and first[0] == "with" else []
    return Act(act.verb, act.what, (*act.beside, *(p for p in (*places, *ways) if p[1])))


def _recipient(event: Event) -> str:
    return event.extra.get("recipient") or _to(act_of(event.action))


def _to(act: Act) -> str:
    return next((name for preposition, name in act.beside if preposition == "to"), "")


def _typed(
    people: Sequence[str], act: Act, whom: str, atom_ids: tuple[str, ...], kinds: Kinds
) -> Iterator[Edge]:
    """Yield the typed edges of an act that these people do together."""
    verb = verb_key(act.verb)
    addressed = {name_key(whom), name_key(act.what)}
    doers = [name for name in people if name_key(name) not in addressed]
    prepositions = dict(reversed(act.beside))
    for preposition in ("", *prepositions):
        for rule in RULES.get((verb, preposition), ()):
            for doer in doers:
                roles: dict[Role, str] = {
                    "who": doer,
                    "what": act.what,
                    "whom": whom,
                    "beside": prepositions.get(preposition, ""),
                }
                ends = ENDS[rule.relation]
                source = kinds.node(roles[rule.source], ends.source)
                target = kinds.node(roles[rule.target], ends.target)
                if source is not None and target is not None and source.key != target.key:
                    agent = "" if rule.source == "who" else doer
                    what = "" if "what" in (rule.source, rule.target) else act.what
                    yield Edge(source, rule.relation, target, atom_ids, agent, what)


def _attached(
    event: Node,
    frame: EventFrame,
    quadruples: Sequence[Quadruple],
    atom_ids: tuple[str, ...],
    kinds: Kinds,
) -> Iterator[Edge]:
    """Yield what an event is attached to: people, places, topics, things and other names."""
    involved = set[Node]()
    for one in frame.events:
        people = {node for name in one.participants if (node := kinds.node(name, ("Person",)))}
        yield from (Edge(event, "involves", n, one.atom_ids) for n in sorted(people, key=_key))
        involved |= people
        place = kinds.node(place_of(one.location)[1], ENDS["occurs_in"].target)
        if place is not None and one.polarity == "positive":
            yield Edge(event, "occurs_in", place, one.atom_ids)
    topics = (kinds.node(topic, _SUBJECTS) for topic in frame.text_record.conversation_focus)
    yield from (Edge(event, "about", node, atom_ids) for node in topics if node)
    seen = frame.visual_record.visible_objects
    for label in (*frame.text_record.salient_objects, *seen):
        if (node := kinds.node(label, _LABELS)) is not None:
            yield Edge(event, _mention(node), node, _naming(label, frame.events) or atom_ids)
    for told in quadruples:
        proper = filter(is_proper, (told.subject, told.object))
        named = (kinds.node(name, ("Entity", "Person", "Place")) for name in proper)
        others = (node for node in named if node and node not in involved)
        yield from (Edge(event, "mentions", node, told.atom_ids) for node in others)


def _key(node: Node) -> str:
    return node.key


def _mention(node: Node) -> Attachment:
    return "mentions_object" if node.type == "Object" else "mentions"


def _naming(label: str, events: Sequence[Event]) -> tuple[str, ...]:
    """Return the atoms of the events whose act names a thing."""
    key = name_key(label)
    found = (atom for one in events if key in name_key(one.action) for atom in one.atom_ids)
    return tuple(dict.fromkeys(found))


def _recurring(
    event: Node, held: Sequence[Episode], least: int, least_of_people: int
) -> Iterator[Edge]:
    """Yield the edges that stand in enough units; attachments are the longer event's own then."""
    groups: dict[tuple[str, str, str], list[Edge]] = {}
    for episode in held:
        for edge in episode.edges:
            if edge.relation in ("about", "mentions_object"):
                continue  # threads tell these
            own = event.key if edge.source.type == "Event" else edge.source.key
            groups.setdefault((own, edge.relation, edge.target.key), []).append(edge)
    for edges in groups.values():
        first = edges[0]
        source = event if first.source.type == "Event" else first.source
        if len(edges) >= (least_of_people if first.relation == "involves" else least):
            atoms = tuple(dict.fromkeys(atom for edge in edges for atom in edge.atom_ids))
            yield replace(first, source=source, atom_ids=atoms, support=len(edges))


def _proof(thread: Thread, node: Node, units: Mapping[str, Episode]) -> tuple[str, ...]:
    """Return the atoms behind a thread: those of its units' edges to it, else the units' own."""
    found: dict[str, None] = {}
    for unit_id in thread.unit_ids:
        if (episode := units.get(unit_id)) is None:
            continue
        own = [atom for e in episode.edges if e.target.key == node.key for atom in e.atom_ids]
        found |= dict.fromkeys(own or episode.atom_ids)
    return tuple(found)
