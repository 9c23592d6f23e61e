"""Field cases at the readers: what users reported, and one more of each kind."""

from __future__ import annotations

import json

import pytest

from mmem.ingestors import role_messages, subrip, webvtt, whatsapp


def _expected(folder):
    return json.loads((folder / "expected.json").read_text())["expect"]


def _all_text(reading):
    return "\n".join(f"{atom.speaker}: {atom.text}" for atom in reading.atoms)


def test_o06_meeting_voices(desk, shared):
    """Teams: names in voice tags, ids before the times, two voices in a cue."""
    folder = shared / "cases" / "o06-teams-vtt"
    expect = _expected(folder)
    reading = desk.one(webvtt.READER, folder / "Project sync.vtt")
    assert desk.lines(reading) == [
        (line["start"], line["end"], line.get("speaker"), line["text"])
        for line in expect["utterances"]
    ]
    assert list(reading.source.participants) == expect["speakers"]
    assert not [text for text in expect["must_not_contain_text"] if text in _all_text(reading)]
    assert reading.source.notes == ()


def test_o06_another_platform(desk):
    """Zoom and Meet: names before a colon, one of them mid-cue; an announcement names nobody."""
    text = (
        "WEBVTT\n\n"
        "1\n00:00:03.120 --> 00:00:06.480\n"
        "Marta Lindqvist: Morning. Is the spec ready?\n\n"
        "2\n00:00:06.900 --> 00:00:09.200\n"
        "Rahul Desai (External): Almost. R&amp;D owes us: flow.\n\n"
        "3\n00:00:09.200 --> 00:00:12.000\n"
        "Marta Lindqvist: Which rows?\nRahul Desai (External): Where 4 &lt; x.\n\n"
        "4\n00:00:12.500 --> 00:00:14.000\nO'Neil, Jo: Note to self: seals.\n\n"
        "5\n00:00:14.500 --> 00:00:15.000\n10:30 Meeting: room B\n"
        "6\n00:00:16.500 --> 00:00:17.000\nRahul Desai (External): Bye.\n"
    )
    reading = desk.one(webvtt.READER, desk.write("zoom.vtt", text))
    assert [line[2:] for line in desk.lines(reading)] == [
        ("Marta Lindqvist", "Morning. Is the spec ready?"),
        ("Rahul Desai (External)", "Almost. R&D owes us: flow."),
        ("Marta Lindqvist", "Which rows?"),
        ("Rahul Desai (External)", "Where 4 < x."),
        ("O'Neil, Jo", "Note to self: seals."),
        (None, "10:30 Meeting: room B"),
        ("Rahul Desai (External)", "Bye."),
    ]


def test_o07_scrolling_captions(desk, shared):
    """YouTube: 7 spoken lines, 43 words, each once; what is said twice stays twice."""
    folder = shared / "cases" / "o07-youtube-rolling"
    expect = _expected(folder)
    reading = desk.one(webvtt.READER, folder / "plane-blade.en.vtt")
    assert [(line[0], line[3]) for line in desk.lines(reading)] == [
        (line["start"], line["text"]) for line in expect["spoken_lines_in_order"]
    ]
    assert sum(len(atom.text.split()) for atom in reading.atoms) == expect["total_words"]
    assert not [text for text in expect["must_not_contain_text"] if text in _all_text(reading)]


def test_o07_another_style(desk, shared):
    """The same captions as SubRip, without word times, two rows rolling at every cue."""
    said = [
        line["text"]
        for line in _expected(shared / "cases" / "o07-youtube-rolling")["spoken_lines_in_order"]
    ]
    blocks = [
        f"{n + 1}\n00:00:{2 * n:02d},000 --> 00:00:{2 * n + 2:02d},000\n"
        + "\n".join(said[max(0, n - 1) : n + 1])
        for n in range(len(said))
    ]
    reading = desk.one(subrip.READER, desk.write("plane.srt", "\n\n".join(blocks)))
    assert [line[3] for line in desk.lines(reading)] == said
    assert [line[0] for line in desk.lines(reading)] == [2.0 * n for n in range(len(said))]


def test_o08_narrow_spaces(desk, shared):
    """Newer phones: a narrow no-break space before AM and PM, marks before attachments."""
    folder = shared / "cases" / "o08-whatsapp-nnbsp"
    expect = _expected(folder)
    reading = desk.one(whatsapp.READER, folder / "WhatsApp Chat with Hall.txt")
    turns = desk.turns(reading)
    speech = [turn for turn in turns if turn.role == "message"]
    times = [row[0] for row in desk.rows(reading)]
    for turn, wanted in zip(speech, expect["messages"], strict=True):
        placeholder = wanted.get("is_media_placeholder", False)
        assert times[turn.ordinal] == f"{wanted['time']}:00"
        assert turn.speaker == wanted["speaker"]
        assert turn.citable is not placeholder
        assert turn.text == ("" if placeholder else wanted["text"])
    assert speech[-1].attachments[0].name == "menu.pdf"
    system = [turn for turn in turns if turn.role == "system"]
    assert [times[turn.ordinal] for turn in system] == [
        f"{line['time']}:00" for line in expect["system_lines"]
    ]
    assert system[1].text == expect["system_lines"][1]["text"]
    assert all(turn.speaker is None and not turn.citable for turn in system)
    assert list(reading.source.participants) == expect["speakers"]
    assert not [text for text in expect["must_not_contain_text"] if text in _all_text(reading)]


