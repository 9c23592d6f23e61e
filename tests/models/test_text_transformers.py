"""Text models of a folder: what its files say is done, or refused; the bytes decide the space."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmem.config import Settings
from mmem.errors import ConfigError
from mmem.models.text import MiniLM
from mmem.models.text_choice import text_encoder
from mmem.models.text_folder import Manner
from mmem.models.text_transformers import TransformersText
from tests.endpoint import only_this_machine
from tests.models.tiny import tiny_bert

pytest.importorskip("transformers")
SAID = "The cat sat on the mat."


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prompts = {"query": "query: ", "document": "passage: "}
    return tiny_bert(tmp_path_factory.mktemp("model") / "tiny", prompts=prompts, longest=20)


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(whole, tmp_path / "tiny"))


def opened(folder: Path, **manner: str) -> TransformersText:
    return TransformersText(f"local-dir:{folder}", Manner(**manner))


def write(file: Path, made: Any) -> None:
    file.write_text(json.dumps(made))


def test_the_vectors_are_those_of_the_network(whole: Path) -> None:
    """Pooled over all tokens, prefix and marks too; codes are the signs of the last states."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(whole), AutoTokenizer.from_pretrained(whole)
    with torch.inference_mode():
        taken = tokenizer(f"passage: {SAID}", return_tensors="pt")
        states = model(taken["input_ids"]).last_hidden_state[0].numpy()
    found = opened(whole).encode([SAID])
    mean = states.mean(axis=0)
    assert found.pooled[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    assert found.codes[0].shape == (len(states), 4)
    close = np.abs(states) > 1e-4
    signs = np.unpackbits(found.codes[0], axis=1).astype(bool)
    assert (signs == (states > 0))[close].all()


@pytest.mark.parametrize("pooling", ["mean", "cls", "lasttoken", "max"])
def test_each_pooling_is_what_it_is_called(whole: Path, pooling: str) -> None:
    """A stated one wins over the folder's."""
    encoder = opened(whole, pooling=pooling)
    query = encoder.encode_query("cat")
    hidden = encoder._hidden(encoder._tokens("query: ", "cat"))
    wanted = {
        "mean": hidden.mean(axis=0),
        "cls": hidden[0],
        "lasttoken": hidden[-1],
        "max": hidden.max(axis=0),
    }[pooling]
    assert query.pooled == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-6)
    assert encoder.identity.pooling == pooling


def test_prefixes_come_from_the_folder_unless_stated(whole: Path) -> None:
    """A question and a stored text differ by them; stated ones win, "" states none."""
    usual, none = opened(whole), opened(whole, prefix="", query_prefix="")
    assert not (usual.encode_query("cat").pooled == usual.encode(["cat"]).pooled[0]).all()
    assert (none.encode_query("cat").pooled == none.encode(["cat"]).pooled[0]).all()
    assert usual.identity != none.identity


def test_no_more_is_read_than_the_model_was_made_for(whole: Path) -> None:
    """The limit counts marks and prefix; chunks fit into it."""
    encoder = opened(whole)
    assert len(encoder.encode(["cat " * 90]).codes[0]) == 20
    assert all(len(c) <= 20 for c in encoder.encode(["cat " * 19]).codes)
    spans = encoder.chunk_spans("cat " * 90, max_tokens=200)
    assert len(spans) > 1 and all(len("cat " * 18) >= b - a for a, b in spans)


def spoil_weights(folder: Path) -> None:
    file = folder / "model.safetensors"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))


