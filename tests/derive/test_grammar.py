"""What single sentences tell: golden list of the grammar reader, on the real parser."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest

from mmem.derive.frames import Reading, read_frames
from mmem.derive.told import Said, Told
from mmem.errors import MissingExtra
from mmem.models.language import SpacyParser
from mmem.schemas import Event

_EPOCH = dt.datetime(1970, 1, 1)
_NOON = dt.datetime(2024, 5, 15, 12)  # a Wednesday
_HOUR_US = 3_600_000_000
_DAY_US = 24 * _HOUR_US


def microseconds(at: dt.datetime) -> int:
    return (at - _EPOCH) // dt.timedelta(microseconds=1)


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    made = SpacyParser()
    try:
        next(made.parse_all(["Yes."]))
    except MissingExtra as error:
        pytest.skip(str(error))
    return made


def said(
    text: str,
    speaker: str | None = "Ana",
    others: Sequence[str] = ("Bo",),
    at: dt.datetime | None = _NOON,
    zone_us: int = 0,
) -> Said:
    at_us = None if at is None else microseconds(at)
    return Said(("m-1",), text, speaker, tuple(others), at_us, zone_us)


def read(parser: SpacyParser, *lines: Said, before: Sequence[Said] = ()) -> Reading:
    told = Told("p-1", "s-1", lines, tuple((line,) for line in before))
    return next(read_frames([told], parser))


def triples(reading: Reading) -> set[tuple[str, str, str]]:
    return {(q.subject, q.relation, q.object) for q in reading.quadruples}


def event(reading: Reading, begins: str) -> Event:
    return next(e for e in reading.frame.events if e.action.startswith(begins))


ASSERTED = [
    ("My brother bought a green kayak yesterday.", ("Ana's brother", "buy", "a green kayak")),
    ("I work at a bakery in Lyon.", ("Ana", "work at", "a bakery")),
    ("My aunt is a beekeeper.", ("Ana's aunt", "be", "a beekeeper")),
    ("Kenji is allergic to walnuts.", ("Kenji", "be allergic to", "walnuts")),
    ("I love carving wooden spoons.", ("Ana", "love", "carving wooden spoons")),
    ("I started learning Finnish last month.", ("Ana", "start", "learning Finnish")),
    ("My cousin lives in Oslo.", ("Ana's cousin", "live in", "Oslo")),
    ("I have two nephews.", ("Ana", "have", "two nephews")),
    ("I've got a new bicycle.", ("Ana", "have", "a new bicycle")),
    ("I went to the market to buy figs.", ("Ana", "go to", "the market")),
    ("The parcel was delivered by my neighbour.",
     ("the parcel", "be delivered by", "Ana's neighbour")),
    ("I was born in Cork.", ("Ana", "be born in", "Cork")),
    ("I used to play the violin.", ("Ana", "used to play", "the violin")),
    ("You repaired the radio.", ("Bo", "repair", "the radio")),
    ("I know that Pablo owns a vineyard.", ("Pablo", "own", "a vineyard")),
    ("Just finished my thesis!", ("Ana", "finish", "Ana's thesis")),
    ('I read "The Wind and the Wall" in May.', ("Ana", "read", "The Wind and the Wall")),
    ('I watched "The Old Gate" Trilogy last night.', ("Ana", "watch", "The Old Gate Trilogy")),
    ("I walked out of the barn.", ("Ana", "walk out of", "the barn")),
    ("That's why I sold the shop.", ("Ana", "sell", "the shop")),
    ("My old area was hit by a nasty flood.", ("Ana's old area", "be hit by", "a nasty flood")),
    ("I had to shut down my blog.", ("Ana", "have to shut down", "Ana's blog")),
    ("I'm lactose intolerant.", ("Ana", "be", "lactose intolerant")),
    ("I bought a photo of the old mill.", ("Ana", "buy", "a photo of the old mill")),
    ("I appreciate your letter.", ("Ana", "appreciate", "Bo's letter")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ASSERTED)
def test_a_plain_sentence_gives_one_fact(
    parser: SpacyParser, text: str, expected: tuple[str, str, str]
) -> None:
    """Names stand for pronouns, phrases are whole, relations are base forms."""
    reading = read(parser, said(text))
    assert triples(reading) == {expected}
    (quadruple,) = reading.quadruples
    assert (quadruple.modality, quadruple.polarity) == ("asserted", "positive")


SILENT = [
    "The lake is beautiful.",
    "That sounds great!",
    "What a lovely garden!",
    "Going to the cinema!",
    "I hope the vet finds the cause.",
    "I guess Omar sold the van.",
    "Where is the ladder?",
    "Did you feed the parrot?",
    "Please close the window.",
    "The book that you lent me is heavy.",
    "I met the woman who designed the theatre.",
    "They painted the hall.",
    "Someone took something.",
    "I can't wait to see you!",
    "When I was a kid, life was slow.",
    "I have no idea.",
    "Nobody told me.",
    "We are teammates.",
    "I read Emma or Persuasion.",
    "Wow, thanks!",
    "I love talking about what we're thankful for.",
    "Have fun!",
    "I like yours.",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_tells_no_fact_gives_none(parser: SpacyParser, text: str) -> None:
    """Opinions, hopes, questions, orders, pronouns and narrowed phrases are no facts."""
    assert triples(read(parser, said(text))) == set()


MEANT = [
    ("I will repaint the fence on Saturday.", "repaint", "planned"),
    ("I'm going to adopt a rabbit.", "adopt", "planned"),
    ("I plan to study geology.", "plan to study", "planned"),
    ("I promise to return the drill by Friday.", "promise to return", "planned"),
    ("I'm flying to Lisbon tomorrow.", "fly", "planned"),
    ("I'm gonna call the bank and get a form.", "get a form", "planned"),
    ("I want to become a pilot.", "want to become", "wished"),
    ("I'd love to see the glacier.", "love to see", "wished"),
    ("I need a new coat.", "need", "wished"),
    ("I was hoping to win the raffle.", "hope to win", "wished"),
    ("I might sell the piano.", "sell", "supposed"),
    ("Maybe I left the keys at the office.", "leave the keys", "supposed"),
    ("If the ferry is late, I'll take the bus.", "take the bus", "supposed"),
    ("If the ferry is late, I'll take the bus.", "be late", "supposed"),
    ("I think the vet sold the clinic.", "sell", "supposed"),
    ("Omar said that the bridge is closed.", "be closed", "reported"),
    ("Did you feed the parrot?", "feed", "asked"),
    ("Please close the window.", "close", "ordered"),
    ("Tom didn't buy the red car, he sold his house.", "buy", "asserted"),
    ("I sat on the stool, holding a lamp.", "hold", "asserted"),
]


@pytest.mark.parametrize(("text", "action", "modality"), MEANT)
def test_how_a_clause_is_meant(parser: SpacyParser, text: str, action: str, modality: str) -> None:
    """Plans, wishes, conditions, reports, questions and orders are told apart from facts."""
    assert event(read(parser, said(text)), action).modality == modality


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't own a car.", ("Ana", "own", "a car")),
        ("Tom didn't buy the red car.", ("Tom", "buy", "the red car")),
    ],
)
def test_a_denial_is_negative(
    parser: SpacyParser, text: str, expected: tuple[str, str, str]
) -> None:
    """What is denied is kept with its polarity, on the event too."""
    reading = read(parser, said(text))
    assert triples(reading) == {expected}
    assert {q.polarity for q in reading.quadruples} == {"negative"}
    assert {e.polarity for e in reading.frame.events} == {"negative"}


def test_joined_subjects_and_objects_each_have_a_fact(parser: SpacyParser) -> None:
    """Every one of those named together is said to do it to each thing."""
    found = triples(read(parser, said("Maya and I visited the aquarium and the lighthouse.")))
    assert found == {
        (who, "visit", what)
        for who in ("Maya", "Ana")
        for what in ("the aquarium", "the lighthouse")
    }


@pytest.mark.parametrize(
    ("text", "days", "length"),
    [
        ("I sold the boat yesterday.", -1, 1),
        ("I sold the boat last week.", -9, 7),
        ("I sold the boat last month.", -44, 30),
        ("I sold the boat in 2021.", -1230, 365),
    ],
)
def test_time_words_become_the_local_stretch(
    parser: SpacyParser, text: str, days: int, length: int
) -> None:
    """A day, week, month or year is that of the speaker's clock, in UTC."""
    reading = read(parser, said(text, zone_us=2 * _HOUR_US))
    (quadruple,) = reading.quadruples
    midnight = microseconds(dt.datetime(2024, 5, 15)) - 2 * _HOUR_US
    assert quadruple.valid.start_us == midnight + days * _DAY_US
    assert quadruple.valid.end_us == midnight + (days + length) * _DAY_US
    assert event(reading, "sell").time == quadruple.valid


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("My dad has been a tailor since 2009.", True, False),
        ("I will return the drill by Friday.", False, True),
        ("I painted the gate a few years ago.", False, False),
    ],
)
def test_an_open_stretch_has_one_end(
    parser: SpacyParser, text: str, start: bool, end: bool
) -> None:
    """ "Since" has no end, "by" no beginning, "a few years ago" neither."""
    moment = read(parser, said(text)).frame.events[0].time
    assert moment.said
    assert (moment.start_us is not None, moment.end_us is not None) == (start, end)


