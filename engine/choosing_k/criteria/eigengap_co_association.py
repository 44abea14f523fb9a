"""Eigengap of the co-association graph: how many eigenvalues stay near 1 (Meyer, Race and Valakuzhy 2013)."""

import numpy as np

from ...clusters.overlaps import shared_weight
from ...graphs.eigenvectors import top_eigenvalues
from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve
from .eigengap_bipartite import gap_curve, gap_reading


def _run(question: Question, monitor: Monitor) -> Curve:
    """lambda_k - lambda_{k+1} of D^-1/2 S D^-1/2, S the co-association of objects, diagonal included.

    S = B B^T / M with B the incidence of objects and clusters, so that its non-zero eigenvalues are those of
    B^T D^-1 B / M between the K clusters. Missing labels count as meetings that did not happen (shares over M).
    """
    ensemble = question.ensemble
    met = ensemble.clusters.incidence() @ ensemble.cluster_sizes  # M times the degree
    between = shared_weight(ensemble, ensemble.microclusters.sizes / np.maximum(met, 1), monitor)
    n_values = min(int(question.ks[-1]) + 1, len(between))
    return gap_curve(top_eigenvalues(between, n_values), question.ks)


CRITERION = Criterion(
    key="eigengap_ca",
    title="eigengap (co-association)",
    run=_run,
    reading=gap_reading,
    summary="How many eigenvalues of the co-association graph stay near 1, one for each group it hardly leaves.",
    reference="meyer2014perron",
    place=51,
)
