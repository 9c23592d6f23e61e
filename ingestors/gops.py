"""Which pictures of a video are worth decoding, told from packet sizes alone.

A group of pictures starts at a key packet and can be decoded from there. Its key picture is a
candidate. The rest of it is looked at, five pictures a second, where the group is long or the last
of a short recording; and where a packet is far larger than the group's usual (a slide changed
between two key pictures).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator

from mmem.schemas.clock import MICROSECONDS

SPACING_US = MICROSECONDS
LONG_US = 15 * MICROSECONDS
LOOK_US = MICROSECONDS // 5
SHORT_GROUPS = 3
# A burst of large packets is one transition: the picture after it is the one to keep.
_BURST_US = 700_000
_USUAL_QUANTILE = 0.85
_BURST_OVER_USUAL = 3
_BURST_OVER_KEY = 0.03
_FEW = 12


@dataclasses.dataclass(frozen=True, slots=True)
class Packet:
    """A packet of pictures: presentation time on the container's clock, size in bytes, key flag.

    `hidden` pictures are decoded, never shown: an edit list cuts them away.
    """

    at_us: int
    size: int
    key: bool
    hidden: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """Pictures wanted from one group, as times in ascending order; none: it is passed over.

    `whole` tells that packets after the key packet must be decoded too, up to the last wanted.
    """

    wanted: tuple[int, ...]
    whole: bool


def groups(packets: Iterable[Packet]) -> Iterator[Group]:
    """Yield one Group for each group of pictures, in file order.

    Packets before the first key packet make no group. Holds one group's packets at a time.
    """
    held: list[Packet] = []
    last_us: int | None = None
    count = 0
    for packet in packets:
        if packet.key and held:
            group = _planned(held, packet.at_us, last_us, look=False)
            count += 1
            last_us = group.wanted[-1] if group.wanted else last_us
            yield group
            held = []
        if packet.key or held:
            held.append(packet)
    if held:
        yield _planned(held, held[-1].at_us, last_us, look=count < SHORT_GROUPS)


def _planned(held: list[Packet], next_us: int, last_us: int | None, *, look: bool) -> Group:
    """Plan one group that ends at `next_us`; `look` asks to look at all of it."""
    times = sorted(packet.at_us for packet in held if not packet.hidden)
    if not times:
        return Group(wanted=(), whole=False)
    start = held[0].at_us if not held[0].hidden else times[0]
    end = max(times[-1], next_us)
    inner = _bursts(held)
    if look or end - start > LONG_US:
        inner |= set(_spaced(times))
    if len(held) <= _FEW and end - start > 2 * SPACING_US:
        inner |= set(times)
    inner = {at for at in inner if at > start}
    near = last_us is not None and 0 <= start - last_us < SPACING_US
    wanted = sorted(inner if near else inner | {start})
    return Group(wanted=tuple(wanted), whole=bool(inner) or held[0].hidden)


def _spaced(times: list[int]) -> Iterator[int]:
    """Yield picture times at least a fifth of a second apart."""
    due = times[0] + LOOK_US
    for at in times:
        if at >= due:
            yield at
            due = at + LOOK_US


def _bursts(held: list[Packet]) -> set[int]:
    sizes = sorted(packet.size for packet in held[1:])
    if len(sizes) < _FEW:
        return set()
    usual = sizes[int(len(sizes) * _USUAL_QUANTILE)]
    floor = max(_BURST_OVER_USUAL * usual, _BURST_OVER_KEY * held[0].size)
    large = sorted(packet.at_us for packet in held[1:] if packet.size > floor and not packet.hidden)
    ends = [
        at
        for at, after in itertools.zip_longest(large, large[1:])
        if after is None or after - at > _BURST_US
    ]
    return set(ends)
