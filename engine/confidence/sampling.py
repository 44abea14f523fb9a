"""A consensus of a sample of the objects, handed on to all: where a method's matrix fits no machine."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..consensus import Consensus, find_method, run_consensus
from ..ensemble import Ensemble
from ..ensemble.renumbering import first_appearance
from ..params import Params
from ..runtime.errors import InvalidParameterError, MissingEvidenceError
from ..runtime.monitor import SILENT, Monitor
from . import extended

#: What of the trace still holds for all objects: it says how the run went, not where an object is.
_HOLDS = ("repaired", "unsettled", "breaches")


def consensus_of_sample(
    key: str,
    ensemble: Ensemble,
    n_clusters: int,
    n_sample: int,
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Consensus:
    """Run a method on a sample of the objects, and put every other object into its most similar cluster.

    Parameters
    ----------
    key : str
        Method, one of `consensus_methods()`.
    ensemble : Ensemble
        Of N objects.
    n_clusters : int
        k.
    n_sample : int
        Objects drawn without replacement, at least 2; with N or more the method runs on all.
    params : mapping or Params, optional
    seed : int
        Of the sample and of the method.
    monitor : Monitor, optional

    Returns
    -------
    Consensus
        Labels of all N objects. Objects of the sample keep the label the method gave them; every other one is in the
        cluster C with the largest S(i, C), its mean co-association with the objects of the sample in C. The trace
        says which objects were drawn (`sampled_objects`) and how many others share no base cluster with any of them
        (`strangers`: their cluster is a guess).

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, MissingExtraError, TooLargeError, PartitionerError, Cancelled
        As `run_consensus`; soft memberships are those of all objects or none.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0]] * 60 + [[1, 1]] * 40)
    >>> found = consensus_of_sample("eac", ensemble, 2, 20)
    >>> np.bincount(found.labels).tolist(), len(found.trace["sampled_objects"])
    ([60, 40], 20)
    """
    if isinstance(n_sample, bool) or not isinstance(n_sample, int | np.integer) or n_sample < 2:
        raise InvalidParameterError(f"n_sample must be an integer of at least 2. Got {n_sample!r}")
    if n_sample >= ensemble.n_objects:
        return run_consensus(key, ensemble, n_clusters, params, seed, monitor)
    start, drawn = time.perf_counter(), sample_of(ensemble, n_sample, seed)
    found = run_consensus(key, _part(key, params, ensemble, drawn), n_clusters, params, seed, monitor)
    placed = extended(ensemble, drawn, found.labels, monitor)
    labels = placed.labels.copy()
    labels[drawn] = found.labels
    labels = first_appearance(labels)
    labels.setflags(write=False)
    trace = {name: found.trace[name] for name in _HOLDS if name in found.trace}
    trace |= {"sampled_objects": drawn, "strangers": int((placed.support == 0).sum())}
    return replace(
        found, labels=labels, seconds=time.perf_counter() - start, trace=trace, microclusters=ensemble.microclusters
    )


def sample_of(ensemble: Ensemble, n_sample: int, seed: int) -> NDArray[np.int64]:
    """Objects drawn without replacement, ascending: (n_sample,)."""
    drawn = np.random.default_rng([seed, ensemble.n_objects]).choice(ensemble.n_objects, n_sample, replace=False)
    drawn.sort()
    drawn.setflags(write=False)
    return drawn


def _part(
    key: str, params: Mapping[str, Any] | Params | None, ensemble: Ensemble, objects: NDArray[np.int64]
) -> Ensemble:
    """The base clusterings on some objects, by their labels alone."""
    method = find_method(key)
    needs = method.requirements(method.params.of(params))
    if "graph" in needs:
        raise MissingEvidenceError(f"{method.title} needs the graph of all objects, and a sample has lost most edges")
    if "memberships" in needs:
        raise MissingEvidenceError(
            f"{method.title} needs soft memberships, and a sample of the objects has hard labels only"
        )
    return Ensemble(ensemble.labels).of_objects(objects)
