"""What pictures look like: stored, found by words and by a picture, forgotten, refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mmem import Memory
from mmem.errors import ConfigError, DamagedFile, MissingExtra, ModelMismatch, UnsupportedFormat
from mmem.ports import ByteArray, FloatArray, VectorSpace
from mmem.schemas import Keyframe, Outcome
from mmem.stores.library import Library
from tests.bodies import Brightness, quick
from tests.ingestors.film import even, film
from tests.lifecycle.conftest import START


class Shades:
    """An image encoder without weights: mean red, green and blue; a text is the colours it names.

    `there` false is a machine on which it is not installed.
    """

    def __init__(self, revision: str = "1", *, there: bool = True) -> None:
        self._revision = revision
        self._there = there

    @property
    def identity(self) -> VectorSpace:
        self.ensure_installed()
        return VectorSpace("test", "shades", self._revision, 3, "mean", "none")

    def ensure_installed(self) -> None:
        if not self._there:
            raise MissingExtra("shades are not installed", hint="pip install shades")

    def encode(self, frames: ByteArray) -> FloatArray:
        self.ensure_installed()
        return _unit(frames.reshape(len(frames), -1, 3).mean(axis=1) + 1e-3)

    def encode_text(self, texts: list[str]) -> FloatArray:
        self.ensure_installed()
        named = [[float(c in t.lower()) for c in ("red", "green", "blue")] for t in texts]
        return _unit(np.array(named).reshape(-1, 3) + 1e-3)


def _unit(rows: np.ndarray) -> FloatArray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def opened(folder: Path, encoder: object | None = None, **given: object) -> Memory:
    return Memory(folder, image_encoder=encoder or Shades(), **{**quick(), **given})


def stage(memory: Memory) -> Outcome:
    (found,) = [o for o in memory.outcomes() if o.stage == "images"]
    return found


def paint(path: Path, colour: str, **how: object) -> Path:
    Image.new("RGB", (90, 60), colour).save(path, **how)
    return path


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A film of 100 seconds: red, blue from 40 s, red again from 70 s."""
    colours = ["red"] * 80 + ["blue"] * 60 + ["red"] * 60
    return film(tmp_path / "valve.mp4", even(colours, fps=2), [])


@pytest.fixture
def seen(tmp_path: Path, clip: Path) -> Path:
    """A memory of the film, recorded at START."""
    with opened(tmp_path / "m") as memory:
        memory.add(clip, recorded_at=START)
    return tmp_path / "m"


def test_a_row_a_keyframe_and_a_second_run_changes_nothing(seen: Path, clip: Path) -> None:
    """Law 3: the stage ends with as many as there are keyframes; again nothing is written."""
    with opened(seen) as memory:
        keyframes = [a for a in memory.atoms("valve.mp4") if isinstance(a, Keyframe)]
        assert (stage(memory).status, stage(memory).count) == ("ok", len(keyframes) == 3 and 3)
        rows = Library.open(seen).images.rows()
        assert set(rows["atom_id"].to_pylist()) == {keyframe.id for keyframe in keyframes}
        digest = memory.state_digest()
        tables = {n: t.version for n, t in Library.open(seen).content_tables().items()}
        assert any(name.startswith("images_") for name in tables)
        (report,) = memory.add(clip)
        assert report.status == "unchanged"
        assert memory.state_digest() == digest
        assert {n: t.version for n, t in Library.open(seen).content_tables().items()} == tables


def test_near_a_picture(seen: Path, tmp_path: Path) -> None:
    """The anchors whose pictures are nearest come first, each with the nearest picture first."""
    evidence = opened(seen).search(image=paint(tmp_path / "q.png", "blue"))
    assert [(hit.start_s, hit.score > 0.9) for hit in evidence.hits] == [
        (60.0, True), (30.0, True), (90.0, False), (0.0, False),
    ]  # fmt: skip
    for hit in evidence.hits[:2]:
        first = hit.keyframes[0]
        assert 39.0 <= (first.start_s or 0) <= 41.0
        assert first.score > 0.9 > 0.3 > max((k.score for k in hit.keyframes[1:]), default=0)
        assert Path(first.picture or "").read_bytes()[:2] == b"\xff\xd8"
    assert evidence.keyframes[0].score > 0.9
    assert len(opened(seen).search(image=tmp_path / "q.png", k=1).hits) == 1


