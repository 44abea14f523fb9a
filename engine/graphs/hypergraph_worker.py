"""What the process that runs Mt-KaHyPar does for `engine.methods.hgpa` (see `engine/runtime/side_worker.py`)."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def _library() -> Any:
    """Mt-KaHyPar on one thread; it sets up its threads once a process."""
    import mtkahypar

    return mtkahypar.initialize(1, False)


def solve(given: dict[str, NDArray]) -> NDArray[np.int32]:
    """Labels of the vertices of a hypergraph, from the arrays indptr, indices, weights, k and seed."""
    library = _library()
    import mtkahypar

    mtkahypar.set_seed(int(given["seed"]))
    context = library.context_from_preset(mtkahypar.PresetType.DETERMINISTIC)
    context.set_partitioning_parameters(int(given["k"]), 0.03, mtkahypar.Objective.CUT)
    context.logging = False
    hyperedges = [pins.tolist() for pins in np.split(given["indices"], given["indptr"][1:-1])]
    ones, weights = [1] * len(hyperedges), given["weights"].tolist()
    hypergraph = library.create_hypergraph(context, len(weights), len(hyperedges), hyperedges, weights, ones)
    return np.asarray(hypergraph.partition(context).get_partition(), dtype=np.int32)
