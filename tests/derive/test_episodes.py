"""The episodic graph of one event: which edges, between what, by which proof."""

from __future__ import annotations

from mmem.derive.episodes import befores, episode_of, episode_of_view
from mmem.derive.nodes import Edge, Episode, Kinds, Node
from mmem.derive.relations import ENDS
from mmem.schemas import Event, EventFrame, Quadruple, Span, TextRecord, Thread, View, Voice

PEOPLE = Kinds(frozenset({"ann", "lou"}), frozenset({"paris"}))


def event(action: str, *who: str, **slots: object) -> Event:
    plain = {"participants": who or ("Ann",), "action": action, "atom_ids": ("m-1",)}
    return Event.model_validate({"chars": (0, 1), **plain, **slots})


def frame(*events: Event, unit: str = "p-1", **fields: object) -> EventFrame:
    plain = {"id": f"e-{unit}", "source_id": "s-1", "unit_ids": (unit,), "extractor": "x"}
    return EventFrame.model_validate({**plain, "events": events, **fields})


def told(subject: str, relation: str, value: str, **fields: object) -> Quadruple:
    plain = {
        "id": "q-1",
        "source_id": "s-1",
        "unit_id": "p-1",
        "subject": subject,
        "relation": relation,
        "object": value,
        "atom_ids": ("m-2",),
        "chars": (0, 1),
        "confidence": 0.9,
        "extractor": "x",
    }
    return Quadruple.model_validate({**plain, **fields})


def typed(*events: Event, facts: tuple[Quadruple, ...] = ()) -> set[tuple[str, str, str]]:
    made = episode_of(frame(*events), facts, ("m-1", "m-2"), PEOPLE)
    return {e.triple for e in made.edges if e.source.type != "Event"} if made else set()


def test_acts_give_typed_edges() -> None:
    """Law: the table says which parts of an act are the ends; the slots of the event are parts."""
    assert typed(event("put the cup", location="on the table")) == {
        ("Object: cup", "place_on", "Object: table")
    }
    assert typed(event("give the keys", "Ann", "Lou", extra={"recipient": "Lou"})) == {
        ("Person: ann", "hand_to", "Person: lou")
    }
    assert typed(event("ask Lou about the cake", "Ann", "Lou")) == {
        ("Person: ann", "ask_about", "Topic: cake")
    }
    assert typed(event("wipe the table", manner="with a cloth")) == {
        ("Person: ann", "use", "Object: cloth")
    }
    assert typed(event("take the milk", location="from the fridge")) == {
        ("Object: milk", "take_from", "Object: fridge")
    }
    assert typed(facts=(told("Ann", "pick up", "the phone"),)) == {
        ("Person: ann", "hold", "Object: phone")
    }


def test_types_constrain_the_ends() -> None:
    """Law: what is no person invites nobody; one cannot hold a place or oneself."""
    assert typed(event("invite Lou", "the weather")) == set()
    assert typed(event("hold Paris"), event("move Lou")) == set()
    assert typed(event("invite Ann", "Ann"), event("hold Lou's left hand")) == set()


def test_plans_and_denials_are_no_acts() -> None:
    """Law: a typed edge says that it was done."""
    meant = [
        event("hold the cup", modality=one) for one in ("planned", "asked", "wished", "supposed")
    ]
    assert typed(*meant, event("hold the cup", polarity="negative")) == set()
    assert typed(facts=(told("Ann", "hold", "the cup", modality="planned"),)) == set()


def test_every_edge_keeps_the_ends_of_its_relation_and_has_proof() -> None:
    """Law: types fit, atoms are the event's, what is told twice is one edge with all its proof."""
    twice = frame(event("hold the cup"), event("hold the cup", atom_ids=("m-3",)))
    made = episode_of(twice, (told("Ann", "hold", "the cup"),), ("m-1", "m-2", "m-3"), PEOPLE)
    assert made is not None
    (held,) = [edge for edge in made.edges if edge.relation == "hold"]
    assert held.atom_ids == ("m-1", "m-3", "m-2")
    for edge in made.edges:
        if edge.relation in ENDS:
            assert edge.source.type in ENDS[edge.relation].source
            assert edge.target.type in ENDS[edge.relation].target
        assert set(edge.atom_ids) <= set(made.atom_ids)


