"""Pictures attached in chats: kept, found, forgotten; names that lead elsewhere lead nowhere."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from mmem import Memory
from mmem.lifecycle.attached import beside
from mmem.recipes import MMEM
from mmem.schemas import Outcome, Turn
from tests.lifecycle.conftest import START, Said, chat_text
from tests.lifecycle.test_seeing import Shades, opened, paint

SAID: list[Said] = [
    (0, "Kit", "morning"),
    (1, "Lou", "IMG-1.jpg (file attached)"),
    (2, "Lou", "IMG-2.png (file attached)\nthe new door of the lodge"),
    (3, "Kit", "nice one"),
]


def export(folder: Path, said: list[Said] = SAID, **pictures: str) -> Path:
    """Write a chat with its pictures beside it: names (with _ for . and -) and colours."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, colour in pictures.items():
        stem, _, ending = name.rpartition("_")
        paint(folder / f"{stem.replace('_', '-')}.{ending}", colour)
    path = folder / "WhatsApp Chat with Lou.txt"
    path.write_text(chat_text(said))
    return path


def stage(memory: Memory) -> Outcome:
    (found,) = [o for o in memory.outcomes() if o.stage == "images"]
    return found


def turns(memory: Memory) -> list[Turn]:
    return [atom for atom in memory.atoms("Lou") if isinstance(atom, Turn)]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return export(tmp_path / "export", IMG_1_jpg="red", IMG_2_png="blue")


@pytest.fixture
def memory(chat: Path, tmp_path: Path) -> Memory:
    found = opened(tmp_path / "m")
    (report,) = found.add(chat)
    assert not report.failed
    return found


def test_pictures_are_kept_and_found_by_a_picture(
    memory: Memory, chat: Path, tmp_path: Path
) -> None:
    """The nearest message comes first and shows the memory's copy, wherever the file has gone."""
    assert (stage(memory).status, stage(memory).count, stage(memory).reason) == ("ok", 2, "")
    shutil.rmtree(chat.parent)
    query = paint(tmp_path / "q.png", "blue")
    evidence = memory.search(image=query)
    assert [round(hit.score, 2) for hit in evidence.hits] == [1.0, 0.0]
    (line,) = evidence.hits[0].lines
    assert line.text == "the new door of the lodge" and line.citation.speaker == "Lou"
    copy = Path(line.citation.picture or "")
    assert copy.parent == memory.folder / "media"
    with Image.open(copy) as image:
        assert image.format == "JPEG" and image.getpixel((9, 9))[2] > 200
    (wordless,) = memory.search(image=paint(tmp_path / "q.png", "red"), k=1).hits
    assert (wordless.lines[0].text, wordless.lines[0].citable) == ("", False)
    assert wordless.at == (START + dt.timedelta(minutes=1)).isoformat()


def test_pictures_are_found_by_words(memory: Memory) -> None:
    """By their look, where the question asks for it; the words of the message find it as ever."""
    question = "Where can you see something red in a photo?"
    looked = {hit.lines[0].citation.locator: hit.channels for hit in memory.search(question).hits}
    assert {line: found.get("visual", 0) for line, found in looked.items()} == {
        "line 1": 0, "line 2": 1, "line 3": 0, "line 5": 0,
    }  # fmt: skip
    plain = opened(memory.folder, recipe=MMEM.without("visual"))
    assert _score(memory, question) > _score(plain, question)
    said = memory.search("the new door of the lodge").hits[0]
    assert Path(said.lines[0].citation.picture or "").is_file()
    answer = memory.ask("What is said of the door?")
    assert all(citation.quote for citation in answer.citations)


def _score(memory: Memory, question: str) -> float:
    """The score of the message on line 2."""
    hits = memory.search(question).hits
    return next(hit.score for hit in hits if hit.lines[0].citation.locator == "line 2")


def test_a_second_run_changes_nothing(memory: Memory, chat: Path) -> None:
    """Law 3: the same chat again is unchanged, with its pictures there or gone."""
    digest = memory.state_digest()
    assert [report.status for report in memory.add(chat)] == ["unchanged"]
    (chat.parent / "IMG-1.jpg").unlink()
    assert [report.status for report in memory.add(chat)] == ["unchanged"]
    assert memory.retry() == [] and memory.state_digest() == digest


