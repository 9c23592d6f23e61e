"""What calls of a language model use up, and the caps that they may not pass."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mmem.errors import BudgetExceeded, ConfigError
from mmem.ports import Spent

_MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Money per million tokens read and written, in any one currency."""

    read: float
    written: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what so many tokens cost."""
        return (prompt_tokens * self.read + completion_tokens * self.written) / _MILLION


@dataclass(frozen=True)
class Tokens:
    """Tokens read and written by one call."""

    prompt: int
    completion: int


class Hold:
    """One call's share of the budget: the most it can use, until it is known what it used."""

    def __init__(self, most: Tokens) -> None:
        self.most = most
        self.used: Tokens | None = None
        self.answered = False

    def settle(self, used: Tokens | None) -> None:
        """Say that an answer came; None where the endpoint does not count tokens."""
        self.answered, self.used = True, used


class Cap:
    """What the budgets that share it may spend together, None for no cap."""

    def __init__(self, *, max_cost: float | None = None, max_calls: int | None = None) -> None:
        self.max_cost, self.max_calls = max_cost, max_calls
        self.turn = threading.Condition()
        self.budgets: list[Budget] = []


class Budget:
    """Counts calls, tokens and money over all threads; a cap is never passed.

    A call is let through only if it fits with the most that it and all open ones can use; while
    open ones may yet turn out smaller, it waits for them. Money is worked out from token totals, so
    it doesn't depend on the order of calls. Calls that got no answer are not counted. A `cap` is
    shared with other budgets; without one the budget has its own.
    """

    def __init__(
        self,
        *,
        prices: Prices | None = None,
        max_cost: float | None = None,
        max_calls: int | None = None,
        cap: Cap | None = None,
    ) -> None:
        self._cap = cap or Cap(max_cost=max_cost, max_calls=max_calls)
        if self._cap.max_cost is not None and prices is None:
            raise ConfigError(
                f"a cap of {self._cap.max_cost:g} needs prices",
                hint="set MMEM_LLM_PRICE_IN and MMEM_LLM_PRICE_OUT, money per million tokens",
            )
        self.prices = prices
        self._cap.budgets.append(self)
        self._turn = self._cap.turn
        self._open: list[Hold] = []
        self._calls = self._cached = self._uncounted = 0
        self._told = self._guessed = Tokens(0, 0)

    @property
    def spent(self) -> Spent:
        """What was used up so far."""
        with self._turn:
            return Spent(
                calls=self._calls,
                cached=self._cached,
                prompt_tokens=self._told.prompt,
                completion_tokens=self._told.completion,
                uncounted=self._uncounted,
                money=self._money(),
            )

    def money(self, tokens: Tokens) -> float | None:
        """Return what tokens cost, None without prices."""
        return None if self.prices is None else self.prices.of(tokens.prompt, tokens.completion)

    def note_cached(self) -> None:
        """Count a reply that took no call."""
        with self._turn:
            self._cached += 1

    @contextmanager
    def hold(self, most: Tokens) -> Iterator[Hold]:
        """Reserve the most that a call can use, for as long as it runs. Raises BudgetExceeded."""
        mine = Hold(most)
        with self._turn:
            while reason := self._too_much(most):
                if not any(budget._open for budget in self._cap.budgets):
                    raise BudgetExceeded(reason, hint="raise the cap and run `mmem retry`")
                self._turn.wait()
            self._open.append(mine)
        try:
            yield mine
        finally:
            with self._turn:
                self._open.remove(mine)
                self._count(mine)
                self._turn.notify_all()

    def correct(self, most: Tokens, used: Tokens | None) -> None:
        """Put what a call used in the place of the most it could, once that is known."""
        if used is None:
            return
        with self._turn:
            self._uncounted -= 1
            self._guessed = Tokens(
                self._guessed.prompt - most.prompt, self._guessed.completion - most.completion
            )
            self._told = _sum(self._told, used)

    def _count(self, hold: Hold) -> None:
        if not hold.answered:
            return
        self._calls += 1
        if hold.used is None:
            self._uncounted += 1
            self._guessed = _sum(self._guessed, hold.most)
        else:
            self._told = _sum(self._told, hold.used)

    def _money(self) -> float | None:
        return self.money(_sum(self._told, self._guessed))

    def _most_money(self) -> float:
        """Return what is spent, and what open calls can spend."""
        held = (hold.most for hold in self._open)
        return self.money(_sum(self._told, self._guessed, *held)) or 0.0

    def _too_much(self, most: Tokens) -> str:
        budgets, cap = self._cap.budgets, self._cap
        calls = sum(budget._calls + len(budget._open) for budget in budgets)
        if cap.max_calls is not None and calls + 1 > cap.max_calls:
            return f"the cap of {cap.max_calls} calls is reached"
        money = sum(budget._most_money() for budget in budgets) + (self.money(most) or 0.0)
        if cap.max_cost is not None and money > cap.max_cost:
            spent = sum(budget._money() or 0.0 for budget in budgets)
            return f"{spent:.4g} of {cap.max_cost:g} is spent, and one more call may pass the cap"
        return ""


class Bill:
    """What the calls for one request come to; `told` None where a call's tokens were not told."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._holds: list[Hold] = []

    def add(self, hold: Hold) -> None:
        """Take in a call that was answered."""
        self._holds.append(hold)

    @property
    def calls(self) -> int:
        """Count the calls."""
        return len(self._holds)

    @property
    def told(self) -> Tokens | None:
        """The tokens of all calls."""
        used = [hold.used for hold in self._holds if hold.used is not None]
        return _sum(*used) if used and len(used) == len(self._holds) else None

    @property
    def money(self) -> float | None:
        """What the calls cost, at most where tokens were not told."""
        return self._budget.money(_sum(*(hold.used or hold.most for hold in self._holds)))


def _sum(*parts: Tokens) -> Tokens:
    return Tokens(sum(p.prompt for p in parts), sum(p.completion for p in parts))
