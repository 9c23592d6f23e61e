"""What a long command tells on stderr while it runs: a bar on a terminal, else a line a stage."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from mmem.lifecycle.progress import Listener, Progress

Pause = Callable[[], None]


@contextlib.contextmanager
def telling(*, quiet: bool) -> Iterator[tuple[Listener, Pause]]:
    """Yield a listener, and what clears its bar before something else is printed."""
    if quiet:
        yield (lambda _: None), (lambda: None)
    elif sys.stderr.isatty():
        bars = Bars()
        try:
            yield bars, bars.pause
        finally:
            bars.pause()
    else:
        yield StageLines(), (lambda: None)


class StageLines:
    """One line for each stage of each file, when it begins."""

    def __init__(self) -> None:
        self._last: tuple[str, str] | None = None

    def __call__(self, progress: Progress) -> None:
        """Tell one step."""
        stage = (progress.file, progress.stage)
        if stage == self._last:
            return
        self._last = stage
        known = progress.unit or progress.total > 1
        amount = f" ({_amount(progress.total, progress.unit)})" if known else ""
        typer.echo(f"{_label(progress)}{amount}", err=True)


class Bars:
    """A bar for the stage that runs, with how much of how much is done."""

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._stage: tuple[str, str] | None = None

    def __call__(self, progress: Progress) -> None:
        """Tell one step."""
        bar = self._started()
        stage = (progress.file, progress.stage)
        if self._task is None or stage != self._stage:
            if self._task is not None:
                bar.remove_task(self._task)
            self._task = bar.add_task(_label(progress), total=progress.total, amount="")
            self._stage = stage
        done, total = (_amount(n, progress.unit) for n in (progress.done, progress.total))
        bar.update(
            self._task,
            completed=progress.done,
            total=progress.total,
            amount=f"{done} / {total}",
        )

    def pause(self) -> None:
        """Clear the bar, so that a line can be printed."""
        if self._bar is not None:
            self._bar.stop()
        self._bar = self._task = self._stage = None

    def _started(self) -> Bar:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[amount]}", markup=False),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._bar.start()
        return self._bar


def _label(progress: Progress) -> str:
    from mmem.cli.page import one_line

    return f"{one_line(progress.file)}: {progress.stage}"


def _amount(number: float, unit: str) -> str:
    return f"{number:.1f} s" if unit == "s" else f"{number:.0f}{' ' + unit if unit else ''}"
