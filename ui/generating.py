"""Base clusterings as the sidebar describes them: three generators, draws from pools, and the script for each."""

import threading
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import streamlit as st

from data import Pool
from engine import Ensemble, Monitor
from engine.experiments.recipes import Recipe
from engine.generators import draw, kmeans_ensemble
from ui.run_config import RunConfig

#: Base clusterings made between two looks at what is there: a cancel loses at most these.
_BATCH = 10


def maker(config: RunConfig, source, points: Callable[[], np.ndarray], k: int) -> Callable[[Monitor], Ensemble]:
    """What makes the ensemble of a RunConfig, all of it switched on.

    Parameters
    ----------
    config : RunConfig
    source : Dataset or Pool
    points : callable
        The scaled features, (N, D); asked for only if there are any.
    k : int
        Clusters of every LAC clustering.
    """
    if isinstance(source, Pool):
        return lambda monitor: drawn(source, config.m, config.seed)
    made, features = recipe(config), points()
    if made.generator == "lac":
        return lambda monitor: made.ensemble(features, k, config.m, config.seed, monitor)
    key = (config.data, *made_by(config, source), config.seed)
    growing = _base_clusterings(key, features, {**made.kmeans_settings, "seed": config.seed})
    return lambda monitor: growing.first(config.m, monitor)


def made_by(config: RunConfig, source, k: int = 0) -> tuple:
    """The settings on which the base clusterings depend, besides data, seed and their number."""
    if isinstance(source, Pool):
        return ()
    made = recipe(config)
    return config.scaling, *made.essentials, k if made.generator == "lac" else 0


def recipe(config: RunConfig) -> Recipe:
    """How the sidebar makes base clusterings, as studies know it."""
    low, high = sorted((config.hlow, config.hhigh))
    return Recipe(
        config.generator, config.k_range, config.init, config.ninit, config.subspace, (low, high), config.lack
    )


def fields_of(made: Recipe) -> dict[str, Any]:
    """Fields of a RunConfig with which `recipe` gives this one."""
    k_range = made.k_range if isinstance(made.k_range, str) else "-".join(map(str, made.k_range))
    low, high = made.inverse_h
    return {"generator": made.generator, "krange": k_range, "init": made.init, "ninit": made.n_init,
            "subspace": made.feature_fraction, "hlow": low, "hhigh": high, "lack": made.lac_k}  # fmt: skip


def drawn(pool: Pool, m: int, seed: int) -> Ensemble:
    """M base clusterings of a pool: all of them in their order, or a random draw."""
    if m >= pool.n_clusterings:
        return Ensemble.from_labels(pool.members, provenance={"generator": "pool", "columns": "all"})
    return draw(pool.members, m, seed)


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


def script(config: RunConfig, source, k: int) -> list[str]:
    """Lines of Python that make the same ensemble from `source`."""
    if isinstance(source, Pool):
        if config.m >= source.n_clusterings:
            return ["ensemble = Ensemble.from_labels(source.members)"]
        return [f"ensemble = generators.draw(source.members, {config.m}, seed={config.seed})"]
    scaled = f"features = data.scale(source.features, {config.scaling!r})"
    if config.generator == "lac":
        values = f"inverse_h = {recipe(config).inverse_hs(config.m)}"
        return [scaled, values, f"ensemble = generators.lac_ensemble(features, {k}, inverse_h, seed={config.seed})"]
    options = "".join(f", {name}={value!r}" for name, value in _options(config).items())
    call = f"generators.kmeans_ensemble(features, {config.m}, {config.k_range!r}, seed={config.seed}{options})"
    return [scaled, f"ensemble = {call}"]


def _options(config: RunConfig) -> dict[str, Any]:
    """Settings of k-means that differ from its defaults."""
    defaults = {"init": "random", "n_init": 1, "feature_fraction": 1.0}
    return {name: value for name, value in recipe(config).kmeans_settings.items()
            if name in defaults and value != defaults[name]}  # fmt: skip
