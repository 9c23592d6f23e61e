"""EgoLifeQA's four options through `Memory.ask`, keyless: how often the right one is chosen.

An answer that is not found is no choice. Questions are asked at their moment, of a memory in which
the sync files of the wearer are (day 1 is taken to be 2024-01-01, as their reader does).
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mmem.bench.bootstrap import paired
from mmem.memory import Memory

_FIRST_DAY = dt.datetime(2024, 1, 1)
_CHANCE = 25.0


@dataclass(frozen=True)
class Chosen:
    """What became of a question: its type, whether an option was chosen, and the right one."""

    kind: str
    answered: bool
    right: bool


def choose(memory: Memory, questions: Sequence[Mapping[str, object]]) -> Iterator[Chosen]:
    """Yield what is chosen for each question that is asked after something was seen."""
    for asked in questions:
        moment = asked["query_time"]
        assert isinstance(moment, dict)
        at = _moment(str(moment["date"]), str(moment["time"]))
        options = [str(asked[f"choice_{letter}"]) for letter in "abcd"]
        text = str(asked["question"])
        answer = memory.ask(text, options=options, as_of=at, now=at, written=False)
        gold = options["ABCD".index(str(asked["answer"]).strip().upper()[0])]
        short = " ".join((answer.short or "").split())
        yield Chosen(str(asked["type"]), bool(short), short == " ".join(gold.split()))


def _moment(day: str, clock: str) -> dt.datetime:
    number = int(re.sub(r"\D", "", day))
    hours, minutes, seconds = (int(clock[at : at + 2]) for at in (0, 2, 4))
    return _FIRST_DAY + dt.timedelta(days=number - 1, hours=hours, minutes=minutes, seconds=seconds)


def table(memory: Memory, qa: Path) -> Iterator[str]:
    """Yield lines: how many are answered, right, and right of those answered, by type."""
    found = list(choose(memory, json.loads(qa.read_text(encoding="utf-8"))))
    kinds: dict[str, list[Chosen]] = defaultdict(list)
    for one in found:
        kinds[one.kind].append(one)
    for kind, ones in {"all": found, **dict(sorted(kinds.items()))}.items():
        right = [100.0 * one.right for one in ones]
        beside = paired([_CHANCE] * len(right), right)
        low, high = _CHANCE + beside.low, _CHANCE + beside.high
        answered = sum(one.answered for one in ones)
        of_these = 100 * sum(one.right for one in ones) / max(answered, 1)
        yield (
            f"{kind:14} n={len(ones):4}  right {_CHANCE + beside.mean:.1f} [{low:.1f}, {high:.1f}]"
            f"  answered {100 * answered / len(ones):.1f}  right of these {of_these:.1f}"
        )
