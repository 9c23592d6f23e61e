"""Which pictures of a video are worth looking at, told from packet sizes alone, within a budget.

A key picture can be decoded alone. What lies between two of them can only be decoded from the
first one on, which is dear; packets that say "as before" are tiny, so that a stretch in which
nothing happens is told without decoding it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from mmem.schemas.clock import MICROSECONDS

LOOK_US = MICROSECONDS // 5
"""Pictures are looked at no more than five times a second."""
# A packet of a picture that stays has about a bit for each 16 x 16 block, and a header.
_PIXELS_A_STILL_BYTE = 8_000
_STILL_HEADER_BYTES = 12
_STILL_QUANTILE = 0.25
_MOVING_PIXELS_A_BYTE = 1_500
# In HD a caret that blinks costs less than 300 bytes, two new words on a slide more.
_PIXELS_A_CHANGED_BYTE = 3_000
_CHANGE_BYTES = range(10, 301)

# Milliseconds, measured with FFmpeg's H.264 decoder on one core, a million pixels.
_KEY_MS, _STILL_MS, _MOVING_MS, _THUMB_MS = 8.0, 0.7, 2.6, 0.8
_PIXELS_A_FULL_BYTE = 200
_EARNED_MS_A_SECOND = 2.5
_MOST_SAVED_MS = 600.0
_HD_PIXELS, _MOST_SCALE = 1280 * 720, 2.25


@dataclasses.dataclass(frozen=True, slots=True)
class Packet:
    """A packet of pictures: presentation time, size in bytes, key flag.

    `hidden` pictures are decoded, never shown: an edit list cuts them away.
    """

    at_us: int
    size: int
    key: bool
    hidden: bool = False


def worth_a_look(packets: Sequence[Packet], pixels: int) -> list[int]:
    """Return times, ascending, of pictures after the first packet at which something has changed.

    Times are those of shown packets, at least a fifth of a second apart; the change before each
    is at least that of a few words.

    >>> still = [Packet(at_us=n * 100_000, size=50, key=False) for n in range(20)]
    >>> still[10] = Packet(at_us=1_000_000, size=9_000, key=False)
    >>> worth_a_look(still, 1280 * 720)
    [1000000]
    """
    floor = _still_bytes(packets, pixels)
    change = min(max(pixels // _PIXELS_A_CHANGED_BYTE, _CHANGE_BYTES[0]), _CHANGE_BYTES[-1])
    inner = sorted(packets[1:], key=lambda packet: packet.at_us)
    shown = [packet.at_us for packet in inner if not packet.hidden]
    found: list[int] = []
    changed, due = 0, packets[0].at_us + LOOK_US if packets else 0
    for packet in inner:
        changed += max(0, packet.size - floor)
        if changed >= change and packet.at_us >= due and not packet.hidden:
            found.append(packet.at_us)
            changed, due = 0, packet.at_us + LOOK_US
    if changed >= change and shown and (not found or shown[-1] > found[-1]):
        found.append(shown[-1])
    return found


def _still_bytes(packets: Sequence[Packet], pixels: int) -> int:
    """Return the size of a packet of a picture that stays, as this encoder writes it."""
    floor = pixels // _PIXELS_A_STILL_BYTE + _STILL_HEADER_BYTES
    sizes = sorted(packet.size for packet in packets[1:])
    usual = sizes[int(len(sizes) * _STILL_QUANTILE)] if sizes else 0
    return max(floor, usual * 3 // 2) if usual * _MOVING_PIXELS_A_BYTE < pixels else floor


class Budget:
    """Decoding time that a recording has earned, as an estimate that depends on the file alone.

    Each second of the recording earns a few milliseconds; some are given at the start, so that a
    short recording is looked at whole. Nothing is measured: two machines decode the same.
    """

    def __init__(self, pixels: int) -> None:
        self._millions = pixels / 1_000_000
        self._scale = min(max(pixels / _HD_PIXELS, 1.0), _MOST_SCALE)
        self._saved_ms = _MOST_SAVED_MS * self._scale
        self._seen_us = 0

    def earn(self, at_us: int) -> None:
        """Take note that the recording has gone on to a time."""
        step = max(0, at_us - self._seen_us) / MICROSECONDS
        self._seen_us = max(self._seen_us, at_us)
        most = _MOST_SAVED_MS * self._scale
        self._saved_ms = min(most, self._saved_ms + step * _EARNED_MS_A_SECOND * self._scale)

    def spend_on_key(self) -> None:
        """Pay for a key picture."""
        self._saved_ms -= self._key_ms

    @property
    def has_for_key(self) -> bool:
        """Tell whether a key picture can be paid for."""
        return self._saved_ms >= self._key_ms

    def spend_on(self, packets: Iterable[Packet], *, looks: int, share: float) -> bool:
        """Pay for decoding packets and looking at some, if that is within a share of what is saved.

        Returns False, and pays nothing, if it is not.
        """
        cost = sum(self._packet_ms(packet) for packet in packets)
        cost += looks * _THUMB_MS * self._millions
        if cost > self._saved_ms * share:
            return False
        self._saved_ms -= cost
        return True

    @property
    def _key_ms(self) -> float:
        return (_KEY_MS + _THUMB_MS) * self._millions

    def _packet_ms(self, packet: Packet) -> float:
        full = self._millions * 1_000_000 / _PIXELS_A_FULL_BYTE
        moving = min(1.0, packet.size / max(full, 1.0))
        return self._millions * (_STILL_MS + _MOVING_MS * moving)
