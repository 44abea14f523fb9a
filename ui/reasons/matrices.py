"""The pair's value in every matrix there is."""

from collections.abc import Iterable

import pandas as pd

from engine.evidence import ensemble_driven_cluster_index
from engine.vocabulary import LARGE
from ui.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """One row a matrix."""
    found = values(pair)
    yield "Their value in every matrix:"
    yield pd.DataFrame({"matrix": list(found), "value": list(found.values())})


def values(pair: Pair) -> dict[str, float]:
    """Value by name: plain and locally weighted co-association, and what the method recorded."""
    ensemble = pair.ensemble
    shared = ensemble.labels[pair.i] == ensemble.labels[pair.j]
    eci = ensemble_driven_cluster_index(ensemble, pair.theta)
    weights = eci[ensemble.labels[pair.i] + ensemble.offsets[:-1]]
    found = {
        "co-association (CA)": float(shared.mean()),
        f"locally weighted (LWCA, θ = {pair.theta:g})": float(weights[shared].sum() / ensemble.n_clusterings),
    }
    n = len(ensemble.microclusters)
    for name in LARGE:
        matrix = pair.result.trace.get(name)
        if name != "co_association" and getattr(matrix, "shape", None) == (n, n):
            found[f"{LARGE[name]} of {pair.result.method.upper()}"] = float(matrix[pair.a, pair.b])
    return found


REASON = Reason(place=20, explain=explain)
