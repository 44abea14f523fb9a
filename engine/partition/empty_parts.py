"""The shared repair that makes every partitioner return exactly k non-empty parts."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def fill_empty_parts(
    labels: NDArray,
    sizes: NDArray,
    n_parts: int,
    tie: Callable[[NDArray[np.int64]], NDArray],
    give: str = "one",
) -> tuple[NDArray[np.int32], int]:
    """Split the heaviest parts until there are `n_parts` of them.

    While parts are missing, the heaviest part that has two members gives up those least tied to it: one, or
    half of them. Equal weights and equal ties go to the lower index.

    Parameters
    ----------
    labels : (n,) int
        Values in 0..n_parts-1, some of which may not occur; n >= n_parts.
    sizes : (n,) int
        Objects each member stands for.
    n_parts : int
    tie : callable
        `tie(members) -> (len(members),)`: how strongly each belongs to the part the members form.
    give : "one" | "half"

    Returns
    -------
    labels : (n,) int32
        Every value 0..n_parts-1 occurs.
    n_repaired : int
        Parts that had to be made.
    """
    labels = np.array(labels, dtype=np.int32)
    missing = np.flatnonzero(np.bincount(labels, minlength=n_parts) == 0)
    for part in missing:
        counts = np.bincount(labels, minlength=n_parts)
        weight = np.bincount(labels, weights=sizes, minlength=n_parts)
        members = np.flatnonzero(labels == np.argmax(np.where(counts > 1, weight, -1)))
        n_given = 1 if give == "one" else len(members) // 2
        labels[members[np.argsort(tie(members), kind="stable")[:n_given]]] = part
    return labels, len(missing)
