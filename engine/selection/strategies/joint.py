"""Joint criterion: agreement with all, and difference among the chosen, weighed against each other (Fern and Lin)."""

import numpy as np

from ..registry import DIGITS, Candidates, Strategy

#: What agreement counts beside difference.
ALPHA = 0.5


def _run(candidates: Candidates, number: int):
    """Begin with the largest SNMI; add what maximises alpha sum SNMI + (1 - alpha) sum of pairs' 1 - NMI."""
    apart, chosen = 1 - candidates.agreement, np.zeros(len(candidates), bool)
    gain = np.zeros(len(candidates))  # difference from those chosen so far
    taken = int(np.argmax(np.round(candidates.snmi, DIGITS)))
    for _ in range(number - 1):
        chosen[taken] = True
        gain += apart[taken]
        worth = np.round(ALPHA * candidates.snmi + (1 - ALPHA) * gain, DIGITS)
        taken = int(np.argmax(np.where(chosen, -np.inf, worth)))
    chosen[taken] = True
    return np.flatnonzero(chosen)


STRATEGY = Strategy(
    key="joint",
    title="joint criterion",
    run=_run,
    summary="Adds one base clustering after the other that agrees with all, and differs from those kept so far.",
    reference="fern2008selection",
    place=20,
)
