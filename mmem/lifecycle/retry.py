"""Doing again what failed or is pending, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from mmem.lifecycle.add import Adder
from mmem.lifecycle.complete import FINISHED
from mmem.lifecycle.progress import FileReport
from mmem.schemas import Outcome, Source


def retried(adder: Adder) -> Iterator[FileReport]:
    """Yield a report for every file and source with a stage that has not ended well."""
    open_ones = [o for o in adder.library.outcomes() if o.status not in FINISHED]
    failed_files = [o.location for o in open_ones if o.location]
    yield from adder.add(failed_files)
    live = {source.id: source for source in adder.library.sources()}
    for source_id in dict.fromkeys(o.source_id for o in open_ones if o.source_id in live):
        yield _again(adder, live[source_id], open_ones)


def _again(adder: Adder, source: Source, open_ones: list[Outcome]) -> FileReport:
    """Complete one source; one whose reading broke off is read again from its file."""
    unread = any(o.stage == "read" for o in open_ones if o.source_id == source.id)
    places = [place for revision in source.revisions for place in revision.locations]
    if unread:
        return next(iter(adder.add(places[-1:])))
    return adder.complete(source)
