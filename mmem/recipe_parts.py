"""Constants of single mechanisms of a recipe, each with its source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Propagation:
    """Constants of the walk over facts, by HippoRAG's names where it has one.

    `top_facts` facts seed it, if their cosine is at least `recognition`; `damping` is the share
    that follows an edge; `passage_weight` is the reset mass of the units beside that of the names.
    """

    top_facts: int = 5
    """SEEM and HippoRAG 2: linking_top_k."""
    recognition: float = 0.35
    """Stands for the recognition filter of HippoRAG 2 (section 3.3), which asks a model."""
    damping: float = 0.5
    """SEEM: ppr_damping; HippoRAG 2 the same."""
    passage_weight: float = 0.05
    """HippoRAG 2: passage_node_weight."""
    passages: int = 1000
    """Rows with a reset mass, the best by themselves: more than a conversation of LoCoMo has (300:
    multi-hop R@10 -0.7 in `seem`, the default the same; 3, as in SEEM's code: -2.7). HippoRAG 2
    has all; then local push would have nothing to leave out."""
    synonyms: int = 0
    """SEEM: synonymy_edge_topk; 0 has no edges between names that are close (the default's R@10
    the same with 5, `seem` +0.8)."""


SEEM_WALK = Propagation()


@dataclass(frozen=True)
class Projection:
    """Constants of EM²Mem's scales (section 3.3, and the published code).

    The scales are the unit, three minutes, ten minutes and an hour, or what of dialogue is as
    coarse: exchange, session, day.
    """

    weights: tuple[float, float, float, float] = (1.0, 0.65, 0.45, 0.30)
    """Of each scale; 0 leaves it out."""
    units: int = 20
    """Units retrieved by their cosine: max(4 K, 10) with K = 5."""
    views: tuple[int, int, int] = (15, 10, 5)
    """Views retrieved of each scale: max(3 K, 6), max(2 K, 5), max(K, 3)."""
    overlaps: tuple[float, float, float, float] = (0.18, 0.22, 0.12, 0.22)
    """What the share of the question's terms adds that are in the text, the graph, the metadata
    and the triplets of an item."""
    seeds: int = 4
    """How many of the best units lend to others."""
    temporal_hop: float = 0.60
    """Share of its score that the unit before and the one after get."""
    entity_hop: float = 0.75
    """Share that units with the same entities get, times .55 + .45 n / `entities`, over
    1 + gap / `gap_s`."""
    entities: int = 3
    kin: int = 6
    """To how many units with the same entities a unit lends."""
    gap_s: float = 300.0


EM2MEM_SCALES = Projection()


@dataclass(frozen=True)
class Selection:
    """Constants of EM²Mem's selector (section 3.3, and the published code).

    A pool of the best rows in four roles; of these the ones are chosen that bear out what exactly
    is asked.
    """

    chosen: int = 5
    """K_sel; a pool of no more is taken whole, and no model is asked."""
    pictures: int = 3
    """K_V: pictures of each chosen unit."""
    pool: int = 12
    best: int = 10
    """The best by their coarse score ("global")."""
    triggers: int = 4
    antecedents: int = 4
    broader: int = 3
    seeds: int = 3
    """The best few that the other roles are measured from."""
    depth: int = 60
    """Rows, the best first, in which roles are looked for; EM²Mem has all that any scale matched.
    No more than `spread_pool`: a longer list would be another order."""
    trigger: tuple[float, float, float] = (0.60, 0.20, 0.20)
    """Of the coarse score, the share of the question's terms, and nearness to the seeds."""
    trigger_s: float = 600.0
    """Seconds over which nearness falls off."""
    antecedent: tuple[float, float, float] = (0.45, 0.35, 0.20)
    """Of how much earlier than all seeds, the share of its terms that one seed has, and whether it
    bears out a lasting fact that the question is about."""
    antecedent_s: float = 1800.0
    """So many seconds earlier counts whole."""
    broad: tuple[float, float, float] = (0.60, 0.25, 0.15)
    """Of how many of its three minutes were found, the share of the question's terms, and the
    coarse score."""
    stretch: int = 3
    """So many of one stretch count whole."""
    coarse: float = 1.0
    """Weight of the coarse score where no model chooses."""
    fit: float = 1.0
    """Weight of what a unit bears out of the question, by rule (EgoLife R@5 +2.4, R@10 +1.2 in
    `em2mem`; 0.5: +1.8, +1.2; 2.0: +3.0, +1.2 and R@1 no better; on LoCoMo the default loses)."""
    ends: float = 0.2
    """Added to the first or the last of those that fit well, where the question asks for it."""
    fits_well: float = 0.7
    """Share of the best fit."""
    repeated: float = 0.3
    """Taken off a near-duplicate of a unit that was chosen."""
    alike: float = 0.5
    """Share of its terms that a near-duplicate has in common."""
