"""What the best units of a ranking tell, for what chooses among them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property

from mmem.lifecycle.knowing import Known
from mmem.lifecycle.remembered import HeldFacts
from mmem.lifecycle.shelf import shelf_of
from mmem.lifecycle.sight import Sight
from mmem.ports import (
    UNKNOWN_TIME,
    Account,
    FloatArray,
    LanguageModel,
    Selector,
    Spoken,
    Wanted,
)
from mmem.recall.evidence import Shelf
from mmem.recall.search import Ranking
from mmem.recall.select import Selected, select
from mmem.recall.select_model import ModelSelector
from mmem.recall.select_rules import RuleSelector
from mmem.recall.semantic import Semantic, best_facts
from mmem.recipes import Recipe, Selection
from mmem.schemas import EventFrame, Quadruple, SemanticFact, View
from mmem.stores.library import Library


def selector_of(recipe: Recipe, model: LanguageModel | None) -> Selector | None:
    """Return what chooses by a recipe: a language model, else rules; None where nothing does."""
    if recipe.selection is None:
        return None
    return RuleSelector(recipe.selection) if model is None else ModelSelector(model)


def facts_asked(lasting: HeldFacts | None, query: FloatArray | None) -> list[SemanticFact]:
    """Return the facts that last and that a question, by its vector, is about, the best first."""
    if lasting is None or query is None or not lasting.facts:
        return []
    best, _ = best_facts(query, lasting.arrays, Semantic())
    return [lasting.facts[number] for number in best.tolist()]


@dataclasses.dataclass(frozen=True)
class Selecting:
    """Lets a selector choose among the best rows of a ranking; `lasting` are facts in question.

    Where that is a model, each account names the atoms behind its view.
    """

    library: Library
    sight: Sight
    settings: Selection
    selector: Selector
    lasting: Sequence[SemanticFact] = ()

    def selected(self, ranking: Ranking, wanted: Wanted) -> Selected:
        """Return the ranking with the chosen rows first."""
        ids = [row.id for row in ranking.rows[: self.settings.depth]]
        accounts = {account.unit_id: account for account in self._accounts(ids)}
        return select(ranking, accounts, self.settings, self.selector, wanted)

    def _accounts(self, unit_ids: Sequence[str]) -> list[Account]:
        shelf = shelf_of(self.library, self.sight, unit_ids)
        frames = {frame.unit_ids[0]: frame for frame in self._known.frames_of(unit_ids)}
        facts: dict[str, list[Quadruple]] = {}
        for fact in self._known.assertions_of(unit_ids):
            facts.setdefault(fact.unit_id, []).append(fact)
        views = self._views(unit_ids)
        return [
            self._account(unit_id, shelf, frames.get(unit_id), facts.get(unit_id, ()), views)
            for unit_id in unit_ids
            if unit_id in shelf.units
        ]

    def _account(
        self,
        unit_id: str,
        shelf: Shelf,
        frame: EventFrame | None,
        facts: Sequence[Quadruple],
        views: Mapping[str, View],
    ) -> Account:
        unit, columns = shelf.units[unit_id], self.sight.index.columns
        row, view = self.sight.place[unit_id], views.get(unit_id)
        start, end = int(columns.start_us[row]), int(columns.end_us[row])
        known = end != UNKNOWN_TIME
        told = isinstance(self.selector, ModelSelector)
        atoms = [shelf.atoms[atom] for atom in unit.atom_ids if atom in shelf.atoms]
        return Account(
            unit_id=unit_id,
            session=int(columns.session[row]),
            position=int(columns.position[row]),
            lines=tuple(Spoken(a.id, a.speaker or "", a.text) for a in atoms if a.text),
            start_us=start if known else None,
            end_us=end if known else None,
            zone=shelf.sources[unit.source_id].clock.zone,
            stretch=view.id if view else "",
            frame=frame,
            facts=tuple(sorted(facts, key=lambda fact: (fact.chars, fact.id))),
            view=view,
            around=atoms_around(self.library, self.sight, [view]) if view and told else (),
            lasting=self._borne_out.get(unit_id, 0),
        )

    def _views(self, unit_ids: Sequence[str]) -> dict[str, View]:
        """Return the finest view around each unit."""
        found = self._known.viewed().finest(unit_ids)
        return {unit_id: view for view in found for unit_id in view.unit_ids}

    @cached_property
    def _known(self) -> Known:
        return Known(self.library, self.sight)

    @cached_property
    def _borne_out(self) -> dict[str, int]:
        """For each unit the support of the best supported fact in question that it bears out."""
        found: dict[str, int] = {}
        for fact in self.lasting:
            for unit_id in fact.unit_ids:
                found[unit_id] = max(found.get(unit_id, 0), fact.support)
        return found


def atoms_around(library: Library, sight: Sight, views: Sequence[View]) -> tuple[str, ...]:
    """Return the visible atoms that some views are made of."""
    unit_ids = list(dict.fromkeys(unit_id for view in views for unit_id in view.unit_ids))
    units = {**library.units_of(unit_ids), **sight.cut_units}
    found = [atom for i in unit_ids if i in units for atom in units[i].atom_ids]
    return tuple(dict.fromkeys(found))
