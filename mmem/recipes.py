"""Recipes: frozen settings of the same parts. Every constant is a field with its source.

"LoCoMo" and "EgoLife" name the development sets of the bench (`docs/bench.md` tells how they
are measured); a weight of 0 switches a mechanism off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mmem.errors import ConfigError
from mmem.recipe_parts import EM2MEM_SCALES, SEEM_WALK, Projection, Propagation, Selection

__all__ = [
    "EM2MEM",
    "FUSING",
    "MMEM",
    "RECIPES",
    "SEEM",
    "SYNONYMY",
    "Fusing",
    "Projection",
    "Propagation",
    "RecallWeights",
    "Recipe",
    "Selection",
    "Synonymy",
    "recipe_named",
]


@dataclass(frozen=True)
class RecallWeights:
    """How much each mechanism of the ranking weighs, for one kind of row (0 switches it off).

    The defaults are those of a passage: the middle of what 71 random settings and a search by
    coordinates gave on LoCoMo; the same setting won whichever conversation was left out, and it
    holds on FriendsQA and QMSum. The notes tell what single changes did.
    """

    lexical: float = 0.8
    """BM25 over its maximum; little on LoCoMo beside `late`, but FriendsQA R@10 -4 without."""
    line: float = 0.0
    """Best line cosine. A passage's only line is its chunk, so it would count twice (-2)."""
    chunk: float = 0.75
    """Best chunk cosine, lowest to highest; 0.25 to 1 are equal."""
    late: float = 1.2
    """Late interaction over token codes, idf-weighted (R@1 42.9, R@10 79.7 without)."""
    previous: float = 0.25
    """Share of the score of the turn before, same session (R@1 43.2 without; 0.5: R@1 -4)."""
    next: float = 0.15
    """Share of the score of the turn after; 0.1 to 0.3 are equal."""
    session: float = 0.5
    """Share of the mean of the session's best three rows (R@10 80.5 without; FriendsQA -2)."""
    speaker: float = 0.7
    """Added where the one person that the question names is speaking; soft, never a filter.
    (R@1 39.0, multi-hop R@10 45.7 without, against 45.1 and 53.0)"""
    question: float = 0.3
    """Taken off where the row is itself a question (R@1 43.7 without)."""
    window: float = 1.0
    """Added inside a time that the question names, falling off outside (R@1 44.0 without)."""
    propagate: float = 0.6
    """Rank of the row in a walk over the facts' names (SEEM's graph memory, PPR), where the
    question asks for several things (LoCoMo multi-hop R@10 +1.5, all@10 +2.9 with `spread`; for
    every question single-hop R@5 -2)."""
    project: float = 0.0
    """Score that is projected from minutes, ten minutes and hours to their units (EM²Mem)."""
    semantic: float = 0.0
    """What facts that last vote for the units that bear them out (EM²Mem's semantic memory)."""
    spread: float = 0.1
    """Taken off for each better row of the same session, where the question asks for several
    things."""
    expand: float = 0.9
    """A row has at least this share of the score of one of the best rows that tells of the same
    occurrence: SEEM's reverse provenance expansion (section 3.4), in the ranking."""
    visual: float = 2.0
    """How well the row's pictures fit a question about what is seen, as far as no row says it in
    words. (Ten such questions to 21 recordings and a chat, object labels, recording found in the
    first three: 2 at 0, 3 at 1 and 2, 7 at 4. Of 22 questions that words answer none has another
    first hit at 2; at 4 one whose answer is not there gets one.)"""
    age: float = 0.0
    """Times the logarithm of age. Recordings only (EgoLife R@5 +2.7); chats are asked about as
    a whole (LoCoMo multi-hop -1 at 0.05)."""
    recent: float = 0.0
    """Taken off in the minutes before the question, which hold what is asked from, not about."""
    latest: float = 0.3
    """Added to the newest of the good matches when the question says "last", "now", "current"."""


@dataclass(frozen=True)
class Fusing:
    """With which earlier units a unit is compared when it is written."""

    most: int = 3
    """SEEM: top_k_candidates."""
    floor: float = 0.4
    """Least cosine. SEEM names none; it only bounds the work, the judge is strict."""


FUSING = Fusing()
"""How a memory is written, whatever recipe reads it."""


@dataclass(frozen=True)
class Synonymy:
    """Which names are close to each other."""

    floor: float = 0.75
    """Least cosine. SEEM: synonymy_edge threshold; HippoRAG 2 has 0.8."""
    letters: int = 3
    """Letters and digits that a name must have (HippoRAG 2: more than two)."""


SYNONYMY = Synonymy()
"""How names are linked when a memory is written, whatever recipe reads it."""


