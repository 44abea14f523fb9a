"""What the process that runs igraph does for `leiden` (see `engine/runtime/side_worker.py`)."""

import hashlib
import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Rounds after which little moves any more: without structure the last ones would take most of the time.
_MOST_ROUNDS = 5


#: The graph of the task before, which is most often that of the next one too; to make it takes as long as a run does.
_latest: dict[bytes, Any] = {}


def solve(given: dict[str, NDArray]) -> NDArray[np.int32]:
    """Communities of one graph, a row a seed: (R, n)."""
    import igraph

    n, edges, weights = int(given["n"]), np.column_stack([given["sources"], given["targets"]]), given["weights"]
    found = np.empty((len(given["seeds"]), n), np.int32)
    graph = None if given["first_level"] else _graph(n, edges)
    for place, seed in enumerate(given["seeds"].tolist()):
        igraph.set_random_number_generator(random.Random(seed))
        if given["first_level"]:
            found[place] = _first_level(edges, weights, n, float(given["resolution"]), seed)
        else:
            found[place] = _all_levels(graph, weights, given["sizes"], float(given["resolution"]), float(given["beta"]))
    return found


def _graph(n: int, edges: NDArray) -> Any:
    import igraph

    key = hashlib.blake2b(edges.data, digest_size=16, key=str(n).encode()).digest()
    if key not in _latest:
        _latest.clear()
        _latest[key] = igraph.Graph(n=n, edges=edges)
    return _latest[key]


def _all_levels(graph: Any, weights: NDArray, sizes: NDArray, resolution: float, beta: float) -> list[int]:
    """Communities of Leiden, round after round until nothing moves."""
    settings = {"weights": weights.tolist(), "node_weights": sizes.tolist(), "resolution": resolution, "beta": beta}
    settled: list[int] | None = None
    for _ in range(_MOST_ROUNDS):
        found = graph.community_leiden(
            objective_function="CPM", n_iterations=1, initial_membership=settled, **settings
        ).membership
        if found == settled:
            break
        settled = found
    assert settled is not None
    return settled


def _first_level(edges: NDArray, weights: NDArray, n: int, resolution: float, seed: int) -> Any:
    """Communities after the first level of Louvain, which visits the nodes in an order of chance."""
    import igraph

    place = np.random.default_rng(seed).permutation(n)
    shuffled = igraph.Graph(n=n, edges=place[edges])
    levels = shuffled.community_multilevel(weights=weights.tolist(), return_levels=True, resolution=resolution)
    return np.asarray(levels[0].membership)[place] if levels else np.arange(n)
