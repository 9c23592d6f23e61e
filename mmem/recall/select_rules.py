"""A selector without a model: the coarse score, and what a unit bears out by rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from mmem.ports import Candidate, Choice, Pick, Wanted
from mmem.recall.family import family_of, wanted_end
from mmem.recall.fit import Fit, Sought, fit_of
from mmem.recall.plan import TIME_WORDS
from mmem.recall.pool import terms_of
from mmem.recipes import Selection
from mmem.words import terms


@dataclass(frozen=True)
class RuleSelector:
    """Chooses by the coarse score and the fit; of near-duplicates one makes way for another unit.

    Two units are near-duplicates if they follow each other in one session and share many terms.
    """

    settings: Selection

    def choose(self, wanted: Wanted, pool: Sequence[Candidate]) -> Choice:
        """Return the units that fit best."""
        family = family_of(wanted.question)
        sought = sought_in(wanted.question, pool)
        fits = [fit_of(family, each.account, sought) for each in pool]
        ends = self._ends(wanted.question, pool, fits)
        settings = self.settings
        left = {
            place: settings.coarse * each.score + settings.fit * fits[place].share + ends[place]
            for place, each in enumerate(pool)
        }
        picks: list[Pick] = []
        while left and len(picks) < wanted.most:
            best = max(left, key=lambda place: (left[place], -place))
            del left[best]
            picks.append(Pick(pool[best].number, fits[best].what or "its words fit"))
            for place in left:
                if self._repeats(pool[place], pool[best]):
                    left[place] -= settings.repeated
        return Choice(family, tuple(picks), "chosen by rule")

    def _ends(
        self, question: str, pool: Sequence[Candidate], fits: Sequence[Fit]
    ) -> Sequence[float]:
        """Return what each unit gets for coming first or last among those that fit well."""
        end, found = wanted_end(question), [0.0] * len(pool)
        good = max((fit.share for fit in fits), default=0.0) * self.settings.fits_well
        known = [
            (each.account.end_us, place)
            for place, each in enumerate(pool)
            if each.account.end_us is not None and 0.0 < good <= fits[place].share
        ]
        if end is None:
            return found
        for rank, (_, place) in enumerate(sorted(known, reverse=end == "last")):
            found[place] = self.settings.ends * (1 - rank / len(known))
        return found

    def _repeats(self, one: Candidate, other: Candidate) -> bool:
        a, b = one.account, other.account
        if a.session != b.session or abs(a.position - b.position) > 1:
            return False
        words, others = (_own_terms(each) for each in (one, other))
        both = len(words & others)
        return both >= self.settings.alike * min(len(words), len(others)) > 0


def sought_in(question: str, pool: Sequence[Candidate]) -> Sought:
    """Return what a question looks for: its terms, without those that only say when.

    A term weighs the more the fewer units of the pool hold it: log(1 + n / (1 + df)).
    """
    found = set(terms(question))
    held = [terms_of(each.account) for each in pool]
    rare = {
        term: log(1 + len(pool) / (1 + sum(term in words for words in held)))
        for term in sorted(found - TIME_WORDS or found)
    }
    return Sought(rare)


def _own_terms(candidate: Candidate) -> frozenset[str]:
    return frozenset(term for line in candidate.account.lines for term in terms(line.text))
