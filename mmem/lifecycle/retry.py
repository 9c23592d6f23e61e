"""Doing again what failed or is pending, and nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from mmem.lifecycle.add import Adder, AddOptions
from mmem.lifecycle.complete import FINISHED
from mmem.lifecycle.progress import FileReport


def retried(adder: Adder) -> Iterator[FileReport]:
    """Yield a report for every file and source with a stage that has not ended well.

    A file is read with what was said of it when it was added.
    """
    open_ones = [o for o in adder.library.outcomes() if o.status not in FINISHED]
    unread: dict[str, list[str]] = {}
    for outcome in open_ones:
        if outcome.location:
            unread.setdefault(outcome.options, []).append(outcome.location)
    for options, places in unread.items():
        again = dataclasses.replace(adder, options=AddOptions.of_text(options))
        yield from again.add(places)
    live = {source.id: source for source in adder.library.sources()}
    for source_id in dict.fromkeys(o.source_id for o in open_ones if not o.location):
        if source_id in live:
            yield adder.complete(live[source_id])