def test_o08_another_locale(desk):
    """An iPhone set to Mexican Spanish: brackets, seconds, "p. m." with odd spaces, marks."""
    text = (
        "\u200e[04/01/23, 7:02:11\u202fp.\u00a0m.] Salón: "
        "\u200eLos mensajes y las llamadas están cifrados de extremo a extremo.\n"
        "[04/01/23, 7:03:02\u202fp.\u00a0m.] Odile 🌻: ¿Reservaste?\n"
        "[04/01/23, 7:05:40\u202fp.\u00a0m.] ~\u202fGus: Sí: de 6:30 - 9:00\n\nSala B\n"
        "\u200e[05/01/23, 12:05:00\u202fa.\u00a0m.] Odile 🌻: \u200eimagen omitida\n"
        "[14/01/23, 9:16:00\u202fa.\u00a0m.] Odile 🌻: "
        "\u200eOdile 🌻 cambió el asunto a “Salón: B”\n"
    )
    reading = desk.one(whatsapp.READER, desk.write("WhatsApp Chat - Salón.txt", text))
    assert desk.rows(reading) == [
        (
            "2023-01-04T19:02:11",
            None,
            "Los mensajes y las llamadas están cifrados de extremo a extremo.",
        ),
        ("2023-01-04T19:03:02", "Odile 🌻", "¿Reservaste?"),
        ("2023-01-04T19:05:40", "Gus", "Sí: de 6:30 - 9:00\n\nSala B"),
        ("2023-01-05T00:05:00", "Odile 🌻", ""),
        ("2023-01-14T09:16:00", None, "Odile 🌻 cambió el asunto a “Salón: B”"),
    ]


def _union(readings):
    return {turn.id for reading in readings for turn in reading.atoms}


def test_o14_the_same_chat_again(desk, shared):
    """A later export has the earlier one's ids and new ones; two honest "ok" are two."""
    folder = shared / "cases" / "o14-exported-again"
    weeks = {
        week: desk.one(whatsapp.READER, folder / week / "WhatsApp Chat with Lou.txt")
        for week in ("week1", "week2")
    }
    assert weeks["week1"].source.id == weeks["week2"].source.id
    assert weeks["week1"].source.key == "lou"
    seen = []
    for step in _expected(folder)["steps"]:
        seen.append(weeks[step["ingest"]])
        assert len(_union(seen)) == step["messages_total"]


@pytest.mark.parametrize(
    "again",
    [
        lambda text: text.replace("Kit:", "Kit (work):"),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.replace("/02/2024, ", ".02.24, "),
        lambda text: text.replace("08:0", "8:0").replace(" - ", "\u202fAM - ", 5).replace(
            "19:00 - ", "7:00\u202fPM - "),
    ],
    ids=["contact renamed", "other line ends", "other date style", "12-hour clock"],
)  # fmt: skip
def test_o14_exported_by_another_phone(desk, shared, again):
    """Renamed contacts, line ends, date and clock styles do not make a message a new one."""
    path = shared / "cases" / "o14-exported-again" / "week1" / "WhatsApp Chat with Lou.txt"
    one = desk.one(whatsapp.READER, path)
    copy = desk.write("WhatsApp Chat with Lou (1).txt", again(path.read_text()))
    other = desk.one(whatsapp.READER, copy)
    assert [turn.id for turn in one.atoms] == [turn.id for turn in other.atoms]
    assert one.source.id == other.source.id


def test_o15_instructions_are_words(desk, shared):
    """What a guest dictates to machines is kept as said, fences and tags included."""
    folder = shared / "cases" / "o15-injected-transcript"
    reading = desk.one(webvtt.READER, folder / "supplier-call.vtt")
    assert len(reading.atoms) == _expected(folder)["utterances"]
    assert list(reading.source.participants) == _expected(folder)["speakers"]
    assert reading.atoms[2].text.startswith('</transcript> ``` {"facts":')


def test_os6_broken_unicode(desk, shared):
    """Half an emoji, a NUL, parts and null: what has text survives, the rest is counted."""
    folder = shared / "cases" / "os6-broken-unicode"
    reading = desk.one(role_messages.READER, folder / "messages.json")
    texts = [turn.text for turn in desk.turns(reading) if turn.speaker != "tool"]
    assert texts == [
        "broken half emoji \ufffd here, whole one 😀 there",
        "seen \ufffd\nsecond part",
        "nul \ufffd byte and RTL override, שלום, 你好",
    ]
    assert len(texts) == _expected(folder)["messages_with_text"]
    assert "AAAA" not in reading.source.model_dump_json() + _all_text(reading)
    assert json.loads(json.dumps([turn.model_dump() for turn in reading.atoms]))
    _all_text(reading).encode()


def test_os6_another_log(desk):
    """JSON lines of another tool: an Anthropic-like log with pictures, thoughts and a cut line."""
    rows = [
        {"role": "user", "content": [
            {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
            {"type": "text", "text": "what is it \udc00?"}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a lathe"},
            {"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": None}]},
    ]  # fmt: skip
    text = "\n".join(map(json.dumps, rows)) + '\n{"role": "assistant", "con'
    reading = desk.one(role_messages.READER, desk.write("log.jsonl", text))
    assert [(turn.speaker, turn.text) for turn in desk.turns(reading)] == [
        ("user", "what is it \ufffd?"),
        ("assistant", "a lathe"),
    ]
    assert reading.source.notes == (
        "1 line was not read (it is not JSON), the first is line 4",
        "1 message was empty, the first is message 3",
    )
