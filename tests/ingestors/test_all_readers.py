"""What holds for every reader of text: one suite, run over all of them."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.errors import MmemError
from mmem.ingestors.reading import Reader
from mmem.schemas.identity import source_id

MODULES = (
    "whatsapp", "webvtt", "subrip", "locomo", "egolife", "em2mem", "worldmm", "role_messages",
    "narration", "table", "plain_chat",
)  # fmt: skip
READERS = [importlib.import_module(f"mmem.ingestors.{name}").READER for name in MODULES]
SAMPLES = {
    "whatsapp": [
        "25/02/2024, 08:00 - Kit: hi\n25/02/2024, 08:01 - Lou left\n",
        "\u200e[2/25/24, 8:00:01\u202fAM] Kit: hi\n[2/25/24, 8:01:00\u202fAM] Lou: yo: so\n",
        "2024-02-25 08:00 - Kit: hi\n",
    ],
    "webvtt": [
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Kit>hi\n",
        "\ufeffWEBVTT\nKind: captions\n\n1\n00:00:01.000 --> 00:00:02.000\nKit: hi\n",
    ],
    "srt": [
        "1\n00:00:01,000 --> 00:00:02,000\nKit: hi\n\n2\n00:00:03,000 --> 00:00:04,000\nLou: yo\n",
        "1\r\n00:00:01,000 --> 00:00:02,000\r\n- hi\r\n- yo\r\n",
    ],
    "locomo": [
        '[{"sample_id": "a", "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023",'
        ' "session_1": [{"speaker": "Kit", "dia_id": "D1:1", "text": "hi"}]}}]',
    ],
    "egolife": [
        '[{"video_file": "DAY1_A1_JAKE_11094208.mp4", "data": [{"start": 110943, "end": 110944,'
        ' "text": "Jake: hi", "type": "transcript"}]}]',
    ],
    "em2mem": [
        '[{"doc_id": "DAY1_11094208_11101208", "date": "DAY1", "start_time": "11094208",'
        ' "caption_text": "I hold my phone.", "transcript_text": "Kit: hi"}]',
    ],
    "worldmm": [
        '[{"start_time": "11094300", "end_time": "11095800", "text": "I hold my phone. Kit: hi",'
        ' "date": "DAY1", "video_path": "DAY1/DAY1_A1_JAKE_11094208.mp4"}]',
    ],
    "messages": [
        '[{"role": "user", "content": "Kit: hi"}, {"role": "assistant", "content": "yo"}]',
        '{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "yo"}\n',
    ],
    "narration": [
        "narration_timestamp,start_timestamp,stop_timestamp,narration\n"
        "00:00:01.089,00:00:00.14,00:00:03.37,take plate\n",
        "start;caption\n0.5;C opens the tap\n2;C fills the pan\n",
    ],
    "csv": [
        "time,speaker,text\n2024-02-25 08:00,Kit,hi\n2024-02-25 08:01,Lou,yo\n",
        "start\tend\tspeaker\ttext\n0.5\t1.5\tKit\thi\n",
        "Speaker;Text\nKit;hi\n",
    ],
    "text": [
        "Kit: hi\nLou: yo\nKit: so\n",
        "[2024-02-25 08:00] Kit: hi\n[2024-02-25 08:01] Lou: yo\n",
        "10:15 Kit: hi\n10:16 Lou: yo\n",
        "00:00:01 Kit: hi\n00:00:02 Lou: yo\n",
    ],
}  # fmt: skip
CASES = [(name, text) for name, texts in SAMPLES.items() for text in texts]


def _read(desk, reader, text):
    return desk.many(reader, desk.write("sample.dat", text))


@pytest.mark.parametrize("reader", READERS, ids=MODULES)
def test_a_reader_fits_the_protocol(reader):
    """Each has a name, a version and a one-line summary."""
    assert isinstance(reader, Reader)
    assert reader.name in SAMPLES and "\n" not in reader.summary


@pytest.mark.parametrize(("name", "text"), CASES)
def test_content_alone_names_the_format(desk, name, text):
    """Whatever the file is called, its own reader is surest, and no other comes close."""
    for file in ("sample.dat", "sample.txt", "sample.json", "sample.csv", "sample.vtt"):
        sure = {reader.name: reader.sniff(desk.head(text, file)) for reader in READERS}
        best = sure.pop(name)
        assert best >= 0.5 and best > max(sure.values()), sure


@pytest.mark.parametrize(("name", "text"), CASES)
def test_records_hang_together(desk, name, text):
    """Every atom belongs to its source and revision; ids are unique and follow from the content."""
    reader = next(reader for reader in READERS if reader.name == name)
    for one, two in zip(_read(desk, reader, text), _read(desk, reader, text), strict=True):
        (revision,) = one.source.revisions
        assert one.source.id == source_id(one.source.kind, one.source.key)
        assert (revision.reader, revision.count) == (f"{name}@{reader.version}", len(one.atoms))
        assert one.source.format == name and one.atoms
        assert [atom.ordinal for atom in one.atoms] == list(range(len(one.atoms)))
        assert len({atom.id for atom in one.atoms}) == len(one.atoms)
        assert {atom.source_id for atom in one.atoms} == {one.source.id}
        assert {atom.revisions for atom in one.atoms} == {(revision.digest,)}
        assert all(atom.locator for atom in one.atoms)
        assert "Kit" in one.source.participants or name not in ("whatsapp", "webvtt", "text", "csv")
        if one.source.kind != "conversation":
            assert [atom.id for atom in one.atoms] == [atom.id for atom in two.atoms]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_reading_twice_is_reading_once(desk, name, text):
    """The same file gives the same records."""
    reader = next(reader for reader in READERS if reader.name == name)
    path = desk.write("sample.dat", text)
    assert desk.many(reader, path) == desk.many(reader, path)


@pytest.mark.parametrize("reader", READERS, ids=MODULES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damage_is_told_in_one_line(desk, reader, data):
    """Any bytes, and any damage to a sample, end in a reading or in one line with its name."""
    text = data.draw(st.sampled_from([text for _, text in CASES])).encode()
    cut = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.binary(max_size=20))
    for content in (junk, text[:cut] + junk + text[cut:], text[:cut]):
        path = desk.write("broken.dat", content)
        assert 0 <= reader.sniff(desk.head(content)) <= 1
        try:
            desk.many(reader, path)
        except MmemError as error:
            assert (
                str(error).startswith("broken.dat: ") and "\n" not in error.message and error.hint
            )


NO_CHATS = {
    "log": "[2024-03-01 10:15:02] prod.INFO: ok\n[2024-03-01 10:15:03] prod.ERROR: bad\n",
    "other log": "2024-03-01 10:15:02 - root - INFO - a: b\n2024-03-01 10:15:03 - root - x: y\n",
    "source": 'CLIP = {"video_file": "DAY1_A1_JAKE_11094208.mp4", "dia_id": "D1:1"}\nx: int = 1\n',
    "csv of things": "city,size\nRome,3\n",
    "web page": "<html><body>Name: text<br>Name: text</body></html>\n",
    "settings": '{"role": "admin", "name": "Kit"}\n',
    "nothing": " \n\n",
}


@pytest.mark.parametrize("kind", NO_CHATS)
def test_what_is_no_conversation_is_not_claimed(desk, kind):
    """Logs, sources, pages and settings are no reader's."""
    assert {reader.sniff(desk.head(NO_CHATS[kind])) for reader in READERS} == {0}