def test_a_relative_day_without_a_clock_is_only_words(parser: SpacyParser) -> None:
    """Without the time of the turn "yesterday" has no dates."""
    (quadruple,) = read(parser, said("I sold the boat yesterday.", at=None)).quadruples
    assert quadruple.valid.said == "yesterday"
    assert quadruple.valid.start_us is quadruple.valid.end_us is None


def test_slots_are_kept_apart(parser: SpacyParser) -> None:
    """Action, place, cause and manner each hold their own words."""
    text = "I quickly repaired the lamp in the kitchen with a knife because it was dark."
    found = event(read(parser, said(text)), "repair")
    assert found.action == "repair the lamp"
    assert found.participants == ("Ana",)
    assert found.location == "the kitchen"
    assert found.cause == "because it was dark"
    assert found.manner == "quickly"


def test_open_slots(parser: SpacyParser) -> None:
    """Feelings, commitments, conditions, recipients and who said it have slots of their own."""
    text = (
        "I'm proud of my daughter. I'll send you the plan by Friday. "
        "If it rains, I'll stay home. Omar said that the bridge is closed."
    )
    extras = [found.extra for found in read(parser, said(text)).frame.events]
    assert {"affect": "proud"} in extras
    assert {"commitment": "send the plan (by Friday)", "recipient": "Bo"} in extras
    assert any(extra.get("hypothesis") == "If it rains" for extra in extras)
    assert {"said by": "Omar"} in extras


