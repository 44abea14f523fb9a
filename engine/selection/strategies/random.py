"""Random: base clusterings drawn without looking, what every strategy has to beat."""

from ..registry import Candidates, Strategy


def _run(candidates: Candidates, number: int):
    """Draw without replacement."""
    return candidates.rng.choice(len(candidates), number, replace=False)


STRATEGY = Strategy(
    key="random",
    title="random choice",
    run=_run,
    summary="Draws base clusterings without looking: what every other strategy has to beat.",
    reference="fern2008selection",
    place=70,
)
