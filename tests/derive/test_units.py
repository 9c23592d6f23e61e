"""Anchors of other lengths: the same atoms, cut otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mmem.derive.units import cut
from mmem.schemas import ANCHOR_SECONDS, Anchor, CaptionLine, Revision, Source, Span
from mmem.schemas.clock import MICROSECONDS, microseconds


def recording(seconds: int, cuts: Sequence[tuple[float, float]] = ()) -> Source:
    return Source(
        id="s-1",
        kind="recording",
        key="k",
        title="day",
        format="egolife",
        cuts=tuple(span(*stretch) for stretch in cuts),
        anchor_us=microseconds(seconds),
        revisions=(Revision(digest="d", reader="egolife", count=1),),
    )


def span(start: float, end: float) -> Span:
    return Span(start_us=microseconds(start), end_us=microseconds(end))


def caption(number: int, start: float) -> CaptionLine:
    return CaptionLine(
        id=f"c-{number}",
        source_id="s-1",
        ordinal=number,
        locator=f"cue {number}",
        text=f"sight {number}",
        span=span(start, start + 1),
    )


def anchors(source: Source, starts: Sequence[float]) -> list[tuple[float, float, int]]:
    """Return start, end and number of lines of each anchor."""
    units = cut(source, [caption(n, start) for n, start in enumerate(starts)])
    assert len({unit.id for unit in units}) == len(units)
    assert all(isinstance(u, Anchor) and u.width_us == source.anchor_us for u in units)
    spans = [(unit.span, len(unit.atom_ids)) for unit in units if unit.span]
    return [(s.start_us / MICROSECONDS, s.end_us / MICROSECONDS, lines) for s, lines in spans]


@pytest.mark.parametrize("seconds", ANCHOR_SECONDS)
def test_the_grid_is_as_wide_as_its_anchors(seconds: int) -> None:
    starts = [0.5, 9.5, 29.0, 31.0, 65.0]
    found = anchors(recording(seconds), starts)
    wanted = sorted({start // seconds * seconds for start in starts})
    assert [(start, end) for start, end, _ in found] == [(s, s + seconds) for s in wanted]
    assert sum(lines for *_, lines in found) == len(starts)


def test_prescribed_stretches_are_kept_cut_or_joined() -> None:
    """A clip that is cut ends where it ended; clips of one minute are one."""
    clips = [(0, 30), (30, 55), (60, 90), (200, 230)]
    starts = [1, 12, 31, 52, 61, 201]
    assert anchors(recording(30, clips), starts) == [
        (0, 30, 2), (30, 55, 2), (60, 90, 1), (200, 230, 1),
    ]  # fmt: skip
    assert anchors(recording(10, clips), starts) == [
        (0, 10, 1), (10, 20, 1), (30, 40, 1), (50, 55, 1), (60, 70, 1), (200, 210, 1),
    ]  # fmt: skip
    assert anchors(recording(60, clips), starts) == [(0, 55, 4), (60, 90, 1), (200, 230, 1)]
