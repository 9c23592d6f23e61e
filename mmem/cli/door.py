"""What all commands share: options before or after the command, one border for errors."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, NoReturn, ParamSpec

import typer

from mmem.errors import MmemError

if TYPE_CHECKING:
    from mmem.memory import Memory

P = ParamSpec("P")
ERROR = 1
FAILED_UNITS = 3
CANCELLED = 130


@dataclasses.dataclass(frozen=True)
class Session:
    """What the options of all commands said; `labels` None means the owner, who sees all."""

    memory: str | None = None
    labels: str | None = None
    recipe: str | None = None
    verbose: bool = False
    quiet: bool = False

    @contextlib.contextmanager
    def opened(self) -> Iterator[Memory]:
        """Open the memory that the options name, as the reader that they name."""
        from mmem.memory import Memory

        labels = None if self.labels is None else _names(self.labels)
        with Memory(self.memory, labels=labels, recipe=self.recipe or "mmem") as memory:
            yield memory


class Format(enum.StrEnum):
    """How data is printed."""

    text = "text"
    json = "json"
    jsonl = "jsonl"


Output = Annotated[
    Format, typer.Option("-o", "--output", help="text, json, or jsonl: one record a line.")
]
_SHARED = {
    "memory": Annotated[
        str | None, typer.Option("--memory", metavar="DIR", help="The memory's folder.")
    ],
    "labels": Annotated[
        str | None,
        typer.Option("--labels", metavar="L,...", help="Read as one who may see these labels."),
    ],
    "recipe": Annotated[
        str | None,
        typer.Option("--recipe", metavar="R", help="mmem (default), seem or em2mem."),
    ],
    "verbose": Annotated[
        bool, typer.Option("-v", "--verbose", help="Tell more; show where an error came from.")
    ],
    "quiet": Annotated[bool, typer.Option("-q", "--quiet", help="Tell no progress.")],
}


def door(command: Callable[Concatenate[Session, P], None]) -> Callable[..., None]:
    """Give a command the shared options, and turn expected errors into one line and exit code.

    The options may stand before the command's name or after it.
    """
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]

    @functools.wraps(command)
    def through(context: typer.Context, **given: Any) -> None:
        shared = {name: given.pop(name) for name in _SHARED}
        before = context.ensure_object(Session)
        session = dataclasses.replace(before, **{k: v for k, v in shared.items() if v})
        with _errors_told(verbose=session.verbose):
            command(session, **given)  # type: ignore[call-arg]

    context = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    through.__signature__ = inspect.Signature([context, *own, *_shared_parameters()])  # type: ignore[attr-defined]
    return through


def _shared_parameters() -> list[inspect.Parameter]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(name, keyword, annotation=kind, default=getattr(Session(), name))
        for name, kind in _SHARED.items()
    ]


def a_moment(value: str | None) -> str | None:
    """Check a time option while it is parsed; a bad one is a usage error."""
    if value is not None:
        from mmem.schemas.clock import parse_wall

        _checked(lambda: parse_wall(value))
    return value


def a_zone(value: str | None) -> str | None:
    """Check a time zone option while it is parsed."""
    if value is not None:
        from mmem.schemas.clock import zone_of

        _checked(lambda: zone_of(value))
    return value


def a_format(value: str | None) -> str | None:
    """Check the name of a reader while it is parsed."""
    if value is not None:
        from mmem.ingestors.registry import reader_named

        _checked(lambda: reader_named(value))
    return value


def complain(message: str, hint: str = "") -> None:
    """Say an error on stderr, and the next step on a line of its own."""
    from mmem.cli.page import visible

    typer.echo(visible(f"mmem: {message}"), err=True)
    if hint:
        typer.echo(visible(f"      {hint}"), err=True)


def _checked(reading: Callable[[], object]) -> None:
    try:
        reading()
    except MmemError as error:
        raise typer.BadParameter(str(error)) from error


def _names(listed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in listed.split(",") if name.strip())


@contextlib.contextmanager
def _errors_told(*, verbose: bool) -> Iterator[None]:
    try:
        with _log_on_stderr() if verbose else contextlib.nullcontext():
            yield
    except MmemError as error:
        if verbose:
            import traceback

            traceback.print_exc()
        _end(ERROR, error.message, error.hint)
    except KeyboardInterrupt:
        _end(CANCELLED, "cancelled")
    except BrokenPipeError:
        raise
    except OSError as error:
        if verbose:
            raise
        _end(ERROR, str(error), "-v shows where")


def _end(code: int, message: str, hint: str = "") -> NoReturn:
    complain(message, hint)
    raise typer.Exit(code)


@contextlib.contextmanager
def _log_on_stderr() -> Iterator[None]:
    import logging

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    logger = logging.getLogger("mmem")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
