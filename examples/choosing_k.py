"""Choosing k: whether there are clusters at all, how many the criteria say, and what one more would part.

Run it at the top of the checkout: `python -m examples.choosing_k`.
"""

import numpy as np

import data
from engine import generators
from engine.choosing_k import choose_k


def main() -> None:
    """Ask about iris, whose two hard classes not every criterion tells apart."""
    features = data.scale(data.load("iris").features, "standard")
    ensemble = generators.kmeans_ensemble(features, n_clusterings=20, seed=7)
    found = choose_k(ensemble, "lwea", features=features, k_max=6, effort="quick")
    print(found.verdict)
    for criterion, k in found.picks.items():
        print(f"  {criterion}: {k}")
    fewer, more = found.partitions[found.k], found.partitions[found.k + 1]
    for cluster in np.unique(fewer):
        parts = np.bincount(more[fewer == cluster])
        print(
            f"cluster {cluster} with one more: {' + '.join(map(str, sorted(parts[parts > 0], reverse=True)))} objects"
        )


if __name__ == "__main__":
    main()
