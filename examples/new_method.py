"""A new method: a file of a dozen lines, beside the built-in ones under the same protocol.

Run it at the top of the checkout: `python -m examples.new_method`.

Put the part above `main` into `engine/methods/majority.py` (imports relative), and every page and study has it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import data
from engine import Ensemble, Monitor, generators, metrics, run_consensus
from engine.consensus import ConsensusMethod
from engine.evidence import co_association
from engine.monitor import SILENT
from engine.params import Params, param
from engine.partition import cut, linkage


@dataclass(frozen=True)
class MajorityParams(Params):
    """Parameters of the majority."""

    share: float = param(0.5, symbol="s", doc="Pairs that meet less often count as never.", low=0.0, high=1.0)


def majority(
    ensemble: Ensemble, n_clusters: int, params: MajorityParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Forget the pairs that a minority put together, then merge what meets most."""
    micro, similarity = ensemble.microclusters, co_association(ensemble, monitor)
    similarity = np.where(similarity < params.share, 0, similarity)
    return micro.expand(cut(linkage(similarity, micro.sizes, "average", monitor), n_clusters))


METHOD = ConsensusMethod(
    key="majority",
    title="Majority",
    params=MajorityParams,
    run=majority,
    reference="fred2005eac",
    family="trees",
    needs=frozenset({"dense"}),
    summary="Pairs that most base clusterings put together, merged by average link.",
)


def main() -> None:
    """Compare it with EAC on three data sets."""
    for name in ("iris", "wine", "moons"):
        source = data.load(name)
        made = generators.kmeans_ensemble(data.scale(source.features, "standard"), n_clusterings=20, seed=1)
        k = len(np.unique(source.labels))
        mine = METHOD.run(made, k, METHOD.params(), np.random.default_rng(0), SILENT)
        eac = run_consensus("eac", made, k).labels
        print(f"{name}: majority {metrics.nmi(mine, source.labels):.3f}, EAC {metrics.nmi(eac, source.labels):.3f}")


if __name__ == "__main__":
    main()
