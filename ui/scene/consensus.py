"""The consensus of a state, its score for other numbers of clusters, and how firmly objects sit in it."""

from collections.abc import Sequence

import numpy as np

from engine import (
    Consensus,
    Ensemble,
    Monitor,
    Params,
    confidence,
    consensus_methods,
    consensus_of_sample,
    run_consensus,
)
from engine.confidence import Profile, Resampled
from engine.consensus.method import BETWEEN_CLUSTERS, LARGE
from engine.metrics import score
from engine.monitor import Part
from engine.partition import leaf_order, linkage
from ui.compute.keeping import Kept
from ui.compute.work import key_of
from ui.figures.style import alike

#: Pictures of more microclusters, or clusters, are not kept: they take memory that other sessions need.
MOST = {"microclusters": 1500, "clusters": 800}
#: n x n matrices of the method are recorded up to so many microclusters.
RECORDED = 6000
#: The faintest an unsure object is drawn.
_FAINTEST = 0.12
#: Draws of base clusterings that the stability of an object is measured over.
DRAWS = 50


class Trees(Kept[Consensus]):
    """Runs of late that grew a tree: cut again, it answers for every number of clusters, without another run."""

    def run(
        self,
        method: str,
        ensemble: Ensemble,
        n_clusters: int,
        params: Params,
        seed: int,
        monitor: Monitor,
        trace_wanted: Sequence[str] = (),
    ) -> Consensus:
        """What a method answers; see `run_consensus`."""
        grown = self.grown(method, ensemble, params, seed, trace_wanted)
        if grown is not None:
            return grown.at(n_clusters)
        found = run_consensus(method, ensemble, n_clusters, params, seed, monitor, trace_wanted)
        self.add(found, ensemble, trace_wanted)
        return found

    def grown(
        self, method: str, ensemble: Ensemble, params: Params, seed: int, trace_wanted: Sequence[str] = ()
    ) -> Consensus | None:
        """Such a run, if there was one."""
        return self.find(key_of(consensus, method, ensemble, params, seed, tuple(trace_wanted)))

    def add(self, found: Consensus, ensemble: Ensemble, trace_wanted: Sequence[str] = ()) -> None:
        """Note a run, if it grew a tree."""
        if "dendrogram" in found.trace:
            key = key_of(consensus, found.method, ensemble, found.params, found.seed, tuple(trace_wanted))
            self.keep(key, found)


TREES = Trees(8)


def wanted_k(truth: np.ndarray | None, k: int | None) -> int:
    """Clusters as chosen; else as many as there are classes (3 if unknown, at least 2)."""
    return k or (3 if truth is None else max(2, int(truth.max()) + 1))


def n_clusters(wanted_k: int, ensemble: Ensemble) -> int:
    """Clusters of the consensus: as wanted, as far as there are groups to tell apart."""
    return min(wanted_k, max(2, len(ensemble.microclusters)))


def sample_size(sample: int | None, ensemble: Ensemble) -> int | None:
    """Objects of the sample that the method runs on; None where that is all of them."""
    return sample if sample and sample < ensemble.n_objects else None


def trace_wanted(method: str, ensemble: Ensemble) -> tuple[str, ...]:
    """The entries of the trace that the method's own pictures need, where they are small enough."""
    return tuple(sorted(name for name in consensus_methods()[method].pictures if _fits(name, ensemble)))


def _fits(name: str, made: Ensemble) -> bool:
    if name in BETWEEN_CLUSTERS:
        return made.n_clusters_total <= MOST["clusters"]
    return len(made.microclusters) <= MOST["microclusters"]


def left_out(method: str, ensemble: Ensemble) -> list[str]:
    """The entries that are too large for it."""
    return sorted(set(consensus_methods()[method].pictures) - set(trace_wanted(method, ensemble)))


def can_run(method: str, ensemble: Ensemble, method_params: Params) -> bool:
    """Whether the chosen method can run on this ensemble."""
    return consensus_methods()[method].can_run(ensemble, method_params)


def consensus(
    method: str,
    ensemble: Ensemble,
    n_clusters: int,
    method_params: Params,
    seed: int,
    trace_wanted: Sequence[str],
    sample_size: int | None,
    monitor: Monitor,
) -> Consensus:
    """Finding the consensus: that of the chosen method, or of a sample, with what its own pictures show."""
    if sample_size:
        return consensus_of_sample(method, ensemble, n_clusters, sample_size, method_params, seed, monitor)
    return TREES.run(method, ensemble, n_clusters, method_params, seed, monitor, trace_wanted)


