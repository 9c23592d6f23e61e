"""The few pictures that stand for a stretch of a recording."""

from __future__ import annotations

from collections.abc import Sequence

from mmem.schemas import Keyframe


def few_of(pictures: Sequence[Keyframe], most: int) -> list[Keyframe]:
    """Return at most `most` of some pictures in their order: the ends, and what changed most.

    Between the first and the last the next one is always that whose perceptual hash is furthest
    from those that were taken; of equals the one that is furthest in time (EM²Mem, K_V, takes them
    evenly spaced, ends included).
    """
    if len(pictures) <= most:
        return list(pictures)
    taken = [0, len(pictures) - 1][:most]
    while len(taken) < most:
        left = [place for place in range(len(pictures)) if place not in taken]
        taken.append(max(left, key=lambda place: (_newness(pictures, place, taken), -place)))
    return [pictures[place] for place in sorted(taken)]


def _newness(pictures: Sequence[Keyframe], place: int, taken: Sequence[int]) -> tuple[int, int]:
    """Return how many bits a picture differs from the likest taken one, and how far it is away."""
    one = pictures[place]
    bits = int(one.perceptual_hash, 16)
    differ = min((bits ^ int(pictures[t].perceptual_hash, 16)).bit_count() for t in taken)
    return differ, min(abs(one.time_us - pictures[t].time_us) for t in taken)
