"""Which resolution: how far runs that differ in chance alone agree, at one resolution after the other.

Kim, Park, Park, Kim, Seo and Kim, "scICE: enhancing clustering reliability and efficiency of scRNA-seq data with
multi-cluster label consistency evaluation", Nature Communications 16, 2025.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..communities.leiden import Quality, communities
from ..ensemble import Graph
from ..ensemble.reading_labels import as_array, as_numbers
from ..ensemble.renumbering import first_appearance
from ..params import require_integer
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import SILENT, Monitor, Relay
from .distances import partition_distances

#: Up to here the paper calls partitions consistent.
CONSISTENT = 1.005


@dataclass(frozen=True, eq=False)
class Inconsistency:
    """How far partitions differ that ought to be one.

    Attributes
    ----------
    value : float
        IC, 1 where all are alike; the larger, the less they agree.
    bootstraps : (B,) float64
        IC of as many partitions drawn with repetition, ascending.
    best : int
        The partition that is most like all of them, the first of equals.
    """

    value: float
    bootstraps: NDArray[np.float64]
    best: int

    @property
    def consistent(self) -> bool:
        """Whether IC is small, and in 19 of 20 bootstraps, too."""
        return self.value <= CONSISTENT and float(np.quantile(self.bootstraps, 0.95)) <= CONSISTENT


def inconsistency(
    partitions: ArrayLike, n_bootstraps: int = 100, seed: int = 0, monitor: Monitor = SILENT
) -> Inconsistency:
    """The inconsistency coefficient of partitions: 1 / (p' S p).

    S is the element-centric similarity between the partitions that differ and p the share of each, so p' S p is the
    mean similarity of two partitions drawn with repetition.

    Parameters
    ----------
    partitions : (N, R) labels of any values
        One partition a column, at least 2.
    n_bootstraps : int
        At least 1.
    seed : int
    monitor : Monitor, optional

    Returns
    -------
    Inconsistency

    Raises
    ------
    InvalidParameterError, InvalidEnsembleError, TooLargeError

    References
    ----------
    kim2025scice; gates2019element.

    Examples
    --------
    >>> inconsistency([[0, 0, 1], [0, 0, 1], [1, 1, 0]]).value
    1.0
    >>> round(inconsistency([[0, 0], [0, 1], [1, 1]]).value, 3)
    1.333
    """
    labels = as_array(partitions)
    if labels.ndim != 2 or labels.shape[1] < 2:
        raise InvalidParameterError(f"partitions must have at least 2 columns, to be compared. Got {labels.shape}")
    require_integer("n_bootstraps", n_bootstraps, 1)
    seed = require_integer("seed", seed)
    similar, n = 1 - partition_distances(labels, "element_centric", monitor), labels.shape[1]
    counts = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=n_bootstraps) / n
    again = np.maximum(1 / np.einsum("bi,ij,bj->b", counts, similar, counts), 1)  # but for rounding it is
    first = int(similar.mean(axis=1).round(12).argmax())
    return Inconsistency(float(1 / similar.mean()), np.sort(again), first)


@dataclass(frozen=True, eq=False)
class ResolutionCurve:
    """What runs find at every resolution.

    Attributes
    ----------
    resolutions : (G,) float64
        Ascending.
    n_clusters : (G,) int64
        Communities of the best partition at each.
    found : tuple of Inconsistency
        Of the runs at each.
    labels : (N, G) int32
        The best partition at each, numbered by first appearance.
    """

    resolutions: NDArray[np.float64]
    n_clusters: NDArray[np.int64]
    found: tuple[Inconsistency, ...]
    labels: NDArray[np.int32]


def resolution_curve(
    graph: Graph,
    resolutions: Sequence[float],
    quality: Quality = "cpm",
    n_runs: int = 15,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> ResolutionCurve:
    """Run Leiden at every resolution from several seeds, and measure how far the runs differ.

    Parameters
    ----------
    graph : Graph
    resolutions : sequence of float
        Above 0.
    quality : {"modularity", "rb", "cpm"}
        See `engine.communities.leiden.communities`; the paper has CPM.
    n_runs : int
        R >= 2 runs at each.
    seed : int
        The same seed gives the same curve on any number of threads.
    monitor : Monitor, optional

    Returns
    -------
    ResolutionCurve

    Raises
    ------
    InvalidParameterError, MissingExtraError, PartitionerError, Cancelled

    References
    ----------
    kim2025scice
    """
    if not isinstance(graph, Graph):
        raise InvalidParameterError(f"graph must be a Graph. Got {shown(graph)}")
    chosen = np.sort(np.atleast_1d(as_numbers(resolutions, "resolutions", "numbers above 0")))
    if chosen.ndim != 1 or not len(chosen) or not (chosen > 0).all() or not np.isfinite(chosen).all():
        raise InvalidParameterError(f"resolutions must be numbers above 0. Got {resolutions!r}")
    require_integer("n_runs", n_runs, 2)
    seed = require_integer("seed", seed)
    seeds = np.random.default_rng(seed).integers(2**31, size=(len(chosen), n_runs))
    runs, relay = np.empty((len(chosen), n_runs, graph.n_nodes), np.int32), Relay(monitor)
    ends, ones = (graph.sources, graph.targets), np.ones(graph.n_nodes)

    def find(start: int, stop: int) -> None:
        for place in range(start, stop):
            runs[place] = communities(
                ends, graph.weights, ones, quality, float(chosen[place]), seeds[place], relay.inner
            )

    map_blocks(find, len(chosen), relay, "trying resolutions", block=1)
    found = tuple(inconsistency(one.T, seed=seed, monitor=relay) for one in runs)
    best = [first_appearance(one[own.best]) for one, own in zip(runs, found, strict=True)]
    labels = np.column_stack(best).astype(np.int32)
    return ResolutionCurve(chosen, labels.max(axis=0).astype(np.int64) + 1, found, labels)


def rewired(graph: Graph, seed: int = 0) -> Graph:
    """A graph by chance with the same links at every node: what a curve of resolutions owes to nothing.

    Parameters
    ----------
    graph : Graph
    seed : int

    Returns
    -------
    Graph
        All ends of edges dealt anew, and their weights; those that fall on one another, or on their own node, are lost.

    Raises
    ------
    InvalidParameterError
        If the seed is none.

    Examples
    --------
    >>> rewired(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), seed=1).n_nodes
    4
    """
    rng = np.random.default_rng(require_integer("seed", seed))
    if not len(graph.weights):
        return graph
    sources, targets = rng.permutation(np.concatenate([graph.sources, graph.targets])).reshape(2, -1)
    return Graph.of_edges(sources, targets, rng.permutation(graph.weights), graph.n_nodes)