def test_as_of_and_labels_hide_them(chat: Path, tmp_path: Path) -> None:
    """Laws 6 and 7: a picture is seen by whom, and from when, its message is."""
    query = paint(tmp_path / "q.png", "blue")
    with opened(tmp_path / "m") as memory:
        memory.add(chat, labels=["private"])
        early = memory.search(image=query, as_of=START + dt.timedelta(minutes=1))
        assert [hit.lines[0].citation.locator for hit in early.hits] == ["line 2"]
        assert not memory.search(image=query, as_of=START).hits
    assert not opened(tmp_path / "m", labels=[]).search(image=query).hits


def test_forgetting_leaves_no_picture(memory: Memory, chat: Path, tmp_path: Path) -> None:
    """Law 5: copies, vectors and names go; the same picture in another chat stays."""
    other = tmp_path / "other" / "WhatsApp Chat with Ada.txt"
    export(other.parent, IMG_1_jpg="red").rename(other)
    other.write_text(chat_text([(5, "Ada", "IMG-1.jpg (file attached)")]))
    with opened(tmp_path / "never") as never:
        never.add(other)
        without = never.state_digest()
    memory.add(other)
    receipt = memory.forget(source="Lou")
    assert receipt.complete
    found = {line.layer: line.found_before for line in receipt.lines}
    assert (found["pictures"], found["picture vectors"]) == (2, 2)
    assert memory.state_digest() == without
    assert len(list((memory.folder / "media").iterdir())) == 1


def test_what_is_damaged_or_lacking_is_named_and_its_message_kept(tmp_path: Path) -> None:
    """Law 9: the outcome names the file and why; the message and the other pictures are there."""
    said = [
        *SAID,
        (4, "Kit", "IMG-3.webp (file attached)"),
        (5, "Kit", "IMG-4.heic (file attached)"),
    ]
    chat = export(tmp_path / "export", said, IMG_1_jpg="red")
    (chat.parent / "IMG-3.webp").write_bytes(b"RIFF no picture")
    with opened(tmp_path / "m") as memory:
        assert len(memory.add(chat)) == 1
        assert len(turns(memory)) == len(said)
        ended = stage(memory)
        assert (ended.status, ended.count) == ("partial", 1)
        assert "IMG-3.webp is no picture that can be read" in ended.reason
        assert "2 attached but not beside the chat: IMG-2.png, IMG-4.heic" in ended.reason
        assert memory.retry() == []
        paint(chat.parent / "IMG-3.webp", "green")
        paint(chat.parent / "IMG-2.png", "blue")
        assert [r.status for r in memory.add(chat)] == ["completed"]
        assert stage(memory).count == 3 and stage(memory).status == "ok"
        late = memory.state_digest()
    with opened(tmp_path / "at-once") as memory:
        memory.add(chat)
        assert memory.state_digest() == late


def test_exports_in_any_order_are_one_state(tmp_path: Path) -> None:
    """Law 4: a later export without the pictures takes none away, whichever comes first."""
    first = export(tmp_path / "a", SAID[:3], IMG_1_jpg="red", IMG_2_png="blue")
    later = export(
        tmp_path / "b", [*SAID, (9, "Lou", "IMG-9.jpg (file attached)")], IMG_9_jpg="red"
    )
    states = set()
    for number, order in enumerate(([first, later], [later, first])):
        with opened(tmp_path / f"m{number}") as memory:
            for path in order:
                memory.add(path)
            assert stage(memory).count == 3
            states.add(memory.state_digest())
    with opened(tmp_path / "both") as memory:
        memory.add(first, later)
        states.add(memory.state_digest())
    assert len(states) == 1


def test_turned_large_and_clear_pictures(tmp_path: Path) -> None:
    """A copy is upright, at most 960 px a side, without what the camera wrote into the file."""
    chat = export(tmp_path / "export", [(0, "Lou", "IMG-1.jpg (file attached)")])
    wide = Image.new("RGB", (2000, 500), "red")
    exif = Image.Exif()
    exif[0x0112] = 8
    exif[0x010F] = "a camera"
    wide.save(chat.parent / "IMG-1.jpg", exif=exif)
    with opened(tmp_path / "m") as memory:
        memory.add(chat)
        ((file,),) = [turn.files for turn in turns(memory)]
        with Image.open(memory.picture_path(file)) as image:
            assert image.size == (240, 960) and not image.getexif()


