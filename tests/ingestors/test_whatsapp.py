"""WhatsApp exports: the same messages, whatever the phone's language, clock and dates."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.errors import AmbiguousDate, DamagedFile
from mmem.ingestors.whatsapp import READER

NNBSP, LRM, RLM = "\u202f", "\u200e", "\u200f"


def _twelve(moment: dt.datetime, am: str, pm: str) -> str:
    return f"{moment.hour % 12 or 12}:{moment:%M}{NNBSP}{am if moment.hour < 12 else pm}"


# Each form: how an export writes a moment before " - Name: text" or as "[…] Name: text".
FORMS = {
    "Android, US, 12 h": lambda m: f"{m.month}/{m.day}/{m:%y}, {_twelve(m, 'AM', 'PM')} - ",
    "Android, US, 24 h": lambda m: f"{m.month}/{m.day}/{m:%y}, {m:%H:%M} - ",
    "Android, UK": lambda m: f"{m:%d/%m/%Y, %H:%M} - ",
    "Android, India": lambda m: f"{m:%d/%m/%y}, {_twelve(m, 'am', 'pm')} - ",
    "Android, Germany": lambda m: f"{m:%d.%m.%y, %H:%M} - ",
    "Android, Spain": lambda m: f"{m.day}/{m.month}/{m:%y}, {m.hour}:{m:%M} - ",
    "Android, Mexico": lambda m: f"{m:%d/%m/%Y}, {_twelve(m, 'a. m.', 'p. m.')} - ",
    "Android, France": lambda m: f"{m:%d/%m/%Y à %H:%M} - ",
    "Android, Netherlands": lambda m: f"{m:%d-%m-%Y %H:%M} - ",
    "Android, Sweden": lambda m: f"{m:%Y-%m-%d %H:%M} - ",
    "Android, Czechia": lambda m: f"{m.day}. {m.month}. {m:%Y} {m.hour}:{m:%M} - ",
    "Android, China": lambda m: f"{m.year}/{m.month}/{m.day} {_chinese(m)} - ",
    "Android, Korea": lambda m: f"{m.year}. {m.month}. {m.day}. {_korean(m)} - ",
    "Android, Japan": lambda m: f"{m:%Y/%m/%d %H:%M} - ",
    "Android, Arabic": lambda m: f"{RLM}{m.day}{RLM}/{m.month}{RLM}/{m:%Y}، {m:%H:%M} - ",
    "Android, Italian with dots in times": lambda m: f"{m:%d/%m/%y, %H.%M} - ",
    "iOS, UK": lambda m: f"[{m:%d/%m/%Y, %H:%M:%S}] ",
    "iOS, US": lambda m: f"{LRM}[{m.month}/{m.day}/{m:%y}, {_with_seconds(m)}] ",
    "iOS, Germany": lambda m: f"[{m:%d.%m.%y, %H:%M:%S}] ",
    "iOS, Sweden": lambda m: f"[{m:%Y-%m-%d, %H:%M:%S}] ",
}


def _chinese(m: dt.datetime) -> str:
    return f"{'上午' if m.hour < 12 else '下午'}{m.hour % 12 or 12}:{m:%M}"


def _korean(m: dt.datetime) -> str:
    return f"{'오전' if m.hour < 12 else '오후'} {m.hour % 12 or 12}:{m:%M}"


def _with_seconds(m: dt.datetime) -> str:
    return f"{m.hour % 12 or 12}:{m:%M:%S}{NNBSP}{'AM' if m.hour < 12 else 'PM'}"


names = st.sampled_from(["Gus", "Odile 🌻", "+1 (555) 010-0199", "Jo Smith-Lee", "דנה", "李雷"])
# A line that itself looks like a header can't be told from one; none does here.
words = st.text(st.sampled_from("abc xyz:-,.!?/<>()[]\"'äß🌻你 1239"), min_size=1, max_size=40)
texts = st.lists(words, min_size=1, max_size=3).map("\n".join).map(str.strip).filter(bool)
moments = st.datetimes(dt.datetime(2015, 1, 1), dt.datetime(2034, 12, 31)).map(
    lambda moment: moment.replace(microsecond=0)
)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=30, deadline=None)
@given(said=st.lists(st.tuples(moments, names, texts), min_size=1, max_size=8))
def test_each_form_gives_the_messages_back(desk, form, said):
    """What is written in any form is read back whole: time, name, text, order."""
    said = [*sorted(said), (dt.datetime(2035, 12, 25, 18, 30), "Gus", "bye")]
    export = "\n".join(f"{FORMS[form](at)}{name}: {text}" for at, name, text in said)
    path = desk.write("WhatsApp Chat with Lou.txt", export)
    assert READER.sniff(desk.head(export)) > 0.9
    expected = [
        ((at if "iOS" in form else at.replace(second=0)).isoformat(), name, text)
        for at, name, text in said
    ]
    assert desk.rows(desk.one(READER, path)) == expected


def test_midnight_and_noon(desk):
    """12 AM is 00 h and 12 PM is 12 h, in capitals or not, with dots or spaces."""
    clocks = ["12:00 AM", "12:05 am", "12:30 PM", "1:00 p.m.", "11:59 p. m.", "12:01 a. m."]
    export = "\n".join(f"13/1/23, {clock} - Gus: x" for clock in clocks)
    times = [at for at, _, _ in desk.rows(desk.one(READER, desk.write("x.txt", export)))]
    hours = [at[11:16] for at in times if at]
    assert hours == ["00:00", "00:05", "12:30", "13:00", "23:59", "00:01"]


@pytest.mark.parametrize(
    ("dates", "first", "because"),
    [
        (["13/02/2024", "01/03/2024"], "2024-02-13", ""),
        (["2/13/24", "3/1/24"], "2024-02-13", ""),
        (["12/03/2024", "01/04/2024"], "2024-03-12", "in order"),
        (["4/3/24", "4/5/24", "5/1/24"], "2024-04-03", "in order"),
        (["04/03/2024"], "2024-03-04", "phones that write the month first"),
        (["4.3.24"], "2024-03-04", "dots"),
        (["4-3-2024"], "2024-03-04", "dashes"),
        (["2024-03-04"], "2024-03-04", ""),
        (["10/11/2024"], "2024-11-10", "24-hour"),
        (["05/05/2024"], "2024-05-05", ""),
    ],
)
def test_day_and_month_are_told_apart_over_the_whole_file(desk, dates, first, because):
    """Values above 12 decide, then order, then the way of writing; the last two are said."""
    path = desk.write("x.txt", "\n".join(f"{date}, 08:00 - Kit: hi" for date in dates))
    reading = desk.one(READER, path)
    assert desk.rows(reading)[0][0] == f"{first}T08:00:00"
    assert because in " ".join(reading.source.notes)
    assert bool(because) == bool(reading.source.notes)


@pytest.mark.parametrize(("clock", "first"), [("7:02 PM", "2024-04-03"), ("7:02 pm", "2024-03-04")])
def test_capitals_of_the_half_day_tell_us_phones(desk, clock, first):
    """Unpadded dates with AM and PM are of the US; others write am and pm."""
    path = desk.write("x.txt", f"4/3/24, {clock} - Kit: hi")
    assert desk.rows(desk.one(READER, path))[0][0] == f"{first}T19:02:00"


def test_the_phones_language_tells_the_order(desk):
    """Only English phones put the month first: a fixed phrase of another language decides."""
    path = desk.write("x.txt", "4/3/24, 9:00 - Kit: <Multimedia omitido>\n4/3/24, 9:01 - Kit: si")
    assert desk.rows(desk.one(READER, path))[0][0] == "2024-03-04T09:00:00"


def test_nothing_tells_so_it_is_asked(desk):
    """Where nothing tells and it matters, the message names file, both readings and the way on."""
    path = desk.write("trip.txt", "4/3/24, 9:00 - Kit: hi\n4/3/24, 9:01 - Lou: yo")
    with pytest.raises(AmbiguousDate, match=r"trip\.txt: 4/3/24 .* 4 March 2024 or 3 April 2024"):
        desk.one(READER, path)
    with pytest.raises(AmbiguousDate, match="--dayfirst"):
        desk.one(READER, path)
    stated = desk.one(READER, path, day_first=False)
    assert desk.rows(stated)[0][0] == "2024-04-03T09:00:00"
    assert "as stated" in stated.source.notes[0]


def test_the_file_outranks_what_was_stated(desk):
    """A stated order that the file refutes is not followed, and that is said."""
    path = desk.write("x.txt", "2/13/24, 9:00 - Kit: hi\n3/1/24, 9:01 - Lou: yo")
    reading = desk.one(READER, path, day_first=True)
    assert desk.rows(reading)[1][0] == "2024-03-01T09:01:00"
    assert "2/13/24 has no other" in reading.source.notes[0]


SYSTEM = [
    "Messages and calls are end-to-end encrypted. Tap to learn more.",
    "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Tippe, um mehr zu erfahren.",
    "Los mensajes y las llamadas están cifrados de extremo a extremo. Toca para saber más.",
    'Gus changed the subject from "A: b" to "C"',
    'Gus changed the subject from "A" to "C: d"',
    "Gus changed the subject to “Plan: B”",
    "Gus hat den Betreff von „A: b“ zu „C“ geändert",
    'Gus created group "Hall: food"',
    "You added Lou",
    "Lou left",
    "Your security code with Lou changed. Tap to learn more.",
]


@pytest.mark.parametrize("line", SYSTEM)
def test_system_lines_are_nobodys_speech(desk, line):
    """A line without a speaker is kept as a system line: no speaker, not citable."""
    path = desk.write("x.txt", f"25/02/2024, 08:00 - {line}\n25/02/2024, 08:01 - Gus: hi")
    system, speech = desk.turns(desk.one(READER, path))
    assert (system.role, system.speaker, system.citable, system.text) == (
        "system",
        None,
        False,
        line,
    )
    assert (speech.role, speech.speaker, speech.citable) == ("message", "Gus", True)


@pytest.mark.parametrize(
    "line",
    [
        "Hall: \u200eMessages and calls are end-to-end encrypted.",
        "Odile: \u200eOdile added Gus",
        "Odile: \u200eGus left",
        "Gus: \u200eGus hat die Gruppe „Hall“ erstellt",
        "Gus: \u200eMissed voice call",
    ],
)
def test_ios_writes_events_in_somebodys_name(desk, line):
    """On iOS an event stands after a name and a left-to-right mark; it is nobody's speech."""
    export = f"[25/02/2024, 08:00:01] {line}\n[25/02/2024, 08:01:02] Gus: hi"
    system, speech = desk.turns(desk.one(READER, desk.write("WhatsApp Chat - Hall.txt", export)))
    assert (system.role, system.speaker) == ("system", None)
    assert speech.speaker == "Gus"


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("<Media omitted>", "other", None),
        ("<Medien ausgeschlossen>", "other", None),
        ("<Multimedia omitido>", "other", None),
        ("<Médias omis>", "other", None),
        ("<Mídia oculta>", "other", None),
        ("<Media omessi>", "other", None),
        ("<Без медиафайлов>", "other", None),
        ("\u200eimage omitted", "picture", None),
        ("\u200eGIF omitted", "picture", None),
        ("\u200eBild weggelassen", "picture", None),
        ("\u200eimagen omitida", "picture", None),
        ("\u200eimage absente", "picture", None),
        ("\u200evideo omitted", "video", None),
        ("\u200eaudio omitted", "audio", None),
        ("\u200eContact card omitted", "contact", None),
        ("menu.pdf • \u200e2 pages \u200edocument omitted", "document", "menu.pdf"),
        ("\u200emenu.pdf (file attached)", "document", "menu.pdf"),
        ("IMG-20240225-WA0001.jpg (Datei angehängt)", "picture", "IMG-20240225-WA0001.jpg"),
        ("PTT-20240225-WA0001.opus (archivo adjunto)", "audio", "PTT-20240225-WA0001.opus"),
        ("\u200e<attached: 0001-VIDEO.mp4>", "video", "0001-VIDEO.mp4"),
        ("\u200e<Anhang: Lou.vcf>", "contact", "Lou.vcf"),
        ("\u200e<pièce jointe : 0001-PHOTO.jpg>", "picture", "0001-PHOTO.jpg"),
    ],
)
def test_a_placeholder_is_an_attachment_and_no_words(desk, text, kind, name):
    """What stands in place of media is no text and can't be cited; its name and kind are kept."""
    (turn,) = desk.turns(desk.one(READER, desk.write("x.txt", f"25/02/2024, 08:00 - Gus: {text}")))
    (attachment,) = turn.attachments
    assert (turn.text, turn.citable, attachment.kind, attachment.name) == ("", False, kind, name)


