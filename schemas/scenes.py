"""Coarse labels of where pictures were taken (EM²Mem section 3.1, twelve scene labels)."""

from __future__ import annotations

from collections.abc import Mapping

SCENES: Mapping[str, str] = {
    "kitchen": "where food is made or stored",
    "dining place": "a table where people eat, at home or in a restaurant",
    "living room": "a room with seats to rest, play or talk in",
    "bedroom": "a room with a bed",
    "bathroom": "a washroom or toilet",
    "corridor": "a hall, stairs, a lift or a doorway",
    "workplace": "a desk, a workshop or a laboratory where somebody works",
    "meeting place": "a room where a group sits or stands together: a meeting, a class, a talk",
    "shop": "a shop or a market",
    "outdoors": "a street, a yard, a park or open country",
    "vehicle": "the inside of a car, a bus, a train or another vehicle",
    "screen": "nothing but what a screen shows: slides, a page, a program",
}
"""Each label with what it covers. As many as EM²Mem has, in our own words, and one of them for
recordings of a screen. Where none fits, a scene is ""."""
