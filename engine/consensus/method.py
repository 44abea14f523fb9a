"""A consensus method as plain data, and the trace of its run.

A trace may hold entries of certain names; which are kept, and in whose order, stands here.
"""

import importlib.util
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..params import Params
from ..runtime.errors import InvalidParameterError, listed, shown
from ..runtime.monitor import Monitor

#: Packages that only some methods need, with the words pip installs them by.
EXTRAS = {"igraph": "pip install igraph", "mtkahypar": "pip install mtkahypar", "pymetis": "pip install pymetis"}


#: Families of methods, in the order of a lecture, with the words that stand above them.
FAMILIES = {
    "trees": "Pairs of objects, and trees",
    "graphs": "Graphs of objects and clusters",
    "medians": "Median partitions",
    "learnt": "Learnt matrices",
    "growing": "Trees that grow",
    "soft": "Soft memberships",
}


def always(params: Params) -> bool:
    """True under all parameters."""
    return True


def never(params: Params) -> bool:
    """False under all parameters."""
    return False


@dataclass(frozen=True)
class ConsensusMethod:
    """A published method, described.

    Attributes
    ----------
    key, title : str
        Name in code ("lwea") and in menus ("LWEA").
    params : type of Params
        Its parameters.
    run : callable
        `run(ensemble, n_clusters, params, rng, monitor) -> labels (N,)`.
    reference : str
        Bib key of the paper (docs/references.bib).
    needs : frozenset of str
        Under all parameters: "dense" = an n x n matrix; "dense where labels are missing" = only there; "dense between
        clusters" = a K x K matrix; "dense between objects and clusters" = n x K numbers; "memberships" = soft
        memberships; "graph" = a graph between the objects; "igraph", "mtkahypar", "pymetis" = that package (see
        `EXTRAS`); "complete" = an ensemble without missing labels, as all methods do that do not say otherwise.
    family : str
        What kind of method it is, one of `FAMILIES`.
    summary : str
        What it does, in a sentence a student understands.
    formula : str
        What it computes, in LaTeX. A name in angle brackets, `<theta>`, is a parameter, or M, k, n: a page shows the
        symbol, and once more its value.
    try_this : str
        What to try with it, to see what it is about: a clause that follows "Try this:".
    pictures : frozenset of str
        Entries of its trace, kept only when asked for, that show what is special in it (see `engine.consensus.method`).
    balanced : callable
        `balanced(params) -> bool`: its partitioner keeps parts of near-equal weight, also where clusters are not.
    also_needs : callable, optional
        `also_needs(params) -> frozenset`: what it needs beside `needs` under these parameters.
    takes_missing : bool
        It takes ensembles with missing labels as they are.
    finds_k : bool
        The number of clusters is an outcome: what it is asked for does not count.
    trees : callable, optional
        `trees(ensemble, settings, monitor)` yields (index, dendrogram) for a list of params, doing once what they
        share; the trees are those `run` records.
    """

    key: str
    title: str
    params: type[Params]
    run: Callable[[Ensemble, int, Any, np.random.Generator, Monitor], NDArray]
    reference: str
    needs: frozenset[str] = frozenset()
    family: str = "trees"
    summary: str = ""
    formula: str = ""
    try_this: str = ""
    pictures: frozenset[str] = frozenset()
    balanced: Callable[[Any], bool] = never
    also_needs: Callable[[Any], frozenset[str]] | None = None
    takes_missing: bool = False
    finds_k: bool = False
    trees: Callable[[Ensemble, Sequence[Any], Monitor], Iterator[tuple[int, Any]]] | None = None

    def __post_init__(self) -> None:
        if not self.takes_missing:
            object.__setattr__(self, "needs", self.needs | {"complete"})

    def requirements(self, params: Params | None = None) -> frozenset[str]:
        """What it needs under these parameters, by default its own defaults.

        Parameters
        ----------
        params : Params, optional
            Of this method.

        Returns
        -------
        frozenset of str
            Words as in `needs`; empty where any ensemble will do.
        """
        more = self.also_needs(params or self.params()) if self.also_needs else frozenset()
        return self.needs | more

    @property
    def unavailable(self) -> str | None:
        """Why it cannot run on this machine with its default parameters, and the remedy; None if it can."""
        return self.lacking_extra(self.params())

    def can_run(self, ensemble: Ensemble, params: Params | None = None) -> bool:
        """Whether it can run on an ensemble, on this machine, under these parameters.

        Parameters
        ----------
        ensemble, params
            As for `unmet`.

        Returns
        -------
        bool
        """
        return self.unmet(ensemble, params) is None

    def unmet(self, ensemble: Ensemble, params: Params | None = None) -> str | None:
        """What it needs and does not find in an ensemble, or on this machine, under these parameters.

        Parameters
        ----------
        ensemble : Ensemble
        params : Params, optional
            Of this method.

        Returns
        -------
        str or None
            "needs ...", to follow the title; None if it can run.
        """
        needs = self.requirements(params)
        if "complete" in needs and not ensemble.complete:
            return "needs a label of every object in every base clustering"
        if "memberships" in needs and ensemble.memberships is None:
            return "needs soft memberships, as LAC makes them"
        if "graph" in needs and ensemble.graph is None:
            return "needs a graph between the objects"
        lacking = self.lacking_extra(params or self.params())
        return lacking and lacking.removeprefix(f"{self.title} ")

    def lacking_extra(self, params: Params) -> str | None:
        """Why it cannot run on this machine under these parameters, with the remedy; None if it can.

        Parameters
        ----------
        params : Params
            Of this method.

        Returns
        -------
        str or None
            One sentence that ends in the line that installs what is missing.
        """
        for name in sorted(self.requirements(params) & EXTRAS.keys()):
            if importlib.util.find_spec(name) is None:
                return f"{self.title} needs the package {name}, which is not installed. Install it: {EXTRAS[name]}"
        return None