def test_an_event_is_attached_to_who_and_what_it_is_about() -> None:
    """Law: people, places, things and topics by their own words, else by the unit's atoms."""
    record = TextRecord(salient_objects=("cup", "lamp"), conversation_focus=("party",))
    held = event("hold the cup", location="in Paris")
    told_in = frame(held, text_record=record, speakers=("Ann", "Lou"))
    made = episode_of(told_in, (told("Ann", "like", "Radiohead"),), ("m-1", "m-2"), PEOPLE)
    assert made is not None
    found = {edge.triple: edge.atom_ids for edge in made.edges if edge.source.type == "Event"}
    assert found == {
        ("p-1", "involves", "Person: ann"): ("m-1",),
        ("p-1", "involves", "Person: lou"): ("m-1", "m-2"),
        ("p-1", "occurs_in", "Place: paris"): ("m-1",),
        ("p-1", "about", "Topic: party"): ("m-1", "m-2"),
        ("p-1", "mentions_object", "Object: cup"): ("m-1",),
        ("p-1", "mentions_object", "Object: lamp"): ("m-1", "m-2"),
        ("p-1", "mentions", "Entity: radiohead"): ("m-2",),
    }
    assert episode_of(frame(speakers=("Lou",)), (), ("m-1",), PEOPLE) is None


def test_people_and_places_are_told_from_things() -> None:
    """Law: who speaks or takes part by name is a person, where things are is a place."""
    kinds = Kinds.of(
        [
            frame(event("arrive", "Two boats", location="in Oslo"), speakers=("Kit",)),
            frame(event("sing", "Zoe", "we", location="on the Table")),
        ]
    )
    assert kinds.people == {"kit", "zoe"} and kinds.places == {"oslo"}
    every = ("Object", "Place", "Person")
    assert kinds.node("my sister", every) == Node("Person", "my sister")
    assert kinds.node("the kitchen", every) == Node("Place", "the kitchen")
    assert kinds.node("table", every) == Node("Object", "table")
    assert kinds.node("they", every) is None and kinds.node("", every) is None


def unit(number: int, action: str) -> Episode:
    one = event(action, atom_ids=(f"m-{number}",), location="in Paris")
    made = episode_of(frame(one, unit=f"p-{number}"), (), (f"m-{number}",), PEOPLE)
    assert made is not None
    return made


def test_a_longer_event_has_its_threads_and_what_recurs() -> None:
    """Law: an edge in one unit is not the hour's; support counts the units, atoms are theirs."""
    units = {f"p-{n}": unit(n, "hold the cup") for n in (1, 2, 3)}
    units["p-4"] = unit(4, "hold the lamp")
    cup = Thread(label="cup", support=3, coverage=1.0, first="p-1", last="p-3", unit_ids=("p-1",))
    ids = tuple(units)
    view = View(
        id="w-1",
        scale="1h",
        source_ids=("s-1",),
        unit_ids=ids,
        objects=(cup,),
        speakers=(Voice(name="Ann", units=4),),
        wall=Span(start_us=0, end_us=1),
    )
    made = episode_of_view(view, units, PEOPLE)
    assert made is not None and made.timeline == ""
    found = {edge.triple: (edge.support, edge.atom_ids) for edge in made.edges}
    assert found == {
        ("Person: ann", "hold", "Object: cup"): (3, ("m-1", "m-2", "m-3")),
        ("w-1", "involves", "Person: ann"): (4, ("m-1", "m-2", "m-3", "m-4")),
        ("w-1", "occurs_in", "Place: paris"): (4, ("m-1", "m-2", "m-3", "m-4")),
        ("w-1", "mentions_object", "Object: cup"): (3, ("m-1",)),
    }


def test_before_leads_from_each_event_to_the_next_of_its_timeline() -> None:
    """Law: sources without a common clock are no one story; the proof is where the two meet."""

    def one(name: str, timeline: str) -> Episode:
        return Episode(name, "", timeline, (f"{name}-first", f"{name}-last"), ())

    edges = list(befores([one("a", "s"), one("b", "t"), one("c", "s"), one("d", "s")]))
    assert [edge.triple for edge in edges] == [("a", "before", "c"), ("c", "before", "d")]
    assert edges[0] == Edge(Node("Event", "a"), "before", Node("Event", "c"), ("a-last", "c-first"))