def recorded(
    method: str,
    ensemble: Ensemble,
    n_clusters: int,
    method_params: Params,
    seed: int,
    sample_size: int | None,
    monitor: Monitor,
) -> Consensus:
    """Finding the consensus: the same with every matrix that the method makes; those of a sample are of no use here."""
    if sample_size or len(ensemble.microclusters) > RECORDED:
        return consensus(method, ensemble, n_clusters, method_params, seed, (), sample_size, monitor)
    return run_consensus(method, ensemble, n_clusters, method_params, seed, monitor, LARGE)


def reference(truth: np.ndarray | None, earlier: np.ndarray | None) -> np.ndarray | None:
    """What clusters have their colours after, (N,): the classes, else the partition that was shown before."""
    return earlier if truth is None else truth


def colors(consensus: Consensus, reference: np.ndarray | None) -> np.ndarray:
    """Places of the clusters in the palette, (k,)."""
    return alike(consensus.labels, reference)


def earlier() -> np.ndarray | None:
    """Colours of the objects in the partition that was shown before, (N,): a page knows them."""
    return None


def k_choices(ensemble: Ensemble, wanted_k: int) -> list[int]:
    """Numbers of clusters to try: 2 .. twice the wanted, at least 10, as far as the ensemble allows."""
    return list(range(2, min(len(ensemble.microclusters), max(10, 2 * wanted_k)) + 1))


def scores_by_k(
    ensemble: Ensemble,
    consensus: Consensus,
    truth: np.ndarray,
    measure: str,
    k_choices: Sequence[int],
    monitor: Monitor,
) -> np.ndarray:
    """Trying numbers of clusters: score against the truth for every k, (n_choices,); one tree serves all."""
    found, doing = [], "trying numbers of clusters"
    for done, k in enumerate(k_choices):
        monitor.tick(doing, done, len(k_choices))
        labels = _labels_at(ensemble, consensus, k, Part(monitor, done, len(k_choices), 1, doing))
        found.append(score(labels, truth, measure))
    return np.array(found)


def _labels_at(made: Ensemble, result: Consensus, k: int, monitor: Monitor) -> np.ndarray:
    if "dendrogram" in result.trace:
        return result.at(k).labels
    return run_consensus(result.method, made, k, result.params, result.seed, monitor).labels


def profile(scene) -> Profile | None:
    """How firmly objects sit; None for a single cluster."""
    return None if scene.consensus is None or scene.consensus.n_clusters < 2 else scene.firmness


def firmness(ensemble: Ensemble, consensus: Consensus, monitor: Monitor) -> Profile:
    """Measuring how firmly objects sit: support and margin of every object."""
    return confidence.cluster_profile(ensemble, consensus.labels, monitor=monitor)


def stability(
    ensemble: Ensemble, consensus: Consensus, method_params: Params, seed: int, monitor: Monitor
) -> Resampled:
    """Drawing base clusterings again: in how many draws an object keeps its cluster."""
    return confidence.resampled(
        ensemble, consensus.method, consensus.n_clusters, method_params, DRAWS, seed, monitor=monitor
    )


def opacity(scene) -> np.ndarray | None:
    """How faint the picture of the consensus draws objects that sit loosely, (N,), where that is asked."""
    if not scene.config.confidence or scene.profile is None:
        return None
    return np.clip(_FAINTEST + (1 - _FAINTEST) * np.maximum(scene.profile.margin, 0), _FAINTEST, 1.0)


def branch() -> int | None:
    """The node of the method's tree that was opened; None shows the whole tree. A page knows it."""
    return None


def cluster_sequence(consensus: Consensus, cluster_order: str) -> np.ndarray:
    """All clusters by base clustering, or in the order of the tree of the similarities the method gives them: (K,)."""
    similarity = np.array(consensus.trace["cluster_similarity"], dtype=np.float32)
    if cluster_order == "clustering" or len(similarity) < 3:
        return np.arange(len(similarity))
    return leaf_order(linkage(similarity))


def alike_pair(consensus: Consensus, cluster_pair: tuple[int, ...]) -> tuple[int, int]:
    """The two clusters that are looked at: those chosen, or the two different ones that are most alike."""
    similarity = np.asarray(consensus.trace["cluster_similarity"])
    if len(cluster_pair) == 2 and max(cluster_pair) < len(similarity):
        return cluster_pair[0], cluster_pair[1]
    apart = np.where(np.eye(len(similarity), dtype=bool), -1, similarity)
    low, high = np.unravel_index(int(apart.argmax()), apart.shape)
    return int(low), int(high)


def measured(scene) -> Resampled | None:
    """The stability, where it was measured already."""
    return scene.known("stability")
