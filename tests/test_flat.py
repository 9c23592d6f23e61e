"""Flat lines and the JSON Schemas."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from mmem.schemas import (
    Attachment,
    CaptionLine,
    Clock,
    Keyframe,
    Label,
    Revision,
    ScreenText,
    Source,
    Span,
    Turn,
    Utterance,
)
from mmem.schemas.flat import flat_adapter, flat_of
from mmem.schemas.write_json import FOLDER, schema_texts

NOON_US = 1_763_467_200_000_000  # 2025-11-18T12:00:00Z
SPAN = Span(start_us=1_500_000, end_us=4_000_000)
HERE = {"source_id": "s-1", "ordinal": 0, "locator": "line 1"}
ATOMS = [
    Turn(
        id="m-1",
        speaker="Ada",
        text="Hi\n[there]",
        wall_us=NOON_US,
        attachments=(Attachment(kind="picture", name="a.jpg"),),
        **HERE,
    ),
    Utterance(id="u-1", speaker=None, text="Hello.", span=SPAN, origin="recognised", **HERE),
    CaptionLine(id="c-1", text="A door opens.", span=SPAN, **HERE),
    ScreenText(id="t-1", text="HARBOR\n482", span=SPAN, lines=(), file="k-1.jpg", **HERE),
    Keyframe(
        id="k-1",
        stream=0,
        time_us=2_000_000,
        shown=SPAN,
        file="k-1.jpg",
        width=640,
        height=360,
        perceptual_hash="0" * 16,
        labels=(Label(name="laptop", probability=0.61),),
        colours=("white", "dark blue"),
        **HERE,
    ),
]


def source(*, at_us: int | None = NOON_US, zone: str | None = "+01:00") -> Source:
    return Source(
        id="s-1",
        kind="recording",
        key="k",
        format="video",
        title="t",
        revisions=(Revision(digest="d", reader="video@1", count=0),),
        clock=Clock(at_us=at_us, zone=zone, confidence="recorded"),
    )


def test_a_turn_has_speaker_text_and_at() -> None:
    """A message's `at` is its own time in the source's zone; its text is whole."""
    flat = flat_of(ATOMS[0], source(), str)
    assert flat.kind == "turn"
    assert (flat.speaker, flat.text, flat.at) == ("Ada", "Hi\n[there]", "2025-11-18T13:00:00+01:00")


def test_spoken_and_caption_lines_are_in_seconds() -> None:
    """Media offsets are seconds, and `at` follows from the recording's clock."""
    for atom in ATOMS[1:3]:
        flat = flat_of(atom, source(zone=None), str)
        assert flat.kind in ("utterance", "caption")
        assert (flat.start_s, flat.end_s) == (1.5, 4.0)
        assert flat.at == "2025-11-18T12:00:01.500000"


def test_a_keyframe_names_a_file_that_can_be_opened() -> None:
    """A picture has its second, how long it was shown, and the path that the caller gives."""
    flat = flat_of(ATOMS[-1], source(), lambda file: f"/media/{file}")
    assert flat.kind == "keyframe"
    assert (flat.time_s, flat.shown_start_s, flat.shown_end_s) == (2.0, 1.5, 4.0)
    assert (flat.file, flat.width, flat.height) == ("/media/k-1.jpg", 640, 360)
    assert [(label.name, label.probability) for label in flat.labels] == [("laptop", 0.61)]
    assert flat.colours == ("white", "dark blue")


def test_words_on_the_screen_name_their_picture() -> None:
    """Words read off a picture have the seconds that it was shown, and its file."""
    flat = flat_of(ATOMS[3], source(), lambda file: f"/media/{file}")
    assert flat.kind == "screen"
    assert (flat.text, flat.start_s, flat.file) == ("HARBOR\n482", 1.5, "/media/k-1.jpg")


@pytest.mark.parametrize("atom", ATOMS[1:], ids=lambda atom: atom.kind)
def test_without_a_known_start_there_is_no_wall_time(atom: Utterance) -> None:
    """A recording whose start is unknown gives lines without `at`, said to be unknown."""
    flat = flat_of(atom, source(at_us=None), str)
    assert (flat.at, flat.at_confidence) == (None, "unknown")


@pytest.mark.parametrize("atom", ATOMS, ids=lambda atom: atom.kind)
def test_every_line_fits_the_schema_on_disk(atom: Turn) -> None:
    """What `show --atoms -o jsonl` prints is valid by schemas/json/atom_line.json."""
    schema = json.loads((FOLDER / "atom_line.json").read_text(encoding="utf-8"))
    line = flat_of(atom, source(), str)
    row = line.model_dump(mode="json")
    Draft202012Validator(schema).validate(row)
    assert flat_adapter.validate_python(row) == line


def test_the_schemas_on_disk_are_those_of_the_records() -> None:
    """`python -m mmem.schemas.write_json` would change nothing."""
    on_disk = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert on_disk == schema_texts()
