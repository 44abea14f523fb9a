"""Which base clusterings agree on the pair, through which clusters, and how reliable these are."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from engine.evidence import ensemble_driven_cluster_index
from ui.saying import three_digits
from ui.why.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """The count, and one row a base clustering that saw both."""
    table, m = votes(pair), pair.ensemble.n_clusterings
    n, seen = int(table["together"].sum()), len(table)
    if not seen:
        yield f"None of the {m:,} base clusterings saw both: nothing is known of this pair directly."
        return
    if seen < m:
        yield f"{seen:,} of the {m:,} base clusterings saw both; the others have no label for one of them."
    if n == seen == m:
        all_put = "The one base clustering puts" if m == 1 else f"All {m:,} base clusterings put"
        yield f"{all_put} them together: they share a *microcluster*, and nothing can part them."
    else:
        yield f"**{n:,} of {seen:,}** base clusterings put them together (co-association {n / seen:.3f})."
    if 0 < n < seen:
        joining = table.loc[table["together"], "ECI, i"].mean()
        yield f"The clusters they share have a mean reliability (*ECI*) of {three_digits(joining)}."
    yield table


def votes(pair: Pair) -> pd.DataFrame:
    """One row a base clustering that saw both: together or not, and size and ECI of the clusters of both objects."""
    ensemble = pair.ensemble
    eci = ensemble_driven_cluster_index(ensemble, pair.config.theta)
    objects = ensemble.microclusters.representatives[[pair.a, pair.b]]
    both = ensemble.cluster_index[objects]
    seen = np.flatnonzero((both >= 0).all(axis=0))
    first, second = both[:, seen]
    names = pair.scene.clustering_keys
    return pd.DataFrame(
        {
            "no.": [names[m] for m in seen],
            "together": first == second,
            "size, i": ensemble.cluster_sizes[first],
            "ECI, i": eci[first],
            "size, j": ensemble.cluster_sizes[second],
            "ECI, j": eci[second],
        }
    ).sort_values(["together", "ECI, i"], ascending=False)


REASON = Reason(place=10, explain=explain)
