"""WebVTT and SubRip: who said what and when, however the cues are written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.errors import DamagedFile
from mmem.ingestors import subrip, webvtt
from mmem.ingestors.cues import Cue, plain, spoken


def _clock(us: int, comma: str = ".") -> str:
    seconds, rest = divmod(us // 1000, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{comma}{rest:03d}"


def _vtt(cues: str) -> str:
    return f"WEBVTT\n\n{cues}"


times = st.integers(0, 4 * 3_600_000).map(lambda ms: ms * 1000)
names = st.sampled_from(
    ["Marta Lindqvist", "O'Neil, Jo", "Speaker 1", "李雷", "R. Desai (External)"]
)
texts = st.text(st.sampled_from("ab cd é你?!,.<>&;'\"-"), min_size=1, max_size=30).filter(
    lambda text: text.strip() and "-->" not in text
)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@settings(max_examples=60, deadline=None)
@given(said=st.lists(st.tuples(times, names, texts), min_size=1, max_size=6))
def test_voice_cues_give_the_utterances_back(desk, said):
    """Start, end, name and text of every voice tag are read back, in order of time."""
    blocks = [
        f"{_clock(at)} --> {_clock(at + 1_500_000)}\n<v {name}>{_escaped(text)}</v>"
        for at, name, text in said
    ]
    reading = desk.one(webvtt.READER, desk.write("x.vtt", _vtt("\n\n".join(blocks))))
    expected = [
        (at / 1e6, at / 1e6 + 1.5, name, " ".join(text.strip().split("\n")))
        for at, name, text in sorted(said, key=lambda row: row[0])
    ]
    assert [line[2:] for line in desk.lines(reading)] == [line[2:] for line in expected]
    assert [line[0] for line in desk.lines(reading)] == [line[0] for line in expected]
    assert reading.source.duration_us == max(at for at, _, _ in said) + 1_500_000


@settings(max_examples=40, deadline=None)
@given(said=st.lists(st.tuples(times, texts), min_size=1, max_size=6))
def test_subrip_gives_the_lines_back(desk, said):
    """Numbered blocks with commas in the times are read back, blank lines or not."""
    said = [(at, text) for at, text in said if not text.strip().isdecimal()]
    blocks = [
        f"{number}\n{_clock(at, ',')} --> {_clock(at + 900_000, ',')}\n{_escaped(text).strip()}"
        for number, (at, text) in enumerate(said, 1)
    ]
    for gap in ("\n\n", "\n"):
        path = desk.write("x.srt", gap.join(blocks))
        if said:
            found = spoken_texts(desk.one(subrip.READER, path))
            assert sorted(found) == sorted(" ".join([text.strip()]) for _, text in said)


def spoken_texts(reading):
    return [atom.text for atom in reading.atoms]


TIMINGS = [
    ("00:00:01.000 --> 00:00:02.500", 1.0, 2.5),
    ("00:01.000 --> 00:02.500", 1.0, 2.5),
    ("00:00:01,000 --> 00:00:02,500", 1.0, 2.5),
    ("0:00:01.0 --> 0:00:02.5 align:start position:0%", 1.0, 2.5),
    ("00:00:01.000-->00:00:02.500", 1.0, 2.5),
    ("  00:00:01.000  -->  00:00:02.500  ", 1.0, 2.5),
    ("00:00:01 --> 00:00:02", 1.0, 2.0),
    ("100:00:01.000 --> 100:00:02.500", 360001.0, 360002.5),
    ("00:00:02.000 --> 00:00:02.000", 2.0, 2.0),
    ("00:00:05.000 --> 00:00:02.000", 5.0, 5.0),
]


@pytest.mark.parametrize(("timing", "start", "end"), TIMINGS)
def test_time_lines(desk, timing, start, end):
    """Hours may lack, commas may stand for dots, a cue may last no time or end before it begins."""
    for reader, file in (
        (webvtt.READER, _vtt(f"{timing}\nhi")),
        (subrip.READER, f"1\n{timing}\nhi"),
    ):
        reading = desk.one(reader, desk.write("x", file))
        assert desk.lines(reading) == [(start, end, None, "hi")]
        assert bool(reading.source.notes) == timing.startswith("00:00:05")


def test_what_is_not_speech_is_left_out(desk):
    """Notes, styles, regions, ids, the header and the map of an HLS segment are no text."""
    text = (
        "\ufeffWEBVTT - Title\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\nKind: captions\n\n"
        "NOTE\nby me\nfor you\n\nREGION\nid:fred\n\nSTYLE\n::cue { color: red }\n\n"
        "intro\n00:01.000 --> 00:02.000\none\n\n"
        "0dfa1c1e-77aa-4b0e-9d10-000000000001/12-0\n00:03.000 --> 00:04.000\ntwo\n"
        "2\n00:05.000 --> 00:06.000\nthree\n\nNOTE end\n"
    )
    reading = desk.one(webvtt.READER, desk.write("x.vtt", text))
    assert spoken_texts(reading) == ["one", "two", "three"]
    assert reading.source.notes == ()


def test_arrows_in_speech_stay(desk):
    """A line of text with an arrow is text."""
    said = "a --> b means a gives b\n5 --> 6 too"
    reading = desk.one(webvtt.READER, desk.write("x.vtt", _vtt(f"00:01.000 --> 00:02.000\n{said}")))
    assert spoken_texts(reading) == ["a --> b means a gives b 5 --> 6 too"]


def test_markup_goes_and_brackets_stay():
    """Known tags and entities are resolved; what a person may have meant stays, as data."""
    payload = (
        "<c.yellow>R&amp;D</c> <00:00:01.500>{\\an8}<font size='2'>x</font> <laughs> &lt;i&gt;"
    )
    assert plain(payload) == "R&D x <laughs> <i>"
    assert plain("AT&T &copy &notit; &#39;") == "AT&T &copy &notit; '"


def test_bad_cues_are_counted(desk):
    """A cue whose time can't be read is counted, with its place; the rest is read."""
    cues = (
        "00:01.000 --> 00:02.000\none\n\n00:0x:03 --> 00:00:04\ntwo\n\n"
        "00:05.000 --> 00:06.000\nthree"
    )
    reading = desk.one(webvtt.READER, desk.write("x.vtt", _vtt(cues)))
    assert spoken_texts(reading) == ["one", "three"]
    assert "the first is line 6" in reading.source.notes[0]