def test_near_a_picture_as_of_a_moment(seen: Path, tmp_path: Path) -> None:
    """Law 6: a picture is there once it has ended, in anchors that ended before it as well."""
    query = paint(tmp_path / "q.png", "blue")
    memory = opened(seen)

    def blue(seconds: float) -> list[bool]:
        found = memory.search(image=query, as_of=START + dt.timedelta(seconds=seconds))
        return [hit.score > 0.9 for hit in found.hits]

    assert blue(20) == []
    assert blue(50) == blue(65) == [False, False]
    assert blue(75) == [True, True, False]
    since = memory.search(image=query, since=START + dt.timedelta(seconds=85))
    assert [hit.start_s for hit in since.hits] == [60.0, 90.0]


def test_labels_hide_pictures(clip: Path, tmp_path: Path) -> None:
    """Law 7: who may not see the recording finds none of its pictures, by picture or by words."""
    with opened(tmp_path / "m") as memory:
        memory.add(clip, labels=["private"])
    guest = opened(tmp_path / "m", labels=[])
    assert guest.search(image=paint(tmp_path / "q.png", "blue")).hits == ()
    assert guest.search("Where can you see something blue?").hits == ()
    owner = opened(tmp_path / "m", labels=["private"])
    assert len(owner.search(image=tmp_path / "q.png").hits) == 4


def test_words_find_pictures(seen: Path) -> None:
    """A question about what is seen is answered by the look of pictures; another is not."""
    memory = opened(seen)
    first = memory.search("When can you see something blue?", explain=True)
    assert first.hits[0].start_s in (30.0, 60.0) and first.hits[0].channels["visual"] == 1.0
    assert {s.name: s.fired for s in first.trace.steps}["visual"]
    red = memory.search("Where can you see something red?")
    assert max(hit.channels.get("visual", 0.0) for hit in red.hits) == 1.0
    plain = memory.search("Who promised something blue?", explain=True)
    assert not {s.name: s.fired for s in plain.trace.steps}["visual"]
    assert all("visual" not in hit.channels for hit in plain.hits)


def test_without_pictures_the_channel_is_silent(chat: Callable, tmp_path: Path) -> None:
    """A memory of chats alone never asks for an image encoder, and says so for a picture."""
    with opened(tmp_path / "m", Shades(there=False)) as memory:
        memory.add(chat("Lou", [(0, "Kit", "the kettle on the table is blue")]))
        found = memory.search("What colour is the kettle on the table?", explain=True)
        assert len(found.hits) == 1 and not {s.name: s.fired for s in found.trace.steps}["visual"]
        with pytest.raises(ConfigError, match="no picture of this memory"):
            memory.search(image=paint(tmp_path / "q.png", "blue"))


def test_forgetting_leaves_no_vector(seen: Path, tmp_path: Path) -> None:
    """Law 5: the receipt counts the pictures' vectors; afterwards the state never had them."""
    with opened(seen) as memory:
        receipt = memory.forget(source="valve.mp4")
        assert receipt.complete
        assert {line.layer: line.found_before for line in receipt.lines}["picture vectors"] == 3
        table = Library.open(seen).images.table()
        assert table is not None and table.count() == 0 and table.older_versions() == 0
        digest = memory.state_digest()
    other = film(tmp_path / "x.mp4", even(["green"] * 4, fps=2), [])
    with opened(tmp_path / "never") as memory:
        memory.add(other)
        memory.forget(source="x.mp4")
        assert memory.state_digest() == digest


