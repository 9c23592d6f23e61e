from __future__ import annotations

from pathlib import Path

import pytest

from mmem.ingestors.probe import probe
from mmem.ingestors.reading import ReadContext
from mmem.ingestors.starts import start_of
from mmem.schemas import Clock
from mmem.schemas.clock import parse_wall
from tests.ingestors.film import even, film

RED = even(["red"] * 20, fps=10)
CONTEXT = ReadContext(digest="d")


@pytest.mark.parametrize(
    ("tag", "context", "expected"),
    [
        ("2024-05-06T07:08:09.000000Z", CONTEXT, ("2024-05-06T07:08:09", "UTC", "recorded")),
        (
            "2024-05-06T07:08:09.000000Z",
            ReadContext(digest="d", recorded_us=5, zone="+02:00"),
            ("1970-01-01T00:00:00.000005", "+02:00", "stated"),
        ),
        ("1970-01-01T00:00:00.000000Z", CONTEXT, None),
        (None, CONTEXT, None),
    ],
)
def test_wall_start(
    tmp_path: Path,
    tag: str | None,
    context: ReadContext,
    expected: tuple[str, str, str] | None,
) -> None:
    """A stated start wins over the container's tag; a clock that was never set is unknown."""
    path = film(tmp_path / "a.mp4", RED, tags={"creation_time": tag} if tag else {})
    clock = start_of(path, probe(path), context)
    if expected is None:
        assert clock == Clock()
        return
    at, zone, confidence = expected
    assert (clock.at_us, clock.zone, clock.confidence) == (parse_wall(at), zone, confidence)
    if confidence == "recorded":
        assert clock.basis == "container tag creation_time"


APPLE = "com.apple.quicktime.creationdate"


@pytest.mark.parametrize(
    ("tags", "zone", "at", "shown"),
    [
        ({"creation_time": "2024-05-06T07:08:09Z"}, "Europe/Berlin", "07:08:09", "Europe/Berlin"),
        ({APPLE: "2024-05-06T09:08:09+0200"}, None, "07:08:09", "+02:00"),
        (
            {APPLE: "2024-05-06T09:08:09+0200", "creation_time": "2024-05-06T11:00:00Z"},
            None,
            "07:08:09",
            "+02:00",
        ),
    ],
)
def test_a_tag_with_its_zone(
    tmp_path: Path, tags: dict[str, str], zone: str | None, at: str, shown: str
) -> None:
    """The phone's tag wins over the container's; a zone in it is kept unless one is given."""
    options = {"movflags": "use_metadata_tags"}
    path = film(tmp_path / "a.mov", RED, tags=tags, options=options)
    clock = start_of(path, probe(path), ReadContext(digest="d", zone=zone))
    assert (clock.at_us, clock.zone) == (parse_wall(f"2024-05-06T{at}"), shown)
    assert clock.confidence == "recorded" and clock.basis.startswith("container tag")


@pytest.mark.parametrize(
    ("name", "zone", "expected"),
    [
        ("PXL_20240131_101530123", "Europe/Berlin", ("2024-01-31T10:15:30", "Europe/Berlin")),
        ("PXL_20240131_101530123.TS", None, ("2024-01-31T10:15:30", "UTC")),
        ("VID_20240131_101530", "Europe/Berlin", ("2024-01-31T09:15:30", "Europe/Berlin")),
        ("VID_20240131_101530", None, ("2024-01-31T10:15:30", None)),
        ("VID-20240131-WA0001", None, ("2024-01-31T00:00:00", None)),
        ("2024-01-31 10.15.30", None, ("2024-01-31T10:15:30", None)),
        ("Screen Recording 2024-01-31 at 1.05.09\u202fPM", None, ("2024-01-31T13:05:09", None)),
        ("GMT20240131-101530_Recording_1280x720", None, ("2024-01-31T10:15:30", "UTC")),
        ("2024-01-31T10-15", None, ("2024-01-31T10:15:00", None)),
        ("stand-up 2024-02-30", None, None),
        ("GH010123", None, None),
        ("order 120240131 of 20", None, None),
        ("take 7", None, None),
    ],
)
def test_a_date_in_a_name_is_assumed(
    tmp_path: Path, name: str, zone: str | None, expected: tuple[str, str | None] | None
) -> None:
    """Names of phones, screens and calls date a recording, and are said to be but a name."""
    path = film(tmp_path / f"{name}.mkv", RED)
    clock = start_of(path, probe(path), ReadContext(digest="d", zone=zone))
    if expected is None:
        assert clock == Clock()
        return
    assert (clock.at_us, clock.zone) == (parse_wall(expected[0]), expected[1])
    assert clock.confidence == "assumed" and "file name" in clock.basis
    assert ("unknown" in clock.basis) == ("WA0001" in name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"recorded_at": "2024-05-06T09:08:09+02:00"}', ("2024-05-06T07:08:09", "+02:00")),
        ('{"recorded_at": "2024-05-06"}', ("2024-05-06T00:00:00", None)),
        ('{"recorded_at": "soon"}', None),
        ('{"recorded_at": 5}', None),
        ("[1, 2]", None),
        ("{", None),
    ],
)
def test_a_file_beside_says_when(
    tmp_path: Path, text: str, expected: tuple[str, str | None] | None
) -> None:
    """`recorded_at` in a JSON file of the same stem wins over the tags; else the tags stand."""
    path = film(tmp_path / "a.mp4", RED, tags={"creation_time": "2020-01-01T00:00:00Z"})
    (tmp_path / "a.json").write_text(text)
    clock = start_of(path, probe(path), CONTEXT)
    if expected is None:
        assert clock.basis == "container tag creation_time"
    else:
        assert (clock.at_us, clock.zone) == (parse_wall(expected[0]), expected[1])
        assert (clock.confidence, clock.basis) == ("stated", "recorded_at in a.json")