def test_no_cue_is_an_error_in_one_line(desk):
    """A transcript without any cue names the file."""
    with pytest.raises(DamagedFile, match=r"x\.vtt: there is no cue"):
        desk.one(webvtt.READER, desk.write("x.vtt", "WEBVTT\n\nhello"))


def _cues(*texts: str) -> list[Cue]:
    return [
        Cue(n * 2_000_000, n * 2_000_000 + 1_900_000, text, n + 1) for n, text in enumerate(texts)
    ]


def _said(*texts: str) -> list[tuple[str | None, str]]:
    return [(line.speaker, line.text) for line in spoken(_cues(*texts))]


def test_prefixes_name_speakers_where_they_recur():
    """`Name:` at a cue's start is a speaker if the file writes so; a lone one is words."""
    assert _said("Ann Lee: hi", "Bo: yes", "Ann Lee: Note to self: milk", "10:30 Meeting: no") == [
        ("Ann Lee", "hi"),
        ("Bo", "yes"),
        ("Ann Lee", "Note to self: milk"),
        (None, "10:30 Meeting: no"),
    ]
    assert _said("so", "Remember this: two", "and", "Warning: hot", "Jo: x", "so", "on", "on") == [
        (None, text)
        for text in ("so", "Remember this: two", "and", "Warning: hot", "Jo: x", "so", "on", "on")
    ]


def test_names_in_brackets_are_names():
    """whisperX writes [SPEAKER_00]: before each line; a sound in brackets is no name."""
    assert _said("[SPEAKER_00]: hi", "[SPEAKER_01]: yo", "[music]", ">> [SPEAKER_00]: so") == [
        ("SPEAKER_00", "hi"),
        ("SPEAKER_01", "yo"),
        (None, "[music]"),
        (None, ">> [SPEAKER_00]: so"),
    ]


