"""Ways out for methods that need every label: fewer objects, or labels lent by the most similar object."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .ensemble import Ensemble
from .pairs.counts import row_filler
from .runtime.blocks import map_blocks
from .runtime.memory import require_memory
from .runtime.monitor import SILENT, Monitor

_BLOCK = 64


def labelled_everywhere(ensemble: Ensemble) -> NDArray[np.bool_]:
    """Which objects every base clustering labels: (N,). `ensemble.of_objects` keeps them alone.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects.

    Returns
    -------
    (N,) bool
        All True where the ensemble is complete.

    Examples
    --------
    >>> labelled_everywhere(Ensemble.from_labels([[0, 0], [0, -1], [1, 1]])).tolist()
    [True, False, True]
    """
    return np.all(ensemble.labels >= 0, axis=1)


def completed(ensemble: Ensemble, monitor: Monitor = SILENT) -> Ensemble:
    """The ensemble with every missing label lent by the most similar object that has one.

    Most similar is who is together with the object in the largest share of the base clusterings that saw both; of
    equals the first microcluster in canonical order.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        Complete; `provenance["completed"]` is how many labels were lent. The ensemble itself if nothing is missing.
        Soft memberships are not handed on: none could be lent.

    Raises
    ------
    TooLargeError

    Notes
    -----
    O(n^2 M) time for the n microclusters, rows of similarity being forgotten at once.

    Examples
    --------
    >>> completed(Ensemble.from_labels([[0, 0], [0, -1], [1, 1], [1, 1]])).labels.tolist()
    [[0, 0], [0, 0], [1, 1], [1, 1]]
    """
    if ensemble.complete:
        return ensemble
    canonical = ensemble.canonical
    columns = np.ascontiguousarray(canonical.clusters.columns().T)
    lent, fill, n = columns.copy(), row_filler(canonical, np.ones(canonical.n_clusters_total)), len(columns)
    require_memory("rows of similarity", 4 * _BLOCK * n)

    def complete(start: int, stop: int) -> None:
        rows = np.empty((stop - start, n), np.float32)
        fill(start, stop, rows)
        _lend_kernel(start, rows, columns, lent)

    map_blocks(complete, n, monitor, "lending labels", _BLOCK)
    by_object = np.repeat(lent, canonical.microclusters.sizes, axis=0)
    labels = np.empty_like(by_object)
    labels[canonical.objects] = by_object
    labels = labels[:, np.argsort(ensemble.form.clusterings)]
    provenance = {**ensemble.provenance, "completed": ensemble.n_missing}
    return Ensemble.from_labels(labels, provenance=provenance, graph=ensemble.graph)


@njit(cache=True, nogil=True)
def _lend_kernel(start, rows, columns, lent):
    """Fill the missing labels of microclusters start.. from whoever is most similar and has one."""
    for i in range(len(rows)):
        for m in range(columns.shape[1]):
            if columns[start + i, m] >= 0:
                continue
            nearest = -1
            for j in range(len(columns)):
                if columns[j, m] >= 0 and (nearest < 0 or rows[i, j] > rows[i, nearest]):
                    nearest = j
            lent[start + i, m] = columns[nearest, m]