def test_content_parts_name_pictures(tmp_path: Path) -> None:
    """A part of a message that names a file beside the chat, or below it, is read; data is not."""
    folder = tmp_path / "talk"
    (folder / "shots").mkdir(parents=True)
    paint(folder / "shots" / "one.png", "blue")
    paint(folder / "two.jpg", "red")
    paint(tmp_path / "outside.jpg", "green")
    parts = [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": "shots/one.png"}},
        {"type": "image", "path": "two.jpg"},
        {"type": "image_url", "image_url": {"url": "https://example.org/three.jpg"}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "image_file", "image_file": {"filename": "../outside.jpg"}},
        {"type": "image", "path": str(tmp_path / "outside.jpg")},
    ]
    path = folder / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": parts}]))
    with opened(tmp_path / "m") as memory:
        (report,) = memory.add(path)
        (source,) = memory.sources()
        (turn,) = memory.atoms(source.id)
        assert isinstance(turn, Turn) and len(turn.files) == 2 and not report.failed
        assert stage(memory).count == 2
        for colour in ("blue", "red"):
            (hit,) = memory.search(image=paint(tmp_path / "q.png", colour)).hits
            assert hit.score > 0.99
            with Image.open(hit.lines[0].citation.picture or "") as image:
                assert image.getpixel((5, 5))[2 if colour == "blue" else 0] > 200


@pytest.mark.parametrize(
    "name",
    [
        "../secret.jpg",
        "a/../../secret.jpg",
        "..\\secret.jpg",
        "{tmp}/secret.jpg",
        "C:\\secret.jpg",
        "c:secret.jpg",
        "//secret.jpg",
        "link.jpg",
        "linked/secret.jpg",
        "ring.jpg",
        "folder",
        ".",
        "",
        "..",
        "a\0b.jpg",
        "x" * 400 + ".jpg",
    ],
)
def test_a_name_never_leaves_the_folder(tmp_path: Path, name: str) -> None:
    """Law 11: climbing, absolute names, drives, links to elsewhere and no files name nothing."""
    folder = tmp_path / "chat"
    (folder / "folder").mkdir(parents=True)
    paint(tmp_path / "secret.jpg", "green")
    (folder / "link.jpg").symlink_to(tmp_path / "secret.jpg")
    (folder / "linked").symlink_to(tmp_path)
    (folder / "ring.jpg").symlink_to(folder / "ring.jpg")
    assert beside(folder, name.replace("{tmp}", str(tmp_path))) is None
    paint(folder / "good.jpg", "green")
    assert beside(folder, "good.jpg") == folder.resolve() / "good.jpg"


def test_hostile_names_in_an_export_copy_nothing(tmp_path: Path) -> None:
    """Through a whole memory: nothing from outside the chat's folder gets into media/."""
    paint(tmp_path / "secret.jpg", "green")
    said = [(0, "Lou", f"<attached: {n}>") for n in ("../secret.jpg", f"{tmp_path}/secret.jpg")]
    chat = export(tmp_path / "export", said)
    with opened(tmp_path / "m") as memory:
        (report,) = memory.add(chat)
        assert not report.failed and len(turns(memory)) == 2
        assert [turn.attachments[0].file for turn in turns(memory)] == [None, None]
        assert not list((tmp_path / "m").glob("media/*"))
        assert "2 attached but not beside the chat" in stage(memory).reason


def test_without_the_encoder_they_are_kept(chat: Path, tmp_path: Path, fresh: Callable) -> None:
    """Law 1: raw first. The copies are there; their vectors come with `retry`."""
    with opened(tmp_path / "m", Shades(there=False)) as memory:
        memory.add(chat)
        assert stage(memory).status == "skipped"
        assert all(turn.files for turn in turns(memory) if turn.attachments)
    with opened(tmp_path / "m") as memory:
        assert [r.status for r in memory.retry()] == ["completed"]
        late = memory.state_digest()
    with opened(tmp_path / "at-once") as memory:
        memory.add(chat)
        assert memory.state_digest() == late
