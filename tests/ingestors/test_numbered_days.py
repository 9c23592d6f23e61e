"""WorldMM's captions and EM²Mem's records: recordings of days that have numbers, not dates."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.errors import DamagedFile, UnsupportedFormat
from mmem.ingestors import em2mem, worldmm
from mmem.ingestors.numbered_days import DAY_US, FRAME_US, day_one, to_the_frame, written_clock
from mmem.ingestors.registry import reader_for
from mmem.schemas.clock import iso, local_datetime

NINE = 9 * 3600.0


def caption(start: str, end: str, text: str, day: str = "DAY1", clip: str = "") -> dict[str, str]:
    path = f"data/EgoLife/A1_JAKE/{clip}.mp4" if clip else ""
    return {"start_time": start, "end_time": end, "text": text, "date": day, "video_path": path}


CAPTIONS = [
    caption("09094300", "09095810", "I hold my phone.", clip="DAY1_A1_JAKE_09094208"),
    caption("23594500", "00001500", "I look at the clock.", clip="DAY1_A1_JAKE_23594500"),
    caption("09100000", "09103000", "I hold my phone."),
    caption("11000000", "11003000", "I come back.", "DAY10", clip="DAY10_A1_JAKE_11000000"),
]


def test_worldmm_times_are_those_of_day_and_frame(desk: object) -> None:
    """Frames count a twentieth, day 10 is the tenth, an end after midnight is the next day's.

    Captions of one wording keep their own times.
    """
    reading = desk.one(worldmm.READER, desk.write("A1_JAKE_30sec.json", json.dumps(CAPTIONS)))
    midnight = 24 * 3600.0
    assert desk.lines(reading) == [
        (NINE + 583, NINE + 598.5, None, "I hold my phone."),
        (NINE + 600, NINE + 630, None, "I hold my phone."),
        (midnight - 15, midnight + 15, None, "I look at the clock."),
        (9 * midnight + 11 * 3600, 9 * midnight + 11 * 3600 + 30, None, "I come back."),
    ]
    assert {atom.kind for atom in reading.atoms} == {"caption"}
    assert len({atom.id for atom in reading.atoms}) == 4
    cuts = [(cut.start_s, cut.end_s) for cut in reading.source.cuts]
    assert cuts == [(start, end) for start, end, *_ in desk.lines(reading)]
    source = reading.source
    assert (source.kind, source.participants) == ("recording", ("Jake",))
    assert iso(source.clock.at_us or 0) == "2024-01-01T00:00:00"
    assert source.notes == (
        "1 caption was earlier than the one above it, the first is caption 3",
    )  # fmt: skip


def test_day_1_on_every_caption_is_named(desk: object) -> None:
    """WorldMM's maker of captions dates all of them DAY1: their clips' names say the day.

    Where there is no clip they are kept as written, and what runs backwards is said.
    """
    days = [caption("10000000", "10003000", f"On day {n}.", clip=f"DAY{n}_A1_JAKE_10000000")
            for n in (1, 2, 11)]  # fmt: skip
    reading = desk.one(worldmm.READER, desk.write("x.json", json.dumps(days)))
    starts = [start // (24 * 3600) for start, *_ in desk.lines(reading)]
    assert starts == [0, 1, 10]
    (note,) = reading.source.notes
    assert note.startswith("2 captions were dated before its clip") and "caption 2" in note
    bare = [caption("20000000", "20003000", "Late."), caption("09000000", "09003000", "Early.")]
    reading = desk.one(worldmm.READER, desk.write("x.json", json.dumps(bare)))
    assert [text for *_, text in desk.lines(reading)] == ["Early.", "Late."]
    (note,) = reading.source.notes
    assert "all say DAY1: days may be missing" in note and "caption 2" in note


def test_a_caption_after_midnight_may_be_in_the_clip_of_the_day_before(desk: object) -> None:
    """A date after its clip's is right: only one before it can't be."""
    late = [caption("00000500", "00002000", "I yawn.", "DAY2", clip="DAY1_A1_JAKE_23595500")]
    reading = desk.one(worldmm.READER, desk.write("x.json", json.dumps(late)))
    assert reading.source.notes == ()
    assert iso(reading.source.clock.at_us or 0) == "2024-01-02T00:00:00"


def test_bad_captions_are_counted_and_the_rest_goes_in(desk: object) -> None:
    """Each kind is named with its count and first place."""
    bad = [
        7,
        {"text": "no time", "date": "DAY1"},
        caption("99999999", "11003000", "no such time"),
        caption("11000000", "11003000", " "),
        caption("11000000", "11003000", "no such day", "Monday"),
        caption("11010000", "11000000", "It ends early."),
        CAPTIONS[0],
    ]
    reading = desk.one(worldmm.READER, desk.write("x.json", json.dumps(bad)))
    assert [(a, b) for a, b, *_ in desk.lines(reading)][1] == (11 * 3600 + 60, 11 * 3600 + 60)
    assert reading.source.notes[:2] == (
        "5 captions were not read (it has no text, no date or no start_time), "
        "the first is caption 1",
        "1 caption was read as an instant: it ends before it begins, the first is caption 6",
    )
    with pytest.raises(DamagedFile, match=r"x\.json: no caption in it"):
        desk.one(worldmm.READER, desk.write("x.json", json.dumps(bad[:5])))


@pytest.mark.parametrize(
    ("ends", "scale"), [("11030000", "3 minutes"), ("11100000", "10 minutes"), ("12000000", "an")]
)
def test_coarser_scales_are_views_and_not_mixed_in(desk: object, ends: str, scale: str) -> None:
    """They are recognised, refused with the reason, and the message says what to add instead."""
    views = [{"text": "I met {everybody}.", "date": "DAY1", "start_time": "11000000",
              "end_time": ends}] * 3  # fmt: skip
    path = desk.write("A1_JAKE_3min.json", json.dumps(views))
    for read in (lambda: list(desk.many(worldmm.READER, path)), lambda: reader_for(path)):
        with pytest.raises(UnsupportedFormat, match=f"captions of {scale}.* are views") as error:
            read()
        assert "30sec" in error.value.hint


def record(start: str, end: str, *, day: int = 1, **fields: object) -> dict[str, object]:
    return {"doc_id": f"DAY{day}_{start}_{end}", "date": f"DAY{day}", **fields}


RAW = [
    {"start": 90942, "end": 90944, "text": "I hold my phone.", "type": "caption"},
    {"start": "09094310", "end": "09094500", "text": "Jake: Okay.", "type": "transcript"},
    {"start": 90950, "end": 90952, "text": "哈哈", "type": "transcript"},
    {"start": 91030, "end": 91031, "text": "A: b", "type": "transcript", "speaker": None},
]


def test_em2mem_records_are_captions_and_utterances(desk: object) -> None:
    """Raw entries keep their times, within the cut of their record; who speaks is told apart."""
    clip = "DAY1_A1_JAKE_09094208.mp4"
    records = [
        record("09101208", "09104208", caption_text="I turn.", transcript_text="Ann: Hi.\nBo: Yo."),
        record("09094208", "09101208", raw_entries=RAW, fine_caption="Retold.", video_file=clip),
    ]
    reading = desk.one(em2mem.READER, desk.write("x.json", json.dumps(records)))
    start = NINE + 9 * 60
    assert desk.lines(reading) == [
        (start + 42.4, start + 44, None, "I hold my phone."),
        (start + 43.5, start + 45, "Jake", "Okay."),
        (start + 50, start + 52, None, "哈哈"),
        (start + 72.399999, start + 91, None, "A: b"),
        (start + 72.4, start + 102.4, None, "I turn."),
        (start + 72.4, start + 102.4, "Ann", "Hi."),
        (start + 72.4, start + 102.4, "Bo", "Yo."),
    ]
    assert [atom.kind for atom in reading.atoms[:3]] == ["caption", "utterance", "utterance"]
    assert reading.source.participants == ("Jake", "Ann", "Bo")
    assert reading.source.notes == ()


def test_what_a_model_told_is_taken_only_where_nothing_else_is(desk: object) -> None:
    """And that is said, as is what could not be read."""
    records = [
        record("11000000", "11003000", day=12, fine_caption="I cook.", scene="kitchen"),
        record("11003000", "11010000", day=12, scene="kitchen"),
        record("23595000", "00002000", day=12, raw_entries=[
            {"start": "00000500", "end": "00000600", "text": "I sleep.", "type": "caption"},
            {"start": None, "text": "never", "type": "caption"}, 3]),
        {"doc_id": "somewhere", "caption_text": "x"},
    ]  # fmt: skip
    reading = desk.one(em2mem.READER, desk.write("x.json", json.dumps(records)))
    midnight = 24 * 3600.0
    assert desk.lines(reading) == [
        (11 * 3600.0, 11 * 3600.0 + 30, None, "I cook."),
        (midnight + 5, midnight + 6, None, "I sleep."),
    ]
    assert iso(reading.source.clock.at_us or 0) == "2024-01-12T00:00:00"
    assert reading.source.notes == (
        "1 record was not read (it has no day or no start), the first is record 4",
        "1 record was read without 2 raw entries that have no text or no start, "
        "the first is record 3",
        "1 record was without captions and speech: what a model told is taken, "
        "the first is record 1",
        "1 record was not read (it holds no text), the first is record 2",
    )
    with pytest.raises(DamagedFile, match=r"x\.json: no event record"):
        desk.one(em2mem.READER, desk.write("x.json", json.dumps(records[1:2])))


@given(st.integers(0, 48 * 3600 * 20 - 1))
def test_a_written_clock_is_read_back(frame: int) -> None:
    """HHMMSSFF holds every frame of two days."""
    assert to_the_frame(written_clock(frame * FRAME_US)) == frame * FRAME_US


@pytest.mark.parametrize(
    ("zone", "recorded"), [(None, None), ("Asia/Shanghai", dt.date(2024, 4, 13))]
)
def test_day_1_follows_from_the_clock(desk: object, zone: str, recorded: dt.date | None) -> None:
    """A file that begins on day 10 says when day 1 was, assumed or stated."""
    path = desk.write("x.json", json.dumps(CAPTIONS[3:]))
    stated = None if recorded is None else 1_713_000_000_000_000
    clock = desk.one(worldmm.READER, path, zone=zone, recorded_us=stated).source.clock
    tenth = dt.date(2024, 1, 10) if recorded is None else recorded
    assert local_datetime(clock.at_us or 0, zone).date() == tenth
    assert day_one(clock) == tenth - dt.timedelta(days=9)


def test_the_published_captions_are_read_whole(desk: object, shared: object) -> None:
    """Every entry of the 30-second file is a caption at its time; the coarser ones are refused."""
    folder = shared / "data" / "egolife" / "Cap_DAY1"
    if not folder.is_dir():
        pytest.skip("no captions of WorldMM at hand")
    fine = folder / "A1_JAKE_30sec.json"
    listed = json.loads(fine.read_text())
    reading = desk.one(reader_for(fine), fine)
    assert reading.source.notes == () and len(reading.source.cuts) == len(listed)
    starts = [written_clock(atom.span.start_us % DAY_US) for atom in reading.atoms]
    assert starts == [entry["start_time"] for entry in listed]
    ends = [written_clock(atom.span.end_us % DAY_US) for atom in reading.atoms]
    assert ends == [entry["end_time"] for entry in listed]
    for path in (p for p in folder.glob("*.json") if p != fine):
        with pytest.raises(UnsupportedFormat, match="are views"):
            reader_for(path)
