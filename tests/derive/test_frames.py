"""Laws of readings, whatever the text says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmem.derive.frames import Reading, read_frames
from mmem.derive.lexicon import DEICTIC
from mmem.derive.references import PRONOUNS
from mmem.derive.told import Said, Told
from mmem.errors import MissingExtra
from mmem.models.language import SpacyParser

PARTS = [
    ["I", "My sister", "Tom", "We", "She", "The old barn", "You", "Nobody", "They", "Omar and I"],
    ["bought", "will paint", "might see", "didn't like", "hope to find", "is", "told", "wants"],
    ["a red kite", "it", "my mother", "the pictures of Rome", "nothing", "that", "you", "him"],
    ["yesterday", "in Porto", "because it rained", "with a rope", "if Ann agrees", "", "so"],
    [".", "!", "?", "...", "", " 😂", ", right?"],
]  # fmt: skip
SENTENCES = st.builds(
    lambda parts: " ".join(part for part in parts[:-1] if part) + parts[-1],
    st.tuples(*(st.sampled_from(part) for part in PARTS)),
)
TEXTS = st.lists(SENTENCES | st.text(max_size=40), min_size=1, max_size=4).map(" ".join)


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    made = SpacyParser()
    try:
        next(made.parse_all(["Yes."]))
    except MissingExtra as error:
        pytest.skip(str(error))
    return made


def told(number: int, *texts: str, before: tuple[tuple[Said, ...], ...] = ()) -> Told:
    lines = tuple(
        Said((f"m-{number}-{place}",), text, "Ana", ("Bo",), 1_700_000_000_000_000)
        for place, text in enumerate(texts)
    )
    return Told(f"p-{number}", "s-1", lines, before, 1_700_000_000_000_000)


def check(unit: Told, reading: Reading) -> None:
    """Every record points at words of its own unit, and names somebody or something."""
    texts = {line.atom_ids: line.text for line in unit.lines}
    assert reading.frame.unit_ids == (unit.unit_id,)
    for record in (*reading.frame.events, *reading.quadruples):
        text = texts[record.atom_ids]
        start, end = record.chars
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip()
    ids = [quadruple.id for quadruple in reading.quadruples]
    assert len(set(ids)) == len(ids)
    for quadruple in reading.quadruples:
        for name in (quadruple.subject, quadruple.object):
            assert name.lower() not in PRONOUNS | DEICTIC | {"a", "an", "the", "it", "they", "them"}
    assert len(reading.frame.summary) <= 300


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(TEXTS, min_size=1, max_size=3))
def test_evidence_is_inside_the_unit(parser: SpacyParser, texts: list[str]) -> None:
    """Ids are unique, evidence is there, characters lie inside the text of the evidence."""
    unit = told(1, *texts)
    check(unit, next(read_frames([unit], parser)))


@settings(max_examples=40, deadline=None)
@given(sentence=SENTENCES, ending=st.sampled_from(["?", "?!", " right?"]))
def test_a_question_asserts_nothing(parser: SpacyParser, sentence: str, ending: str) -> None:
    """Under a question mark there is no fact and no event but what is asked."""
    unit = told(1, sentence.rstrip(".!?… 😂") + ending)
    reading = next(read_frames([unit], parser))
    assert not reading.quadruples
    assert {event.modality for event in reading.frame.events} <= {"asked"}


@settings(max_examples=40, deadline=None)
@given(parts=st.tuples(*(st.sampled_from(part) for part in PARTS[:3])))
@pytest.mark.parametrize("opening", ["If", "I hope", "I guess", "Maybe"])
def test_a_hope_or_condition_asserts_nothing(
    parser: SpacyParser, opening: str, parts: tuple[str, ...]
) -> None:
    """What hangs on "if", "hope", "guess" or "maybe" is never asserted."""
    unit = told(1, f"{opening} {' '.join(parts)}.")
    reading = next(read_frames([unit], parser))
    assert not [q for q in reading.quadruples if q.modality == "asserted"]


def test_a_reading_depends_on_its_unit_alone(parser: SpacyParser) -> None:
    """Order and company of the units change nothing."""
    before = (told(0, "My sister moved to Porto.").lines,)
    units = [
        told(number, f"I bought {number + 2} kites. She likes the park.", before=before)
        for number in range(90)
    ]
    together = {r.frame.id: r for r in read_frames(units, parser)}
    shuffled = random.Random(5).sample(units, len(units))
    assert {r.frame.id: r for r in read_frames(shuffled, parser)} == together
    for unit in units[:5]:
        (alone,) = read_frames([unit], parser)
        assert together[alone.frame.id] == alone


def test_a_thing_said_twice_is_one_quadruple(parser: SpacyParser) -> None:
    """A unit says a thing once, where it says it first."""
    reading = next(read_frames([told(1, "I own a goat.", "I own a goat.")], parser))
    (quadruple,) = reading.quadruples
    assert quadruple.atom_ids == ("m-1-0",)


def test_the_summary_is_verbatim_and_says_who(parser: SpacyParser) -> None:
    """It quotes the sentences that tell the most, facts before questions."""
    text = "Hi! How are you? I bought a goat. Wow."
    reading = next(read_frames([told(1, text)], parser))
    assert reading.frame.summary.startswith("Ana: ")
    assert "I bought a goat." in reading.frame.summary


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir sehen uns morgen um neun am Bahnhof.", "de"),
        ("Je ne sais pas encore, on verra demain.", "fr"),
        ("会議は明日の午後です", "ja"),
    ],
)
def test_another_language_is_skipped_with_the_reason(
    parser: SpacyParser, text: str, language: str
) -> None:
    """What the parser does not know is not read as if it did."""
    reading = next(read_frames([told(1, text)], parser))
    assert reading.frame.skipped == f"language: {language}"
    assert not reading.frame.events and not reading.quadruples


@pytest.mark.parametrize(
    "text", ["ok", "😂😂", "Melanie", "back in two minutes, sorry", "ouch", ""]
)
def test_a_short_text_is_not_skipped(parser: SpacyParser, text: str) -> None:
    """Too few letters tell no language."""
    assert not next(read_frames([told(1, text)], parser)).frame.skipped


def test_a_short_text_is_of_the_language_before_it(parser: SpacyParser) -> None:
    """Two words are judged with the lines before them."""
    before = (told(0, "Kommst du heute Abend noch mit ins Kino?").lines,)
    assert next(read_frames([told(1, "ja klar", before=before)], parser)).frame.skipped


def test_the_sample_chat_is_read(parser: SpacyParser) -> None:
    """Real short messages keep the laws."""
    chat = (Path(__file__).parents[2] / "samples" / "team-chat.txt").read_text("utf-8")
    texts = [line.split(": ", 1)[1] for line in chat.splitlines() if ": " in line]
    units = [told(number, text) for number, text in enumerate(texts)]
    readings = list(read_frames(units, parser))
    for unit, reading in zip(units, readings, strict=True):
        check(unit, reading)
    assert not [r.frame for r in readings if r.frame.skipped]
    assert any(r.quadruples for r in readings)