@dataclass(frozen=True)
class Recipe:
    """Settings of recall and answer."""

    name: str = "mmem"
    answer_depth: int = 10
    """How many units an answer is written from."""
    passage: RecallWeights = RecallWeights()
    anchor: RecallWeights = RecallWeights(
        lexical=0.7,
        line=0.5,
        chunk=1.0,
        late=0.8,
        previous=0.0,  # helps on early days, gone on later ones (bench)
        next=0.0,
        session=0.0,
        propagate=0.0,
        spread=0.0,
        expand=0.0,
        age=0.2,
        recent=0.3,
        latest=0.15,
    )
    k1: float = 1.2
    """BM25 saturation (Robertson 2009, 3.4); 0.8 is equal on LoCoMo."""
    b: float = 0.5
    """BM25 length normalisation, between chat (0.3) and captions (0.75); all three are equal."""
    passage_pool: int = 300
    """Rows that late interaction scores (100: R@1 -0.7)."""
    anchor_pool: int = 100
    """The same for anchors, which hold some five times the tokens."""
    name_weight: float = 1.0
    """Lexical weight of a speaker's name (0.3: R@10 -0.5)."""
    time_word_weight: float = 0.0
    """Lexical weight of words like "last" and "ago" (0.5: equal on LoCoMo, harmful on EgoLife)."""
    late_function_idf: float = 0.0
    """Weight of the question's function words in late interaction (1.0: R@1 -0.8)."""
    remove_names: bool = True
    """Take speakers' names out of the dense question (bench: +7)."""
    option_lexical: float = 1.0
    """Best BM25 of the caller's options (EgoLife with options, R@5: 37.6 without)."""
    option_dense: float = 0.8
    """Best cosine of question + option (39.7 without)."""
    option_late: float = 0.5
    """Best late interaction of question + option (39.1 without)."""
    option_window: float = 0.8
    """Options that are times, as windows (38.8 without)."""
    recent_minutes: float = 3.0
    """Decay of `recent`."""
    age_hours: float = 24.0
    """Scale of `age`: penalties grow with log(1 + age / scale)."""
    spread_pool: int = 60
    """Rows among which sessions take turns."""
    walk_always: bool = False
    """`propagate` has its vote for every question, not only for one that asks for several."""
    query_quadruples: bool = False
    """The walk begins at the facts that are nearest to a quadruple of the question (SEEM, section
    3.4), not to the whole question. Read by grammar that is worse (multi-hop R@10 of the default
    -0.6, of `seem` -1.8), and the parser takes seconds to load."""
    propagation: Propagation = SEEM_WALK
    projection: Projection = EM2MEM_SCALES
    selection: Selection | None = None
    """What chooses among the best, None where the order of the sum stands."""
    expand_from: int = 5
    """SEEM: frames of the five best passages."""
    expand_limit: float = 2.0
    """SEEM: units with those that tell of the same occurrences, over those found (RPE)."""
    latest_margin: float = 0.3
    """A good match is at most this share below the best (0.1 to 0.5 are equal)."""

    def without(self, *mechanisms: str) -> Recipe:
        """Return the recipe with some mechanisms switched off. Raises ConfigError."""
        unknown = [name for name in mechanisms if not hasattr(self.passage, name)]
        if unknown:
            raise ConfigError(f"no mechanism is called {unknown[0]!r}")
        off = dict.fromkeys(mechanisms, 0.0)
        return replace(
            self,
            name=" without ".join([self.name, *mechanisms]),
            passage=replace(self.passage, **off),
            anchor=replace(self.anchor, **off),
        )

    def uses(self, mechanism: str) -> bool:
        """Tell whether a mechanism has a vote on any kind of row."""
        return any(getattr(kind, mechanism) for kind in (self.passage, self.anchor))


MMEM = Recipe()

_WALK_ALONE = RecallWeights(
    lexical=0.0,
    chunk=0.01,  # ranks where no fact is recognised, and breaks ties
    late=0.0,
    previous=0.0,
    next=0.0,
    session=0.0,
    speaker=0.0,
    question=0.0,
    window=0.0,
    latest=0.0,
    spread=0.0,
    visual=0.0,
    propagate=1.0,
)
SEEM = Recipe(
    name="seem",
    answer_depth=5,  # SEEM, section 3.4: five passages
    passage=_WALK_ALONE,
    anchor=_WALK_ALONE,
    walk_always=True,
    query_quadruples=True,
    propagation=Propagation(synonyms=5),
    remove_names=False,
)
"""SEEM's reading (section 3.4): seed facts, personalised PageRank, five passages."""

_SCALES_ALONE = replace(_WALK_ALONE, propagate=0.0, expand=0.0, project=1.0, semantic=0.30)
EM2MEM = Recipe(
    name="em2mem",
    answer_depth=5,  # EM²Mem: K_sel
    passage=_SCALES_ALONE,
    anchor=_SCALES_ALONE,
    remove_names=False,
    selection=Selection(),
)
"""EM²Mem's retrieval (section 3.3): four scales and the facts that last, projected to units; of a
pool of twelve the five are chosen that are answered from. The paper names the facts among the
signals and no weight, its code leaves them out of the sum: they have that of the coarsest scale."""

RECIPES = {recipe.name: recipe for recipe in (MMEM, SEEM, EM2MEM)}
"""Every recipe by name."""


def recipe_named(name: str) -> Recipe:
    """Return a recipe by name. Raises ConfigError."""
    if name not in RECIPES:
        raise ConfigError(f"no recipe is called {name!r}", hint=f"one of: {', '.join(RECIPES)}")
    return RECIPES[name]
