"""From a RunConfig to what the pages show: every stage computed once, in the background, and shared."""

from collections.abc import Hashable, Iterable, Sequence
from functools import partial

import numpy as np
import streamlit as st

import data
from data import DataError, Dataset, Pool
from data.records import Missing, class_name
from engine import Consensus, Ensemble, Monitor, Params, consensus_of_sample, metrics, run_consensus
from engine.ensemble import frozen
from engine.monitor import SILENT, Part
from engine.partition import cut
from ui.compute import generating, uploads
from ui.compute.jobs import Job
from ui.compute.keeping import Kept
from ui.compute.keys import key_of
from ui.compute.work import find, start
from ui.session.run_config import RunConfig

# ------------------------------------------------------------------------------------------ data


_LOADED: Kept[Dataset | Pool] = Kept(8)
_LABELLED: Kept[Pool] = Kept(8)
_SCALED: Kept[np.ndarray] = Kept(8)
_NUMBERED: Kept[np.ndarray] = Kept(32)


def dataset(config: RunConfig) -> Dataset | Pool:
    """The data set, or the pool with all its objects or those that no base clustering misses.

    Raises
    ------
    data.DataError
        If the name is unknown, the file is unreadable, or the upload is not here.
    FarError
        If the set is on OpenML and was never fetched: no page waits for another machine.
    """
    name = config.data
    brought = name.startswith(uploads.PREFIX)
    found = uploads.find(name).content if brought else _LOADED.get(name, lambda: _here(name))
    if config.labelled and isinstance(found, Pool):
        return _LABELLED.get(found.fingerprint, found.labelled_everywhere)
    return found


class FarError(DataError):
    """A data set is on OpenML and was never fetched; `name` is its name in the catalog."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{data.title(name)} was not fetched yet. Fetch it on the page Data")
        self.name = name


def _here(name: str) -> Dataset | Pool:
    if data.is_far(name):
        raise FarError(name)
    return data.load(name)


def fetch(name: str, version: int | None, missing: Missing, monitor: Monitor = SILENT) -> Dataset:
    """The Dataset, from this machine or from OpenML; its names know no capitals."""
    asked = partial(monitor.tick, "asking openml.org", 0, 1)
    asked()
    return data.load_openml(name, version, missing, asked)


def keep(name: str, found: Dataset) -> None:
    """Hand over a set that was fetched, also where the folder that keeps them cannot be written."""
    _LOADED.get(name, lambda: found)


def dataset_if_here(config: RunConfig) -> Dataset | Pool | None:
    """The data set or pool, or None: what is drawn beside a page that says what is missing."""
    try:
        return dataset(config)
    except DataError:
        return None


def title(config: RunConfig) -> str:
    """Name of the data set for people."""
    if config.data.startswith(uploads.PREFIX):
        return uploads.find(config.data).filename
    return data.title(config.data)


def features(config: RunConfig) -> np.ndarray:
    """The scaled features of a data set: (N, D), read-only."""
    source = dataset(config)
    key = source.fingerprint, config.scaling
    return _SCALED.get(key, lambda: frozen(data.scale(source.features, config.scaling)))


def truth(config: RunConfig) -> np.ndarray | None:
    """Classes numbered 0.. in the order of their labels, or None: (N,), read-only."""
    source = dataset(config)
    if source.labels is None:
        return None
    return _NUMBERED.get(source.fingerprint, lambda: frozen(numbered_classes(source.labels)))


def numbered_classes(labels: np.ndarray) -> np.ndarray:
    """Classes 0.. in the order of their labels, whatever stands first in the file: (N,) int32."""
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)


def wanted_k(config: RunConfig) -> int:
    """K as chosen; else as many as there are classes (3 if unknown, at least 2)."""
    return wanted_of(truth(config), config.k)


def wanted_of(classes: np.ndarray | None, chosen: int | None) -> int:
    """The same for classes that are at hand."""
    return chosen or (3 if classes is None else max(2, int(classes.max()) + 1))


def class_names(config: RunConfig) -> list[str]:
    """What the data set calls the classes of `truth`, in their order."""
    known, names = truth(config), dataset(config).labels
    if known is None or names is None:
        return []
    _, first = np.unique(known, return_index=True)
    return [class_name(dataset(config), int(names[place])) for place in first]


# -------------------------------------------------------------------------------------- ensemble


#: Base clusterings that are made where nobody chose how many.
MADE = 20


def n_clusterings(config: RunConfig) -> int:
    """M as chosen, else 20; of a pool as many as are in it, all where nobody chose."""
    return clusterings_of(dataset_if_here(config), config.m)


def clusterings_of(source: Dataset | Pool | None, chosen: int | None) -> int:
    """M for a data set or a pool."""
    if isinstance(source, Pool):
        return min(chosen or source.n_clusterings, source.n_clusterings)
    return chosen or MADE


def lac_k(config: RunConfig) -> int:
    """Clusters of every LAC clustering: as chosen, else as many as there are classes (3 if unknown)."""
    return config.lac_k or wanted_k(config.with_(k=None))


def _ensemble_inputs(config: RunConfig) -> tuple:
    off = [m for m in config.switched_off if m < n_clusterings(config)]
    return dataset(config), config.scaling, config.recipe, n_clusterings(config), config.seed, off, config.lend


def ensemble(config: RunConfig, slot: str = "") -> Job:
    """Job: the Ensemble of the base clusterings that are switched on; a slot of its own leaves the page's job alone."""
    slot = slot or ("active" if config.switched_off else "ensemble")
    return start(generating.base_clusterings, *_ensemble_inputs(config), slot=slot)


