"""A made chat of any length, the same on every machine: what the speed bench reads."""

from __future__ import annotations

import datetime as dt
import random
from pathlib import Path

_PEOPLE = ("Maya", "Priya", "Tomas", "Elena", "Ben")
_THINGS = (
    "invoice boat engine harbour ticket meeting report garden recipe bicycle train passport "
    "keyboard server backup printer contract painting guitar camera kitchen budget holiday"
).split()
_ACTS = "sent fixed found lost bought moved checked booked cancelled painted cleaned wrote".split()
_PLACES = "office station museum library kitchen airport workshop market school beach".split()
_TAILS = (
    "before lunch",
    "with my sister",
    "because nobody else had time",
    "and it took two hours",
    "for the third time this month",
    "so we can leave on Friday",
)


def write_chat(path: Path, messages: int, *, seed: int = 0) -> None:
    """Write a WhatsApp export of some messages over some months."""
    draw = random.Random(seed)
    moment = dt.datetime(2024, 1, 1, 8, 0)
    lines = []
    for number in range(messages):
        moment += dt.timedelta(minutes=draw.choice((1, 1, 2, 3, 10, 60, 600)))
        lines.append(f"{moment:%d/%m/%Y, %H:%M} - {draw.choice(_PEOPLE)}: {_said(draw, number)}\n")
    path.write_text("".join(lines), encoding="utf-8")


def questions(count: int, *, seed: int = 1) -> list[str]:
    """Return questions that the made chat can answer, more or less."""
    draw = random.Random(seed)
    return [
        f"Who {draw.choice(_ACTS)} the {draw.choice(_THINGS)} at the {draw.choice(_PLACES)}?"
        for _ in range(count)
    ]


def _said(draw: random.Random, number: int) -> str:
    text = (
        f"I {draw.choice(_ACTS)} the {draw.choice(_THINGS)} at the {draw.choice(_PLACES)} "
        f"{draw.choice(_TAILS)}"
    )
    if draw.random() < 0.15:
        return f"did anyone see the {draw.choice(_THINGS)} number {number}?"
    return text if draw.random() < 0.6 else f"{text}, the {draw.choice(_THINGS)} is next"
