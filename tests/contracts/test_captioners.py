"""What every captioner keeps, whether it is asked over a wire or lies in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image

from mmem.config import Settings
from mmem.models.captions import LONGEST_CAPTION, MOST_OBJECTS, captioner_named
from mmem.models.llm_budget import Cap
from mmem.ports import Captioner, PictureSet
from mmem.schemas import SCENES, VisualRecord
from tests.endpoint import says, serving
from tests.models.tiny_captioner import tiny_blip, tiny_encoder_decoder

WORDY = {
    "scene": " Kitchen",
    "caption": "A man\nfills a cup. " * 40,
    "objects": [
        "Cup",
        "cup",
        "",
        "\u202ekettle\x1b[31m",
        "x" * 99,
        *(f"jar {n}" for n in range(12)),
    ],
}


def named(model: str, **more: str) -> Captioner:
    settings = {"vision_model": model, "llm_cache": "off", "llm_retries": 0, **more}
    found = captioner_named(Settings.model_validate(settings), Cap())
    assert found is not None
    return found


@contextmanager
def over_the_wire(folder: Path) -> Iterator[Captioner]:
    with serving(says(json.dumps(WORDY))) as server:
        yield named("sees", vision_base_url=server.base_url)


@contextmanager
def in_a_folder(make: Callable[[Path], Path], folder: Path) -> Iterator[Captioner]:
    pytest.importorskip("transformers")
    yield named(f"local-dir:{make(folder / 'tiny')}")


BODIES = {
    "endpoint": over_the_wire,
    "blip": lambda folder: in_a_folder(tiny_blip, folder),
    "encoder and decoder": lambda folder: in_a_folder(tiny_encoder_decoder, folder),
}


@pytest.fixture(scope="module", params=BODIES)
def captioner(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Captioner]:
    with BODIES[request.param](tmp_path_factory.mktemp("captioner")) as made:
        yield made


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> PictureSet:
    folder = tmp_path_factory.mktemp("pictures")
    files = tuple(str(folder / f"{colour}.jpg") for colour in ("red", "blue"))
    for file in files:
        Image.new("RGB", (40, 24), Path(file).stem).save(file)
    return PictureSet(files, ("k-1", "k-2"))


def test_a_record_has_one_shape(captioner: Captioner, pictures: PictureSet) -> None:
    """One line of whole words, a scene that is known or none, few things, each once."""
    (found,) = captioner.describe_all([pictures])
    assert found.record is not None and found.reason == ""
    record = VisualRecord.model_validate_json(found.record.canonical())
    assert record.scene in ("", *SCENES)
    assert 0 < len(record.keyframe_caption) <= LONGEST_CAPTION
    things = record.visible_objects
    assert len(things) <= MOST_OBJECTS
    assert len({thing.casefold() for thing in things}) == len(things)
    for words in (record.keyframe_caption, *things):
        assert words == " ".join(words.split()) != "" and words.isprintable()


def test_each_set_is_described_by_itself_and_in_order(
    captioner: Captioner, pictures: PictureSet
) -> None:
    """The same pictures give the same record, whatever is asked beside them; none gives none."""
    single = PictureSet(pictures.files[:1], pictures.atom_ids[:1])
    first, other, again = captioner.describe_all([pictures, single, pictures])
    assert first == again
    assert list(captioner.describe_all([single])) == [other]
    assert list(captioner.describe_all([])) == []
    assert captioner.identity == captioner.identity != ""
