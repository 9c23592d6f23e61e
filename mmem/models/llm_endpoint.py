"""Where a language model is asked, as the settings say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from mmem.config import Settings
from mmem.errors import ConfigError
from mmem.models.llm_budget import Budget, Cap, Prices
from mmem.models.llm_cache import ReplyCache

OPENAI = "https://api.openai.com/v1"
_KEYLESS = "none"


@dataclass(frozen=True)
class Endpoint:
    """An address that speaks OpenAI's protocol, and how to ask there.

    `key_name` and `url_name` are the variables that hold the key and the address; `retries` counts
    sends after the first; `thinking_tokens` are added to what a reply may take.
    """

    model: str
    base_url: str
    key: str
    key_name: str = "MMEM_LLM_API_KEY"
    url_name: str = "MMEM_LLM_BASE_URL"
    timeout_s: float = 120.0
    retries: int = 3
    concurrency: int = 4
    temperature: float = 0.0
    thinking_tokens: int = 0


def endpoint_of(settings: Settings) -> Endpoint | None:
    """Return the endpoint that the settings name, None where they name no model.

    A key goes to the address that it was set with: OPENAI_API_KEY is not sent to
    MMEM_LLM_BASE_URL. Local servers want none. Raises ConfigError.
    """
    if not settings.llm_model:
        return None
    address = address_of(settings, settings.llm_base_url, settings.llm_api_key, "MMEM_LLM")
    return _endpoint(settings, settings.llm_model, address)


def _endpoint(settings: Settings, model: str, address: tuple[str, str, str]) -> Endpoint:
    base_url, key, key_name = address
    return Endpoint(
        model=model,
        base_url=base_url,
        key=key,
        key_name=key_name,
        timeout_s=settings.llm_timeout_s,
        retries=settings.llm_retries,
        concurrency=settings.llm_concurrency,
        temperature=settings.llm_temperature,
        thinking_tokens=settings.llm_thinking_tokens,
    )


def address_of(
    settings: Settings, own_url: str | None, own_key: SecretStr | None, names: str
) -> tuple[str, str, str]:
    """Return where a model is asked, the key to ask with, and the variable that holds the key.

    `own_url` and `own_key` are what the variables that begin with `names` say; without them it is
    OpenAI's. A key goes only to the address that it was set with. Raises ConfigError.
    """
    base_url = own_url or settings.openai_base_url or OPENAI
    secret = own_key or (None if own_url else settings.openai_api_key)
    key_name = f"{names}_API_KEY" if own_url or own_key else "OPENAI_API_KEY"
    key = secret.get_secret_value().strip() if secret else ""
    _check(base_url, key, key_name, f"{names}_BASE_URL")
    return base_url.rstrip("/"), key or _KEYLESS, key_name


def _check(base_url: str, key: str, key_name: str, url_name: str) -> None:
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise ConfigError(
            f"{base_url!r} is no address of a model server",
            hint="it looks like http://localhost:11434/v1",
        )
    if not key and parts.hostname == "api.openai.com":
        raise ConfigError(
            "api.openai.com needs a key",
            hint=f"set {key_name}, or {url_name} to a local server's address",
        )
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"{key_name} holds characters that no key has", hint="copy it again")


def vision_endpoint_of(settings: Settings, model: str) -> Endpoint:
    """Return the endpoint of a model that sees.

    It is asked where MMEM_VISION_* says; without an address and a key of its own, where the
    language model is. The rest is as for the language model. Raises ConfigError.
    """
    url, key, names = settings.vision_base_url, settings.vision_api_key, "MMEM_VISION"
    if not url and not key:
        url, key, names = settings.llm_base_url, settings.llm_api_key, "MMEM_LLM"
    address = address_of(settings, url, key, names)
    return replace(_endpoint(settings, model, address), url_name=f"{names}_BASE_URL")


def budget_of(
    settings: Settings,
    *,
    max_cost: float | None = None,
    max_calls: int | None = None,
    cap: Cap | None = None,
) -> Budget:
    """Return the budget of one run; a cap of the caller's wins over the settings'."""
    prices = _prices(settings.llm_price_in, settings.llm_price_out)
    cap = cap or cap_of(settings, max_cost=max_cost, max_calls=max_calls)
    return Budget(prices=prices, cap=cap)


def vision_budget_of(settings: Settings, cap: Cap) -> Budget:
    """Return the budget of the model that sees; without prices of its own, at the other's."""
    own = _prices(settings.vision_price_in, settings.vision_price_out)
    return Budget(prices=own or _prices(settings.llm_price_in, settings.llm_price_out), cap=cap)


def cap_of(
    settings: Settings, *, max_cost: float | None = None, max_calls: int | None = None
) -> Cap:
    """Return the cap of one run; the caller's wins over the settings'."""
    return Cap(
        max_cost=settings.llm_max_cost if max_cost is None else max_cost,
        max_calls=settings.llm_max_calls if max_calls is None else max_calls,
    )


def _prices(read: float | None, written: float | None) -> Prices | None:
    return None if read is None or written is None else Prices(read, written)


def cache_of(settings: Settings) -> ReplyCache | None:
    """Return the cache that the settings name, None where it is switched off."""
    if settings.llm_cache == "off":
        return None
    return ReplyCache(Path(settings.llm_cache)) if settings.llm_cache else ReplyCache.of_user()