class TestWho:
    """Pronouns stand for the people of the conversation where that is sure."""

    def test_she_is_the_only_woman_named(self, parser: SpacyParser) -> None:
        found = triples(read(parser, said("I met Rosa. She runs a pottery studio.")))
        assert ("Rosa", "run", "a pottery studio") in found

    def test_she_is_nobody_where_two_could_be(self, parser: SpacyParser) -> None:
        found = triples(read(parser, said("I met Rosa and Nina. She runs a pottery studio.")))
        assert found == {("Ana", "meet", "Rosa"), ("Ana", "meet", "Nina")}

    def test_he_is_not_a_woman(self, parser: SpacyParser) -> None:
        found = triples(read(parser, said("I met my sister. He runs a pottery studio.")))
        assert found == {("Ana", "meet", "Ana's sister")}

    def test_the_lines_before_tell(self, parser: SpacyParser) -> None:
        before = said("My sister called.", speaker="Bo", others=("Ana",))
        found = triples(read(parser, said("She has a goat."), before=[before]))
        assert found == {("Bo's sister", "have", "a goat")}

    def test_the_two_who_talk_are_not_she(self, parser: SpacyParser) -> None:
        before = said("Thanks, Ana!", speaker="Bo", others=("Ana",))
        assert not read(parser, said("She has a goat."), before=[before]).quadruples

    def test_you_of_many_is_nobody(self, parser: SpacyParser) -> None:
        reading = read(parser, said("You repaired the radio.", others=("Bo", "Cy")))
        assert not reading.quadruples
        assert reading.frame.events[0].participants == ("you",)

    def test_i_of_nobody_is_nobody(self, parser: SpacyParser) -> None:
        reading = read(parser, said("I repaired the radio.", speaker=None))
        assert not reading.quadruples
        assert reading.frame.events[0].participants == ("I",)

    def test_we_is_the_speaker_and_others_untold(self, parser: SpacyParser) -> None:
        reading = read(parser, said("We repaired the radio."))
        assert reading.frame.events[0].participants == ("Ana", "we")

    def test_her_own_is_the_subject(self, parser: SpacyParser) -> None:
        found = triples(read(parser, said("I met Rosa. Alice sold her van.")))
        assert ("Alice", "sell", "Alice's van") in found
