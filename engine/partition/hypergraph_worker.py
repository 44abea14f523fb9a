"""The process that runs Mt-KaHyPar for `hypergraph_cuts`: `python hypergraph_worker.py given.npz found.npy`."""

import sys

import numpy as np


def main(given: str, found: str) -> None:
    """Read a hypergraph, partition it on one thread, and write the labels."""
    import mtkahypar

    with np.load(given) as arrays:
        indptr, indices, weights = arrays["indptr"], arrays["indices"], arrays["weights"]
        k, seed = int(arrays["k"]), int(arrays["seed"])
    library = mtkahypar.initialize(1, False)
    mtkahypar.set_seed(seed)
    context = library.context_from_preset(mtkahypar.PresetType.DETERMINISTIC)
    context.set_partitioning_parameters(k, 0.03, mtkahypar.Objective.CUT)
    context.logging = False
    hyperedges = [pins.tolist() for pins in np.split(indices, indptr[1:-1])]
    ones = [1] * len(hyperedges)
    hypergraph = library.create_hypergraph(context, len(weights), len(hyperedges), hyperedges, weights.tolist(), ones)
    labels = hypergraph.partition(context).get_partition()
    np.save(found, np.asarray(labels, dtype=np.int32))


if __name__ == "__main__":
    main(*sys.argv[1:])
