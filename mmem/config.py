"""What the environment may say; everything else is an argument."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from mmem.errors import ConfigError


class Settings(BaseSettings):
    """Variables that begin with MMEM_.

    MMEM_MEMORY is the memory's folder, MMEM_TZ the zone of times that a caller writes without one,
    MMEM_SPEECH_MODEL a faster-whisper size or a folder in place of the embedded tiny.en, and
    MMEM_WAIT_S how many seconds a writer waits for another.
    """

    model_config = SettingsConfigDict(env_prefix="MMEM_", frozen=True, extra="ignore")

    memory: Path = Path("mmem-memory")
    tz: str | None = None
    speech_model: str | None = None
    wait_s: float = Field(default=30.0, ge=0.0)


def settings() -> Settings:
    """Read the environment. Raises ConfigError naming the variable that cannot be right."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(["MMEM", *(str(part).upper() for part in first["loc"])])
        raise ConfigError(f"{name}={first['input']!r}: {first['msg']}") from error
