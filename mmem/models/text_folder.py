"""What the folder of a transformers text model says of itself: pooling, prefixes, limits, weights.

Read as sentence-transformers writes it: modules.json, 1_Pooling/config.json,
sentence_bert_config.json, config_sentence_transformers.json. What the files ask for and mmem does
not do is refused: no vector is made in another way than the model was trained for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from mmem.errors import ConfigError
from mmem.models.weights import digest
from mmem.schemas.identity import digest_of

POOLINGS = ("mean", "cls", "lasttoken", "max")
LONGEST = 512
"""Tokens of a text that are read, where the model reads more: a unit has some 250."""
_POOLING_KEYS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}
_WIDTH_KEYS = ("hidden_size", "dim", "d_model", "n_embd")
_OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "mpnet", "data2vec", "longformer")
"""Model types whose first position is the one after the padding token's."""
_SAYS_NOTHING = ("_name_or_path", "transformers_version")
_QUERY = ("query",)
_DOCUMENT = ("document", "passage", "corpus")
"""Names of prompts, as sentence-transformers' encode_query and encode_document look for them."""
_TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
_REAL = 1_000_000
"""tokenizer_config.json writes "no limit" as a huge number."""


@dataclass(frozen=True)
class Manner:
    """How texts are made ready and token vectors made one; None leaves it to the folder."""

    pooling: str | None = None
    prefix: str | None = None
    query_prefix: str | None = None


@dataclass(frozen=True)
class TextFolder:
    """A folder with a text model, as its files describe it.

    `prefix` stands before stored texts, `query_prefix` before questions; `limit` counts tokens,
    marks like [CLS] with them; `weights` are the safetensors files.
    """

    path: Path
    pooling: str
    prefix: str
    query_prefix: str
    limit: int
    width: int
    lower: bool
    weights: tuple[Path, ...]

    def revision(self) -> str:
        """Return the SHA-256 of what decides the network: all weights and the configuration.

        Every byte is read (1.3 CPU seconds a gigabyte, measured): other weights never pass.
        """
        return network_revision(self.path, self.weights)

    def preprocessing(self) -> str:
        """Return what decides the tokens of a text, as one line."""
        found = [self.path / name for name in _TOKENIZER_FILES]
        files = [f"{file.name} {digest(file)}" for file in found if file.is_file()]
        tokens = digest_of(*files, self.prefix, self.query_prefix, str(self.lower))
        return f"max={self.limit};unpadded;one-text-a-run;{tokens[:16]}"


def network_revision(path: Path, weights: Sequence[Path]) -> str:
    """Return the SHA-256 of what decides a folder's network: its weights and configuration."""
    config = json_object(path / "config.json")
    said = {key: value for key, value in config.items() if key not in _SAYS_NOTHING}
    parts = [json.dumps(said, sort_keys=True)]
    parts += [f"{file.name} {digest(file)}" for file in weights]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def read_folder(path: Path, manner: Manner) -> TextFolder:
    """Return what a folder says of its model; `manner` wins over it. Raises ConfigError."""
    if not path.is_dir():
        raise ConfigError(f"no folder {path}", hint="MMEM_TEXT_MODEL=local-dir:/path names one")
    config = json_object(path / "config.json", needed=True)
    if "auto_map" in config:
        raise ConfigError(f"{path} brings code of its own, which is never run")
    if config.get("is_encoder_decoder"):
        raise ConfigError(f"{path} holds an encoder-decoder", hint="choose an encoder alone")
    if not (path / "tokenizer.json").is_file():
        raise ConfigError(
            f"{path} has no tokenizer.json: where tokens stand in a text can't be known",
            hint="transformers' AutoTokenizer.save_pretrained writes one",
        )
    return _with_modules(
        TextFolder(
            path=path,
            pooling=manner.pooling or "",
            prefix=_prefix(path, manner.prefix, _DOCUMENT),
            query_prefix=_prefix(path, manner.query_prefix, _QUERY),
            limit=_limit(path, config),
            width=_width(path, config),
            lower=bool(json_object(path / "sentence_bert_config.json").get("do_lower_case")),
            weights=weight_files(path),
        )
    )


