"""One method on one ensemble under many settings: what the settings share is done once."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..ensemble.renumbering import first_appearance
from ..params import Params
from ..runtime.blocks import single_threaded_libraries
from ..runtime.errors import Cancelled
from ..runtime.monitor import SILENT, Monitor
from ..trees.dendrograms import Dendrogram, cut
from .running import ConsensusMethod, check_n_clusters, find_method, run_consensus


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of one setting, by its index, and one k: labels (N,), or None and what the method raised.

    `seconds` count since the outcome before: work that is shared counts where it was done.
    """

    setting: int
    n_clusters: int
    labels: NDArray[np.int32] | None
    seconds: float
    error: str = ""


def run_settings(
    key: str,
    ensemble: Ensemble,
    settings: Sequence[Params],
    n_clusters: Sequence[int],
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Iterator[Outcome]:
    """Run a method under every setting with every k, as they are asked for.

    One tree serves all k, where a method grows one; settings share what the method can share
    (`ConsensusMethod.trees`). An error of a method ends its setting, not the others. All k of a setting come after
    each other, settings in any order.

    >>> from engine.methods.lwea import LWEAParams
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1], [1, 2]])
    >>> found = run_settings("lwea", ensemble, [LWEAParams(0.2), LWEAParams(2.0)], [2, 3])
    >>> [(one.setting, one.n_clusters, one.labels.tolist()) for one in found][:2]
    [(0, 2, [0, 0, 1, 1, 1]), (0, 3, [0, 0, 1, 1, 2])]
    """
    method, ensemble = find_method(key), ensemble.tossed(seed)
    watch = _Watch()
    left = set(range(len(settings)))
    if method.trees is not None and len(settings) > 1:
        for i, tree in _shared_trees(method, ensemble, settings, monitor):
            left.discard(i)
            yield from _cuts(i, tree, ensemble, n_clusters, watch)
    for i in sorted(left):  # all of them, or those the shared run did not reach
        yield from _alone(key, i, settings[i], ensemble, n_clusters, seed, monitor, watch)


class _Watch:
    """Seconds since the last look."""

    def __init__(self) -> None:
        self.last = time.perf_counter()

    def lap(self) -> float:
        now = time.perf_counter()
        self.last, before = now, self.last
        return now - before


def _shared_trees(
    method: ConsensusMethod, ensemble: Ensemble, settings: Sequence[Params], monitor: Monitor
) -> Iterator[tuple[int, Dendrogram]]:
    """Trees as far as the method gets; what it raises is then said by each setting that is left."""
    assert method.trees is not None
    try:
        trees = method.trees(ensemble.canonical, settings, monitor)
        while True:
            with single_threaded_libraries():
                found = next(trees, None)
            if found is None:
                return
            yield found
    except Cancelled:
        raise
    except Exception:  # noqa: BLE001 - whatever it is, the settings that are left meet it again and tell
        return


def _cuts(i: int, tree: Dendrogram, ensemble: Ensemble, ks: Sequence[int], watch: _Watch) -> Iterator[Outcome]:
    for k in ks:
        try:
            labels = first_appearance(ensemble.microclusters.expand(cut(tree, check_n_clusters(k, ensemble))))
        except Exception as error:  # noqa: BLE001 - becomes a record
            yield Outcome(i, k, None, watch.lap(), _words(error))
        else:
            yield Outcome(i, k, labels, watch.lap())


def _alone(
    key: str, i: int, params: Params, ensemble: Ensemble, ks: Sequence[int], seed: int, monitor: Monitor, watch: _Watch
) -> Iterator[Outcome]:
    """One setting by itself; from the first k that succeeds on, its tree serves where there is one."""
    for place, k in enumerate(ks):
        try:
            result = run_consensus(key, ensemble, k, params, seed, monitor)
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - becomes a record
            yield Outcome(i, k, None, watch.lap(), _words(error))
            continue
        yield Outcome(i, k, result.labels, watch.lap())
        if "dendrogram" in result.trace:
            yield from _cuts(i, result.trace["dendrogram"], ensemble, ks[place + 1 :], watch)
            return


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
