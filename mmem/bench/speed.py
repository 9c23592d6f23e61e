"""Times, rates and sizes beside the budgets of the design, side by side with the bare models."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from mmem.bench.corpus import questions, write_chat
from mmem.bench.walking import milliseconds
from mmem.lifecycle.settle import wanted_of
from mmem.memory import Memory
from mmem.models.language import SpacyParser
from mmem.models.text import MiniLM
from mmem.stores.library import Library

_UNITS = 6_000
_QUESTIONS = 100
_REPEATS = 3
Figure = tuple[str, str, str]
"""What, measured, budget."""


def figures(units: int = _UNITS) -> Iterator[Figure]:
    """Yield every figure as it is measured."""
    yield "import mmem", f"{_process('import mmem'):.2f} s", "< 0.1 s"
    yield "mmem --help", f"{_process('-m', 'mmem', '--help'):.2f} s", "< 0.3 s"
    with tempfile.TemporaryDirectory(prefix="mmem-bench-") as name:
        folder = Path(name)
        chat = folder / "WhatsApp Chat with Bench.txt"
        write_chat(chat, units)
        yield from _building(folder, chat)
        yield from _asking(folder)


def _building(folder: Path, chat: Path) -> Iterator[Figure]:
    with Memory(folder / "memory") as memory:
        added = _seconds(lambda: memory.add(chat))
        encoding, parsing = _bare_models(memory)
        bare = encoding + parsing
        units = memory.counts()["units"]
        yield f"add, {units} messages", f"{units / added:.0f} units/s", ""
        yield (
            "overhead over the bare encoder and parser",
            f"{100 * (added / bare - 1):.0f} %",
            "<= 15 %",
        )
        yield "the same over the encoder alone", f"{added / encoding:.2f} x", "<= 2.5 x"
        again = _seconds(lambda: memory.add(chat))
        yield "the same file again", f"{again:.2f} s", ""
        sizes = memory.sizes()
        per_unit = sum(sizes.values()) / units
        yield "bytes a unit on disk", f"{per_unit:.0f} B", ""


def _bare_models(memory: Memory) -> tuple[float, float]:
    """Return the seconds that encoder and parser alone take for the texts of a memory."""
    encoder, parser = MiniLM(threads=2), SpacyParser()
    encoder.encode(["warm"])
    list(parser.parse_all(["warm"]))
    library = Library.open(memory.folder)
    texts: set[str] = set()
    said: set[str] = set()
    for source in memory.sources():
        wanted = wanted_of(library, source, encoder)
        texts |= {text for held in wanted.texts.values() for _, text in held.views()}
        said |= {atom.text for atom in library.atoms(source.id)}
    encoding = _seconds(partial(encoder.encode, sorted(texts)))
    return encoding, _seconds(lambda: list(parser.parse_all(sorted(said))))


def _asking(folder: Path) -> Iterator[Figure]:
    asked = questions(_QUESTIONS)
    memory_option = ("--memory", str(folder / "memory"))
    cold = _process("-m", "mmem", *memory_option, "ask", "--quoted", asked[0])
    yield "cold `mmem ask`, 6k units", f"{cold:.2f} s", "<= 3 s"
    with Memory(folder / "memory") as memory:
        quoted = partial(memory.ask, written=False)
        quoted(asked[0])
        for name, act in (("search", memory.search), ("ask", quoted)):
            times = sorted(_seconds(partial(act, question)) for question in asked)
            p50, p95 = statistics.median(times), times[int(0.95 * len(times))]
            shown = f"p50 {1000 * p50:.0f} ms, p95 {1000 * p95:.0f} ms"
            yield f"warm {name}, 6k units", shown, "p50 <= 40 ms, p95 <= 100 ms"
    for units in (_UNITS, 100_000):
        budget = "<= 10 ms" if units == _UNITS else ""
        yield f"propagation, {units // 1000}k units", f"p50 {milliseconds(units):.1f} ms", budget
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield "peak memory of this process", f"{peak:.0f} MB", "<= 1.5 GB above the models"


def _process(*arguments: str) -> float:
    """Return the best wall time of a new Python process, less that of an empty one."""
    if not arguments[0].startswith("-"):
        arguments = ("-c", arguments[0])
    empty = min(_seconds(lambda: _run("-c", "pass")) for _ in range(_REPEATS))
    return max(min(_seconds(lambda: _run(*arguments)) for _ in range(_REPEATS)) - empty, 0.0)


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start
