"""What a memory has understood, as its users ask for it: frames, facts, graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmem.lifecycle.arguments import Moment, as_of_us, source_called
from mmem.lifecycle.knowing import Known
from mmem.lifecycle.opened import Opened
from mmem.lifecycle.sight import Limits
from mmem.recall.entities import entity_named
from mmem.schemas import Entity, EventFrame, Fact, Source

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

    def entities(self, name: str | None = None, *, as_of: Moment = None) -> list[Entity]:
        """Return who and what has a name, the oftenest met first; of one name the best matches.

        Names are put together by evidence: each alias says why, and which atoms show it.
        """
        found = self._known(as_of).entities()
        return found if name is None else entity_named(found, name)

    def graph(self, *, as_of: Moment = None) -> MultiDiGraph:
        """Return the facts as a networkx graph: a node a name, an edge a fact."""
        return self._known(as_of).graph()

    def _known(self, as_of: Moment) -> Known:
        limits = Limits(labels=self.labels, as_of_us=as_of_us(as_of, self.zone))
        return Known(self._opened.library, self._opened.sight(limits))

    def _source_called(self, name: str) -> Source:
        found = self._opened.library.sources()
        seen = [s for s in found if self.labels is None or set(s.labels) <= self.labels]
        return source_called(name, seen)