@pytest.mark.parametrize(
    "text",
    [
        "IMG-1.jpg (file attached)\nlook at this",
        "look at this \u200e<attached: 0001-PHOTO.jpg>",
    ],
)
def test_a_caption_stays_text(desk, text):
    """Words beside an attachment are the message."""
    (turn,) = desk.turns(desk.one(READER, desk.write("x.txt", f"25/02/2024, 08:00 - Gus: {text}")))
    assert (turn.text, turn.citable, turn.attachments[0].kind) == ("look at this", True, "picture")


def test_speech_about_media_is_speech(desk):
    """Only the whole phrase is a placeholder."""
    said = ["the image omitted the roof", "see menu.pdf (file attached) please", "<3"]
    export = "\n".join(f"25/02/2024, 08:00 - Gus: {text}" for text in said)
    turns = desk.turns(desk.one(READER, desk.write("x.txt", export)))
    assert [(turn.text, turn.citable) for turn in turns] == [(text, True) for text in said]


def test_deleted_and_edited(desk):
    """A deleted message can't be cited; an edited one is told as such, without the remark."""
    export = (
        "25/02/2024, 08:00 - Gus: This message was deleted\n"
        "25/02/2024, 08:01 - Gus: Diese Nachricht wurde gelöscht.\n"
        "25/02/2024, 08:02 - Gus: at seven \u200e<This message was edited>\n"
    )
    one, two, three = desk.turns(desk.one(READER, desk.write("x.txt", export)))
    assert (one.citable, two.citable) == (False, False)
    assert (three.text, three.state, three.citable) == ("at seven", "edited", True)


