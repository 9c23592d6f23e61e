"""Image captioners of random weights, saved as their authors save them, so that loading is real."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.models.tiny import tiny_bert

_SIDE_PX = 16


def tiny_blip(folder: Path, *, seed: int = 0) -> Path:
    """Save a BLIP of one small layer a side, its processor and its tokenizer; return the folder."""
    import torch
    from transformers import BlipConfig, BlipForConditionalGeneration, BlipImageProcessor

    words = _words(folder)
    config = BlipConfig(
        text_config={
            **_decoder(words),
            "projection_dim": 16,
            "encoder_hidden_size": 16,
            "hidden_act": "gelu",
            "bos_token_id": 2,
            "eos_token_id": 3,
            "sep_token_id": 3,
            "pad_token_id": 0,
        },
        vision_config={**_layer(), "image_size": _SIDE_PX, "patch_size": 8},
    )
    torch.manual_seed(seed)
    BlipForConditionalGeneration(config).save_pretrained(folder)
    size = {"height": _SIDE_PX, "width": _SIDE_PX}
    BlipImageProcessor(size=size).save_pretrained(folder)
    return folder


def tiny_encoder_decoder(folder: Path, *, seed: int = 0) -> Path:
    """Save a ViT with a BERT decoder, its processor and its tokenizer; return the folder."""
    import torch
    from transformers import (
        BertConfig,
        VisionEncoderDecoderConfig,
        VisionEncoderDecoderModel,
        ViTConfig,
        ViTImageProcessor,
    )

    words = _words(folder)
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(
        ViTConfig(**_layer(), image_size=_SIDE_PX, patch_size=8),
        BertConfig(**_decoder(words), is_decoder=True, add_cross_attention=True),
    )
    config.decoder_start_token_id, config.eos_token_id, config.pad_token_id = 2, 3, 0
    torch.manual_seed(seed)
    model = VisionEncoderDecoderModel(config)
    told = model.generation_config
    told.decoder_start_token_id, told.eos_token_id, told.pad_token_id = 2, 3, 0
    model.save_pretrained(folder)
    size = {"height": _SIDE_PX, "width": _SIDE_PX}
    ViTImageProcessor(size=size).save_pretrained(folder)
    return folder


def _words(folder: Path) -> int:
    """Save a tokenizer; return how many pieces it has."""
    from transformers import AutoTokenizer

    tiny_bert(folder, pooling=None)
    return len(AutoTokenizer.from_pretrained(folder))


def _layer() -> dict[str, Any]:
    return {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }


def _decoder(words: int) -> dict[str, Any]:
    return {**_layer(), "vocab_size": words, "max_position_embeddings": 64}
