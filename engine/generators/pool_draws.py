"""Ensembles drawn from a larger pool of base clusterings, as the papers' experiments do."""

import numpy as np
from numpy.typing import ArrayLike

from ..ensemble import Ensemble
from ..ensemble.reading_labels import unmasked
from ..runtime.errors import InvalidParameterError


def draw(pool_labels: ArrayLike, n_clusterings: int, seed: int = 0, replacement: bool = False) -> Ensemble:
    """Draw base clusterings from a pool.

    Parameters
    ----------
    pool_labels : (N, P) labels
    n_clusterings : int
        M in 1..P. The first columns drawn do not depend on M.
    seed : int
    replacement : bool
        Whether a column may be drawn more than once: then a draw of all P differs from seed to seed.

    Returns
    -------
    Ensemble
        With the columns drawn in `provenance`.

    Raises
    ------
    InvalidParameterError, InvalidEnsembleError

    Examples
    --------
    >>> draw([[0, 0, 0], [0, 1, 1]], 2, seed=0).n_clusterings
    2
    """
    pool = np.asarray(unmasked(pool_labels))
    if pool.ndim != 2 or not 1 <= n_clusterings <= pool.shape[1]:
        raise InvalidParameterError(
            f"n_clusterings must be in 1..P, the base clusterings of the pool. Got {n_clusterings}, pool {pool.shape}"
        )
    rng = np.random.default_rng(seed)
    columns = (
        rng.choice(pool.shape[1], n_clusterings) if replacement else rng.permutation(pool.shape[1])[:n_clusterings]
    )
    provenance = {"generator": "pool", "columns": columns.tolist(), "seed": seed}
    return Ensemble.from_labels(pool[:, columns], provenance=provenance)
