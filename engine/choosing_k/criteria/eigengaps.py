"""Eigengaps: how many parts a graph of objects nearly falls into."""

import numpy as np

from ...clusters.overlaps import shared_weight
from ...graphs.bipartite_graphs import BipartiteGraph
from ...graphs.eigenvectors import top_eigenvalues
from ...graphs.spectral_cuts import transfer_spectrum
from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _bipartite(question: Question, monitor: Monitor) -> Curve:
    """lambda_k - lambda_{k+1} of D_y^-1/2 W_y D_y^-1/2, edges of weight 1."""
    ensemble, ks = question.ensemble, question.ks
    graph = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    values = transfer_spectrum(graph, ensemble.microclusters.sizes, int(ks[-1]) + 1, monitor)
    return gap_curve(values, ks)


def gap_curve(eigenvalues, ks) -> Curve:
    """Gaps after the k-th eigenvalue; those beyond the last are 0."""
    known = np.zeros(int(ks[-1]) + 1)
    known[: len(eigenvalues)] = np.maximum(eigenvalues, 0)
    gaps = known[ks - 1] - known[ks]
    return Curve(gaps, highest(gaps, ks))


def gap_reading(curve: Curve, ks) -> str:
    """Where the gap is widest."""
    if curve.pick is None:
        return "No gap stands out."
    gap = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    return f"The widest gap, {gap:.2f}, follows eigenvalue {curve.pick}."


BIPARTITE = Criterion(
    key="eigengap",
    title="eigengap (objects and clusters)",
    run=_bipartite,
    reading=gap_reading,
    summary="How many parts the graph of objects and clusters nearly falls into: the widest gap of its eigenvalues.",
    reference="li2012tcut",
    place=50,
)


def _co_association(question: Question, monitor: Monitor) -> Curve:
    """lambda_k - lambda_{k+1} of D^-1/2 S D^-1/2, S the co-association of objects, diagonal included.

    S = B B^T / M with B the incidence of objects and clusters, so that its non-zero eigenvalues are those of
    B^T D^-1 B / M between the K clusters. Missing labels count as meetings that did not happen (shares over M).
    """
    ensemble = question.ensemble
    met = ensemble.clusters.incidence() @ ensemble.cluster_sizes  # M times the degree
    between = shared_weight(ensemble, ensemble.microclusters.sizes / np.maximum(met, 1), monitor)
    n_values = min(int(question.ks[-1]) + 1, len(between))
    return gap_curve(top_eigenvalues(between, n_values), question.ks)


CO_ASSOCIATION = Criterion(
    key="eigengap_ca",
    title="eigengap (co-association)",
    run=_co_association,
    reading=gap_reading,
    summary="How many eigenvalues of the co-association graph stay near 1, one for each group it hardly leaves.",
    reference="meyer2014perron",
    place=51,
)