#: Kept in every trace: at most a few numbers a microcluster or a cluster.
SMALL = {
    "cluster_weights": "reliability of every cluster",
    "clustering_weights": "weight of every base clustering",
    "dendrogram": "tree of merges",
    "residuals": "residuals by iteration",
    "tied_merges": "merges at the similarity of another",
    "growth": "rounds of growing trees",
    "density": "local density",
    "capacity": "representative capacity",
    "prototypes": "prototypes",
    "embedding": "spectral embedding",
    "symmetric_clusters": "clusters that nothing tells apart: which is which is a toss",
    "repaired": "parts that had to be made",
    "walk": "settings of the random walk",
    "neighbours_kept": "neighbours kept of each object",
    "strongest_link": "strongest link of two clusters, by which the others are measured",
    "objectives": "objective reached by each start, the lower the better",
    "unsettled": "runs stopped before they settled",
    "breaches": "rounds in which objects of one microcluster would have parted",
    "smallest_group": "1 / C: groups of fewer objects are erased",
    "sampled_objects": "objects the method was run on, the others being placed afterwards",
    "edge_agreement": "how far the weights of the edges are from one half, 1 at most: the indicator CSI, as published",
    "vote_rounds": "rounds of votes",
    "strangers": "objects that share no base cluster with the sample",
    "lambda_star": "lambda up to which nothing is learnt of a microcluster",
}
#: Between microclusters, n x n (dense or sparse); kept only when asked for.
LARGE = {
    "co_association": "co-association (CA)",
    "similarity": "similarity",
    "graph": "elite-neighbour graph",
    "trajectories": "trajectory similarity (PTS)",
    "high_confidence": "high-confidence co-association",
    "enhanced": "enhanced co-association",
    "refined_distance": "refined distance",
    "representation": "representation (Z)",
    "learnt_graph": "learnt graph (S)",
    "completed": "completed co-association",
    "refined_co_association": "refined co-association",
    "path_similarity": "similarity along the best path",
}
#: Between the clusters of all base clusterings, K x K; kept only when asked for.
BETWEEN_CLUSTERS = {"cluster_similarity": "similarity of clusters"}
#: Costs a second run: kept only when asked for by name.
COSTLY = {"iterations": "the enhanced matrix after chosen iterations, by iteration"}
VOCABULARY = frozenset(SMALL) | frozenset(LARGE) | frozenset(BETWEEN_CLUSTERS) | frozenset(COSTLY)
#: Entries with one value per cluster of the ensemble, reported in the order of the ensemble given.
PER_CLUSTER = frozenset({"cluster_weights"})
#: Entries with one value per base clustering, reported in the order of the ensemble given.
PER_CLUSTERING = frozenset({"clustering_weights"})


class Trace(Monitor):
    """Passes ticks on, and keeps the intermediates that were asked for."""

    def __init__(self, outer: Monitor, record: Iterable[str]):
        self.outer = outer
        self.kept: dict[str, Any] = {}
        known = f"record must name entries of the trace ({', '.join(sorted(LARGE | BETWEEN_CLUSTERS))})"
        try:
            asked = [*record]
        except TypeError:
            raise InvalidParameterError(f"{known}. Got {shown(record)}") from None
        if unknown := [one for one in asked if not isinstance(one, str) or one not in VOCABULARY]:
            raise InvalidParameterError(f"{known}. Got {listed(unknown)}")
        self.asked = frozenset(SMALL) | frozenset(asked)

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        self.outer.tick(stage, done, total)

    def record(self, name: str, value: Any) -> None:
        """Keep what was asked for; a function is called only then."""
        if name not in VOCABULARY:
            raise KeyError(f"{name!r} is not in engine.consensus.method")
        if name in self.asked:
            value = value() if callable(value) else value
            self.kept[name] = _read_only_copy(value)
            self.outer.record(name, self.kept[name])

    def in_order_of(self, ensemble: Ensemble) -> dict[str, Any]:
        """The trace, with values of clusters and base clusterings in the order of the ensemble the caller gave."""
        return {name: _in_given_order(name, value, ensemble) for name, value in self.kept.items()}


def _in_given_order(name: str, value: Any, ensemble: Ensemble) -> Any:
    if name in PER_CLUSTER:
        return _read_only_copy(ensemble.in_given_order(value))
    if name in BETWEEN_CLUSTERS:
        return _read_only_copy(ensemble.in_given_order(ensemble.in_given_order(value).T).T)
    if name in PER_CLUSTERING:
        return _read_only_copy(value[np.argsort(ensemble.form.clusterings)])
    return value


def _read_only_copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.copy()
        value.setflags(write=False)
    return value
