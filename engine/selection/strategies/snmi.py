"""Most agreement: the base clusterings that share most with all others (Fern and Lin 2008)."""

from ..registry import Candidates, Strategy, largest


def _run(candidates: Candidates, number: int):
    """The largest sums of NMI with the others."""
    return largest(candidates.snmi, number)


STRATEGY = Strategy(
    key="snmi",
    title="most agreement (SNMI)",
    run=_run,
    summary="Keeps the base clusterings that agree most with all others.",
    reference="fern2008selection",
    place=10,
)
