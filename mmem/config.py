"""What the environment may say; everything else is an argument."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from mmem.errors import ConfigError


class Settings(BaseSettings):
    """Variables that begin with MMEM_, and the two of OpenAI's clients.

    MMEM_MEMORY is the memory's folder, MMEM_TZ the zone of times that a caller writes without one,
    MMEM_SPEECH_MODEL a faster-whisper size or a folder in place of the embedded tiny.en, and
    MMEM_WAIT_S how many seconds a writer waits for another. MMEM_IMAGE_MODEL makes the vectors of
    pictures: "labels" (object names, the default), an open_clip model and its weights
    ("ViT-B-32/laion2b_s34b_b79k"), "local-dir:/path" for a folder of such, or "off".

    MMEM_TEXT_MODEL makes the vectors of texts: "embedded" (the default), "local-dir:/path" or a
    hub's name for a transformers model, "endpoint:MODEL" for a server that has OpenAI's
    /v1/embeddings. MMEM_TEXT_POOLING (mean, cls, lasttoken, max), MMEM_TEXT_PREFIX and
    MMEM_TEXT_QUERY_PREFIX (set before stored texts and before questions) are taken from the
    model's folder where it says them. Endpoints are asked at MMEM_EMBED_BASE_URL with
    MMEM_EMBED_API_KEY, else at OPENAI_BASE_URL with OPENAI_API_KEY, with the times, retries and
    concurrency of MMEM_LLM_*; MMEM_EMBED_PRICE is money per million tokens, and
    MMEM_EMBED_MAX_TOKENS how much of a text is sent, in tokens as they are guessed from its
    letters.

    MMEM_LLM_MODEL is the language model to ask, None for none. It is asked at MMEM_LLM_BASE_URL
    with MMEM_LLM_API_KEY, else at OPENAI_BASE_URL with OPENAI_API_KEY; a key is only sent to the
    address that it was named with. MMEM_LLM_TIMEOUT_S is how long one call may take in seconds,
    MMEM_LLM_RETRIES how often a refused or broken one is sent again, MMEM_LLM_CONCURRENCY how many
    run at once, MMEM_LLM_TEMPERATURE how freely it samples, and MMEM_LLM_THINKING_TOKENS how many
    tokens a reasoning model may use up before it begins to reply. MMEM_LLM_PRICE_IN and
    MMEM_LLM_PRICE_OUT are money per million tokens read and written, in any one currency;
    MMEM_LLM_MAX_COST and MMEM_LLM_MAX_CALLS cap what one run may spend, None for no cap.
    MMEM_LLM_CACHE is the folder of remembered replies, in place of the user's cache folder, or
    "off".

    MMEM_VISION_MODEL says in words what pictures of recordings show: the name of a model that
    sees, or "local-dir:/path" for a captioner of transformers (BLIP, an encoder and a
    decoder); None and "off" leave it to names of things and colours. A model that sees is asked at
    MMEM_VISION_BASE_URL with MMEM_VISION_API_KEY, else where the language model is, with the
    times, retries, concurrency, temperature, caps and cache of MMEM_LLM_*. MMEM_VISION_PRICE_IN
    and MMEM_VISION_PRICE_OUT are its prices, where they are not the language model's.
    """

    model_config = SettingsConfigDict(env_prefix="MMEM_", frozen=True, extra="ignore")

    memory: Path = Path("mmem-memory")
    tz: str | None = None
    speech_model: str | None = None
    image_model: str | None = None
    text_model: str = "embedded"
    text_pooling: Literal["mean", "cls", "lasttoken", "max"] | None = None
    text_prefix: str | None = None
    text_query_prefix: str | None = None
    embed_base_url: str | None = None
    embed_api_key: SecretStr | None = None
    embed_price: float | None = Field(default=None, ge=0.0)
    embed_max_tokens: int = Field(default=512, ge=16)
    wait_s: float = Field(default=30.0, ge=0.0)
    llm_model: str | None = None
    llm_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    openai_base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    llm_timeout_s: float = Field(default=120.0, gt=0.0)
    llm_retries: int = Field(default=3, ge=0, le=20)
    llm_concurrency: int = Field(default=4, ge=1, le=256)
    llm_temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    llm_thinking_tokens: int = Field(default=0, ge=0)
    llm_price_in: float | None = Field(default=None, ge=0.0)
    llm_price_out: float | None = Field(default=None, ge=0.0)
    llm_max_cost: float | None = Field(default=None, ge=0.0)
    llm_max_calls: int | None = Field(default=None, ge=0)
    llm_cache: str | None = None
    vision_model: str | None = None
    vision_base_url: str | None = None
    vision_api_key: SecretStr | None = None
    vision_price_in: float | None = Field(default=None, ge=0.0)
    vision_price_out: float | None = Field(default=None, ge=0.0)


def settings() -> Settings:
    """Read the environment. Raises ConfigError naming the variable that cannot be right."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(["MMEM", *(str(part).upper() for part in first["loc"])])
        raise ConfigError(f"{name}={first['input']!r}: {first['msg']}") from error
