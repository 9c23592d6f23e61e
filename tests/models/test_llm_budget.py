"""What calls cost, and caps that no call passes."""

from __future__ import annotations

import json

import pytest

from mmem.errors import BudgetExceeded, ConfigError
from mmem.models.llm_budget import Budget, Prices
from tests.endpoint import says, serving, slowly
from tests.models.asking import GOOD, facts, model


@pytest.mark.parametrize("concurrency", [1, 8])
def test_no_call_passes_the_cap_on_calls(concurrency: int) -> None:
    """Law: exactly as many calls as allowed are made, whatever runs at once."""
    with (
        serving(slowly(says(GOOD), 0.01)) as server,
        model(server, concurrency=concurrency, budget=Budget(max_calls=7)) as llm,
        pytest.raises(BudgetExceeded, match="cap of 7 calls"),
    ):
        list(llm.ask_all(facts(str(n)) for n in range(30)))
    assert len(server.asked) == 7 and llm.spent.calls == 7


@pytest.mark.parametrize("concurrency", [1, 8])
def test_no_call_passes_the_cap_on_money(concurrency: int) -> None:
    """Law: spent money stays below the cap, and comes within one call at its largest of it."""
    budget = Budget(prices=Prices(1000.0, 2000.0), max_cost=5.0)
    with (
        serving(slowly(says(GOOD, usage=(100, 20)), 0.01)) as server,
        model(server, concurrency=concurrency, budget=budget) as llm,
        pytest.raises(BudgetExceeded, match=r"of 5 is spent"),
    ):
        list(llm.ask_all(facts(str(n)) for n in range(100)))
    spent = llm.spent
    assert spent.calls == len(server.asked)
    assert spent.money == pytest.approx(spent.calls * 0.14)
    largest = (len(json.dumps(server.bodies[0])) + 300) * 0.001 + 0.2
    assert 5.0 - largest < spent.money <= 5.0


def test_a_call_without_counts_is_held_to_be_as_large_as_it_can() -> None:
    """Law: an endpoint that counts no tokens can't make the cap leak; it is said."""
    budget = Budget(prices=Prices(1000.0, 2000.0), max_cost=5.0)
    with serving(says(GOOD, usage=None)) as server, model(server, budget=budget) as llm:
        reply = llm.ask(facts())
        assert reply.prompt_tokens is None and reply.money is not None and reply.money > 0.2
        assert llm.spent.uncounted == 1 and llm.spent.money == reply.money
        with pytest.raises(BudgetExceeded):
            list(llm.ask_all(facts(str(n)) for n in range(100)))
        assert (llm.spent.money or 0) <= 5.0 and len(server.asked) == llm.spent.calls


def test_without_prices_money_is_unknown_and_a_cap_on_it_refused() -> None:
    """Law: no price, no figure."""
    with serving(says(GOOD)) as server, model(server) as llm:
        assert llm.ask(facts()).money is None and llm.spent.money is None
    with pytest.raises(ConfigError, match="needs prices"):
        Budget(max_cost=1.0)


def test_the_cap_does_not_lose_what_the_first_call_brought() -> None:
    """Law: where the second asking would pass the cap, what the first held is kept as partial."""
    half = '{"facts": [{"subject": "A"}, {"count": 1}]}'
    with serving(says(half)) as server, model(server, budget=Budget(max_calls=1)) as llm:
        reply = llm.ask(facts())
        assert reply.value is not None and reply.value.facts[0].subject == "A"
        assert "not asked again: the cap of 1 calls is reached" in reply.partial