def test_renaming_a_contact_changes_no_id(desk):
    """Ids follow from conversation, time and text; honest doubles are two."""
    export = "25/02/2024, 08:01 - Kit: ok\n25/02/2024, 08:01 - Kit: ok\n25/02/2024, 08:02 - Lou: so"
    one = desk.one(READER, desk.write("WhatsApp Chat with Lou.txt", export))
    renamed = desk.write("WhatsApp Chat with Lou.txt", export.replace("Kit", "Kitty"))
    other = desk.one(READER, renamed)
    assert [turn.id for turn in one.atoms] == [turn.id for turn in other.atoms]
    assert len({turn.id for turn in one.atoms}) == 3


@pytest.mark.parametrize(
    ("name", "title", "key"),
    [
        ("WhatsApp Chat with Lou.txt", "Lou", "lou"),
        ("WhatsApp Chat with Lou (2).txt", "Lou", "lou"),
        ("WhatsApp Chat - Lou.txt", "Lou", "lou"),
        ("WhatsApp-Chat mit Lou.txt", "Lou", "lou"),
        ("Chat de WhatsApp con Lou.txt", "Lou", "lou"),
        ("Discussion WhatsApp avec Lou.txt", "Lou", "lou"),
        ("WhatsApp Chat - Lou/_chat.txt", "Lou", "lou"),
        ("lou/chat.txt", "lou", "lou"),
        ("lou/messages.txt", "lou messages", "lou messages"),
    ],
)
def test_the_title_says_with_whom(desk, name, title, key):
    """Who the chat is with is in the file's name, or in its folder's where that says nothing."""
    source = desk.one(READER, desk.write(name, "25/02/2024, 08:00 - Lou: hi")).source
    assert (source.title, source.key) == (title, key)