def ensemble_so_far(config: RunConfig) -> Job | None:
    """The job that makes the Ensemble, if there is one."""
    return find(generating.base_clusterings, *_ensemble_inputs(config))


# ------------------------------------------------------------------------------------- consensus


def consensus(config: RunConfig, made: Ensemble, k: int | None = None, record: Iterable[str] = ()) -> Job:
    """Job: the Consensus of an ensemble under the chosen method; of all objects where something is recorded."""
    inputs = config.method, made, k or wanted_k(config), config.method_params, config.seed, tuple(sorted(record))
    sample = None if record else sample_size(config, made)
    return start(found_consensus, *inputs, sample, slot="recorded" if record else "consensus")


def sample_size(config: RunConfig, made: Ensemble) -> int | None:
    """Objects of the sample that the method runs on; None where that is all of them."""
    return config.sample if config.sample and config.sample < made.n_objects else None


def found_consensus(
    method: str,
    made: Ensemble,
    k: int,
    params: Params,
    seed: int,
    record: Sequence[str],
    sample: int | None,
    monitor: Monitor,
) -> Consensus:
    """`run_consensus` with everything said, or that of a sample."""
    if sample:
        return consensus_of_sample(method, made, k, sample, params, seed, monitor)
    return run_consensus(method, made, k, params, seed, monitor, record)


def score(labels: np.ndarray, truth: np.ndarray, measure: str) -> float:
    """One measure of `engine.metrics.scores`."""
    if measure.startswith("nmi_"):
        return metrics.nmi(labels, truth, measure.removeprefix("nmi_"))  # type: ignore[arg-type]
    return getattr(metrics, measure)(labels, truth)


def score_where_seen(labels: np.ndarray, truth: np.ndarray, measure: str) -> float:
    """One measure of a base clustering, on the objects it labels."""
    seen = labels >= 0
    return score(labels[seen], truth[seen], measure)


def base_scores(measure: str, made: Ensemble, truth: np.ndarray) -> np.ndarray:
    """Score of every base clustering against the truth: (M,)."""
    return _base_scores(key_of(base_scores, measure, made, truth), measure, made, truth)


@st.cache_data(max_entries=64, show_spinner=False)
def _base_scores(key: Hashable, measure: str, _ensemble: Ensemble, _classes: np.ndarray) -> np.ndarray:
    return np.array([score_where_seen(column, _classes, measure) for column in _ensemble.labels.T])


def k_choices(made: Ensemble, config: RunConfig) -> list[int]:
    """Numbers of clusters to try: 2 .. twice the wanted, at least 10, as far as the ensemble allows."""
    return list(range(2, min(len(made.microclusters), max(10, 2 * wanted_k(config))) + 1))


def scores_by_k(config: RunConfig, made: Ensemble, result: Consensus, truth: np.ndarray) -> Job:
    """Job: score against the truth for a range of k, (n_choices,); one tree serves all where there is one."""
    return start(found_scores_by_k, made, result, truth, config.measure, k_choices(made, config))


def found_scores_by_k(
    made: Ensemble, result: Consensus, truth: np.ndarray, measure: str, choices: Sequence[int], monitor: Monitor
) -> np.ndarray:
    """Score against the truth for every k of the choices: (n_choices,)."""
    found = []
    for done, k in enumerate(choices):
        monitor.tick("trying numbers of clusters", done, len(choices))
        labels = _labels_at(made, result, k, Part(monitor, done, len(choices), 1, "trying numbers of clusters"))
        found.append(score(labels, truth, measure))
    return np.array(found)


def _labels_at(made: Ensemble, result: Consensus, k: int, monitor: Monitor) -> np.ndarray:
    if "dendrogram" in result.trace:
        return result.microclusters.expand(cut(result.trace["dendrogram"], k))
    return run_consensus(result.method, made, k, result.params, result.seed, monitor).labels
