"""One run over files: each is done by itself, then frames are compared across all of them."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from mmem.errors import MmemError, StoreLocked
from mmem.lifecycle.comparing import STAGE, Ledger
from mmem.lifecycle.complete import FINISHED, Completer
from mmem.lifecycle.naming import lacks_names
from mmem.lifecycle.progress import FileReport
from mmem.lifecycle.viewing import lacks_views
from mmem.schemas import Outcome
from mmem.stores.library import Library

_log = logging.getLogger("mmem")
Act = Callable[[], FileReport]


class Running(Protocol):
    """What a run works on, under the lease."""

    @property
    def library(self) -> Library:
        """The store."""
        ...

    @property
    def completer(self) -> Completer:
        """What brings sources up to date."""
        ...

    @property
    def check_lease(self) -> Callable[[], None]:
        """Raises StoreLocked when the lease is lost."""
        ...


def run(running: Running, acts: Iterable[Act]) -> Iterator[FileReport]:
    """Do one act after the other; yield the report of each as it is done.

    The last report waits until frames have been compared, and has also those sources of the run
    whose comparison did not end well. A run that is broken off leaves that stage pending; the next
    one goes on.
    """
    steps = iter(acts)
    act = next(steps, None)
    report = None
    while act is not None:
        report = act()
        act = next(steps, None)
        if act is not None:
            yield report
    compared = _compared(running)
    running.library.compact()
    if report is not None:
        yield _with_comparisons(report, compared)


def _compared(running: Running) -> list[Outcome]:
    """Compare frames if anything was done, or an earlier run had broken off before it."""
    completer, ledger = running.completer, Ledger(running.library)
    for source in running.library.sources():
        if source.id in ledger.uncompared:
            running.check_lease()
            completer.regroup(source)
    lacks_more = lacks_names(running.library) or lacks_views(running.library)
    if not completer.touched and not ledger.waiting and not lacks_more:
        return []
    running.check_lease()
    touched = sorted(completer.touched | ledger.waiting)
    named = {source.id: source.title for source in running.library.sources()}
    title = named.get(touched[0], "") if len(touched) == 1 else f"{len(touched)} sources"
    try:
        return completer.compare(title)
    except StoreLocked:
        raise
    except MmemError as error:
        return _failed(running, touched, str(error))
    except Exception as error:
        _log.debug("in %s", STAGE, exc_info=True)
        return _failed(running, touched, f"{type(error).__name__}: {error}")


def _failed(running: Running, touched: Iterable[str], reason: str) -> list[Outcome]:
    live = {source.id for source in running.library.sources()}
    found = [
        Outcome(source_id=one, stage=STAGE, status="failed", reason=reason)
        for one in touched
        if one in live
    ]
    running.library.put_outcomes(found)
    return found


def _with_comparisons(report: FileReport, compared: Iterable[Outcome]) -> FileReport:
    """Return a report with how the comparison of its sources ended, and whose did not end well."""
    own = {source.id for source in report.sources}
    kept = [o for o in report.outcomes if o.stage != STAGE]
    known = {o.source_id: o for o in report.outcomes if o.stage == STAGE}
    found = {o.source_id: o for o in compared if o.source_id in own or o.status not in FINISHED}
    outcomes = sorted([*kept, *(known | found).values()], key=lambda o: (o.source_id, o.stage))
    return dataclasses.replace(report, outcomes=tuple(outcomes))