def _with_modules(folder: TextFolder) -> TextFolder:
    """Return the folder with the pooling that it says, unless one was stated."""
    path = folder.path
    modules = _modules(path)
    for name, _ in modules:
        if name not in ("Transformer", "Pooling", "Normalize"):
            raise ConfigError(f"{path} has a {name} layer, which mmem does not apply")
    prefixes = folder.prefix + folder.query_prefix
    said = [_pooling(path, where, prefixes) for name, where in modules if name == "Pooling"]
    pooling = folder.pooling or (said[0] if said else "")
    if not pooling:
        raise ConfigError(
            f"{path} does not say how token vectors become one",
            hint=f"set MMEM_TEXT_POOLING to what its author says: {', '.join(POOLINGS)}",
        )
    if pooling not in POOLINGS:
        raise ConfigError(f"{path} pools by {pooling!r}", hint=f"mmem knows {', '.join(POOLINGS)}")
    return replace(folder, pooling=pooling)


def _modules(path: Path) -> list[tuple[str, str]]:
    """Return the kind and the place of each module of sentence-transformers, in order."""
    file = path / "modules.json"
    if not file.is_file():
        return []
    listed = _json_of(file)
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise ConfigError(f"{file} is no list of modules")
    told = [(str(each.get("type", "")), str(each.get("path", ""))) for each in listed]
    return [(kind.rpartition(".")[2], where) for kind, where in told]


def _pooling(path: Path, where: str, prefixes: str) -> str:
    if PurePosixPath(where).is_absolute() or ".." in PurePosixPath(where).parts or not where:
        raise ConfigError(f"{path / 'modules.json'} names a place outside its folder: {where!r}")
    config = json_object(path / where / "config.json", needed=True)
    if config.get("include_prompt") is False and prefixes:
        raise ConfigError(f"{path} leaves its prompt out of the pooling, which mmem does not do")
    modes = [name for key, name in _POOLING_KEYS.items() if config.get(key)]
    named = config.get("pooling_mode")
    modes += [named] if isinstance(named, str) else []
    return "+".join(dict.fromkeys(modes))


def _prefix(path: Path, stated: str | None, names: tuple[str, ...]) -> str:
    """Return what stands before a text: what was stated, else the folder's prompt of a name."""
    if stated is not None:
        return stated
    config = json_object(path / "config_sentence_transformers.json")
    prompts = config.get("prompts")
    if not isinstance(prompts, dict):
        return ""
    for name in (*names, config.get("default_prompt_name")):
        if isinstance(found := prompts.get(name), str):
            return found
    return ""


def _limit(path: Path, config: Mapping[str, Any]) -> int:
    """Return how many tokens are read of a text: the least of what the files say, and LONGEST."""
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and str(config.get("model_type")).startswith(_OFFSET_POSITIONS):
        positions -= int(config.get("pad_token_id") or 0) + 1
    said = (
        json_object(path / "sentence_bert_config.json").get("max_seq_length"),
        json_object(path / "tokenizer_config.json").get("model_max_length"),
        positions,
    )
    return min([LONGEST, *(n for n in said if isinstance(n, int) and 2 < n < _REAL)])


def _width(path: Path, config: Mapping[str, Any]) -> int:
    for key in _WIDTH_KEYS:
        if isinstance(found := config.get(key), int) and found >= 8:
            return found
    raise ConfigError(f"{path / 'config.json'} names no width of the vectors (hidden_size)")


def weight_files(path: Path) -> tuple[Path, ...]:
    """Return the safetensors files of a folder. Raises ConfigError."""
    index = json_object(path / "model.safetensors.index.json").get("weight_map")
    names = sorted(set(index.values())) if isinstance(index, dict) else ["model.safetensors"]
    for name in names:
        if not isinstance(name, str) or Path(name).name != name or not (path / name).is_file():
            raise ConfigError(
                f"{path} has no {name}",
                hint="weights are read from safetensors alone: other files can run code",
            )
    return tuple(path / name for name in names)


def json_object(file: Path, *, needed: bool = False) -> dict[str, Any]:
    """Return the object that a file holds, an empty one for a file that may be missing and is.

    Raises ConfigError.
    """
    if not needed and not file.is_file():
        return {}
    found = _json_of(file)
    if not isinstance(found, dict):
        raise ConfigError(f"{file} is no JSON object")
    return found


def _json_of(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file} is no JSON") from error
