"""Least alike: the base clusterings that differ most from the consensus of all (the other half of ACES)."""

from ..registry import Candidates, Strategy, largest


def _run(candidates: Candidates, number: int):
    """The smallest NMI with the answer of EAC.

    ACES takes this half where mean NMI with the answer is low, and all base clusterings elsewhere; here it is taken
    whenever it is asked for.
    """
    return largest(-candidates.likeness, number)


STRATEGY = Strategy(
    key="least_alike",
    title="least like the consensus",
    run=_run,
    summary="Keeps the base clusterings that differ most from the EAC consensus of all: the half ACES takes.",
    reference="azimi2009aces",
    place=40,
)
