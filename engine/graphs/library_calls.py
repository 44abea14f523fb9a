"""Library calls that take seconds and hear nothing meanwhile: here while small, else in a process that can be ended.

That process runs this file alone (see `engine.runtime.side_process`): nothing of the package is imported before it is
needed.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..runtime.monitor import Monitor

#: Rows of a dense matrix from which its eigenvectors take longer (half a second) than a process does to start.
_LONG = 1_000
#: Points from which t-SNE takes longer than that.
_MANY = 250


def smallest_eigenvectors(symmetric: NDArray, k: int, monitor: "Monitor") -> tuple[NDArray, NDArray]:
    """The k + 1 smallest eigenvalues, and the eigenvectors of the first k: (k + 1,), (n, k)."""
    given = {"symmetric": symmetric, "k": np.array(k)}
    found = _called("_smallest", given, len(symmetric) > _LONG, "finding eigenvectors", monitor)
    return found[0], found[1:, :k]


def drawn_to_zero(symmetric: NDArray, least: float, stage: str, monitor: "Monitor") -> NDArray[np.float64]:
    """The matrix whose eigenvalues are those given, drawn towards 0 by `least`: (n, n)."""
    given = {"symmetric": symmetric, "least": np.array(least)}
    return _called("_drawn_to_zero", given, len(symmetric) > _LONG, stage, monitor)


def all_eigenvectors(symmetric: NDArray, stage: str, monitor: "Monitor") -> tuple[NDArray, NDArray]:
    """All eigenvalues, ascending, and eigenvectors: (n,), (n, n)."""
    found = _called("_all", {"symmetric": symmetric}, len(symmetric) > _LONG, stage, monitor)
    return found[0], found[1:]


def lower_rank(matrix: NDArray, least: float, stage: str, monitor: "Monitor") -> NDArray[np.float64]:
    """The matrix whose singular values are those given less `least`, none below 0: (n, n)."""
    given = {"matrix": matrix, "least": np.array(least)}
    return _called("_lower_rank", given, len(matrix) > _LONG, stage, monitor)


def right_vectors(matrix: NDArray, stage: str, monitor: "Monitor") -> tuple[NDArray, NDArray]:
    """All singular values, descending, and the right singular vectors, one a row: (n,), (n, n)."""
    found = _called("_right", {"matrix": matrix}, len(matrix) > _LONG, stage, monitor)
    return found[0], found[1:]


def spectral_norm(matrix: NDArray, stage: str, monitor: "Monitor") -> float:
    """The largest singular value."""
    return float(_called("_spectral_norm", {"matrix": matrix}, len(matrix) > _LONG, stage, monitor))


def inverse(matrix: NDArray, stage: str, monitor: "Monitor") -> NDArray[np.float64]:
    """The inverse: (n, n)."""
    return _called("_inverse", {"matrix": matrix}, len(matrix) > _LONG, stage, monitor)


def tsne(points: NDArray, stage: str, monitor: "Monitor", distances: bool = False) -> NDArray[np.float64]:
    """scikit-learn's t-SNE from principal components, or of `distances` from classical scaling: (n, 2)."""
    from ..runtime.blocks import single_threaded_libraries

    given = {"points": points, "distances": np.array(distances)}
    monitor.tick(stage, 0, 1)
    if len(points) > _MANY:
        return _called("_tsne", given, True, stage, monitor)
    import sklearn.cluster  # noqa: F401
    import sklearn.manifold  # noqa: F401 - loads the OpenMP that is limited, once both are there

    with single_threaded_libraries():  # its threads wait for each other by spinning: slow where others compute too
        return _tsne(**given)


def _called(name: str, given: dict[str, NDArray], aside: bool, stage: str, monitor: "Monitor") -> NDArray:
    if not aside:
        return _CALLS[name](**given)
    from pathlib import Path

    from ..runtime.side_process import solve_aside

    return solve_aside(Path(__file__), {"call": np.array(name), **given}, stage, monitor)


def solve(given: dict[str, NDArray]) -> NDArray:
    """Answer one task in a process of its own."""
    return _CALLS[str(given.pop("call"))](**given)


def _smallest(symmetric: NDArray, k: NDArray) -> NDArray[np.float64]:
    values, vectors = np.linalg.eigh(symmetric)
    return np.vstack([values[: k + 1], vectors[:, : k + 1]])


def _drawn_to_zero(symmetric: NDArray, least: NDArray) -> NDArray[np.float64]:
    values, vectors = np.linalg.eigh(symmetric)
    kept = np.sign(values) * np.maximum(np.abs(values) - least, 0)
    return (vectors * kept) @ vectors.T


def _all(symmetric: NDArray) -> NDArray[np.float64]:
    return np.vstack(np.linalg.eigh(symmetric))


def _lower_rank(matrix: NDArray, least: NDArray) -> NDArray[np.float64]:
    left, values, right = singular_vectors(matrix)
    return (left * np.maximum(values - least, 0)) @ right


def singular_vectors(matrix: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """All of U, s, V' with matrix = U diag(s) V', s descending: (n, n), (n,), (n, n) of (n, n).

    Divide and conquer gives up on some matrices (LAPACK's dgesdd, OpenBLAS's too); QR iterations find those.
    """
    try:
        return np.linalg.svd(matrix)
    except np.linalg.LinAlgError:
        from scipy import linalg

        return linalg.svd(matrix, lapack_driver="gesvd")


def _right(matrix: NDArray) -> NDArray[np.float64]:
    return np.vstack(singular_vectors(matrix)[1:])


def _spectral_norm(matrix: NDArray) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(matrix, 2))


def _inverse(matrix: NDArray) -> NDArray[np.float64]:
    return np.linalg.inv(matrix)


def _tsne(points: NDArray, distances: NDArray) -> NDArray[np.float64]:
    from sklearn.manifold import TSNE, ClassicalMDS

    how = {"perplexity": min(30.0, (len(points) - 1) / 3), "random_state": 0, "init": "pca"}
    if distances:
        scaled = ClassicalMDS(2, metric="precomputed").fit_transform(points.astype(float))
        begun = (1e-4 * scaled / max(float(scaled[:, 0].std()), 1e-12)).astype(np.float32)
        how |= {"metric": "precomputed", "init": begun}
    return TSNE(2, **how).fit_transform(points).astype(float)


_CALLS = {
    one.__name__: one for one in (_smallest, _drawn_to_zero, _all, _lower_rank, _right, _spectral_norm, _inverse, _tsne)
}
