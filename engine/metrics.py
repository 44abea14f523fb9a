"""How alike two clusterings are: all from one contingency table."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from .ensemble.clusters import require_table
from .ensemble.reading_labels import as_array, cluster_names, label_vector
from .ensemble.renumbering import first_appearance
from .params import one_of
from .runtime.errors import InvalidParameterError

Normalisation = Literal["max", "arithmetic", "sqrt", "min"]
_MEANS: dict[str, Callable[[NDArray, NDArray], NDArray]] = {
    "max": np.maximum,
    "min": np.minimum,
    "arithmetic": lambda a, b: (a + b) / 2,
    "sqrt": lambda a, b: np.sqrt(a * b),
}


def contingency(a: ArrayLike, b: ArrayLike) -> NDArray[np.int64]:
    """Objects in cluster i of `a` and cluster j of `b`: (k_a, k_b); clusters by first appearance.

    Parameters
    ----------
    a, b : (N,) labels of any values
        Two clusterings of the same objects. -1 is a label as any other, in all scores; NaN and None are refused.

    Returns
    -------
    (k_a, k_b) int64
        Sums to N; no row or column is all 0.

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length.
    TooLargeError
        If the table takes more memory than there may be, as all scores say.
    """
    a, b = label_vector(a), label_vector(b)
    if a.ndim != 1 or a.shape != b.shape or not len(a):
        raise InvalidParameterError(f"two label vectors of one length are needed. Got shapes {a.shape} and {b.shape}")
    rows, cols = first_appearance(a).astype(np.int64), first_appearance(b)
    k_a, k_b = int(rows.max()) + 1, int(cols.max()) + 1
    require_table(k_a, k_b)
    return np.bincount(rows * k_b + cols, minlength=k_a * k_b).reshape(k_a, k_b)


def nmi(a: ArrayLike, b: ArrayLike, normalisation: Normalisation = "max") -> float:
    """Normalised mutual information, I(a; b) / mean(H(a), H(b)), in [0, 1].

    Parameters
    ----------
    a, b : (N,) labels
    normalisation : "max" | "arithmetic" | "sqrt" | "min"
        Which mean of the two entropies. The tables of LWEA/LWGP and PTA/PTGP hold "max", EC-CMS
        "arithmetic", GoT and LAC "sqrt".

    Returns
    -------
    float
        1 if the partitions are equal; 0 if independent, or if just one of them has a single cluster.

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length, or the normalisation is unknown.

    Examples
    --------
    >>> nmi([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    """
    return nmi_of_table(contingency(a, b), normalisation)


def normalised(information: NDArray, h_a: NDArray, h_b: NDArray, normalisation: Normalisation) -> NDArray[np.float64]:
    """Mutual information over a mean of two entropies, in [0, 1]; 1 where both are 0, 0 where just one is.

    Parameters
    ----------
    information : (...) float
        I(a; b), in any unit.
    h_a, h_b : (...) float
        Entropies of a and of b in the same unit.
    normalisation : {"max", "arithmetic", "sqrt", "min"}
        Which mean of the two entropies.

    Returns
    -------
    (...) float64
        In [0, 1].

    Raises
    ------
    InvalidParameterError
        If there is no such mean.
    """
    mean = _MEANS[one_of("normalisation", normalisation, _MEANS)](h_a, h_b)
    bounded = np.clip(np.divide(information, mean, out=np.zeros(np.shape(mean)), where=mean > 0), 0, 1)
    return np.where((h_a == 0) | (h_b == 0), (h_a == h_b).astype(float), bounded)


def ari(a: ArrayLike, b: ArrayLike) -> float:
    """Adjusted Rand index (Hubert and Arabie): 1 for equal partitions, 0 expected by chance, may be negative.

    Parameters
    ----------
    a, b : (N,) labels of any values
        Two clusterings of the same objects.

    Returns
    -------
    float
        In [-1, 1].

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length.

    Examples
    --------
    >>> round(ari([0, 0, 1, 1], [0, 1, 0, 1]), 3)
    -0.5
    """
    return _ari(contingency(a, b))


def pairwise_f(a: ArrayLike, truth: ArrayLike) -> float:
    """Harmonic mean of precision and recall over pairs of objects put together, in [0, 1].

    Parameters
    ----------
    a, truth : (N,) labels of any values
        A clustering, and the truth.

    Returns
    -------
    float
        In [0, 1]; 1 where neither puts a pair together.

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length.
    """
    return _pairwise_f(contingency(a, truth))


def accuracy(labels: ArrayLike, truth: ArrayLike) -> float:
    """Share of objects that are right under the best one-to-one matching of clusters to classes, in [0, 1].

    Parameters
    ----------
    labels, truth : (N,) labels of any values
        A clustering, and the truth.

    Returns
    -------
    float
        In [0, 1]; objects of clusters or classes without a partner count as wrong.

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length.

    Examples
    --------
    >>> accuracy([0, 0, 1, 1], [1, 1, 0, 1])
    0.75
    """
    return _accuracy(contingency(labels, truth))


def purity(labels: ArrayLike, truth: ArrayLike) -> float:
    """Share of objects in the majority class of their cluster, in (0, 1]. Rises with the number of clusters.

    Parameters
    ----------
    labels, truth : (N,) labels of any values
        A clustering, and the truth.

    Returns
    -------
    float
        In (0, 1].

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length.
    """
    return _purity(contingency(labels, truth))


def align(labels: ArrayLike, reference: ArrayLike) -> NDArray[np.int32]:
    """Rename clusters so that they overlap most with the reference (Hungarian matching).

    Parameters
    ----------
    labels : (N,) labels of any values
    reference : (N,) int or words
        Whole numbers of 32 bits; words are numbered by first appearance.

    Returns
    -------
    (N,) int32
        The same partition. A matched cluster has its partner's label; the others get the lowest labels from 0 on
        that the reference does not use.

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length, or the reference holds other numbers.

    Examples
    --------
    >>> align([7, 7, 4, 4, 4], [0, 0, 0, 1, 1]).tolist()
    [0, 0, 1, 1, 1]
    """
    given = as_array(reference)
    reference = label_vector(given)
    worded = given.dtype.kind in "US" or given.dtype == object and any(map(_is_word, given.flat))
    called = first_appearance(reference) if worded else cluster_names(given, "reference")
    names = called[_first_objects(reference)]
    table = contingency(labels, reference)
    rows, cols = scipy.optimize.linear_sum_assignment(table, maximize=True)
    others = np.setdiff1d(np.arange(len(table)), rows)
    free = np.setdiff1d(np.arange(len(names) + len(others)), names)
    renamed = np.empty(len(table), np.int32)
    renamed[rows], renamed[others] = names[cols], free[: len(others)]
    return renamed[first_appearance(labels)]


def score(labels: ArrayLike, truth: ArrayLike, measure: str) -> float:
    """One of the `MEASURES` of a clustering against the truth.

    Parameters
    ----------
    labels, truth : (N,) labels of any values
        A clustering, and the truth.
    measure : str
        One of `MEASURES`.

    Returns
    -------
    float
        The higher, the better.

    Raises
    ------
    InvalidParameterError
        If there is no such measure.

    Examples
    --------
    >>> score([0, 0, 1, 1], [1, 1, 0, 1], "accuracy")
    0.75
    """
    return METRICS[one_of("measure", measure, MEASURES)].of_table(contingency(labels, truth))


def scores(labels: ArrayLike, truth: ArrayLike) -> dict[str, float]:
    """All measures of a clustering against the truth, by name, in the order of `MEASURES`.

    Parameters
    ----------
    labels, truth : (N,) labels of any values
        A clustering, and the truth.

    Returns
    -------
    dict of str to float
        One entry for each of `MEASURES`.

    Raises
    ------
    InvalidParameterError
        If the two are not label vectors of one length.
    """
    table = contingency(labels, truth)
    return {measure: METRICS[measure].of_table(table) for measure in MEASURES}


def nmi_of_table(table: NDArray, normalisation: Normalisation) -> float:
    """`nmi` of two clusterings whose contingency table is known.

    Parameters
    ----------
    table : (k_a, k_b) int
        From `contingency`.
    normalisation : {"max", "arithmetic", "sqrt", "min"}
        As for `nmi`.

    Returns
    -------
    float
        In [0, 1].
    """
    h_a, h_b = _entropy(table.sum(1)), _entropy(table.sum(0))
    information = h_a + h_b - _entropy(table.ravel())
    return float(normalised(np.array(information), np.array(h_a), np.array(h_b), normalisation))


def _ari(table: NDArray) -> float:
    together, in_a, in_b, pairs = _pair_counts(table)
    expected = in_a * in_b / pairs if pairs else 0.0
    span = (in_a + in_b) / 2 - expected
    return 1.0 if span == 0 else (together - expected) / span


def _pairwise_f(table: NDArray) -> float:
    together, in_a, in_truth, _ = _pair_counts(table)
    return 1.0 if in_a + in_truth == 0 else 2 * together / (in_a + in_truth)


def _accuracy(table: NDArray) -> float:
    return float(table[scipy.optimize.linear_sum_assignment(table, maximize=True)].sum() / table.sum())


def _purity(table: NDArray) -> float:
    return float(table.max(axis=1).sum() / table.sum())


def _entropy(counts: NDArray) -> float:
    """Entropy of a distribution given by counts, in nats."""
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log(p)).sum()) if len(p) > 1 else 0.0


def _pair_counts(table: NDArray) -> tuple[float, float, float, float]:
    """Pairs together in both, in the first, in the second, and in all."""
    return _pairs(table), _pairs(table.sum(1)), _pairs(table.sum(0)), _pairs(table.sum())


def _pairs(counts: NDArray) -> float:
    """Pairs inside groups of these sizes."""
    return float((counts * (counts - 1.0)).sum() / 2)


def _is_word(value: object) -> bool:
    return isinstance(value, str | bytes)


def _first_objects(labels: NDArray) -> NDArray[np.int64]:
    """The first object of every cluster, clusters by first appearance: each raises the number of those seen."""
    return np.flatnonzero(np.diff(np.maximum.accumulate(first_appearance(labels)), prepend=-1))


class Metric(NamedTuple):
    """One way to score a clustering: what people call it, and its value by the table of clusters and classes."""

    title: str
    of_table: Callable[[NDArray], float]


#: What clusterings are scored by; NMI under its three published normalisations. One entry is a metric everywhere.
METRICS = {
    "nmi_max": Metric("NMI (max)", lambda table: nmi_of_table(table, "max")),
    "nmi_arithmetic": Metric("NMI (arithmetic)", lambda table: nmi_of_table(table, "arithmetic")),
    "nmi_sqrt": Metric("NMI (sqrt)", lambda table: nmi_of_table(table, "sqrt")),
    "ari": Metric("ARI", _ari),
    "pairwise_f": Metric("pairwise F", _pairwise_f),
    "accuracy": Metric("accuracy", _accuracy),
    "purity": Metric("purity", _purity),
}
#: Titles of all metrics, for people.
MEASURES = {key: metric.title for key, metric in METRICS.items()}
