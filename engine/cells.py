"""What an AnnData file is told of a consensus, on a page and by the command; `data.annotate` writes it."""

from typing import Any

from numpy.typing import NDArray

from . import __version__
from .confidence import Profile
from .consensus import Consensus
from .ensemble import Ensemble


def obs_columns(labels: NDArray, profile: Profile | None) -> dict[str, NDArray]:
    """What an AnnData file is told of its cells: cluster, and how firmly they sit there where there are two or more."""
    columns: dict[str, NDArray] = {"consensus": labels.astype(str)}
    if profile is not None:
        columns |= {"confidence": profile.own, "margin": profile.margin, "second_choice": profile.neighbour.astype(str)}
    return columns


def made_by(found: Consensus, ensemble: Ensemble | None = None) -> dict[str, Any]:
    """What made the labels: method, parameters, k, seed and version; of an `ensemble` also what made it."""
    params = found.params.as_dict()
    said = {"method": found.method, "params": params, "k": found.n_clusters, "seed": found.seed, "version": __version__}
    return said if ensemble is None else said | {"generator": ensemble.provenance, "m": ensemble.n_clusterings}
