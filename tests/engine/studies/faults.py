"""What the fault-injection suites share: a study, its records where nothing happens, and who disturbs it."""

import os
from collections.abc import Callable, Sequence

from engine import EngineError
from engine.studies.sources import Source
from engine.studies.study import Study
from tests.engine.studies.examples import blobs, without_cost

#: `make test-all` tries every moment, CI a few of them.
ALL = bool(os.environ.get("CONCORD_ALL"))
STUDY = Study(
    ("blobs",),
    ("eac", "lwea", "lwgp"),
    repeats=10,
    n_clusterings=(6,),
    grid={"lwea": {"theta": (0.2, 0.4)}},
)
N_TASKS = 40


def small_sources() -> dict[str, Source]:
    """Features with classes; the same in every process."""
    features, truth = blobs()
    return {"blobs": Source("blobs", features=features, truth=truth)}


def moments(most: int = N_TASKS, wanted: int = 20, sampled: int = 2) -> list[int]:
    """Numbers of finished records at which something happens: the first, the last, and between."""
    every = sorted({1 + i * (most - 1) // (wanted - 1) for i in range(wanted)})
    assert len(every) == wanted
    return every if ALL else every[wanted // (2 * sampled) :: wanted // sampled]


def same_or_an_error(run: Callable[[], Sequence], wanted: list[dict]) -> EngineError | None:
    """Run a study to an end of which there are two kinds: the same records, or an error in one line of words."""
    try:
        found = run()
    except EngineError as error:
        ended = error
    else:
        assert without_cost(found) == wanted
        return None
    assert "\n" not in str(ended)
    return ended
