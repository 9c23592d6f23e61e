"""Text models of random weights, saved as their authors save them, so that real loading runs."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

WORDS = (
    "the a cat dog sat ran fast on mat meeting is tomorrow two fix query passage : . , ?".split()
)


def tiny_bert(
    folder: Path,
    *,
    width: int = 32,
    seed: int = 0,
    pooling: str | None = "mean",
    prompts: dict[str, str] | None = None,
    longest: int | None = None,
    positions: int = 64,
) -> Path:
    """Save a BERT of two small layers and its WordPiece tokenizer; return the folder.

    `pooling`, `prompts` and `longest` (tokens) are written as sentence-transformers writes them;
    None writes nothing.
    """
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    letters = [*string.ascii_lowercase, *string.digits]
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    pieces = [*marks, *dict.fromkeys([*WORDS, *letters]), *(f"##{letter}" for letter in letters)]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=width,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * width,
        max_position_embeddings=positions,
    )
    torch.manual_seed(seed)
    BertModel(config).save_pretrained(folder)
    if pooling:
        _write_pooling(folder, pooling, width)
    if prompts is not None:
        _write(folder / "config_sentence_transformers.json", {"prompts": prompts})
    if longest is not None:
        _write(folder / "sentence_bert_config.json", {"max_seq_length": longest})
    return folder


def _write_pooling(folder: Path, pooling: str, width: int) -> None:
    kinds = ("Transformer", ""), ("Pooling", "1_Pooling")
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (kind, path) in enumerate(kinds)
    ]
    _write(folder / "modules.json", modules)
    names = {"mean": "mean_tokens", "cls": "cls_token", "max": "max_tokens"}
    modes = {f"pooling_mode_{mode}": name == pooling for name, mode in names.items()}
    modes["pooling_mode_lasttoken"] = pooling == "lasttoken"
    (folder / "1_Pooling").mkdir(exist_ok=True)
    _write(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": width, **modes})


def _write(file: Path, made: Any) -> None:
    file.write_text(json.dumps(made))
