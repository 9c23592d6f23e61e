"""EgoLife: captions and speech stay with the clip that lists them."""

from __future__ import annotations

import bisect
import json

import pytest

from mmem.errors import DamagedFile
from mmem.ingestors.egolife import READER
from mmem.schemas.clock import iso


def _clip(name, *rows):
    data = [{"start": a, "end": b, "text": text, "type": kind} for a, b, text, kind in rows]
    return {"video_file": name, "data": data}


FILE = [
    _clip("DAY2_A1_JAKE_00000500.mp4", (5, 6, "I wake up.", "caption")),
    _clip(
        "DAY1_A1_JAKE_09054208.mp4",
        (90542, 90544, "I hold my phone.", "caption"),
        (90543, 90543, "Jake: Okay.", "transcript"),
        (90544, 90544, "Others：好", "transcript"),
        (90545, 90546, "哈哈", "transcript"),
        (90614, 90616, "Lucia: late", "transcript"),
    ),
    _clip("DAY1_A1_JAKE_09060000.mp4", (90600, 90599, "I turn.", "caption")),
]


def test_times_speakers_and_clips(desk):
    """Frames count a twentieth, leading zeros may lack, clips are in order, lines stay inside."""
    reading = desk.one(READER, desk.write("A1.json", json.dumps(FILE)))
    nine = 9 * 3600.0
    assert desk.lines(reading) == [
        (nine + 342.4, nine + 344.0, None, "I hold my phone."),
        (nine + 343.0, nine + 343.0, "Jake", "Okay."),
        (nine + 344.0, nine + 344.0, "Others", "好"),
        (nine + 345.0, nine + 346.0, None, "哈哈"),
        (nine + 359.999999, nine + 360.0, "Lucia", "late"),
        (nine + 360.0, nine + 360.0, None, "I turn."),
        (86405.0, 86406.0, None, "I wake up."),
    ]
    assert [atom.kind for atom in reading.atoms][:2] == ["caption", "utterance"]
    cuts = [(cut.start_s, cut.end_s) for cut in reading.source.cuts]
    assert cuts == [(nine + 342.4, nine + 360), (nine + 360, nine + 390), (86405, 86435)]
    assert reading.source.participants == ("Jake", "Others", "Lucia")
    assert (reading.source.kind, reading.source.duration_us) == ("recording", 86_435_000_000)


def test_days_have_assumed_dates(desk):
    """Day 1 is taken to be 2024-01-01, and that is said; a stated day is taken instead."""
    path = desk.write("A1.json", json.dumps(FILE[:1]))
    clock = desk.one(READER, path).source.clock
    assert (iso(clock.at_us or 0), clock.confidence) == ("2024-01-02T00:00:00", "assumed")
    assert "2024-01-01" in clock.basis
    stated = desk.one(READER, path, recorded_us=1_713_000_000_000_000, zone="Asia/Shanghai")
    clock = stated.source.clock
    assert iso(clock.at_us or 0, clock.zone) == "2024-04-13T00:00:00+08:00"
    assert clock.confidence == "stated"


def test_bad_clips_and_lines_are_counted(desk):
    """What has no time or no text is counted with its place; the rest is read."""
    bad = [_clip("intro.mp4", (1, 2, "x", "caption")), {"data": []}, *FILE, 7]
    bad[2] = _clip(
        "DAY1_A1_JAKE_10000000.mp4", (99, 1, "x", "caption"), (100000, 1, " ", "caption")
    )
    reading = desk.one(READER, desk.write("A1.json", json.dumps(bad)))
    assert reading.source.notes == (
        "3 clips were not read (its name tells no time), the first is clip 1",
        "2 lines were not read (it has no text or no times), the first is line 2",
    )
    with pytest.raises(DamagedFile, match=r"A1\.json: no clip"):
        desk.one(READER, desk.write("A1.json", "[]"))


def test_the_data_set_is_read_whole(desk, shared):
    """Every line of every file is in the cut of the clip that lists it, in listed order."""
    files = sorted((shared / "data" / "egolife" / "Sync").glob("*.json"))
    for path in files[:: max(1, len(files) // 6)]:
        clips = json.loads(path.read_text())
        reading = desk.one(READER, path)
        assert reading.source.notes == ()
        assert len(reading.source.cuts) == len(clips)
        starts = [cut.start_us for cut in reading.source.cuts]
        listed = [place for place, clip in enumerate(clips) for _ in clip["data"]]
        found = [bisect.bisect_right(starts, a.span.start_us) - 1 for a in reading.atoms]
        assert found == listed
        assert all(a.span.end_us <= reading.source.cuts[n].end_us
                   for a, n in zip(reading.atoms, found, strict=True))  # fmt: skip
        assert len({atom.id for atom in reading.atoms}) == len(reading.atoms)
