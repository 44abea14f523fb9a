"""The pair's value in every matrix there is."""

from collections.abc import Iterable

import pandas as pd

from engine import Params
from engine.similarities import PairEvidence, pair_evidence
from ui.scene.matrices import matrix_params, recorded_names, recorded_titles
from ui.why.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """One row a matrix."""
    found = values(pair)
    yield "Their value in every matrix:"
    yield pd.DataFrame({"matrix": list(found), "value": list(found.values())})


def values(pair: Pair) -> dict[str, float]:
    """Value by name: every kind of evidence, and what the method recorded."""
    found = {}
    for key, evidence in pair_evidence().items():
        if not _at_once(evidence, pair):
            continue
        params = matrix_params(pair.config, key)
        found[evidence.title + _said(params)] = evidence.value(pair.ensemble, params, pair.i, pair.j)
    titles = recorded_titles(pair.result, recorded_names(pair.result))
    return found | {titles[name]: float(pair.result.trace[name][pair.a, pair.b]) for name in titles}


#: Evidence without a factor is worked out for a pair up to so many clusters and microclusters: the panel stands open.
MOST_CLUSTERS, MOST_NODES = 1500, 3000


def _at_once(evidence: PairEvidence, pair: Pair) -> bool:
    """Whether the pair's value can be had while somebody waits."""
    small = pair.ensemble.n_clusters_total <= MOST_CLUSTERS and len(pair.ensemble.microclusters) <= MOST_NODES
    return evidence.weights is not None or small


def _said(params: Params) -> str:
    """The parameters in brackets, automatic ones left out."""
    values = {spec.symbol: getattr(params, spec.name) for spec in params.specs()}
    return "".join(f", {symbol} = {value:g}" for symbol, value in values.items() if value is not None)


REASON = Reason(place=20, explain=explain)
