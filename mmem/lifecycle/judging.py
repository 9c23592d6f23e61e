"""The verdicts on a unit's candidates: those that still hold are kept, the others are asked for."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from mmem.derive.alike import Look
from mmem.derive.judges import BY_RULES, Case, FrameJudge, Judged, RuleJudge, Unjudged
from mmem.lifecycle.progress import Counted
from mmem.schemas import Comparison, EventFrame, Judgement, Verdict
from mmem.schemas.events import Retelling
from mmem.schemas.identity import comparison_id
from mmem.stores.library import Library
from mmem.stores.tables import Row

RULES = RuleJudge()
_UNITS_A_WRITE = 256


@dataclasses.dataclass(frozen=True)
class Decided:
    """What came of one look: a verdict and its reason by candidate, and what was retold."""

    verdicts: Mapping[str, tuple[Verdict, str]]
    retold: Retelling | None = None


@dataclasses.dataclass(frozen=True)
class Wanted:
    """A comparison as it should be; `stored` is the row that is there, if any.

    `digests` are those of the frames that are shown in each look.
    """

    unit_id: str
    source_id: str
    candidates: tuple[str, ...]
    cosines: tuple[float, ...]
    looks: tuple[Look, ...]
    digests: tuple[str, ...]
    vector_of: str
    made_of: str
    apart: tuple[str, ...]
    stored: Row | None

    def holds(self, judge: str | None) -> bool:
        """Tell whether the stored row is as it should be; None: whoever judged."""
        row = self.stored
        if row is None or (row["made_of"], row["vector_of"]) != (self.made_of, self.vector_of):
            return False
        return row["apart"] == list(self.apart) and judge in (None, row["judge"])

    @property
    def judge(self) -> str:
        """Who made the stored row, "" where there is none."""
        return "" if self.stored is None else str(self.stored["judge"])

    @property
    def is_ruled(self) -> bool:
        """Tell whether rules made the stored row, or there is none."""
        return self.stored is None or self.judge.startswith(BY_RULES)

    @cached_property
    def remembered(self) -> dict[str, Decided]:
        """The looks, by digest, whose verdicts are in the stored row."""
        if self.stored is None or not self.judge:
            return {}
        known = Comparison.model_validate_json(str(self.stored["body"]))
        whole = str(self.stored["made_of"])  # an older mmem had one look, at all of them
        retold = {one.looked_at or whole: one for one in known.retold}
        by_look: dict[str, dict[str, tuple[Verdict, str]]] = {}
        for one in known.judged:
            told = by_look.setdefault(one.looked_at or whole, {})
            told[one.unit_id] = (one.verdict, one.reason)
        return {
            digest: Decided(by_look[digest], retold.get(digest))
            for look, digest in zip(self.looks, self.digests, strict=True)
            if digest in by_look and by_look[digest].keys() >= set(self._decided(look))
        }

    def remade(self, judge: str | None) -> Row | None:
        """Return the row made of remembered verdicts alone, None where one is missing.

        Only those of `judge` count; None: whoever judged.
        """
        if not self.judge or judge not in (None, self.judge):
            return None
        if not self.remembered.keys() >= set(self.digests):
            return None
        return self.row(self.remembered, self.judge)

    def missing(self, judge: str) -> list[int]:
        """Return the places of the looks that a judge has to be asked for."""
        known = self.remembered if self.judge == judge else {}
        return [place for place, digest in enumerate(self.digests) if digest not in known]

    def row(self, decided: Mapping[str, Decided], judge: str) -> Row:
        """Return the row to be stored."""
        judged: dict[int, Judgement] = {}
        for look, digest in zip(self.looks, self.digests, strict=True):
            for place in look.decided:
                unit_id = self.candidates[place]
                verdict, reason = decided[digest].verdicts[unit_id]
                cosine = round(self.cosines[place], 4)
                judged[place] = Judgement(
                    unit_id=unit_id,
                    cosine=cosine,
                    verdict=verdict,
                    reason=reason,
                    looked_at=digest,
                )
        retold = (decided[digest].retold for digest in self.digests)
        made = Comparison(
            id=comparison_id(self.unit_id),
            source_id=self.source_id,
            unit_id=self.unit_id,
            judged=tuple(judged[place] for place in sorted(judged)),
            apart=self.apart,
            retold=tuple(
                one.model_copy(update={"looked_at": digest})
                for one, digest in zip(retold, self.digests, strict=True)
                if one is not None
            ),
            judge=judge,
        )
        return {
            "id": made.id,
            "source_id": made.source_id,
            "unit_id": made.unit_id,
            "judge": judge,
            "vector_of": self.vector_of,
            "made_of": self.made_of,
            "candidates": list(self.candidates),
            "cosines": list(self.cosines),
            **columns_of(made),
        }

    def case(self, place: int, frames: Mapping[str, EventFrame]) -> Case:
        """Return what a judge is asked in one look."""
        return Case(frames[self.unit_id], tuple(frames[i] for i in self.shown(place)))

    def shown(self, place: int) -> list[str]:
        """Return the candidates that are shown in one look."""
        return [self.candidates[number] for number in self.looks[place].shown]

    def _decided(self, look: Look) -> list[str]:
        return [self.candidates[place] for place in look.decided]


def columns_of(made: Comparison) -> Row:
    """Return the columns that repeat what a comparison says."""
    return {"same": list(made.same), "apart": list(made.apart), "body": made.canonical()}


@dataclasses.dataclass(frozen=True)
class Asked:
    """Why units could not be judged, one reason a source; how many looks were asked, by source."""

    failed: dict[str, str]
    looks: Counter[str]


def ask(
    library: Library,
    due: Sequence[Wanted],
    judge: FrameJudge,
    tried: set[str],
    *,
    counted: Counted,
) -> Asked:
    """Judge and write batch by batch. Units that could not be judged are added to `tried`."""
    asked = Asked({}, Counter())
    for start in range(0, len(due), _UNITS_A_WRITE):
        counted(start, len(due))
        batch = due[start : start + _UNITS_A_WRITE]
        frames = _frames(library, batch)
        looks = [(each, place) for each in batch for place in each.missing(judge.identity)]
        verdicts = iter(list(judge.judge(each.case(place, frames) for each, place in looks)))
        asked.looks.update(each.source_id for each, _ in looks)
        rows = []
        for each in batch:
            found = _decisions(each, verdicts, judge.identity)
            if isinstance(found, Unjudged):
                asked.failed.setdefault(each.source_id, f"not compared: {found.reason}")
                tried.add(each.unit_id)
            else:
                rows.append(each.row(found, judge.identity))
        library.table("comparisons").upsert(rows)
    if due:
        counted(len(due), len(due))
    return asked


def _decisions(
    wanted: Wanted, verdicts: Iterator[Judged | Unjudged], judge: str
) -> dict[str, Decided] | Unjudged:
    """Take a unit's verdicts; one that is missing leaves all of it unjudged."""
    found = dict(wanted.remembered) if wanted.judge == judge else {}
    failed = None
    for place in wanted.missing(judge):
        one = next(verdicts)
        if isinstance(one, Unjudged):
            failed = failed or one
            continue
        shown = wanted.shown(place)
        same = [i for i, (told, _) in zip(shown, one.verdicts, strict=True) if told == "same"]
        retold = Retelling(unit_ids=(wanted.unit_id, *same), text=one.summary)
        found[wanted.digests[place]] = Decided(
            dict(zip(shown, one.verdicts, strict=True)), retold if one.summary else None
        )
    return failed or found


def _frames(library: Library, batch: Sequence[Wanted]) -> dict[str, EventFrame]:
    ids = {unit_id for each in batch for unit_id in (each.unit_id, *each.candidates)}
    return {frame.unit_ids[0]: frame for frame in library.frames_of(sorted(ids))}
