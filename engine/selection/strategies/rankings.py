"""Base clusterings in one order, and the first of it: most agreement, least alike, most clusters, and chance."""

from ..registry import Candidates, Strategy, largest


def _snmi(candidates: Candidates, number: int):
    """The largest sums of NMI with the others."""
    return largest(candidates.snmi, number)


SNMI = Strategy(
    key="snmi",
    title="most agreement (SNMI)",
    run=_snmi,
    summary="Keeps the base clusterings that agree most with all others.",
    reference="fern2008selection",
    place=10,
)


def _least_alike(candidates: Candidates, number: int):
    """The smallest NMI with the answer of EAC.

    ACES takes this half where mean NMI with the answer is low, and all base clusterings elsewhere; here it is taken
    whenever it is asked for.
    """
    return largest(-candidates.likeness, number)


LEAST_ALIKE = Strategy(
    key="least_alike",
    title="least like the consensus",
    run=_least_alike,
    summary="Keeps the base clusterings that differ most from the EAC consensus of all: the half ACES takes.",
    reference="azimi2009aces",
    place=40,
)


def _most_clusters(candidates: Candidates, number: int):
    """The largest k_m."""
    return largest(candidates.ensemble.n_clusters_each, number)


MOST_CLUSTERS = Strategy(
    key="most_clusters",
    title="most clusters",
    run=_most_clusters,
    summary="Keeps the base clusterings with most clusters: what a strategy gains over it is not the members' k alone.",
    reference="fern2008selection",
    place=60,
)


def _random(candidates: Candidates, number: int):
    """Draw without replacement."""
    return candidates.rng.choice(len(candidates), number, replace=False)


RANDOM = Strategy(
    key="random",
    title="random choice",
    run=_random,
    summary="Draws base clusterings without looking: what every other strategy has to beat.",
    reference="fern2008selection",
    place=70,
)
