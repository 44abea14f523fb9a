"""Which base clusterings agree on the pair, through which clusters, and how reliable these are."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from engine.evidence import ensemble_driven_cluster_index
from ui.reasons import Pair, Reason
from ui.widgets import three_digits


def explain(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """The count, and one row a base clustering."""
    table = votes(pair)
    n, m = int(table["together"].sum()), len(table)
    if n == m:
        yield f"All {m:,} base clusterings put them together: they share a *microcluster*, and nothing can part them."
    else:
        yield f"**{n:,} of {m:,}** base clusterings put them together (co-association {n / m:.3f})."
    if 0 < n < m:
        joining = table.loc[table["together"], "ECI, i"].mean()
        yield f"The clusters they share have a mean reliability (*ECI*) of {three_digits(joining)}."
    yield table


def votes(pair: Pair) -> pd.DataFrame:
    """One row a base clustering: together or not, and size and ECI of the clusters of both objects."""
    ensemble = pair.ensemble
    eci = ensemble_driven_cluster_index(ensemble, pair.theta)
    first = ensemble.labels[pair.i] + ensemble.offsets[:-1]
    second = ensemble.labels[pair.j] + ensemble.offsets[:-1]
    return pd.DataFrame(
        {
            "no.": np.arange(ensemble.n_clusterings),
            "together": first == second,
            "size, i": ensemble.cluster_sizes[first],
            "ECI, i": eci[first],
            "size, j": ensemble.cluster_sizes[second],
            "ECI, j": eci[second],
        }
    ).sort_values(["together", "ECI, i"], ascending=False)


REASON = Reason(place=10, explain=explain)
