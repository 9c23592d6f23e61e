"""What goes wrong on the way to a language model, in one line each: the border to `openai`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from mmem.errors import BudgetExceeded, ConfigError
from mmem.reply import one_line

if TYPE_CHECKING:
    import openai

NO_JSON = (ValueError, RecursionError)
"""What Python's decoder raises, which `openai` lets through."""
_UNREACHABLE = frozenset({"ConnectError", "ConnectTimeout", "gaierror", "ConnectionRefusedError"})
_UNPAID = ("insufficient_quota", "billing", "credit", "exceeded your current quota")


def shown(base_url: str) -> str:
    """Return an address without the name and password that it may hold.

    >>> shown("https://me:secret@host:8000/v1/?k=1")
    'https://host:8000/v1'
    """
    parts = urlsplit(base_url)
    host = parts.netloc.rsplit("@", 1)[-1]
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"


def stream_errors() -> tuple[type[Exception], ...]:
    """Return what breaks a stream in the middle: `openai` lets its HTTP client's errors through.

    Which client that is depends on its version; a piece that is no JSON is one of NO_JSON.
    """
    import openai

    clients = [sys.modules[name] for name in ("httpx", "httpx2") if name in sys.modules]
    return (openai.OpenAIError, *NO_JSON, *(client.TransportError for client in clients))


def stop_or_say(
    error: openai.OpenAIError,
    *,
    base_url: str,
    model: str,
    key_name: str,
    url_name: str = "MMEM_LLM_BASE_URL",
) -> str:
    """Return why one request failed, or raise where every other one would fail too.

    Raises ConfigError (address, key, model) and BudgetExceeded (the account is used up).
    """
    import openai

    where = shown(base_url)
    if isinstance(error, openai.APIConnectionError):
        return _no_connection(error, where, url_name)
    if not isinstance(error, openai.APIStatusError):
        return one_line(f"{where} sent what is no answer: {error}")
    said, status = _message(error), error.status_code
    if status in (401, 403):
        raise ConfigError(
            f"{where} refuses the key (HTTP {status})", hint=f"set {key_name} to a key of it"
        ) from error
    if status == 404:
        raise ConfigError(
            f"{where} has no model {model!r}, or is no address of a model server: {said}",
            hint=f"`curl {where}/models` lists what it has; most addresses end in /v1",
        ) from error
    if status in (402, 429):
        _stop_if_unpaid(error, where, said)
    return f"{where} answered HTTP {status}: {said}"


def _no_connection(error: openai.APIConnectionError, where: str, url_name: str) -> str:
    import openai

    if _causes(error) & _UNREACHABLE:
        raise ConfigError(
            f"no model server answers at {where}",
            hint=f"start it, or set {url_name}; `curl {where}/models` must answer",
        ) from error
    if isinstance(error, openai.APITimeoutError):
        return f"{where} gave no answer in time; MMEM_LLM_TIMEOUT_S is how long it may take"
    return f"the connection to {where} broke off"


def _stop_if_unpaid(error: openai.APIStatusError, where: str, said: str) -> None:
    words = f"{error.code} {error.type} {said}".lower()
    if error.status_code == 402 or any(word in words for word in _UNPAID):
        _unpaid(error, where)


def _unpaid(error: Exception, where: str) -> NoReturn:
    raise BudgetExceeded(
        f"the account at {where} is used up",
        hint="what is done is kept: add credit there, then run `mmem retry`",
    ) from error


def _message(error: openai.APIStatusError) -> str:
    """Return the server's own words; the client's message puts the status before them."""
    told = error.body.get("message") if isinstance(error.body, dict) else None
    return one_line(told if isinstance(told, str) else str(error.message))


def _causes(error: BaseException | None) -> set[str]:
    names: set[str] = set()
    while error is not None and len(names) < 20:
        names.add(type(error).__name__)
        error = error.__cause__ or error.__context__
    return names
