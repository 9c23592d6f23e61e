"""What a stage cost, from what a language model had used up before and after."""

from __future__ import annotations

from mmem.ports import Spent
from mmem.schemas import Cost


def cost_between(before: Spent, after: Spent) -> Cost:
    """Return the calls, tokens and money that were used between two moments."""
    read = after.prompt_tokens + after.completion_tokens
    known = before.prompt_tokens + before.completion_tokens
    money = None if after.money is None else after.money - (before.money or 0.0)
    return Cost(calls=after.calls - before.calls, tokens=read - known, money=money)