def spoil_config(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    write(folder / "config.json", {**config, "hidden_act": "relu"})


def spoil_tokenizer(folder: Path) -> None:
    config = json.loads((folder / "tokenizer.json").read_text())
    config["normalizer"]["lowercase"] = False
    write(folder / "tokenizer.json", config)


@pytest.mark.parametrize("spoil", [spoil_weights, spoil_config, spoil_tokenizer])
def test_one_bit_more_is_another_space(folder: Path, spoil: Callable[[Path], None]) -> None:
    """Weights, configuration and tokenizer belong to the space."""
    before = opened(folder).identity
    spoil(folder)
    after = opened(folder).identity
    assert after != before


def test_where_it_lies_and_who_saved_it_is_the_same_space(folder: Path, tmp_path: Path) -> None:
    """A folder may be moved, and saved again by a newer transformers."""
    before = opened(folder).identity
    config = json.loads((folder / "config.json").read_text())
    again = {**config, "transformers_version": "99.0", "_name_or_path": "elsewhere"}
    write(folder / "config.json", again)
    moved = Path(shutil.move(folder, tmp_path / "deep" / "tiny"))
    assert opened(moved).identity == before


REFUSED: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no folder": (shutil.rmtree, "no folder"),
    "no config": (lambda f: (f / "config.json").unlink(), "config.json cannot be read"),
    "a config that is none": (lambda f: (f / "config.json").write_text("{"), "is no JSON"),
    "a list": (lambda f: write(f / "config.json", []), "is no JSON object"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "no tokenizer.json"),
    "pickled weights": (
        lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"),
        "no model.safetensors",
    ),
    "weights elsewhere": (
        lambda f: write(
            f / "model.safetensors.index.json", {"weight_map": {"a": "../../x.safetensors"}}
        ),
        "x.safetensors",
    ),
    "code": (
        lambda f: write(f / "config.json", {"auto_map": {"AutoModel": "evil.Model"}}),
        "never run",
    ),
    "no pooling": (lambda f: (f / "modules.json").unlink(), "does not say how"),
    "another pooling": (
        lambda f: write(
            f / "1_Pooling" / "config.json", {"pooling_mode_weightedmean_tokens": True}
        ),
        "pools by 'weightedmean'",
    ),
    "two poolings": (
        lambda f: write(
            f / "1_Pooling" / "config.json",
            {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        ),
        "pools by 'mean.cls'",
    ),
    "a pooling elsewhere": (
        lambda f: write(f / "modules.json", [{"type": "a.Pooling", "path": "../x"}]),
        "outside its folder",
    ),
    "a dense layer": (
        lambda f: write(f / "modules.json", [{"type": "a.Dense", "path": "2_Dense"}]),
        "Dense layer",
    ),
    "a prompt left out": (
        lambda f: write(
            f / "1_Pooling" / "config.json",
            {"pooling_mode_mean_tokens": True, "include_prompt": False},
        ),
        "leaves its prompt out",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_mmem_does_not_do_is_refused_before_anything_is_loaded(
    folder: Path, name: str
) -> None:
    """One line says which file, and no vector is made in another way."""
    spoil, reason = REFUSED[name]
    spoil(folder)
    with pytest.raises(ConfigError, match=reason) as caught:
        _ = opened(folder).identity
    assert "\n" not in str(caught.value)


def test_damaged_weights_are_no_vectors(folder: Path) -> None:
    """A cut file, and one in which weights are missing, are refused; none is made up."""
    from safetensors.numpy import load_file, save_file

    file = folder / "model.safetensors"
    weights = load_file(file)
    kept = {name: array for name, array in weights.items() if "layer.1" not in name}
    save_file(kept, file, metadata={"format": "pt"})
    with pytest.raises(ConfigError, match=r"lacks .* weights"):
        opened(folder).encode([SAID])
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(ConfigError, match="cannot be loaded"):
        opened(folder).encode([SAID])


def test_weights_in_pieces_are_one_model(whole: Path, tmp_path: Path) -> None:
    """Large models come in several files; the vectors are the same."""
    from transformers import AutoModel

    folder = Path(shutil.copytree(whole, tmp_path / "tiny"))
    (folder / "model.safetensors").unlink()
    AutoModel.from_pretrained(whole).save_pretrained(folder, max_shard_size="20KB")
    assert len(list(folder.glob("*.safetensors"))) > 1
    one, pieces = opened(whole).encode([SAID]), opened(folder).encode([SAID])
    assert (one.pooled == pieces.pooled).all()


def test_a_name_means_what_it_says(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`embedded`, a folder with or without its mark, or a name of the hub; nothing else."""

    def named(name: str) -> Any:
        return text_encoder(Settings.model_validate({"text_model": name}))

    assert isinstance(named("embedded"), MiniLM)
    assert named(f"local-dir:{whole}").identity == named(str(whole)).identity
    monkeypatch.chdir(whole.parent)
    assert named("local-dir:tiny").identity == named("tiny").identity
    with pytest.raises(ConfigError, match="no text model is called"):
        _ = named("what is this").identity


def test_a_folder_needs_no_network(whole: Path) -> None:
    """Loading and encoding call nobody; a name that can't be fetched is told with the way out."""
    with only_this_machine() as called:
        opened(whole).encode([SAID])
        assert called == []
        with pytest.raises((ConfigError, AssertionError)):
            _ = TransformersText("no-such-author/no-such-model").identity
