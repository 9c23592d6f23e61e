"""What is told while a long command runs."""

from __future__ import annotations

import pytest

from mmem.cli.progress import StageLines, telling
from mmem.lifecycle.progress import Progress


def test_without_a_terminal_one_line_a_stage(capsys: pytest.CaptureFixture[str]) -> None:
    """However many steps a stage tells, it is one line, with the honest total."""
    told = StageLines()
    for second in range(100):
        told(Progress("standup.mp4", "speech", second, 120.0, unit="s"))
    told(Progress("standup.mp4", "vectors", 0, 24))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "standup.mp4: speech (120.0 s)\nstandup.mp4: vectors (24)\n"


def test_quiet_tells_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """With -q nothing is printed at all."""
    with telling(quiet=True) as (listener, pause):
        listener(Progress("a", "read", 0, 1))
        pause()
    assert capsys.readouterr() == ("", "")