def test_two_folders_never_become_one_chat(desk):
    """Two people's `_chat.txt` are two conversations."""
    ids = {
        desk.one(READER, desk.write(f"{who}/_chat.txt", "[25/02/2024, 08:00:00] Me: hi")).source.id
        for who in ("anna", "ben")
    }
    assert len(ids) == 2


def test_a_stated_zone_places_the_times(desk):
    """Times are read in the stated zone, summer and winter; ids do not depend on it."""
    export = "25/02/2024, 08:00 - Lou: hi\n25/07/2024, 08:00 - Lou: hi"
    path = desk.write("x.txt", export)
    plain, zoned = desk.one(READER, path), desk.one(READER, path, zone="Europe/Berlin")
    hours = [(b.wall_us - a.wall_us) / 3.6e9 for a, b in zip(plain.atoms, zoned.atoms, strict=True)]
    assert hours == [-1, -2]
    assert (plain.source.clock.zone, plain.source.clock.confidence) == (None, "recorded")
    assert (zoned.source.clock.zone, zoned.source.clock.confidence) == ("Europe/Berlin", "stated")
    assert [turn.id for turn in plain.atoms] == [turn.id for turn in zoned.atoms]


def test_lines_before_the_first_message_are_counted(desk):
    """Nothing is lost without a word."""
    path = desk.write("x.txt", "Exported by me\n\nsecond\n25/02/2024, 08:00 - Lou: hi")
    assert desk.one(READER, path).source.notes == (
        "2 lines were not read (no message has begun), the first is line 1",
    )


def test_another_file_is_refused_in_one_line(desk):
    """A forced format that does not fit names the file and the way on."""
    path = desk.write("poem.txt", "Roses are red")
    with pytest.raises(DamagedFile, match=r"poem\.txt: no line begins like a WhatsApp message"):
        desk.one(READER, path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings(desk, encoding):
    """A byte order mark or UTF-16 changes nothing."""
    export = "25/02/2024, 08:00 - Odile 🌻: naïve\r\n25/02/2024, 08:01 - Gus: yes"
    path = desk.write("x.txt", export.encode(encoding))
    assert READER.sniff(desk.head(export.encode(encoding))) > 0.9
    assert [row[1:] for row in desk.rows(desk.one(READER, path))] == [
        ("Odile 🌻", "naïve"),
        ("Gus", "yes"),
    ]
