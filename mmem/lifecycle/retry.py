"""Doing again what failed or is pending, and nothing else."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from mmem.lifecycle.add import Adder
from mmem.lifecycle.options import AddOptions
from mmem.lifecycle.progress import FileReport
from mmem.lifecycle.runs import Act, run
from mmem.lifecycle.sweep import sweep


def retried(adder: Adder) -> Iterator[FileReport]:
    """Yield a report for every file and source with a stage that never began or ended badly.

    A file is read with what was said of it when it was added. A stage that a newer mmem has, and
    the one that wrote the memory had not, never began. One that was skipped for want of an extra
    is done once that is installed.
    """
    sweep(adder.library, adder.completer)
    return run(adder, _acts(adder))


def _acts(adder: Adder) -> Iterator[Act]:
    """Yield what does each of them, those of files first."""
    open_ones = [o for o in adder.library.outcomes() if adder.completer.is_open(o)]
    unread: dict[str, list[str]] = {}
    for outcome in open_ones:
        if outcome.location:
            unread.setdefault(outcome.options, []).append(outcome.location)
    for options, places in unread.items():
        yield from dataclasses.replace(adder, options=AddOptions.of_text(options)).acts(places)
    due = {o.source_id for o in open_ones if not o.location}
    for source in adder.library.sources():
        if source.id in due or adder.completer.lacks(source):
            yield functools.partial(adder.complete, source)
