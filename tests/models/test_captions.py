"""Captioners: what is asked of a model that sees, what it may cost, what a folder must be."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mmem.config import Settings
from mmem.errors import BudgetExceeded, ConfigError
from mmem.models.captions import captioner_named
from mmem.models.captions_transformers import TransformersCaptioner
from mmem.models.captions_vision import RULES, TASK, pictures_request
from mmem.models.llm import language_model
from mmem.models.llm_budget import Cap
from mmem.models.llm_cache import ReplyCache
from mmem.models.llm_dialect import Manner
from mmem.models.llm_endpoint import vision_endpoint_of
from mmem.models.llm_pictures import most
from mmem.ports import Captioner, PictureSet
from tests.endpoint import Act, refuses, says, serving
from tests.models.asking import WORDS
from tests.models.tiny_captioner import tiny_blip

GOOD = {"scene": "workplace", "caption": "Two people look at a plan.", "objects": ["plan"]}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> PictureSet:
    folder = tmp_path_factory.mktemp("pictures")
    files = tuple(str(folder / f"{colour}.jpg") for colour in ("red", "blue"))
    for file in files:
        Image.new("RGB", (600, 400), Path(file).stem).save(file)
    return PictureSet(files, ("k-1", "k-2"))


def asked_at(base_url: str, **more: Any) -> Settings:
    plain = {"vision_model": "sees", "vision_base_url": base_url, "llm_retries": 0}
    return Settings.model_validate({**plain, "llm_cache": "off", **more})


def named(settings: Settings, cap: Cap | None = None) -> Captioner:
    found = captioner_named(settings, cap or Cap())
    assert found is not None
    return found


def test_the_request_holds_pictures_and_rules_alone(pictures: PictureSet) -> None:
    """Law: pictures go as data in order, with rules that name every scene; nothing else goes."""
    with serving(says(json.dumps(GOOD))) as server:
        (found,) = named(asked_at(server.base_url)).describe_all([pictures])
    (body,) = server.bodies
    rules, task = body["messages"]
    assert rules == {"role": "system", "content": RULES}
    text, *images = task["content"]
    assert text == {"type": "text", "text": TASK} and len(images) == 2
    for image, file in zip(images, pictures.files, strict=True):
        kind, data = image["image_url"]["url"].split(",")
        assert kind == "data:image/jpeg;base64"
        assert base64.b64decode(data) == Path(file).read_bytes()
    schema = body["response_format"]["json_schema"]
    assert schema["strict"] and "kitchen" in schema["schema"]["properties"]["scene"]["enum"]
    assert found.record is not None and found.record.scene == "workplace"
    assert pictures_request(pictures).atom_ids == ("k-1", "k-2")


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (says("I see a lovely picture."), "no JSON"),
        (says(json.dumps(GOOD)[:-9], finish="length"), "cut off"),
        (says(None, refusal="I can't look at this"), "declines"),
        (says(json.dumps(GOOD | {"caption": 7})), "caption"),
        (says(json.dumps(GOOD | {"caption": " "})), "describes nothing"),
        (refuses(500, "out of memory"), "HTTP 500"),
        (refuses(400, "image_url is not supported by this model"), "HTTP 400"),
    ],
)
def test_no_use_of_a_reply_is_told_and_the_next_set_is_described(
    pictures: PictureSet, first: Act, reason: str
) -> None:
    """Law: prose, half a reply, a refusal, wrong types or an error is no record of that set."""
    other = PictureSet(pictures.files[:1], ("k-9",))

    def act(body: dict[str, Any]) -> Act:
        sent = sum(isinstance(m["content"], list) and len(m["content"]) for m in body["messages"])
        return first if sent == 3 else says(json.dumps(GOOD))

    with serving(by=act) as server:
        bad, good = named(asked_at(server.base_url)).describe_all([pictures, other])
    assert bad.record is None and reason in bad.reason and "\n" not in bad.reason
    assert good.record is not None


def test_endpoints_without_a_system_role_or_schemas_get_the_pictures_too(
    pictures: PictureSet,
) -> None:
    """Law: whatever way of asking is learnt, and when it is asked again, the pictures go along."""
    replies = [
        refuses(400, "System role not supported"),
        refuses(400, "response_format is not supported"),
        says("no"),
        says(json.dumps(GOOD)),
    ]
    with serving(*replies) as server:
        (found,) = named(asked_at(server.base_url)).describe_all([pictures])
    assert found.record is not None and len(server.bodies) == 4
    for body in server.bodies:
        sent = [m["content"] for m in body["messages"] if isinstance(m["content"], list)]
        assert [len(content) for content in sent] == [3]
    assert [m["role"] for m in server.bodies[-1]["messages"]] == ["user", "assistant", "user"]


def test_replies_are_remembered_by_the_bytes_of_the_pictures(
    pictures: PictureSet, tmp_path: Path
) -> None:
    """Law: the same bytes are asked about once; a reply goes with any of its pictures."""
    with serving(says(json.dumps(GOOD))) as server:
        settings = asked_at(server.base_url, llm_cache=str(tmp_path))
        for _ in range(2):
            list(named(settings).describe_all([pictures]))
        assert len(server.asked) == 1
        turned = PictureSet(pictures.files[::-1], pictures.atom_ids[::-1])
        list(named(settings).describe_all([turned]))
        assert len(server.asked) == 2
    assert ReplyCache(tmp_path).forget_atoms(["k-2"]) == 2


def test_one_cap_is_for_all_models_of_a_run(pictures: PictureSet) -> None:
    """Law: what a language model has spent is not there for pictures, each at its own price."""
    prices = {"llm_price_in": 1.0, "llm_price_out": 1.0, "llm_model": "small"}
    with serving(says(json.dumps(GOOD), usage=(100, 20))) as server:
        settings = asked_at(
            server.base_url,
            llm_base_url=server.base_url,
            **prices,
            vision_price_in=10.0,
            vision_price_out=10.0,
        )
        cap = Cap(max_cost=0.5)
        sees, reads = named(settings, cap), language_model(settings, cap=cap)
        assert reads is not None
        list(sees.describe_all([pictures]))
        assert sees.spent.money == pytest.approx(120 * 10 / 1e6)  # type: ignore[attr-defined]
        cap.max_cost = sees.spent.money * 1.01  # type: ignore[attr-defined]
        with pytest.raises(BudgetExceeded, match="one more call"):
            reads.ask(WORDS)
        with pytest.raises(BudgetExceeded, match="one more call"):
            list(sees.describe_all([pictures]))
    with pytest.raises(ConfigError, match="prices"):
        named(asked_at("http://localhost:1/v1"), Cap(max_cost=1.0))


def test_pictures_are_reserved_by_their_sides_and_not_by_their_bytes(
    pictures: PictureSet,
) -> None:
    """Law: the most that a call can use counts tiles: two pictures of 600 by 400 have two each."""
    request = pictures_request(pictures)
    body = Manner().body(request, model="sees", temperature=0.0)
    words = most(
        Manner().body(pictures_request(PictureSet((), ())), model="sees", temperature=0.0),
        pictures_request(PictureSet((), ())),
    ).prompt
    assert 0 <= most(body, request).prompt - words - 2 * (2833 + 2 * 5667) < 200


def test_where_a_model_that_sees_is_asked() -> None:
    """Law: at its own address; else where the language model is; a key stays with its address."""

    def endpoint(**given: str) -> tuple[str, str, str]:
        settings = {"openai_base_url": None, "openai_api_key": "sk-open", "vision_model": "sees"}
        found = vision_endpoint_of(Settings.model_validate({**settings, **given}), "sees")
        return found.base_url, found.key, found.url_name

    local = {"llm_base_url": "http://a/v1", "llm_api_key": "sk-a"}
    assert endpoint(**local) == ("http://a/v1", "sk-a", "MMEM_LLM_BASE_URL")
    own = {"vision_base_url": "http://b/v1"}
    assert endpoint(**local, **own) == ("http://b/v1", "none", "MMEM_VISION_BASE_URL")
    assert endpoint(**own, vision_api_key="sk-b")[1] == "sk-b"
    for none in (" ", "off", None):
        assert captioner_named(Settings.model_validate({"vision_model": none}), Cap()) is None


def of_another_kind(folder: Path) -> None:
    said = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(said | {"model_type": "llava"}))


def with_code(folder: Path) -> None:
    said = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(said | {"auto_map": {"AutoModel": "x.Y"}}))


def without_layers(folder: Path) -> None:
    from safetensors.numpy import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    kept = {name: array for name, array in weights.items() if "vision_model" not in name}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (shutil.rmtree, "no folder"),
        (of_another_kind, "type 'llava'"),
        (with_code, "never run"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no model.safetensors"),
        (without_layers, r"lacks .* weights"),
        (lambda folder: (folder / "preprocessor_config.json").unlink(), "cannot be loaded"),
    ],
)
def test_a_folder_that_cannot_caption_is_refused(
    blip: Path, tmp_path: Path, pictures: PictureSet, spoil: Callable[[Path], Any], reason: str
) -> None:
    """Law: one line says why, and no caption is made in another way."""
    folder = Path(shutil.copytree(blip, tmp_path / "tiny"))
    spoil(folder)
    with pytest.raises(ConfigError, match=reason) as caught:
        list(TransformersCaptioner(f"local-dir:{folder}").describe_all([pictures]))
    assert "\n" not in str(caught.value)


def test_other_bytes_are_another_captioner(blip: Path, tmp_path: Path) -> None:
    """Law: weights and preprocessing belong to its identity; where it lies does not."""
    moved = Path(shutil.copytree(blip, tmp_path / "deep" / blip.name))
    before = TransformersCaptioner(f"local-dir:{blip}").identity
    assert TransformersCaptioner(f"local-dir:{moved}").identity == before
    file = moved / "preprocessor_config.json"
    file.write_text(file.read_text().replace("0.5", "0.25").replace("16", "24"))
    assert TransformersCaptioner(f"local-dir:{moved}").identity != before


@pytest.fixture(scope="module")
def blip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return tiny_blip(tmp_path_factory.mktemp("model") / "tiny")