def test_what_was_not_installed_is_done_later(clip: Path, tmp_path: Path) -> None:
    """Law 9: skipped with the reason, and done by `retry` once it is there: one state."""
    with opened(tmp_path / "m", Shades(there=False)) as memory:
        assert not memory.add(clip)[0].failed
        assert stage(memory).status == "skipped"
        assert stage(memory).reason == "shades are not installed (pip install shades)"
        assert memory.retry() == []
    with opened(tmp_path / "m") as memory:
        (report,) = memory.retry()
        assert not report.failed and stage(memory).status == "ok"
        late = memory.state_digest()
    with opened(tmp_path / "at-once") as memory:
        memory.add(clip)
        assert memory.state_digest() == late


def test_a_question_goes_on_where_the_encoder_is_not_installed(
    seen: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Words are answered without the pictures, and the log says it; a picture as question can't."""
    memory = opened(seen, Shades(there=False))
    assert memory.search("Where can you see something blue?").hits
    assert "pictures are not looked at: shades are not installed" in caplog.text
    with pytest.raises(MissingExtra, match="shades"):
        memory.search(image=paint(tmp_path / "q.png", "blue"))


def test_another_space_is_refused(seen: Path, tmp_path: Path) -> None:
    """Vectors of two spaces are never compared or mixed: adding, asking and looking say so."""
    other = film(tmp_path / "other.mp4", even(["green"] * 4, fps=2), [])
    with opened(seen, Shades("2")) as memory:
        (report,) = memory.add(other)
        assert report.failed
        failed = [o for o in memory.outcomes() if o.status == "failed"]
        assert [o.stage for o in failed] == ["images"]
        assert "picture vectors of shades (1), not of shades (2)" in failed[0].reason
        for asked in (
            {"question": "Do you see blue?"},
            {"image": paint(tmp_path / "q.png", "blue")},
        ):
            with pytest.raises(ModelMismatch, match=r"of shades \(1\), not of shades \(2\)"):
                memory.search(**asked)
        assert memory.search("Who promised the fix?").hits
    with opened(seen) as memory:
        (report,) = memory.retry()
        assert not report.failed


def test_an_emptied_memory_may_have_another_space(seen: Path, clip: Path) -> None:
    """Where no picture is left, the next model's space takes the place of the first."""
    with opened(seen) as memory:
        memory.forget(source="valve.mp4")
    with opened(seen, Shades("2")) as memory:
        assert not memory.add(clip)[0].failed
        assert stage(memory).count == 3
    assert Library.open(seen).images.space == Shades("2").identity


def test_switched_off_and_on_again(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MMEM_IMAGE_MODEL=off makes no vectors and says so; unset, `retry` makes them."""
    monkeypatch.setenv("MMEM_IMAGE_MODEL", "off")
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(clip)
        assert (stage(memory).status, stage(memory).reason) == (
            "skipped",
            "MMEM_IMAGE_MODEL is off",
        )
    monkeypatch.delenv("MMEM_IMAGE_MODEL")
    with Memory(tmp_path / "m", **quick()) as memory:
        (report,) = memory.retry()
        assert not report.failed and stage(memory).status == "ok"
        space = Library.open(tmp_path / "m").images.space
        assert space is not None and space.provider == "labels"
        assert Brightness().identity in space.preprocessing


def test_the_memory_remembers_its_model(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory made with a folder's open_clip is asked with it where nothing is set."""
    pytest.importorskip("open_clip", reason="the extra `vision`", exc_type=ImportError)
    from tests.models.tiny_clip import tiny_clip

    folder = tiny_clip(tmp_path / "clip")
    monkeypatch.setenv("MMEM_IMAGE_MODEL", f"local-dir:{folder}")
    with Memory(tmp_path / "m", **quick()) as memory:
        memory.add(clip)
        assert stage(memory).status == "ok"
    monkeypatch.delenv("MMEM_IMAGE_MODEL")
    query = paint(tmp_path / "q.png", "blue")
    memory = Memory(tmp_path / "m", **quick())
    first = memory.search(image=query).hits[0]
    assert first.start_s in (30.0, 60.0) and first.score > 0.99
    tiny_clip(folder, mean=[0.4, 0.4, 0.4])
    with pytest.raises(ModelMismatch, match=r"pictures made ready as .*mean=0\.5x0\.5x0\.5"):
        Memory(tmp_path / "m", **quick()).search(image=query)
    monkeypatch.setenv("MMEM_IMAGE_MODEL", "labels")
    with pytest.raises(ModelMismatch, match="of local-dir"):
        Memory(tmp_path / "m", **quick()).search(image=query)


@pytest.mark.parametrize("ending", ["jpg", "png", "webp"])
def test_formats_and_turned_pictures(seen: Path, tmp_path: Path, ending: str) -> None:
    """JPEG, PNG and WebP are read, upright and on white where they are clear."""
    from mmem.ingestors.stills import read_still

    two = Image.new("RGB", (80, 40), "blue")
    two.paste("red", (0, 0, 40, 40))
    exif = Image.Exif()
    exif[0x0112] = 6
    two.save(tmp_path / f"q.{ending}", exif=exif, quality=95)
    still = read_still(tmp_path / f"q.{ending}").pixels
    assert still.shape == (80, 40, 3)
    assert still[10, 20, 0] > 200 > 60 > still[10, 20, 2]
    assert opened(seen).search(image=tmp_path / f"q.{ending}").hits


def test_a_clear_picture_is_on_white(tmp_path: Path) -> None:
    """What is transparent is not black."""
    from mmem.ingestors.stills import read_still

    Image.new("RGBA", (30, 30), (0, 0, 0, 0)).save(tmp_path / "q.png")
    assert read_still(tmp_path / "q.png").pixels.min() > 250


def test_a_bad_picture_is_one_line(seen: Path, tmp_path: Path) -> None:
    """No file, no picture, a damaged one, one too small or too large: its name and what to do."""
    memory = opened(seen)
    (tmp_path / "text.png").write_text("no picture")
    whole = paint(tmp_path / "whole.jpg", "blue").read_bytes()
    noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3)).astype(np.uint8)
    Image.fromarray(noise).save(tmp_path / "noise.jpg")
    (tmp_path / "cut.jpg").write_bytes((tmp_path / "noise.jpg").read_bytes()[:9000])
    (tmp_path / "empty.jpg").touch()
    Image.new("RGB", (4, 400)).save(tmp_path / "thin.png")
    Image.new("1", (30_000, 30_000)).save(tmp_path / "vast.png")
    Image.new("RGB", (20, 20)).save(tmp_path / "still.gif")
    assert whole
    for name, kind in {
        "none.jpg": DamagedFile,
        "text.png": UnsupportedFormat,
        "cut.jpg": DamagedFile,
        "empty.jpg": UnsupportedFormat,
        "thin.png": DamagedFile,
        "vast.png": DamagedFile,
        "still.gif": UnsupportedFormat,
    }.items():
        with pytest.raises(kind) as error:
            memory.search(image=tmp_path / name)
        assert name in error.value.message and "\n" not in str(error.value)
    with pytest.raises(ConfigError, match="at once"):
        memory.search("blue", image=tmp_path / "whole.jpg")
    with pytest.raises(ConfigError, match="empty"):
        memory.search()


@pytest.mark.parametrize("ending", ["jpg", "png", "webp"])
def test_no_cut_and_no_flipped_byte_escapes_as_another_error(tmp_path: Path, ending: str) -> None:
    """Whatever is wrong with a picture's bytes, it is read or one of our errors."""
    from mmem.errors import MmemError
    from mmem.ingestors.stills import read_still

    rng = np.random.default_rng(7)
    noise = rng.integers(0, 256, (40, 40, 3)).astype(np.uint8)
    path = tmp_path / f"q.{ending}"
    Image.fromarray(noise).save(path)
    whole = path.read_bytes()
    spoilt = [whole[:size] for size in range(0, len(whole), max(1, len(whole) // 60))]
    for _ in range(120):
        flipped = bytearray(whole)
        flipped[int(rng.integers(0, min(len(whole), 900)))] ^= int(rng.integers(1, 256))
        spoilt.append(bytes(flipped))
    read = 0
    for data in spoilt:
        path.write_bytes(data)
        try:
            read += len(read_still(path).pixels) > 0
        except MmemError as error:
            assert "\n" not in str(error)
    assert read < len(spoilt)