def test_samples_of_other_platforms_are_not_claimed(desk, shared):
    """Exports that have no reader here are left alone by all of them."""
    chats = shared / "data" / "chats"
    foreign = [
        *(chats / "slack_zulip_Apache2").glob("*.json"),
        *(chats / "chatgpt_chatlore_MIT").glob("*.json"),
        *(chats / "chat-miner_MIT").glob("*.json"),
        *shared.glob("cases/o09*/*.json"),
        *shared.glob("cases/o10*/*.json"),
    ]
    assert len(foreign) >= 7
    for path in foreign:
        head = desk.head(path.read_bytes()[:65_536], path.name)
        assert {reader.name: reader.sniff(head) for reader in READERS if reader.sniff(head)} == {}


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("data/chats/chat-miner_MIT/whatsapp*.txt", "whatsapp"),
        ("data/chats/chat-miner_MIT/signal*.txt", "text"),
        ("data/chats/webvtt_docling_MIT/**/*.vtt", "webvtt"),
        ("data/locomo/locomo.json", "locomo"),
        ("data/egolife/Sync/*1000000.json", "egolife"),
        ("data/egolife/Cap_DAY1/*_30sec.json", "worldmm"),
        ("cases/o11-relative-dates/locomo_like.json", "locomo"),
        ("cases/os6-broken-unicode/messages.json", "messages"),
        ("cases/*/WhatsApp*.txt", "whatsapp"),
    ],
)
def test_real_files_are_recognised(desk, shared, pattern, name):
    """Real exports are taken for what they are."""
    paths = sorted(shared.glob(pattern))
    assert paths
    for path in paths:
        head = desk.head(path.read_bytes()[:65_536], path.name)
        assert max(READERS, key=lambda reader: reader.sniff(head)).name == name
