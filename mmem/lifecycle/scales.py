"""The context views of one sight as recall searches them: vectors, members, and shared terms."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

import numpy as np

from mmem.lifecycle.knowing import Known
from mmem.lifecycle.viewed import Stretch, Viewed
from mmem.lifecycle.viewing import view_text
from mmem.ports import FloatArray, IntArray, LongArray
from mmem.schemas import EventFrame, Quadruple, Scale, View
from mmem.schemas.identity import view_id
from mmem.stores.library import Library
from mmem.stores.tables import quoted
from mmem.words import terms

LEVELS: Mapping[Scale, int] = {
    "3min": 0,
    "exchange": 0,
    "10min": 1,
    "session": 1,
    "1h": 2,
    "day": 2,
}
"""EM²Mem's three scales above the anchor, and those of conversations that are as coarse."""

_Words = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]


@dataclasses.dataclass
class StoredViews:
    """The stored views of one snapshot, read once and kept; `words` are added as they are used."""

    views: Mapping[str, View]
    words: dict[str, _Words] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, library: Library) -> StoredViews:
        """Read all stored views that are searched."""
        wanted = ", ".join(quoted(scale) for scale in LEVELS)
        rows = library.table("views").read(["body"], where=f"scale IN ({wanted})")
        found = (View.model_validate_json(body) for body in rows["body"].to_pylist())
        return cls({view.id: view for view in found})


@dataclasses.dataclass(frozen=True)
class ViewScales:
    """The views of one sight (port `Scales`).

    A view's vector is the mean of its visible units': of no text, so that no model has to run
    where a label or the moment leaves only a part of it, and nothing is kept that could tell of
    the rest. EM²Mem encodes the summaries, which its models write.
    """

    known: Known
    level: IntArray
    vectors: FloatArray
    views: Sequence[View]
    stored: StoredViews

    def members(self, view: int) -> LongArray:
        """Return the rows of the index that a view holds."""
        place = self.known.sight.place
        return np.array(sorted(place[i] for i in self.views[view].unit_ids), np.int64)

    def shared(self, view: int, terms: Set[str]) -> FloatArray:
        """Return what a view shares with some terms."""
        found = self.views[view]
        words = self.stored.words.get(found.id)
        if words is None or self.stored.views.get(found.id) is not found:
            facts = self.known.assertions_of(found.unit_ids)
            words = _words_of_view(found, facts)
            if self.stored.views.get(found.id) is found:
                self.stored.words[found.id] = words
        return _shares(words, terms)

    def shared_by(self, rows: LongArray, terms: Set[str]) -> FloatArray:
        """Return what some rows share with the terms."""
        ids = [self.known.sight.index.columns.ids[row] for row in rows]
        frames = {frame.unit_ids[0]: frame for frame in self.known.frames_of(ids)}
        facts: dict[str, list[Quadruple]] = {}
        for fact in self.known.assertions_of(ids):
            facts.setdefault(fact.unit_id, []).append(fact)
        texts = self.known.sight.index.occurs(sorted(terms), rows)
        found = np.zeros((len(ids), 4), np.float32)
        for place, unit_id in enumerate(ids):
            words = _words_of_unit(frames.get(unit_id), facts.get(unit_id, ()))
            found[place] = _shares(words, terms)
            found[place, 0] = texts[:, place].mean() if len(terms) else 0.0
        return found


def scales_of(known: Known, stored: StoredViews) -> ViewScales:
    """Return the views of a sight, each with its vector."""
    viewed, found = known.viewed(), []
    for stretch in _stretches(viewed):
        view = stored.views.get(view_id(*stretch))
        if view is None or not viewed.is_whole(stretch, view):
            (view,) = viewed.found([stretch])
        found.append((LEVELS[stretch[0]], view))
    means, place = known.sight.index.means(), known.sight.place
    vectors = np.zeros((len(found), means.shape[1]), np.float32)
    for number, (_, view) in enumerate(found):
        total = means[[place[unit_id] for unit_id in view.unit_ids]].sum(axis=0, dtype=np.float64)
        vectors[number] = total / max(float(np.linalg.norm(total)), 1e-12)
    return ViewScales(
        known=known,
        level=np.array([level for level, _ in found], np.int32),
        vectors=vectors,
        views=[view for _, view in found],
        stored=stored,
    )


def _stretches(viewed: Viewed) -> Iterator[Stretch]:
    for scale in LEVELS:
        for place in viewed.sight.plan.stretches[scale]:
            yield scale, place


def _words_of_view(view: View, facts: Iterable[Quadruple]) -> _Words:
    graph = [thread.label for kind in (view.actions, view.objects) for thread in kind]
    about = [thread.label for kind in (view.topics, view.visible) for thread in kind]
    voices = [voice.name for voice in view.speakers]
    return (
        _terms([view_text(view)]),
        _terms(graph),
        _terms([*voices, *about]),
        _terms(f"{fact.subject} {fact.relation} {fact.object}" for fact in facts),
    )


def _words_of_unit(frame: EventFrame | None, facts: Iterable[Quadruple]) -> _Words:
    triplets = _terms(f"{fact.subject} {fact.relation} {fact.object}" for fact in facts)
    if frame is None:
        return frozenset(), frozenset(), frozenset(), triplets
    record, seen = frame.text_record, frame.visual_record.visible_objects
    return (
        frozenset(),
        _terms([*record.actions, *record.salient_objects]),
        _terms([*frame.speakers, *record.conversation_focus, *seen]),
        triplets,
    )


def _terms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(term for text in texts for term in terms(text))


def _shares(words: _Words, wanted: Set[str]) -> FloatArray:
    if not wanted:
        return np.zeros(4, np.float32)
    return np.array([len(found & wanted) / len(wanted) for found in words], np.float32)
