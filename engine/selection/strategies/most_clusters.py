"""Most clusters: the base clusterings with the largest numbers of clusters, a yardstick for the others."""

from ..registry import Candidates, Strategy, largest


def _run(candidates: Candidates, number: int):
    """The largest k_m."""
    return largest(candidates.ensemble.n_clusters_each, number)


STRATEGY = Strategy(
    key="most_clusters",
    title="most clusters",
    run=_run,
    summary="Keeps the base clusterings with most clusters: what a strategy gains over it is not the members' k alone.",
    reference="fern2008selection",
    place=60,
)
