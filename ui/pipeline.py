"""From a RunConfig to what the pages show: every stage computed once, in the background, and shared."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import streamlit as st

import data
from data import Dataset, Pool
from engine import Consensus, Ensemble, Monitor, metrics, run_consensus
from engine.partition import cut
from engine.renumbering import first_appearance
from ui import generating, uploads
from ui.jobs import Job, Jobs
from ui.run_config import RunConfig
from ui.state import is_here, place, user


@st.cache_resource
def jobs() -> Jobs:
    """The jobs of this process."""
    return Jobs(alive=is_here)


def start(key: Hashable, compute: Callable[[Monitor], Any], slot: str, patient: bool = False) -> Job:
    """Start a job, or find it. A session has one job a slot: an unfinished one before it is let go."""
    held = st.session_state.setdefault("_held_jobs", {})
    if held.get(slot, key) != key:
        jobs().release(held[slot], user())
    held[slot] = key
    return jobs().submit(key, compute, user(), patient, place())


# ------------------------------------------------------------------------------------------ data


@st.cache_resource(max_entries=8, show_spinner=False)
def _catalogued(name: str) -> Dataset | Pool:
    return data.load(name)


def dataset(config: RunConfig) -> Dataset | Pool:
    """The data set or pool.

    Raises
    ------
    data.DataError
        If the name is unknown, the file is unreadable, or the upload is not here.
    """
    if config.data.startswith(uploads.PREFIX):
        return uploads.find(config.data).content
    return _catalogued(config.data)


def title(config: RunConfig) -> str:
    """Name of the data set for people."""
    if config.data.startswith(uploads.PREFIX):
        return uploads.find(config.data).filename
    return data.title(config.data)


def features(config: RunConfig) -> np.ndarray:
    """The scaled features of a data set: (N, D)."""
    return data.scale(dataset(config).features, config.scaling)


def truth(config: RunConfig) -> np.ndarray | None:
    """Classes numbered 0.. by first appearance, or None: (N,)."""
    labels = dataset(config).labels
    return None if labels is None else first_appearance(labels)


def wanted_k(config: RunConfig) -> int:
    """K as chosen; else as many as there are classes (3 if unknown, at least 2)."""
    classes = truth(config)
    return config.k or (3 if classes is None else max(2, int(classes.max()) + 1))


# -------------------------------------------------------------------------------------- ensemble


def ensemble_key(config: RunConfig) -> tuple:
    """What the Ensemble depends on: its data and how base clusterings are made, how many, and which are off."""
    made = generating.made_by(config, dataset(config), lac_k(config))
    return "ensemble", config.data, *made, config.seed, config.m, config.off


def lac_k(config: RunConfig) -> int:
    """Clusters of every LAC clustering: as chosen, else as many as there are classes (3 if unknown)."""
    return config.lack or wanted_k(config.with_(k=None))


def ensemble(config: RunConfig) -> Job:
    """Job: the Ensemble of the base clusterings that are switched on."""
    if config.off:
        whole = ensemble(config.with_(off=()))
        return start(ensemble_key(config), lambda monitor: _switched_on(whole.future.result(), config.off), "active")
    make = generating.maker(config, dataset(config), lambda: features(config), lac_k(config))
    return start(ensemble_key(config), make, "ensemble")


def _switched_on(whole: Ensemble, off: Iterable[int]) -> Ensemble:
    return whole.select(np.setdiff1d(np.arange(whole.n_clusterings), np.array(list(off))))


# ------------------------------------------------------------------------------------- consensus


def consensus(config: RunConfig, made: Ensemble, k: int | None = None, record: Iterable[str] = ()) -> Job:
    """Job: the Consensus of an ensemble under the chosen method."""
    k, params, record = k or wanted_k(config), config.method_params, tuple(sorted(record))
    key = ("consensus", ensemble_key(config), config.method, params, k, config.seed, record)

    def compute(monitor: Monitor) -> Consensus:
        return run_consensus(config.method, made, k, params, config.seed, monitor, record)

    return start(key, compute, "recorded" if record else "consensus")


def score(labels: np.ndarray, classes: np.ndarray, measure: str) -> float:
    """One measure of `engine.metrics.scores`."""
    if measure.startswith("nmi_"):
        return metrics.nmi(labels, classes, measure.removeprefix("nmi_"))  # type: ignore[arg-type]
    return getattr(metrics, measure)(labels, classes)


@st.cache_data(max_entries=64, show_spinner=False)
def base_scores(key: Hashable, measure: str, _ensemble: Ensemble, _classes: np.ndarray) -> np.ndarray:
    """Score of every base clustering against the truth: (M,)."""
    return np.array([score(column, _classes, measure) for column in _ensemble.labels.T])


def k_choices(made: Ensemble, config: RunConfig) -> list[int]:
    """Numbers of clusters to try: 2 .. twice the wanted, at least 10, as far as the ensemble allows."""
    return list(range(2, min(len(made.microclusters), max(10, 2 * wanted_k(config))) + 1))


def scores_by_k(config: RunConfig, made: Ensemble, result: Consensus, classes: np.ndarray) -> Job:
    """Job: score against the truth for a range of k, (n_choices,); one tree serves all where there is one."""
    choices = k_choices(made, config)
    key = ("by_k", ensemble_key(config), config.method, result.params, config.seed, config.measure, tuple(choices))

    def compute(monitor: Monitor) -> np.ndarray:
        found = []
        for done, k in enumerate(choices):
            monitor.tick("trying numbers of clusters", done, len(choices))
            found.append(score(_labels_at(config, made, result, k), classes, config.measure))
        return np.array(found)

    return start(key, compute, "by_k")


def _labels_at(config: RunConfig, made: Ensemble, result: Consensus, k: int) -> np.ndarray:
    if "dendrogram" in result.trace:
        return result.microclusters.expand(cut(result.trace["dendrogram"], k))
    return run_consensus(config.method, made, k, result.params, config.seed).labels