def test_prefixes_are_words_where_tags_name_speakers():
    """In a file with voice tags nothing else names a speaker."""
    assert _said("<v Jo>Bo: he said", "<v Jo>Bo: and again", "Bo: alone") == [
        ("Jo", "Bo: he said"),
        ("Jo", "Bo: and again"),
        (None, "Bo: alone"),
    ]


def test_several_speakers_in_one_cue():
    """Two voices, two prefixes or two dashes in a cue are two utterances of its time."""
    assert _said("<v Jo>One?</v> <v.loud Bo>Two.</v>") == [("Jo", "One?"), ("Bo", "Two.")]
    assert _said("Jo: One?\nBo: Two\nthree", "Jo: Four", "Bo: Five\nJo: Six") == [
        ("Jo", "One?"),
        ("Bo", "Two three"),
        ("Jo", "Four"),
        ("Bo", "Five"),
        ("Jo", "Six"),
    ]
    assert _said("- One?\n- Two\nthree") == [(None, "One?"), (None, "Two three")]
    assert _said("- one dash stays") == [(None, "- one dash stays")]


def test_sounds_have_no_speaker():
    """[applause] is kept and is nobody's."""
    assert _said("[applause]", "(laughs)", "♪ la la ♪")[0] == (None, "[applause]")


SPOKEN = ["we are going to", "sharpen a plane", "no no no", "no no no", "sharpen a plane", "yes"]


def _scrolling_with_instants(said: list[str]) -> list[Cue]:
    cues, before = [], ""
    for number, text in enumerate(said):
        start = number * 2_000_000
        cues.append(Cue(start, start + 1_990_000, f"{before}\n{text}", len(cues) + 1))
        cues.append(Cue(start + 1_990_000, start + 2_000_000, f"{text}\n ", len(cues) + 1))
        before = text
    return cues


def _scrolling_two_rows(said: list[str]) -> list[Cue]:
    return _cues(*("\n".join(said[max(0, n - 1) : n + 1]) for n in range(len(said))))


def _growing(said: list[str]) -> list[Cue]:
    return _cues(
        *(" ".join(text.split()[: n + 1]) for text in said for n in range(len(text.split())))
    )


def _three_rows(said: list[str]) -> list[Cue]:
    return _cues(*("\n".join(said[max(0, n - 2) : n + 1]) for n in range(len(said))))


@pytest.mark.parametrize("style", [_scrolling_with_instants, _scrolling_two_rows, _three_rows])
def test_scrolling_captions_are_told_once(style):
    """However captions scroll, each line is told once, and one really said twice stays twice."""
    assert [line.text for line in spoken(style(SPOKEN))] == SPOKEN


def test_growing_captions_are_told_once():
    """A line that grows word by word is one line, from its first word to its last."""
    said = ["we are going to", "sharpen a plane", "start with the coarse side"]
    found = spoken(_growing(said))
    assert [line.text for line in found] == said
    assert (found[0].start_us, found[0].end_us) == (0, 7_900_000)


def test_repetition_in_plain_captions_stays():
    """Captions that do not scroll keep every repetition."""
    said = ["No.", "No.", "No.", "Stop it.", "No.", "No."]
    assert [line.text for line in spoken(_cues(*said))] == said


def test_a_stated_start_places_the_transcript(desk):
    """The stated start is the clock's; without one it is unknown."""
    path = desk.write("call.vtt", _vtt("00:01.000 --> 00:02.000\nhi"))
    stated = desk.one(webvtt.READER, path, recorded_us=1_700_000_000_000_000, zone="UTC").source
    assert (stated.clock.at_us, stated.clock.confidence) == (1_700_000_000_000_000, "stated")
    unknown = desk.one(webvtt.READER, path).source
    assert (unknown.clock.at_us, unknown.clock.confidence) == (None, "unknown")
    assert (unknown.kind, unknown.title, unknown.id) == ("transcript", "call", stated.id)
