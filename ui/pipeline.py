"""From a RunConfig to what the pages show: every stage computed once, in the background, and shared."""

import threading
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import streamlit as st

import data
from data import Dataset, Pool
from engine import Consensus, Ensemble, Monitor, metrics, run_consensus
from engine.ensemble import first_appearance
from engine.generators import draw, kmeans_ensemble
from engine.partition import cut
from ui import uploads
from ui.jobs import Job, Jobs
from ui.run_config import RunConfig
from ui.state import user

#: Base clusterings made between two looks at what is there: a cancel loses at most these.
_BATCH = 10


@st.cache_resource
def jobs() -> Jobs:
    """The jobs of this process."""
    return Jobs()


def start(key: Hashable, compute: Callable[[Monitor], Any], slot: str) -> Job:
    """Start a job, or find it. A session has one job a slot: an unfinished one before it is let go."""
    held = st.session_state.setdefault("_held_jobs", {})
    if held.get(slot, key) != key:
        jobs().release(held[slot], user())
    held[slot] = key
    return jobs().submit(key, compute, user())


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


class BaseClusterings:
    """The k-means clusterings of one data set under one setting; grows when more are asked for."""

    def __init__(self, points: np.ndarray, settings: dict[str, Any]):
        self._points, self._settings = points, settings
        self._columns: list[np.ndarray] = []
        self._ks: list[int] = []
        self._lock = threading.Lock()

    def first(self, m: int, monitor: Monitor) -> Ensemble:
        """The first m as an Ensemble; what is missing is made now, in batches that a cancel leaves in place."""
        with self._lock:
            while len(self._columns) < m:
                self._grow(min(_BATCH, m - len(self._columns)), m, monitor)
            made = {"generator": "k-means", "k": self._ks[:m], **self._settings}
            return Ensemble.from_labels(np.column_stack(self._columns[:m]), provenance=made)

    def _grow(self, n: int, m: int, monitor: Monitor) -> None:
        have = len(self._columns)
        batch = kmeans_ensemble(
            self._points, n, first=have, monitor=_Part(monitor, "clustering", have, m), **self._settings
        )
        self._columns += list(batch.labels.T)
        self._ks += batch.provenance["k"]


class _Part(Monitor):
    """Reports a batch as part of the whole."""

    def __init__(self, outer: Monitor, stage: str, before: int, total: int):
        self.outer, self.stage, self.before, self.total = outer, stage, before, total

    def tick(self, stage: str, done: int, total: int) -> None:
        self.outer.tick(self.stage, self.before + (done if total > 1 or done else 0), self.total)


@st.cache_resource(max_entries=8, show_spinner=False)
def _base_clusterings(key: Hashable, _points: np.ndarray, _settings: dict[str, Any]) -> BaseClusterings:
    return BaseClusterings(_points, _settings)


def ensemble_key(config: RunConfig) -> tuple:
    """What the Ensemble depends on: its data and how base clusterings are made, how many, and which are off."""
    made = (config.scaling, config.krange, config.init, config.ninit, config.subspace)
    if isinstance(dataset(config), Pool):
        made = ()
    return "ensemble", config.data, *made, config.seed, config.m, config.off


def ensemble(config: RunConfig) -> Job:
    """Job: the Ensemble of the base clusterings that are switched on."""
    source, everything = dataset(config), config.with_(off=())
    if config.off:
        whole = ensemble(everything)
        return start(ensemble_key(config), lambda monitor: _switched_on(whole.future.result(), config.off), "active")
    if isinstance(source, Pool):
        return start(ensemble_key(config), lambda monitor: drawn(source, config.m, config.seed), "ensemble")
    settings = dict(k_range=config.k_range, seed=config.seed, init=config.init, n_init=config.ninit,
                    feature_fraction=config.subspace)  # fmt: skip
    growing = _base_clusterings((*ensemble_key(config)[:-2],), features(config), settings)
    return start(ensemble_key(config), lambda monitor: growing.first(config.m, monitor), "ensemble")


def drawn(pool: Pool, m: int, seed: int) -> Ensemble:
    """M base clusterings of a pool: all of them in their order, or a random draw."""
    if m >= pool.n_clusterings:
        return Ensemble.from_labels(pool.members, provenance={"generator": "pool", "columns": "all"})
    return draw(pool.members, m, seed)


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
