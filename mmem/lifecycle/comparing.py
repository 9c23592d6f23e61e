"""The comparison across sources that ends a run, and what it says of each of them."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping
from functools import cached_property

from mmem.derive.judges import FrameJudge
from mmem.lifecycle.fusing import Settled, settle_fusion, with_count
from mmem.lifecycle.progress import Counted
from mmem.recipes import FUSING
from mmem.schemas import Outcome
from mmem.stores.library import Library

STAGE = "fusion"
WAITS = "was interrupted, `mmem retry` goes on"
_BEFORE = ("frames", "units", "vectors")
_CLOSED = ("ok", "empty")


@dataclasses.dataclass(frozen=True)
class Ledger:
    """How the stages of the live sources ended, as it was read at one moment."""

    library: Library

    @cached_property
    def outcomes(self) -> Mapping[tuple[str, str], Outcome]:
        """The outcomes of live sources, by source and stage."""
        live = {source.id for source in self.library.sources()}
        found = self.library.outcomes()
        return {(o.source_id, o.stage): o for o in found if o.source_id in live}

    @cached_property
    def ready(self) -> set[str]:
        """The sources whose units, frames and vectors were made, or failed to be."""
        ended = {key for key, outcome in self.outcomes.items() if outcome.status != "pending"}
        ids = {source_id for source_id, _ in self.outcomes}
        return {i for i in ids if all((i, stage) in ended for stage in _BEFORE)}

    def without(self, *statuses: str) -> set[str]:
        """Return the ready sources whose comparison never was, or did not end like this."""
        found = {i: self.outcomes.get((i, STAGE)) for i in self.ready}
        return {i for i, one in found.items() if one is None or one.status not in statuses}

    @property
    def waiting(self) -> set[str]:
        """The ready sources whose comparison was broken off."""
        return self.without("ok", "empty", "partial", "failed", "skipped") - self.uncompared

    @cached_property
    def uncompared(self) -> set[str]:
        """The sources that an mmem wrote which did not compare: that stage alone never began."""
        return {i for i in self.ready if (i, STAGE) not in self.outcomes}


def waits_for_comparison(source_id: str) -> Outcome:
    """Return what stands in the ledger until the run's end."""
    return Outcome(source_id=source_id, stage=STAGE, status="pending", reason=WAITS)


def compare(
    library: Library,
    judge: FrameJudge | None,
    touched: set[str],
    *,
    tried: set[str],
    counted: Counted,
) -> list[Outcome]:
    """Compare frames across the memory; write and return what became of each source.

    Sources that were `touched` in this run, and with a judge those whose comparison is open, are
    judged by the judge of today and get an outcome; of others only what has changed is written.
    """
    ledger = Ledger(library)
    ids = {source_id for source_id, _ in ledger.outcomes}
    sources = touched & ids | (ledger.without(*_CLOSED) if judge else set())
    started = time.perf_counter()
    settled = settle_fusion(library, FUSING, judge, sources=sources, tried=tried, counted=counted)
    seconds = time.perf_counter() - started
    found = [settled.outcome(one, seconds) for one in sorted(sources)]
    found += _of_others(ledger, settled, sources)
    library.put_outcomes(found)
    return found


def _of_others(ledger: Ledger, settled: Settled, sources: set[str]) -> Iterator[Outcome]:
    """Yield the outcomes of other sources that are not as they were."""
    for (source_id, stage), outcome in sorted(ledger.outcomes.items()):
        if stage != STAGE or source_id in sources:
            continue
        if source_id in settled.failed or source_id in settled.waiting:
            yield settled.outcome(source_id)
        elif outcome.count != settled.fused.get(source_id, 0):
            yield with_count(outcome, settled.fused.get(source_id, 0))
