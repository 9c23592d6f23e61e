"""What a memory has understood, as its users ask for it: frames, facts, views, graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmem.derive.lasting_model import ModelLasting
from mmem.errors import ConfigError
from mmem.lifecycle.arguments import Moment, as_of_us, source_called
from mmem.lifecycle.episodic import EventScale
from mmem.lifecycle.knowing import Known
from mmem.lifecycle.opened import Opened
from mmem.lifecycle.sight import Limits
from mmem.recall.entities import entity_named
from mmem.recall.facts import about
from mmem.schemas import SCALES, Entity, EventFrame, Fact, Scale, SemanticFact, Source, View

if TYPE_CHECKING:
    from networkx import MultiDiGraph


class Understood:
    """The part of `Memory` that shows readings; they are made by rules or a model."""

    labels: frozenset[str] | None
    zone: str | None
    _opened: Opened

    def frames(self, source: str | None = None, *, as_of: Moment = None) -> list[EventFrame]:
        """Return the event frames of a source, or of all, in the order of time.

        Frames that tell of one occurrence are fused: such a frame has `members`. Raises UnknownId.
        """
        chosen = None if source is None else self._source_called(source).id
        return self._known(as_of).frames(chosen)

    def views(self, scale: Scale | None = None, *, as_of: Moment = None) -> list[View]:
        """Return the context views, of one scale or of all, by scale and in order of time.

        What may be seen of a view only in part is told anew from that part. Raises ConfigError.
        """
        if scale is not None and scale not in SCALES:
            raise ConfigError(f"no scale is called {scale!r}", hint=f"one of {', '.join(SCALES)}")
        return self._known(as_of).viewed().views(scale)

    def unfuse(self, frame_id: str) -> list[EventFrame]:
        """Take a frame that was fused apart for good; return the frames that it was made of.

        Units added later are still compared with these. Raises UnknownId, StoreLocked.
        """
        with self._opened.writing():
            return self._known(None).unfused(frame_id)

    def facts(self, name: str | None = None, *, as_of: Moment = None) -> list[Fact]:
        """Return the facts about a name, or all, the best supported first.

        They are put together from what the reader may see, as it was at `as_of`: support, and
        whether a later one took a fact's place.
        """
        return self._known(as_of).facts(name)

    def semantic(
        self,
        name: str | None = None,
        *,
        as_of: Moment = None,
        written: bool = False,
        max_cost: float | None = None,
    ) -> list[SemanticFact]:
        """Return what lasts about a name, or all of it, every version, the best supported first.

        It is put together by rules from what was said to hold over time, and from what somebody
        did on several days. With `written` the language model of the environment is asked what
        lasts, ten units a call; its replies are remembered for this user, and nothing is stored.
        `max_cost` caps what it may spend. Raises ConfigError where none is named, ReplyUnusable
        where replies cannot be read, BudgetExceeded.
        """
        remembered = self._known(as_of).remembered()
        if not written:
            kept = [one.fact for one in remembered.stated()]
        else:
            with self._opened.writer(max_cost) as model:
                if model is None:
                    raise ConfigError(
                        "no language model is named", hint="MMEM_LLM_MODEL and its address name one"
                    )
                found = remembered.written(ModelLasting(model), self._opened.query_encoder)
                kept = [one.fact for one in found]
        ids = None if name is None else {one.id for one in about(kept, name)}
        return kept if ids is None else [one for one in kept if one.id in ids]

    def entities(self, name: str | None = None, *, as_of: Moment = None) -> list[Entity]:
        """Return who and what has a name, the oftenest met first; of one name the best matches.

        Names are put together by evidence: each alias says why, and which atoms show it.
        """
        found = self._known(as_of).entities()
        return found if name is None else entity_named(found, name)

    def graph(self, *, as_of: Moment = None) -> MultiDiGraph:
        """Return the facts as a networkx graph: a node a name, an edge a fact."""
        return self._known(as_of).graph()

    def episodes(self, scale: EventScale = "unit", *, as_of: Moment = None) -> MultiDiGraph:
        """Return who did what to what as a networkx graph, whose events are of one scale.

        Nodes have a `type` (Event, Person, Place, Object, Topic, Entity) and a `name`; edges have
        a `relation`, the id of their `event`, and the ids of the atoms that are its `evidence`.
        Raises ConfigError for an unknown scale.
        """
        if scale != "unit" and scale not in SCALES:
            every = ", ".join(("unit", *SCALES))
            raise ConfigError(f"no scale is called {scale!r}", hint=f"one of {every}")
        return self._known(as_of).episodes(scale)

    def _known(self, as_of: Moment) -> Known:
        limits = Limits(labels=self.labels, as_of_us=as_of_us(as_of, self.zone))
        return Known(self._opened.library, self._opened.sight(limits))

    def _source_called(self, name: str) -> Source:
        found = self._opened.library.sources()
        seen = [s for s in found if self.labels is None or set(s.labels) <= self.labels]
        return source_called(name, seen)
