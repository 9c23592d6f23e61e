"""What a stage cost, from what a model that is paid had used up before and after."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from mmem.ports import Spent
from mmem.schemas import Cost


@runtime_checkable
class Metered(Protocol):
    """A model that counts what it uses up."""

    @property
    def spent(self) -> Spent:
        """What was used up so far."""
        ...


def spent_of(model: object) -> Spent:
    """Return what a model has used up so far: nothing where it counts nothing."""
    return model.spent if isinstance(model, Metered) else Spent()


def cost_between(before: Spent, after: Spent) -> Cost:
    """Return the calls, tokens and money that were used between two moments."""
    read = after.prompt_tokens + after.completion_tokens
    known = before.prompt_tokens + before.completion_tokens
    money = None if after.money is None else after.money - (before.money or 0.0)
    return Cost(calls=after.calls - before.calls, tokens=read - known, money=money)
