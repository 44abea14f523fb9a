"""Eigengap of the graph of objects and clusters: how many parts it nearly falls into (Li, Wu and Chang 2012)."""

import numpy as np

from ...graphs.bipartite_graphs import BipartiteGraph
from ...graphs.transfer_cuts import transfer_spectrum
from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _run(question: Question, monitor: Monitor) -> Curve:
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


CRITERION = Criterion(
    key="eigengap",
    title="eigengap (objects and clusters)",
    run=_run,
    reading=gap_reading,
    summary="How many parts the graph of objects and clusters nearly falls into: the widest gap of its eigenvalues.",
    reference="li2012tcut",
    place=50,
)
